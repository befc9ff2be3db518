"""What to expect of a gate, on simulated traffic: false alarms, and how soon it detects a fall."""
