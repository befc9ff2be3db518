"""Policy documents of grammars of our own: sentences, statements that say the same, and statements that do not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from training.pairs.pair import edits
from training.pairs.slots import fill, filled
from training.pairs.ways import HARMLESS, WRONG

_FILE = Path(__file__).parent / "policies.txt"


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences of a document that say one thing, statements that say the same, and wrong ones by kind."""

    told: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)


@cache
def blocks() -> tuple[Block, ...]:
    """Return the blocks of the file."""
    found: list[Block] = []
    fresh = True
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            fresh = True
            continue
        if fresh:
            found.append(Block())
            fresh = False
        mark, rest = line.split(" ", 1)
        if mark == "S":
            found[-1].told.append(rest)
        elif mark == "=":
            found[-1].same.append(rest)
        else:
            kind, text = rest.split(" ", 1)
            found[-1].wrong.append((kind, text))
    return tuple(found)


class Statement(NamedTuple):
    """A statement over a document: its kind of change or of rewording, and whether it is wrong."""

    kind: str
    text: str
    wrong: bool


class Policy(NamedTuple):
    """A document as passages, one sentence of it (``told``), and statements about that."""

    passages: tuple[str, ...]
    told: str
    statements: tuple[Statement, ...]


def policies(count: int, seed: int) -> Iterator[Policy]:
    """Yield ``count`` policies; the same seed gives the same ones."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        yield _policy(blocks()[number % len(blocks())], rng)


def _policy(block: Block, rng: random.Random) -> Policy:
    values = filled(rng)
    told = fill(rng.choice(block.told), values)
    others = [fill(rng.choice(other.told), filled(rng)) for other in rng.sample(blocks(), rng.randint(2, 7))]
    others = [other for other in others if other != told]
    others.insert(rng.randint(0, len(others)), told)
    source = " ".join(others)
    same = [fill(text, values) for text in block.same]
    statements = [Statement("copy", told, wrong=False), *(Statement("paraphrase", text, wrong=False) for text in same)]
    statements += [Statement(kind, fill(text, values), wrong=True) for kind, text in block.wrong]
    for text in (told, *same):
        for kind, changed in edits(WRONG, text, source, rng):
            if changed not in same and changed != told and not _may_hold(kind, text, told):
                statements.append(Statement(kind, changed, wrong=True))
        for kind, changed in edits(HARMLESS, text, source, rng):
            statements.append(Statement(kind, changed, wrong=False))
    return Policy(_passages(others, rng), told, tuple(statements))


def _may_hold(kind: str, text: str, told: str) -> bool:
    """Return whether a change of a paraphrase may be right all the same: a part of it that says less, or more words."""
    return text != told and kind in {"condition", "scope", "exception", "role"}


def _passages(sentences: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    way = rng.randrange(4)
    if way == 0:
        return ("\n".join(f"- {sentence}" for sentence in sentences),)
    if way == 1 and len(sentences) > 2:  # noqa: PLR2004 - two passages of some sentences each
        cut = rng.randint(1, len(sentences) - 1)
        return " ".join(sentences[:cut]), " ".join(sentences[cut:])
    if way == 2:  # noqa: PLR2004 - the third way
        return (f"## {rng.choice(('Rules', 'Terms', 'Policy', 'Handbook'))}\n\n" + "\n\n".join(sentences),)
    return (" ".join(sentences),)
