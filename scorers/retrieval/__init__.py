"""Retrieval: what was found against what should have been, and the health of a retriever nobody labelled."""
