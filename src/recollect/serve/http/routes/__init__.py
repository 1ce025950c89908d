"""The routes, by what they do."""
