"""What becomes of memories while nobody asks: they strengthen by use, fade without it, sleep and come back."""
