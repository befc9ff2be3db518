"""What a scorer may ask of a model that somebody else runs."""
