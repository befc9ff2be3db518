"""Run folders: the scored answers of a suite as Parquet tables, with a manifest of what they were made from."""
