"""`groundwire benchmark`: the generated benchmark written to a folder, and a report on evaluators scored over it."""
