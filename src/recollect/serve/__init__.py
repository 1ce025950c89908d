"""The surfaces: command line first."""
