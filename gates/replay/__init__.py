"""Gates over a recorded stream of evaluations and changes."""
