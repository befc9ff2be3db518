"""Efficiency: time, tokens and money of an answer."""
