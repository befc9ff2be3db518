"""What the agent counts: instruments by subject, which series they expose, and the registry of their values."""
