"""Trains the adapter that the package ships; not part of the wheel."""
