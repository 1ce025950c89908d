"""Derived search indexes: rebuilt from the store at any time, never the truth."""
