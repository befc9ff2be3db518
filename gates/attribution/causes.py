"""What can stand behind a change of quality, and what kind of change in the ledger each of them is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from gates.inputs.changes import ChangeKind

Cause = Literal["scorer_version", "traffic_mix", "documents", "release", "model", "prompt", "index", "retriever"]

CAUSES: Mapping[ChangeKind, Cause] = {
    "scorer": "scorer_version",
    "documents": "documents",
    "deploy": "release",
    "model": "model",
    "prompt": "prompt",
    "index": "index",
    "retriever": "retriever",
}
