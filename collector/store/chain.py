"""The hash chain of the decision log: a row that was changed, removed or put in later breaks it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from collector.store.rows import Decision


def canonical(value: object) -> str:
    """Return JSON with sorted keys and no white space: one text for one value.

    >>> canonical({"b": 1, "a": "x"})
    '{"a":"x","b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def slice_key(slice_: Mapping[str, str]) -> str:
    """Return the canonical text of a slice."""
    return canonical(dict(slice_))


def hash_of(decision: Decision) -> str:
    """Return the SHA-256, in hex, over everything the row says and the hash of the row before."""
    row: dict[str, object] = {
        "seq": decision.seq,
        "at": decision.at,
        "gate": decision.gate,
        "slice": dict(decision.slice),
        "state": decision.state,
        "previous_state": decision.previous_state,
        "verdict": decision.verdict,
        "previous_hash": decision.previous_hash,
    }
    if decision.record is not None:
        # Rows of before there were records keep the hash they have.
        row["record"] = decision.record
    return sha256(canonical(row).encode()).hexdigest()


def link(decision: Decision, *, seq: int, previous_hash: str) -> Decision:
    """Return ``decision`` as row ``seq`` of the log, after the row with ``previous_hash`` (empty: there is none)."""
    row = replace(decision, seq=seq, previous_hash=previous_hash, hash="")
    return replace(row, hash=hash_of(row))
