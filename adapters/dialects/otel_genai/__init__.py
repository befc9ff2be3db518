"""The dialect of the OpenTelemetry GenAI semantic conventions."""
