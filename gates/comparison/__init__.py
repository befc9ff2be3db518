"""A candidate beside a baseline that answers at the same time."""
