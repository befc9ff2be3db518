"""The catalog of governing documents: what is in force, since when, and what it superseded.

It is plain data made by `parse_catalog` from text; reading and watching files is the collector's part.
"""

from scorers.catalog.change import CatalogChange
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition, EditionKey
from scorers.catalog.graph import Catalog
from scorers.catalog.lookup import looked_up
from scorers.catalog.parse import CatalogError, CatalogFormat, parse_catalog

__all__ = [
    "Catalog",
    "CatalogChange",
    "CatalogError",
    "CatalogFormat",
    "Document",
    "Edition",
    "EditionKey",
    "looked_up",
    "parse_catalog",
]
