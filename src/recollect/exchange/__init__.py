"""Getting memories out and in again: JSONL, Markdown, and between branches."""
