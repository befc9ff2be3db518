"""Answers held against reference answers: overlap of words, perplexity, and nearness of embeddings."""
