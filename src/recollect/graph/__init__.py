"""The graph of one user's memory and its views: questions in Cypher, hubs, communities, paths."""
