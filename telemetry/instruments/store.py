"""The store: its size, the space left for it, and whether it is whole."""

from __future__ import annotations

from telemetry.instrument import counter, gauge

STORE_BYTES = gauge("groundwire_store_bytes", "Size of the store on disk.")
STORE_FREE_BYTES = gauge(
    "groundwire_store_free_bytes", "Bytes the store can still use: free on disk, or free within the database.", "kind"
)
STORE_RESERVE_BYTES = gauge(
    "groundwire_store_reserve_bytes",
    "Disk space reserved so that the store can start and prune on a full disk; 0 while the reserve is in use.",
)
STORE_LOG_BYTES = gauge(
    "groundwire_store_log_bytes", "Size of the write-ahead log. It grows while a reader stays open."
)
STORE_WRITABLE = gauge("groundwire_store_writable", "Whether the store is writable: 1 yes, 0 no.")
STORE_CORRUPT = gauge(
    "groundwire_store_corrupt", "Whether corruption was found in the database since the agent started: 1 yes, 0 no."
)
STORE_REWOUND = gauge(
    "groundwire_store_rewound", "Whether the store has lost rows and the loss has not been acknowledged: 1 yes, 0 no."
)
STORE_CHECKED = gauge(
    "groundwire_store_checked_timestamp_seconds",
    "Time of the last full integrity check of the database; 0 if there was none since the agent started.",
)
PRUNED = counter("groundwire_pruned_rows_total", "Rows deleted by retention.", "table")
