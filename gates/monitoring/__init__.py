"""Detectors of a fall: each slice against its own past, read at every tick."""
