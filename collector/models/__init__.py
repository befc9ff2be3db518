"""Models on this machine that are loaded only where one is configured: embeddings, and entailment of claims."""
