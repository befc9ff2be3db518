"""Brings the items of a batch to a target, in requests that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.outbound.errors import Refused
from collector.store.statements import groups
from collector.writeback.base import REASONS, REQUEST_ITEMS, Target, WriteBackItem


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a batch, in items; ``unknown`` holds the answers whose span the target does not know."""

    written: int = 0
    rejected: int = 0
    reasons: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()


def deliver(target: Target, items: Sequence[WriteBackItem], *, singly: bool = False) -> Delivery:
    """Write items, ``singly`` each in a request of its own so that one at fault is rejected alone.

    Raises what the target raises; `Refused` only where not ``singly``: then a smaller batch is to be tried.
    """
    written = rejected = 0
    reasons: list[str] = []
    unknown: set[str] = set()
    for group in groups(items, 1 if singly else REQUEST_ITEMS):
        try:
            result = target.write(group)
        except Refused as refusal:
            if not singly:
                raise
            rejected += 1
            reasons.append(refusal.reason)
            continue
        written += result.count
        rejected += result.rejected
        reasons += result.reasons
        unknown.update(item.answer_id for item in result.unknown)
    return Delivery(written, rejected, tuple(dict.fromkeys(reasons))[:REASONS], frozenset(unknown))
