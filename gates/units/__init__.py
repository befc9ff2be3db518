"""Units: ranges of metrics, durations."""
