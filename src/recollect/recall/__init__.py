"""From a question to hits with reasons."""
