"""Retention and the care of the store, as steps."""
