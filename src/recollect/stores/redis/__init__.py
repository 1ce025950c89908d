"""What several processes share beside the store, on a Redis server: working memory, vectors of texts, rates."""
