"""A benchmark after PROBE, made from templates and a seed: documents, questions, simulated answers, their labels."""
