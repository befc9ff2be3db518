"""A run: the scores of a suite's answers, read from the lines that `groundwire score --json` prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import orjson
from msgspec import Meta

from adapters.files.unreadable import not_json

QUESTION = "question"
"""What answers of run folders can be paired by, as by an attribute."""
MAX_NAME = 200
"""Characters of a metric's name and of an attribute: longer ones are no names."""

_Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
_Id = Annotated[str, Meta(min_length=1, max_length=10_000)]


class RunLineError(ValueError):
    """What is wrong with a line of a run, beginning with the field."""


class _ScoreLine(msgspec.Struct, gc=False):
    """What a comparison reads of a line; what the score rests on is left out."""

    answer_id: _Id
    metric: _Name
    value: float | None
    outcome: Literal["scored", "unscored"]
    label: str | None = None
    scorer_version: str | None = None
    session_id: str | None = None
    attributes: dict[str, str] = {}


class Provenance(NamedTuple):
    """What is known of an answer beside its scores: the conversation it is of, and what slices are cut from."""

    session_id: str | None
    attributes: Mapping[str, str]

    def named(self, name: str) -> str | None:
        """Return an attribute, or the conversation by the name ``session_id``."""
        return self.session_id if name == "session_id" else self.attributes.get(name)


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """The scores of one run: by metric and answer, ``None`` where an answer was not scored; labels where there are."""

    name: str
    values: Mapping[str, Mapping[str, float | None]]
    versions: Mapping[str, str | None]
    answers: Mapping[str, Provenance]
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    """By answer, of run folders: what pairs by ids are checked by, and what runs may be paired by."""

    def named(self, answer: str, name: str) -> str | None:
        """Return an attribute of an answer, or what was asked by the name ``question``."""
        return self.answers[answer].named(name) or (self.questions.get(answer) if name == QUESTION else None)


@dataclass(slots=True)
class RunReader:
    """Takes the lines of a run one by one, and refuses those that contradict earlier ones.

    >>> reader = RunReader("before.jsonl")
    >>> line = b'{"answer_id": "a", "metric": "recall", "value": 0.5, "outcome": "scored"}'
    >>> reader.add(line, number=1)
    >>> reader.run().values
    {'recall': {'a': 0.5}}
    >>> reader.add(line, number=2)
    Traceback (most recent call last):
    evaluation.comparison.runs.RunLineError: answer_id: 'a' has a score of recall already, in line 1
    """

    name: str
    _values: dict[str, dict[str, float | None]] = field(default_factory=dict)
    _labels: dict[str, dict[str, str]] = field(default_factory=dict)
    _lines: dict[str, dict[str, int]] = field(default_factory=dict)
    _versions: dict[str, str | None] = field(default_factory=dict)
    _answers: dict[str, Provenance] = field(default_factory=dict)
    _first: dict[str, int] = field(default_factory=dict)
    _decode: msgspec.json.Decoder[_ScoreLine] = field(default_factory=lambda: msgspec.json.Decoder(_ScoreLine))

    def add(self, line: bytes, *, number: int) -> None:
        """Take a line. Raises `RunLineError`, which begins with the field, for one that cannot be used."""
        self._take(self._read(lambda: self._decode.decode(line), line), number)

    def add_row(self, row: Mapping[str, Any], *, number: int) -> None:
        """Take a row of a table, with the fields of a line. Raises `RunLineError` as `add` does.

        >>> reader = RunReader("run")
        >>> reader.add_row({"answer_id": "a", "metric": "recall", "value": None, "outcome": "unscored"}, number=1)
        >>> reader.run().values
        {'recall': {'a': None}}
        """
        self._take(self._read(lambda: msgspec.convert(row, _ScoreLine)), number)

    def _take(self, row: _ScoreLine, number: int) -> None:
        if (row.value is None) != (row.outcome == "unscored"):
            raise RunLineError(
                f"value: {'missing' if row.value is None else 'given'}, but the outcome is {row.outcome}"
            )
        lines = self._lines.setdefault(row.metric, {})
        if row.answer_id in lines:
            raise RunLineError(
                f"answer_id: {row.answer_id[:MAX_NAME]!r} has a score of {row.metric} already, "
                f"in line {lines[row.answer_id]}"
            )
        version = self._versions.setdefault(row.metric, row.scorer_version)
        if version != row.scorer_version:
            raise RunLineError(
                f"scorer_version: {row.metric} has {row.scorer_version!r} here and {version!r} in line "
                f"{next(iter(lines.values()))}; score all answers with one release"
            )
        told = Provenance(row.session_id, row.attributes)
        first = self._first.setdefault(row.answer_id, number)
        if self._answers.setdefault(row.answer_id, told) != told:
            raise RunLineError(f"attributes: {row.answer_id[:MAX_NAME]!r} has other ones in line {first}")
        lines[row.answer_id] = number
        self._values.setdefault(row.metric, {})[row.answer_id] = row.value
        if row.label is not None:
            self._labels.setdefault(row.metric, {})[row.answer_id] = sys.intern(row.label)

    def run(self) -> ScoredRun:
        """Return what was read."""
        return ScoredRun(self.name, self._values, self._versions, self._answers, self._labels)

    def _read(self, decode: Callable[[], _ScoreLine], line: bytes = b"") -> _ScoreLine:
        try:
            return decode()
        except msgspec.ValidationError as error:
            what, _, place = str(error).partition(" - at `$")
            name = place.strip("`").lstrip(".")
            raise RunLineError(f"{name}: {what}" if name else what) from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RunLineError(_why_not(line) or f"not JSON: {error}") from error


def _why_not(line: bytes) -> str | None:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return not_json(line, error)
    return None
