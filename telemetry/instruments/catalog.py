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
