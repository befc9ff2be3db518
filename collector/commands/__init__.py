"""What single commands do, beyond starting the agent."""
