"""When a step runs: loops, schedules, batches in flight."""
