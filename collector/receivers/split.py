"""One export request becomes one chunk a trace.

This is the hot path: every item goes through the protobuf library once, to be checked and to give its ids; the
attributes of spans are never looked at. Spans, resources and scopes are copied as they came.
docs/adr/0004-what-is-checked-at-receipt.md says why it is done so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

from adapters.ids import names_a_response
from adapters.trace import Nanoseconds
from adapters.wire.protobuf import BLOCKS, HELD, varint
from collector.receivers.base import Dropped
from collector.receivers.items import ScopeItems
from collector.store.rows import Chunk

_FRAMED_BLOCK, _FRAMED_HELD = varint(BLOCKS << 3 | 2), varint(HELD << 3 | 2)


@dataclass(slots=True)
class Split:
    """A request by trace. ``dropped`` counts the items that are in no chunk."""

    chunks: list[Chunk]
    n_items: int
    dropped: Counter[Dropped]


@dataclass(slots=True)
class _Part:
    """The items of one trace under one scope, framed as they came."""

    resource: bytes
    scope: bytes
    items: list[bytes]


@dataclass(slots=True)
class _Gathered:
    parts: list[_Part] = field(default_factory=list)
    of_scope: int = -1
    n_items: int = 0
    has_root: bool = False


def split(scopes: Iterable[ScopeItems], *, arrived: Nanoseconds, keep: float) -> Split:
    """Return the chunks of the items of a request, and what was dropped; ``keep`` is the share of traces taken in."""
    found: dict[bytes, _Gathered] = {}
    dropped: Counter[Dropped] = Counter()
    for of_scope, scope in enumerate(scopes):
        for item in scope.items:
            if isinstance(item, str):
                dropped[item] += 1
                continue
            trace_id, framed, is_root = item
            gathered = found.get(trace_id)
            if gathered is None:
                gathered = found[trace_id] = _Gathered()
            if gathered.of_scope != of_scope:
                gathered.of_scope = of_scope
                gathered.parts.append(_Part(scope.resource, scope.scope, []))
            gathered.parts[-1].items.append(framed)
            gathered.n_items += 1
            if is_root:
                gathered.has_root = True
    chunks = []
    for trace_id, gathered in found.items():
        if kept(trace_id, keep):
            data = b"".join([framed_block(part.resource, part.scope, part.items) for part in gathered.parts])
            chunks.append(Chunk(trace_id, arrived, gathered.n_items, gathered.has_root, data))
        else:
            dropped["thinned"] += gathered.n_items
    return Split(chunks, sum(chunk.n_spans for chunk in chunks), dropped)


def kept(trace_id: bytes, keep: float) -> bool:
    """Whether a trace is among the share ``keep`` that is taken in; the same for every replica and request.

    What is of a model's response and of no trace is always taken: which of them are wanted is not known yet.

    The id is hashed because senders that sample do so by the id itself: else we would keep all or nothing of theirs.

    >>> kept(bytes(16), 1.0), sum(kept(n.to_bytes(16, "big"), 0.25) for n in range(1000))
    (True, 242)
    """
    if keep >= 1.0 or names_a_response(trace_id):
        return True
    return int.from_bytes(blake2b(trace_id, digest_size=8, person=b"receive.keep").digest(), "big") < keep * 2.0**64


def framed_block(resource: bytes, scope: bytes, items: list[bytes]) -> bytes:
    """Return one resource's block with one scope: a piece of a serialized ``TracesData``."""
    group = len(scope) + sum(map(len, items))
    group_frame = _FRAMED_HELD + varint(group)
    inner = len(resource) + len(group_frame) + group
    return b"".join((_FRAMED_BLOCK, varint(inner), resource, group_frame, scope, *items))
