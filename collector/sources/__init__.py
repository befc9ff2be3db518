"""Sources: what the agent reads by itself, beside what is sent to it."""
