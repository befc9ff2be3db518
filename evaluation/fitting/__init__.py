"""Weights, caps and thresholds fitted to what people say of answers, and evaluators held against it."""
