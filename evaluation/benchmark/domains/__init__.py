"""Templates of three regulated domains: what documents say, what is asked of them, what answers claim."""
