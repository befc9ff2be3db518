"""What a gate and a verdict are."""
