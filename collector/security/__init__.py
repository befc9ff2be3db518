"""What stands between the agent and the outside: addresses, secrets, bounds on hostile bytes."""
