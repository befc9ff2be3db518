"""`groundwire compare --evaluators`: two evaluators of the same answers, and how far they rank them alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from collector.commands.columns import aligned
from collector.commands.compare import Choices, directions, read_runs
from collector.commands.objects import object_line
from collector.commands.progress import watched
from collector.errors import ConfigError
from collector.security.text import one_line
from evaluation.comparison.evaluators import (
    EvaluatorAgreement,
    EvaluatorOrder,
    agreement_of_evaluators,
    orders_of_evaluators,
)
from evaluation.comparison.pairing import PairingError, paired
from gates.verdicts.summary import counted

FINE = 0
TWO = 2


def compare_evaluators(files: Sequence[Path], choices: Choices, *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Print how far two evaluators agree; return 0. Raises `ConfigError` for runs that are not of the same answers."""
    if len({str(path) for path in files}) != TWO or len(files) != TWO:
        raise ConfigError("--evaluators: give two runs over the same answers, one of each evaluator")
    with watched(out, err, at_end=True) as progress:
        first, second = read_runs(files, choices, progress)
        metrics = directions(first, [second], choices.metrics, evaluators=True).compared
        try:
            pairs = paired(first, second, key=choices.key, by=choices.by)
        except PairingError as error:
            raise ConfigError(str(error)) from error
        rows = agreement_of_evaluators(first, second, pairs, tuple(metrics))
    orders = list(orders_of_evaluators(rows))
    if as_json:
        told: dict[str, Any] = {
            "first": first.name,
            "second": second.name,
            "by_conversation": choices.by_conversation,
            "pairs": len(pairs.pairs),
            "rows": [_object(row, first.versions.get(row.metric), second.versions.get(row.metric)) for row in rows],
            "orders": [{**order._asdict(), "same": order.same} for order in orders],
        }
        out.write(object_line(told))
        return FINE
    of = "conversation" if choices.by_conversation else "answer"
    out.write(f"{second.name} beside {first.name}: {counted(len(pairs.pairs), of)} of both\n")
    head = ["metric", "slice", f"{of}s", "Spearman", "95 % interval", "first", "second", "difference"]
    out.writelines(aligned([head, *map(_cells, rows)], right={2, 3, 5, 6, 7}))
    out.writelines(_order_lines(orders))
    return FINE


def _order_lines(orders: Sequence[EvaluatorOrder]) -> Iterator[str]:
    for order in orders:
        first, second = (" > ".join(one_line(name, 40) for name in names) for names in (order.first, order.second))
        said = f"both say {first}" if order.same else f"the first says {first}, the second {second}"
        yield f"{one_line(order.metric)} by {one_line(order.attribute)}: {said}\n"


def _object(row: EvaluatorAgreement, first: str | None, second: str | None) -> dict[str, Any]:
    ranks = row.spearman
    return {
        "metric": row.metric,
        "slice": None if row.attribute is None else {row.attribute: row.value},
        "pairs": row.pairs,
        "evaluators": [first, second],
        "spearman": None if ranks is None else {"r": ranks.r, "interval": list(ranks.interval)},
        "first": row.first,
        "second": row.second,
    }


def _cells(row: EvaluatorAgreement) -> list[str]:
    ranks = row.spearman
    both = row.first is not None and row.second is not None
    return [
        one_line(row.metric),
        "all" if row.attribute is None else one_line(f"{row.attribute}={row.value}", 60),
        f"{row.pairs:,}",
        "-" if ranks is None else f"{ranks.r:.3f}",
        "-" if ranks is None else f"[{ranks.interval.low:+.3f}, {ranks.interval.high:+.3f}]",
        "-" if row.first is None else f"{row.first:.4f}",
        "-" if row.second is None else f"{row.second:.4f}",
        f"{(row.second or 0.0) - (row.first or 0.0):+.4f}" if both else "-",
    ]
