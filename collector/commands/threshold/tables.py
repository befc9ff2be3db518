"""What `groundwire threshold sweep` prints: a table of each sweep, several side by side, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from collector.commands.columns import aligned, p_cell
from collector.security.text import one_line
from evaluation.thresholds.composite import CV_DIGITS, PERCENT_DIGITS
from evaluation.thresholds.report import SweepReport, ThresholdRow, ranked_by_balance, significance_counts
from evaluation.thresholds.sensitivity import DomainShift
from evaluation.thresholds.sweep import SweepReader
from gates.verdicts.summary import counted

RANKED = 10
"""Thresholds that are listed by balance, over all sweeps."""
SHOWN = 60
"""Characters of a value of a configuration that are shown."""


def side_by_side(reports: Sequence[SweepReport], alpha: float) -> Iterator[str]:
    """Yield sweeps side by side: where criteria agree, how many thresholds are significant, and the best balances."""
    if len(reports) < 2:  # noqa: PLR2004 - nothing stands beside one
        return
    head = [
        "sweep",
        "best CPS",
        "best T-CPS",
        "best balance",
        "criteria",
        f"up, p<{alpha:g}",
        "down",
        "neither",
        "better",
    ]
    rows = []
    for each in reports:
        best = {each.best_mean, each.best_stable, *(() if each.best_balance is None else (each.best_balance,))}
        places = (each.best_mean, each.best_stable, each.best_balance)
        up, down, neither = significance_counts(each, alpha=alpha)
        rows.append(
            [
                each.name,
                *("-" if place is None else f"{place:g}" for place in places),
                "agree" if len(best) == 1 else "differ",
                *map(str, (up, down, neither, sum(row.verdict == "better" for row in each.rows))),
            ]
        )
    yield from aligned([head, *rows], right={1, 2, 3, 5, 6, 7, 8})
    yield "\n"
    ranked = ranked_by_balance(reports, alpha=alpha)[:RANKED]
    if ranked:
        head = ["rank", "sweep", "threshold", "T-CPS gain %", "CV", "balance", "p", "verdict"]
        lines = [
            [
                str(rank),
                name,
                f"{row.threshold:g}",
                _figure(row.stable_gain_percent, PERCENT_DIGITS, "+"),
                _figure(row.cv, CV_DIGITS),
                _figure(row.balance, CV_DIGITS),
                p_cell(row.against and row.against.p_value),
                row.verdict,
            ]
            for rank, (name, row) in enumerate(ranked, 1)
        ]
        yield from aligned([head, *lines], right={0, 2, 3, 4, 5, 6})
        yield "\n"


def domain_table(shifts: Mapping[tuple[str, str], Sequence[DomainShift]]) -> Iterator[str]:
    """Yield how far the best threshold of each model moves between domains."""
    for (one, other), found in shifts.items():
        head = ["", f"best in {one}", "CPS gain %", f"best in {other}", "CPS gain %", "shift"]
        rows = [
            [
                each.name,
                f"{each.first:g}",
                _figure(each.first_gain_percent, PERCENT_DIGITS, "+"),
                f"{each.second:g}",
                _figure(each.second_gain_percent, PERCENT_DIGITS, "+"),
                _figure(each.shift, PERCENT_DIGITS, "+"),
            ]
            for each in found
        ]
        yield from aligned([head, *rows], right={1, 2, 3, 4, 5})
        yield "\n"


def cautions(reader: SweepReader) -> Iterator[str]:
    """Yield which rows are left out, and what differs beside retrieval: a sweep holds everything else constant."""
    for name, places in reader.incomplete().items():
        rows = f"{counted(len(places), 'row')} without a value of {one_line(name, SHOWN)} left out"
        yield f"caution: {rows}, the first in {places[0]}\n\n"
    for name, by in reader.confounded().items():
        listed = "; ".join(
            f"{threshold:g}: {one_line(', '.join(_plain(value) for value in values) or 'not said', SHOWN)}"
            for threshold, values in by.items()
        )
        yield f"caution: thresholds differ in {one_line(name, SHOWN)} too, so effects may be of that: {listed}\n\n"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def median_times(reader: SweepReader) -> Iterator[str]:
    """Yield what answers took at each threshold, in the median."""
    for name, found in reader.times().items():
        listed = ", ".join(f"{threshold:g}: {took:,.0f}" for threshold, took in found.items())
        yield f"median {name} by threshold: {listed}\n\n"


def sweep_table(sweep: SweepReport, alpha: float) -> Iterator[str]:
    """Yield a sweep: each threshold against the baseline, the recommendation, and how stable that is."""
    base = next(row for row in sweep.rows if row.baseline)
    yield f"{sweep.name}: baseline {base.threshold:g}, {counted(base.questions, 'question')}\n"
    level = f"{100 * (1 - alpha):g} % interval"
    head = ["threshold", "n", "CPS", "gain %", level, "p", "p (Holm)", "would see", "T-CPS", "gain %", "CV", "balance"]
    yield from aligned([[*head, "verdict"], *map(_cells, sweep.rows)], right={0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11})
    if sweep.flat:
        yield "no recommendation: this panel has the same scores at every threshold, and cannot tell them apart; "
        yield "measure with --generator, or give --panel metrics that thresholds change\n\n"
        return
    balance = "; no threshold gains" if sweep.best_balance is None else f", balance at {sweep.best_balance:g}"
    yield f"highest CPS at {sweep.best_mean:g}, T-CPS at {sweep.best_stable:g}{balance}\n"
    chosen = sweep.recommendation
    use = "keep the baseline" if chosen.threshold is None else f"use {chosen.threshold:g}"
    yield f"recommendation: {use}: {chosen.reason}\n"
    named = "the baseline" if chosen.threshold is None else f"{chosen.threshold:g}"
    yield f"stability: {named} has the highest T-CPS in {chosen.by_questions:.0%} of resamples of the questions "
    yield f"and with {chosen.by_weights:.0%} of the weights of reward and penalty"
    rivals = ", ".join(f"{threshold:g} ({share:.0%})" for threshold, share in chosen.rivals)
    yield f"; others win at {rivals}\n\n" if rivals else "\n\n"


def _cells(row: ThresholdRow) -> list[str]:
    against = row.against
    whole = [f"{row.threshold:g}", f"{row.questions:,}"]
    stable = [
        _figure(row.stable, 4),
        _figure(row.stable_gain_percent, PERCENT_DIGITS, "+"),
        _figure(row.cv, CV_DIGITS),
        _figure(row.balance, CV_DIGITS),
        row.verdict,
    ]
    if against is None:
        return [*whole, _figure(row.mean, 4), "-", "-", "-", "-", "-", *stable]
    return [
        *whole,
        _figure(against.mean, 4),
        _figure(against.gain_percent, PERCENT_DIGITS, "+"),
        f"[{against.interval.low:+.4f}, {against.interval.high:+.4f}]",
        p_cell(against.p_value),
        p_cell(against.holm),
        _figure(against.detectable, 4),
        *stable,
    ]


def _figure(value: float | None, digits: int, sign: str = "") -> str:
    # Adding zero makes a negative one positive.
    return "-" if value is None else f"{round(value, digits) + 0.0:{sign}.{digits}f}"
