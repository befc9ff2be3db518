"""Freshness and standing of passages: their dates, and which of two prevails."""
