"""Evaluation before release: runs compared with each other, and retrieval thresholds chosen, with their uncertainty."""
