"""The catalog of documents."""

from __future__ import annotations

from telemetry.instrument import counter, gauge

CATALOG_DOCUMENTS = gauge("groundwire_catalog_documents", "Documents in the active catalog.")
CATALOG_LOADED = gauge("groundwire_catalog_loaded_timestamp_seconds", "Time at which the active catalog was loaded.")
CATALOG_ERRORS = counter("groundwire_catalog_errors_total", "Catalog files rejected because of errors.")
CATALOG_CHANGES = counter(
    "groundwire_catalog_changes_total",
    "Catalog changes, by kind: entries added, removed or changed, and versions superseded.",
    "kind",
)
CATALOG_LEARNED = gauge("groundwire_catalog_learned_documents", "Catalog entries learned from passage metadata.")
LISTING_UP = gauge(
    "groundwire_catalog_listing_up", "Whether the last reading of a listing succeeded: 1 yes, 0 no.", "listing"
)
LISTING_SUCCESS = gauge(
    "groundwire_catalog_listing_success_timestamp_seconds",
    "Time at which a listing was last read; the start of the agent if it never was.",
    "listing",
)
LISTING_ENTRIES = gauge("groundwire_catalog_listing_entries", "Entries of the newest reading of a listing.", "listing")
INDEX_LAG = gauge(
    "groundwire_index_lag_documents",
    "Documents in which an index differs from its sources, by kind: outdated, removed from the source, moved there, "
    "missing from the index.",
    "listing",
    "kind",
)
