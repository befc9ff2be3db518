"""Claims read as statements: what a sentence forbids, permits, requires or bounds, and which source says otherwise."""
