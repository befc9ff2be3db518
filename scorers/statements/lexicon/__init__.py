"""Words of policies by what they mean: hand-made tables, to be read and extended line by line."""
