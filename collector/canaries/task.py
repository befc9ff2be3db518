"""Writing canaries in a process of its own: a catalog may have hundreds of thousands of entries to be searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from collector.catalog.snapshot import mapped, opened
from scorers.canaries.canary import Canary
from scorers.canaries.pairs import changed_pairs
from scorers.canaries.writing import still_holds, write_canaries
from scorers.catalog.stored import catalog_of

LOOKED_AT = 4
"""How many entries are looked at for each canary that may be kept: not every entry has a statement to ask about."""


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """The catalog in force, the one before, and the canaries that stand; ``within`` is the k to be found in."""

    before: Path | None
    after: Path
    at: datetime
    standing: tuple[Canary, ...]
    most: int
    per_entry: int
    within: int


@dataclass(frozen=True, slots=True)
class WrittenCanaries:
    """New canaries, and the ids of those that the catalog no longer bears out."""

    fresh: tuple[Canary, ...]
    gone: tuple[str, ...]


def canary_writer() -> Callable[[WriteOrder], WrittenCanaries]:
    """Return `written`, as the set-up of a worker that ends with its answer."""
    return written


def written(order: WriteOrder) -> WrittenCanaries:
    """Compare two catalogs and write the canaries of what changed."""
    after = mapped(order.after)
    catalog = catalog_of(after)
    pairs = changed_pairs(opened(order.before), after, most=order.most * LOOKED_AT)
    fresh: dict[str, Canary] = {}
    for canary in write_canaries(pairs, catalog, order.at, per_entry=order.per_entry, within=order.within):
        fresh[canary.id] = canary
        if len(fresh) >= order.most:
            break
    gone = tuple(one.id for one in order.standing if one.id not in fresh and not still_holds(one, catalog, order.at))
    return WrittenCanaries(tuple(fresh.values()), gone)
