"""The HTTP API: verdicts, answers, decisions, changes, readiness."""
