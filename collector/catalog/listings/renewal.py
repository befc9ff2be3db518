"""How a listing goes on from the one before: what is new, what moved, and what the source no longer has."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from collector.catalog.listings.editions import with_earlier
from scorers.catalog import Document
from scorers.catalog.history import SourceHistory
from scorers.catalog.learned import consistent


def renewed(
    history: SourceHistory, found: dict[str, Document], at: datetime, earlier: Sequence[Document] = ()
) -> tuple[Document, ...]:
    """Return the entries of a history that goes on with ``found``, by id: all that the source has at ``at``.

    What has the checksum of something that is gone is that, moved. Beside the last editions in ``found`` the source may
    have ``earlier`` ones.
    """
    gone: dict[str, str] = {}
    ended: list[str] = []
    for name in sorted(history.current - found.keys()):
        held = history.now(name)
        checksum = None if held is None else held.checksum
        if checksum is None or checksum in gone:
            ended.append(name)
        else:
            gone[checksum] = name
    for name, entry in sorted(found.items()):
        held = history.now(name)
        moved = None if held is not None or entry.checksum is None else gone.pop(entry.checksum, None)
        history.listed(entry, _since(held, entry, at), moved_from=moved)
    for name in (*ended, *gone.values()):
        history.gone(name, at)
    return tuple(consistent(with_earlier(history.documents(), earlier)))


def _since(held: Document | None, entry: Document, at: datetime) -> datetime:
    """Return when an entry took the place of another: when it was modified, if that may be so, else now."""
    before, modified = None if held is None else held.modified_at, entry.modified_at
    return modified if before is not None and modified is not None and before < modified < at else at
