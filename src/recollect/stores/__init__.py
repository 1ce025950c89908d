"""Where the truth lives: an in-memory reference and one SQLite file."""
