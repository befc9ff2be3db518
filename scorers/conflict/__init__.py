"""Conflict between passages: what each says to the question, and whether two of them say the same."""
