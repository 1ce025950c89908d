"""The dashboard: pages for people who want to look inside a memory, understand it and correct it."""
