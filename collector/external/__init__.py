"""Scores by other evaluators: what is declared of them, and how they become evaluations that gates judge."""
