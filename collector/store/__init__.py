"""The store: SQLite, the queue between all steps; the only room that knows SQL."""
