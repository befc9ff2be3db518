"""Worker processes: the pool, its watchdog, cores and memory."""
