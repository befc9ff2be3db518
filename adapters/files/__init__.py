"""Files and records: export files, JSON lines, labelled rows."""
