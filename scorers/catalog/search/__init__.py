"""Search over a catalog: an inverted index, its mixture with embeddings, and what retrieval missed."""
