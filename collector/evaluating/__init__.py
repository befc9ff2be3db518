"""Evaluations that the agent runs by the calendar."""
