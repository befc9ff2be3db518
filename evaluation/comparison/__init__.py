"""Runs of scored answers, and one run compared with another question by question."""
