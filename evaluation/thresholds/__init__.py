"""Similarity thresholds of retrieval: how good answers are at each, and which one to use."""
