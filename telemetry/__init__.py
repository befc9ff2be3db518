"""What the agent counts: the instruments, which of their series are exposed, and the registry."""
