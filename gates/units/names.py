"""Names that somebody wrote: which one was meant."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def suggestion(name: str, known: Collection[str]) -> str:
    """Return ``; did you mean 'x'?`` where one of ``known`` is close, else nothing.

    >>> suggestion("stale_sorce_use", ["stale_source_use", "composite"]), suggestion("x", ["composite"])
    ("; did you mean 'stale_source_use'?", '')
    """
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
