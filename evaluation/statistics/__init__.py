"""Statistics of paired comparison: what two systems did with the same questions."""
