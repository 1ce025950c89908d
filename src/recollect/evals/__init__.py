"""Measuring recall on public sets, through the same engine that users have."""
