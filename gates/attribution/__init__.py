"""What a fall comes from: which change, which part of the traffic, since when."""
