"""The log of requests that are refused for what they are: who sends them, and what is wrong with them."""

from __future__ import annotations

import structlog

from collector.security.text import one_line

log = structlog.get_logger(__name__)

TOLD = frozenset({"400", "401", "404", "405", "413", "415", "INVALID_ARGUMENT", "UNAUTHENTICATED"})
"""Codes that the same request always meets; that of a full queue is for the sender, which comes again."""
LONGEST = 300
PROBE_AGENT = "groundwire-doctor"
"""The user agent of `groundwire doctor`: what it sends to find out who answers is no fault of an application."""


class RefusalLog:
    """Logs the first refused request of each code to ``where``: metrics count all, and do not say who sent them."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._told: set[str] = set()

    def tell(self, code: str, reason: str, *, sender: str | None) -> None:
        """Log a refusal, unless one like it was."""
        if code not in TOLD or code in self._told:
            return
        self._told.add(code)
        log.warning(
            "request refused; further ones of this code are only counted",
            where=self._where,
            code=code,
            reason=one_line(reason, LONGEST),
            sender=sender or "unknown",
        )
