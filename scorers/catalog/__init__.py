"""The catalog of governing documents."""


class Catalog:
    """Documents by id and version."""
