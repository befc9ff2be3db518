"""An example that the encoder learns from, and how examples are read and written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

SUPPORTED, OPEN, CONTRADICTED = range(3)

Span = tuple[int, int]


class Example(NamedTuple):
    """A premise and a hypothesis, how they relate, and where the hypothesis is wrong: ``None`` where that is unknown.

    ``part`` names the mixture it belongs to, ``kind`` how it was made, ``group`` what must not be on both sides.
    """

    premise: str
    hypothesis: str
    label: int
    spans: tuple[Span, ...] | None
    part: str
    kind: str
    group: str


def read(path: Path) -> list[Example]:
    """Return the examples of a file."""
    with path.open(encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines)
        return [Example(**{**row, "spans": _spans(row["spans"])}) for row in rows]


def write(path: Path, examples: Iterable[Example]) -> None:
    """Write examples, and say how many of which label."""
    counts = [0, 0, 0]
    with path.open("w", encoding="utf-8") as out:
        for each in examples:
            counts[each.label] += 1
            out.write(json.dumps(each._asdict(), ensure_ascii=False) + "\n")
    print(f"{path.name}: {sum(counts)} examples: {counts[0]} supported, {counts[1]} open, {counts[2]} contradicted")


def _spans(written: Sequence[Sequence[int]] | None) -> tuple[Span, ...] | None:
    return None if written is None else tuple((start, end) for start, end in written)
