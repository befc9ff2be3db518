"""Minimal pairs of statements, generated: wrong by one change of each kind, or reworded without harm."""
