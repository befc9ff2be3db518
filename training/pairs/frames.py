"""Frames of policies and of prose, freely paraphrased: what the encoder learns from.

One block says one thing; blocks are separated by a blank line, one item a line:

- ``# slot name: value; value`` at the head of a file defines a slot of that file; other lines with ``#`` are comments.
- ``S sentence`` says the whole rule alone; of several, one is drawn. ``D sentence`` stands beside it in the document.
- ``? question`` is what an answer replies to. ``= statement`` follows from S for every filling.
- ``! kind statement`` is wrong: it contradicts S, or claims more than S says. ``~ statement`` is left open.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.pairs.slots import values_of

_FOLDER = Path(__file__).parent / "frames"
KEPT_ASIDE = 12
"""Percent of the frames that are kept aside, whole frames, by a digest of their first sentence."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A block of a file, with the slots of that file."""

    slots: Mapping[str, Sequence[str]]
    told: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    question: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    @property
    def aside(self) -> bool:
        """Whether the frame is kept aside."""
        return int(hashlib.sha256(self.told[0].encode()).hexdigest(), 16) % 100 < KEPT_ASIDE


def frames() -> Iterator[Frame]:
    """Yield the frames of all files, in order."""
    for path in (*sorted(_FOLDER.glob("*.txt")), _FOLDER.with_name("policies.txt")):
        slots: dict[str, Sequence[str]] = {}
        frame: Frame | None = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("# slot "):
                name, values = line.removeprefix("# slot ").split(":", 1)
                slots[name.strip()] = values_of(values)
            elif not line.strip():
                if frame is not None and frame.told:
                    yield frame
                frame = None
            elif not line.startswith("#"):
                frame = frame or Frame(slots)
                _read(frame, line, f"{path.name}:{number}")
        if frame is not None and frame.told:
            yield frame


def _read(frame: Frame, line: str, where: str) -> None:
    mark, _, rest = line.partition(" ")
    lists = {"S": frame.told, "D": frame.beside, "?": frame.question, "=": frame.same, "~": frame.open}
    if mark in lists and rest:
        lists[mark].append(rest)
    elif mark == "!" and " " in rest:
        kind, text = rest.split(" ", 1)
        frame.wrong.append((kind, text))
    else:
        raise ValueError(f"{where}: begins with none of S, D, ?, =, ! and ~: {line[:60]}")
