"""Pairs of a source sentence and a claim, written for these tests, by kind of difference."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    """``kind`` is empty where the source supports the claim."""

    source: str
    kind: str
    claim: str
    question: str | None


def pairs(name: str | Path) -> list[Pair]:
    """Return the pairs of a file, by its path or its name beside this one."""
    found: list[Pair] = []
    source, question = "", None
    for line in (Path(__file__).parent / name).read_text().splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "S":
            source, question = rest.replace("\\n", "\n"), None
        elif mark == "Q":
            question = rest
        elif mark == "R":
            found.append(Pair(source, "", rest, question))
        elif mark == "W":
            kind, _, claim = rest.partition(" ")
            found.append(Pair(source, kind, claim, question))
    return found
