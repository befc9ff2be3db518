"""Evaluations in the form that `groundwire replay` reads: printed from a store, or read from it and from files."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

from collector.changes.ledger import change_of
from collector.changes.panel import Panels
from collector.clock import instant
from collector.commands.reading import opened
from collector.errors import ConfigError
from collector.store.entries import Entry
from collector.store.pages import paged
from collector.store.readonly import looked_into
from collector.store.rows import AnswerLabel, StoredEvaluation
from collector.store.store import Store
from gates.inputs.changes import MEASURING
from gates.inputs.observations import Observation
from gates.replay.jsonl import change_line, evaluation_line, label_line

PAGE = 2000
"""Rows read from a store at once."""
BLOCK = 16 * 1024 * 1024
"""Bytes read from a file at once."""
MAX_LINE = 16 * 1024 * 1024


def export(*, data: str | Path, metrics: Collection[str], out: TextIO) -> int:
    """Print what gates fold of the store in ``data``, of all ``metrics`` if none is named; return 0."""
    lines = stored_lines(data, frozenset(metrics) or None)
    while part := list(itertools.islice(lines, PAGE)):
        out.writelines(f"{line.decode()}\n" for line in part)
    return 0


def stored_lines(data: str | Path, metrics: frozenset[str] | None) -> Iterator[bytes]:
    """Yield what gates fold of a store, a line each, in the order in which it was recorded.

    That leaves out later scores of answers that had been scored before, and answers drawn late. A label that was sent
    is a line of its own, in its place among the others. Raises `ConfigError` where there is no store.
    """
    with looked_into(data) as store:
        panels = Panels(store)
        scored = paged(lambda seq: store.evaluations_after(seq, limit=PAGE))
        others = paged(lambda seq: store.external_after(seq, limit=PAGE))
        changed = paged(lambda seq: store.changes(after=seq, limit=PAGE))
        labelled = _labelled(store, metrics)
        rows: Iterator[StoredEvaluation | Entry | _Labelled] = heapq.merge(
            scored, others, changed, labelled, key=lambda row: row.seq
        )
        for row in rows:
            if isinstance(row, Entry):
                yield change_line(change_of(row), row.component if row.kind in MEASURING else None)
            elif isinstance(row, _Labelled):
                yield _label_line(row, panels)
            elif row.first and not row.late:
                yield from map(evaluation_line, _observations(row, metrics, panels))


class _Labelled(NamedTuple):
    """A label in its place among evaluations, and the evaluation it is of."""

    seq: int
    label: AnswerLabel
    row: StoredEvaluation


def _labelled(store: Store, metrics: frozenset[str] | None) -> Iterator[_Labelled]:
    labels = paged(lambda seq: store.labels(after=seq, limit=PAGE))
    while part := list(itertools.islice(labels, PAGE)):
        wanted = [label for label in part if metrics is None or label.metric in metrics]
        numbers = {label.evaluation_seq for label in wanted}
        rows = {**store.evaluations_of(numbers), **store.external_numbered(numbers)}
        for label in wanted:
            # An evaluation that has gone since took its labels with it.
            if label.evaluation_seq in rows:
                yield _Labelled(label.seq, label, rows[label.evaluation_seq])


def _label_line(labelled: _Labelled, panels: Panels) -> bytes:
    label = labelled.label
    (seen,) = _observations(labelled.row, frozenset({label.metric}), panels)
    told = seen.model_copy(update={"label": label.value, "label_probability": label.probability})
    return label_line(told, label.labeller, instant(label.recorded_at))


def _observations(row: StoredEvaluation, metrics: frozenset[str] | None, panels: Panels) -> Iterator[Observation]:
    absent = [(each.metric, None, None) for each in row.evaluation.unscored]
    for metric, value, label in (*((each.metric, each.value, each.label) for each in row.evaluation.scores), *absent):
        if metrics is None or metric in metrics:
            yield Observation(
                at=instant(row.at),
                answer_id=row.evaluation.answer_id,
                metric=metric,
                value=value,
                probability=row.probability,
                slice=row.slice,
                cluster=row.cluster,
                document=row.document,
                versions=panels.versions(row.versions, metric),
                arm=row.arm,
                share=row.share,
                label=label,
            )


def lines_of(path: Path) -> Iterator[Sequence[bytes]]:
    """Yield the lines of a file, many at a time. Raises `ConfigError` for a file that cannot be read or has none."""
    with opened(path) as stream:
        yield from _blocks(stream, path)


def _blocks(stream: BinaryIO, path: Path) -> Iterator[Sequence[bytes]]:
    rest = b""
    while block := stream.read(BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        if len(rest) > MAX_LINE:
            raise ConfigError(f"{path}: a line is longer than {MAX_LINE} bytes: this is no file of evaluations")
        yield lines
    if rest:
        yield [rest]
