"""Canaries: questions that catalog entries write about themselves, and what must come back when they are asked."""
