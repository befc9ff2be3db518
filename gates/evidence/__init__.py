"""Pure mathematics of evidence: numbers in, bounds out; nothing here knows of answers, slices or time."""
