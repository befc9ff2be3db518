"""The dialects: how each instrumentation writes a step of a RAG application."""
