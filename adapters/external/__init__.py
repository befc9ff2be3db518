"""Scores that somebody else's evaluator gave to an answer, in whatever form they come."""
