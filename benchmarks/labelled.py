"""Labelled files as answers, scored by registered scorers, through the code that reads files for `groundwire score`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from measuring import Rows

from adapters.base import AdaptOptions
from adapters.schema import Answer, Passage
from collector.commands.progress import Progress
from collector.commands.reading import answers
from collector.models.entailment import LocalEntailment
from scorers import SCORERS
from scorers.base import Env, Score, Scorer, Unscored
from scorers.support.entailed import asked_of
from scorers.text.normalize import terms

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AT_ONCE = 16
"""Answers whose claims a model reads in common batches."""
ENDING = ".jsonl.gz"


@dataclass(frozen=True)
class Labelled:
    """A row: the answer as scorers see it, and what only the row knows."""

    answer: Answer
    label: str
    extra: dict[str, Any]

    @property
    def source(self) -> Hashable:
        """What rows may share: the passages, else the question."""
        texts = tuple(passage.text for passage in self.answer.passages or ())
        return hash(texts) if texts else (self.answer.question or self.answer.id).lower()


def files(path: Path) -> list[str]:
    """Return the names of the labelled files in a folder."""
    return sorted(file.name.removesuffix(ENDING) for file in path.glob(f"*{ENDING}"))


def read(path: Path, name: str, limit: int | None = None) -> list[Labelled]:
    """Return the rows of one file, none if it is not there."""
    file = path / f"{name}{ENDING}"
    if not file.exists():
        return []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines]
    found = [item for _, item in answers([file], AdaptOptions(), Progress(None))]
    return [
        Labelled(answer, str(row["label"]), row.get("extra") or {})
        for row, answer in zip(raw, found, strict=True)
        if isinstance(answer, Answer)
    ][:limit]


def scorer(metric: str) -> Scorer | None:
    """Return the scorer of a metric with its default options; ``None`` where none is registered."""
    kind = next((kind for kind in SCORERS if kind.metric.name == metric), None)
    return None if kind is None else kind()


def scored(found: Scorer, given: Sequence[Answer], model: LocalEntailment | None = None) -> list[Score | Unscored]:
    """Return what a scorer says of each answer, with ``model`` where it asks for one."""
    env = Env(now=NOW, entailment=model)
    results = []
    for start in range(0, len(given), AT_ONCE):
        part = given[start : start + AT_ONCE]
        if model is not None:
            model.prepare((each.passages, each.claims) for each in map(asked_of, part) if each is not None)
        results.extend(found.score(answer, env) for answer in part)
    return results


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How scores become rows: which value is positive, which label flags, and what an absent score counts as."""

    positive: Callable[[Labelled], bool]
    flag: tuple[str, ...]
    rises: bool = True
    absent: float = 0.0


def rows_of(
    found: Scorer, given: Sequence[Labelled], how: Reading, kind: str = "model", model: LocalEntailment | None = None
) -> tuple[Rows, int]:
    """Return the rows, and how many of them had no score."""
    results = scored(found, [each.answer for each in given], model)
    values = [result.value if isinstance(result, Score) else None for result in results]
    rows = Rows(
        score=np.array([how.absent if v is None else v if how.rises else 1 - v for v in values], dtype=float),
        flagged=np.array([isinstance(result, Score) and result.label in how.flag for result in results], dtype=bool),
        positive=np.array([how.positive(each) for each in given], dtype=bool),
        group=tuple(each.source for each in given),
        kind=tuple(str(each.extra.get(kind, "")) for each in given),
    )
    return rows, values.count(None)


def length(each: Labelled) -> float:
    """Return how long an answer is, in characters: the floor that a scorer must beat."""
    return float(len(each.answer.answer or ""))


def unseen(each: Labelled) -> float:
    """Return the share of an answer's distinct terms that no passage has: the other floor."""
    own = set(terms(each.answer.answer or "").items)
    there = {item for passage in each.answer.passages or () for item in terms(passage.text or "").items}
    return len(own - there) / max(1, len(own))


def ordinary(path: Path, name: str, limit: int | None = None) -> Iterator[tuple[str, Answer]]:
    """Yield each distinct passage of a file once, as the only passage of an answer without words, with its source."""
    seen: set[str] = set()
    for each in read(path, name, limit):
        for passage in each.answer.passages or ():
            text = passage.text or ""
            if text and text not in seen:
                seen.add(text)
                yield text, Answer(id=f"{name}-{len(seen)}", answer="", passages=(Passage(id="p", text=text),))
