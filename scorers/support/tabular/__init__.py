"""What tables and records of a context say of a claim: look-ups, comparisons, counts, extremes, trends."""
