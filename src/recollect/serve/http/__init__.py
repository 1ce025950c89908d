"""The HTTP service: every verb under /api/memory, for many users over one store."""
