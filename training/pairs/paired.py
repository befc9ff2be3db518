"""Passages in pairs: the same matters in two places that rule or report otherwise, and statements labelled for both.

Who writes wrong statements gives them a ring of their own. Here nearly every statement is right by one passage and
wrong by the other, so that nothing is learned without the passage. Files of ``paired`` hold items with a blank line
between them:

    ? the question
    A a passage
    B another
    ec a statement that A entails and B contradicts; n: it is not told
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("paired")

LETTERS = "enc"
"""Entailed, not told, contradicted."""


class Item(NamedTuple):
    """A question, two passages, and statements with a letter for each of them; ``group`` is where it stands."""

    group: str
    question: str
    passages: tuple[str, str]
    statements: tuple[tuple[str, str], ...]


def items(folder: Path = FOLDER) -> Iterator[Item]:
    """Yield the items of all files, in their order.

    Raises ``ValueError``, which names the file and the line, for what has another form.
    """
    for path in sorted(folder.glob("*.txt")):
        yield from read(path)


def read(path: Path) -> Iterator[Item]:
    """Yield the items of a file."""
    for number, block in enumerate(path.read_text(encoding="utf-8").strip().split("\n\n")):
        lines = [line.partition(" ") for line in block.splitlines()]
        marks, texts = [mark for mark, _, _ in lines], [text.strip() for _, _, text in lines]
        where = f"{path.name}, item {number + 1}"
        if marks[:3] != ["?", "A", "B"] or not all(texts):
            raise ValueError(f"{where}: a question (?), two passages (A, B) and statements are expected")
        for mark in marks[3:]:
            if len(mark) != len("AB") or not set(mark) <= set(LETTERS):
                raise ValueError(f"{where}: {mark!r} is no label; two of {', '.join(LETTERS)} are expected")
        yield Item(where, texts[0], (texts[1], texts[2]), tuple(zip(marks[3:], texts[3:], strict=True)))
