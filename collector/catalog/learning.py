"""Learns from stored answers what their passages say of documents, and keeps it with how far it has read."""

from __future__ import annotations

import zlib

import orjson
import structlog

from collector.clock import Clock
from collector.store.store import Store
from scorers.catalog import Document
from scorers.catalog.learned import Lore

log = structlog.get_logger(__name__)

NAME = "catalog/learned"
"""Under which the store keeps it; no source can have this name."""
LAYOUT = 1
BATCH = 200
MAX_BATCHES = 50
"""Batches of one look; what is left is the next one's."""
SAVE_EVERY = 1000
"""Answers without news after which how far was read is saved."""


class Learning:
    """What was learned so far. One thread looks."""

    def __init__(self, store: Store, *, limit: int, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._seq, documents = _read(store.cursor(NAME))
        self._saved = self._seq
        self._lore = Lore(limit=limit, documents=documents)

    def __len__(self) -> int:
        return len(self._lore)

    def documents(self) -> tuple[Document, ...]:
        """Return what was learned."""
        return self._lore.documents()

    def look(self) -> bool:
        """Read answers that were stored since; return whether they held anything new."""
        changed = 0
        for _ in range(MAX_BATCHES):
            rows = self._store.answers_after(self._seq, limit=BATCH)
            for seq, answer in rows:
                changed += self._lore.learn(answer)
                self._seq = seq
            if len(rows) < BATCH:
                break
        if changed or self._seq - self._saved >= SAVE_EVERY:
            self._store.set_cursor(NAME, _written(self._seq, self._lore.documents()), at=self._clock())
            self._saved = self._seq
        return changed > 0


def _written(seq: int, documents: tuple[Document, ...]) -> bytes:
    rows = [document.model_dump(mode="json", exclude_defaults=True) for document in documents]
    return zlib.compress(orjson.dumps({"layout": LAYOUT, "seq": seq, "documents": rows}))


def _read(state: bytes | None) -> tuple[int, tuple[Document, ...]]:
    if state is None:
        return 0, ()
    try:
        found = orjson.loads(zlib.decompress(state))
        if found["layout"] == LAYOUT:
            return int(found["seq"]), tuple(
                Document.model_validate_json(orjson.dumps(row)) for row in found["documents"]
            )
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        log.warning("learned catalog entries cannot be read; learning them again", error=str(error))
    return 0, ()
