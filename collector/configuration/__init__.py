"""The configuration: its schema, its file, logging."""
