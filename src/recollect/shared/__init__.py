"""What users give each other: published items, statistics without names, channels by grant, and sync."""
