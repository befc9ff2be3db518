"""What the API serves from, once the store is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collector.judging.judge import JudgeStep
from collector.outbound.status import Reporting
from collector.store.store import Store


@dataclass(frozen=True, slots=True)
class Parts:
    """The store, the newest verdicts, and what the agent speaks to by itself."""

    store: Store
    judge: JudgeStep
    sources: Sequence[Reporting] = ()
    write_back: Sequence[Reporting] = ()
    notify: Sequence[Reporting] = ()
    catalog: Reporting | None = None


Opened = Callable[[], Parts]
"""Returns the parts. Raises `HTTPException` 503 while the store is not open."""
