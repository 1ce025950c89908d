"""Outcome → state: what worked rises, what failed in the same situation sinks."""
