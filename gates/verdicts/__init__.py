"""How verdicts of slices become the verdict of a gate."""
