"""The tables of `groundwire compare`: what differs between runs, and what does not, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collector.commands.columns import aligned, p_cell
from collector.security.text import one_line
from evaluation.comparison.compare import ComparisonRow, UnscoredPairs
from evaluation.comparison.pairing import PairedAnswers
from gates.verdicts.summary import counted


def run_table(
    baseline: str,
    run: str,
    pairs: PairedAnswers,
    rows: Sequence[ComparisonRow],
    *,
    alpha: float,
    by_ranks: bool,
    by_conversation: bool,
) -> Iterator[str]:
    """Yield what differs between a run and the baseline as a table, and below it what does not."""
    of, members = ("conversation", "conversations") if by_conversation else ("pair", "answers")
    yield f"{run} against {baseline}: {counted(len(pairs.pairs), of)}"
    yield f"; {pairs.only_baseline:,} {members} only in the baseline, {pairs.only_candidate:,} only in the run\n"
    if pairs.uncovered:
        yield f"not compared: {pairs.told(baseline, run)}\n"
    if pairs.differently_asked:
        yield f"{one_line(pairs.differently_asked, 600)}\n"
    level = f"{100 * (1 - alpha):g} % interval"
    head = [
        "metric",
        "slice",
        "pairs",
        "unscored",
        "baseline",
        "run",
        "difference",
        level,
        f"p{' Wilcoxon' if by_ranks else ''} (Holm)",
        "would see",
    ]
    shown = [row for row in rows if row.differing or row.verdict == "more unscored"]
    if shown:
        yield from aligned([[*head, "verdict"], *map(_cells, shown)], right={2, 3, 4, 5, 6, 8, 9})
    rest = [row for row in rows if not row.differing and row.verdict != "more unscored"]
    of_slices = sum(row.attribute is not None for row in rest)
    yield from _alike([row for row in rest if row.attribute is None])
    if of_slices:
        yield f"{counted(of_slices, 'row')} of slices without a difference: --json lists them\n"
    yield "\n"


def _alike(rows: Sequence[ComparisonRow]) -> Iterator[str]:
    """Yield the metrics in which nothing differs, those with values in as many pairs in one line."""
    by_counts: dict[tuple[int, int, UnscoredPairs], list[str]] = {}
    for row in rows:
        counts = row.unscored._replace(test=None, holm=None)
        by_counts.setdefault((row.pairs, row.pairs + row.unpaired, counts), []).append(one_line(row.metric))
    for (both, every, unscored), names in by_counts.items():
        lacking = unscored.baseline or unscored.candidate
        gaps = f" (no value: baseline {unscored.baseline:,}, run {unscored.candidate:,})" if lacking else ""
        said = "identical in every pair"
        if lacking:
            said = f"identical in {both:,} of {every:,} pairs" if both else "no pair has both values"
        yield f"{said}{gaps}: {', '.join(names)}\n"


def overview_table(baseline: str, rows: Sequence[ComparisonRow]) -> Iterator[str]:
    """Yield several runs side by side, a metric a line: what each is without a part of the baseline, say."""
    runs = list(dict.fromkeys(row.run for row in rows))
    shown = [row for row in rows if row.attribute is None and row.differing]
    metrics = list(dict.fromkeys(row.metric for row in shown))
    if len(runs) < 2 or not metrics:  # noqa: PLR2004 - nothing stands beside one
        return
    by_place = {(row.metric, row.run): row for row in rows if row.attribute is None}
    lines = [["metric", baseline, *runs]]
    for metric in metrics:
        found = [by_place[metric, run] for run in runs]
        # Each run has its own pairs, and so its own mean of the baseline.
        lines.append([one_line(metric), _figure(found[0].baseline), *map(_beside, found)])
    yield from aligned(lines, right=set())
    yield "\n"


def _beside(row: ComparisonRow) -> str:
    mark = f" {row.verdict}" if row.verdict in {"better", "worse", "higher", "lower"} else ""
    interval = None if row.compared is None else row.compared.interval
    if row.difference is None or interval is None:
        return _figure(row.candidate)
    low, high = _figure(interval.low, "+"), _figure(interval.high, "+")
    return f"{_figure(row.candidate)} ({_figure(row.difference, '+')} [{low}, {high}]){mark}"


def _slice(row: ComparisonRow) -> str:
    return "all" if row.attribute is None else one_line(f"{row.attribute}={row.value}", 60)


def _cells(row: ComparisonRow) -> list[str]:
    interval = None if row.compared is None else row.compared.interval
    return [
        one_line(row.metric),
        _slice(row),
        f"{row.pairs:,}",
        _unscored(row.unscored),
        _figure(row.baseline),
        _figure(row.candidate),
        _figure(row.difference, "+"),
        "-" if interval is None else f"[{_figure(interval.low, '+')}, {_figure(interval.high, '+')}]",
        p_cell(row.holm),
        _figure(row.detectable),
        row.verdict,
    ]


def _unscored(pairs: UnscoredPairs) -> str:
    return f"{pairs.baseline:,} to {pairs.candidate:,}" if pairs.baseline or pairs.candidate else "0"


def _figure(value: float | None, sign: str = "") -> str:
    if value is None:
        return "-"
    return f"{value:{sign}.4f}" if abs(value) < 10 else f"{value:{sign},.1f}"  # noqa: PLR2004 - four or five digits
