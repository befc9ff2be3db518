"""What `groundwire compare --labels` says: where labels of two runs agree, and which answers they dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from collector.commands.columns import aligned
from collector.security.text import one_line
from collector.writing import write_whole
from evaluation.comparison.labels import DisputedAnswer, LabelAgreement

SHOWN = 4
"""Changes of labels that a row of the table names."""


def label_table(rows: Sequence[LabelAgreement]) -> Iterator[str]:
    """Yield the agreement of labels as a table."""
    if not rows:
        yield "no pair has two labels of one metric\n\n"
        return
    head = ["metric", "pairs", "agree", "kappa", "baseline -> run"]
    yield from aligned([head, *map(_cells, rows)], right={1, 2, 3})
    yield "\n"


def label_object(row: LabelAgreement) -> dict[str, Any]:
    """Return the agreement of a metric as JSON has it."""
    return {**row._asdict(), "changes": [each._asdict() for each in row.changes]}


def write_disputed(path: Path, rows: Sequence[DisputedAnswer]) -> None:
    """Write what is disputed, an answer and metric a line. Raises `ConfigError` where that cannot be done."""
    lines = [orjson.dumps(_disputed_object(row)) + b"\n" for row in rows]
    write_whole(path, b"".join(lines), option="--disputed")


def _disputed_object(row: DisputedAnswer) -> Mapping[str, Any]:
    return {
        "answer_id": row.pair.candidate,
        "baseline_answer_id": row.pair.baseline,
        "run": row.run,
        "metric": row.metric,
        "baseline_label": row.before,
        "label": row.after,
        "attributes": row.pair.told.attributes,
    }


def _cells(row: LabelAgreement) -> list[str]:
    changes = [f"{one_line(each.before, 40)} -> {one_line(each.after, 40)} {each.answers:,}" for each in row.changes]
    more = f", and {len(changes) - SHOWN} more" if len(changes) > SHOWN else ""
    return [
        one_line(row.metric),
        f"{row.pairs:,}",
        f"{row.agreeing / row.pairs:.1%}",
        "-" if row.kappa is None else f"{row.kappa:.2f}",
        ", ".join(changes[:SHOWN]) + more,
    ]
