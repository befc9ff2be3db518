"""The threshold sweeps of PaSSER's phase III, recomputed and held against the digits that its tables 4.7 to 4.12 print.

    python benchmarks/thresholds.py --data DIR

DIR has ``bounds.csv`` (metric, min, max: over all four models) and the values of each question, such as
``granite.csv.gz``; models that are not there are left out. The tables give each model's mean CPS over the questions
that it and the baseline have, its T-CPS over all questions it has, and significance uncorrected.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evaluation.thresholds.composite import PANEL, ObservedRange
from evaluation.thresholds.report import SweepReport, associations, report
from evaluation.thresholds.sweep import SweepReader

BASELINE = 0.01
SIGNIFICANT = 0.05


class Printed(NamedTuple):
    """What the tables print of a model: rows of a threshold with their figures, in the order of the table."""

    cps: Mapping[float, tuple[float, float]]
    stable: Mapping[float, tuple[float, float, float]]
    balance: Mapping[float, float]
    best: tuple[float, float, float]
    significant: tuple[int, int, int]


TABLES = {
    "granite": Printed(
        cps={0.95: (0.5182, 1.25), 0.7: (0.5179, 1.2), 0.8: (0.5178, 1.17)},
        stable={0.95: (0.5628, 1.25, 0.124), 0.8: (0.5625, 1.2, 0.122), 0.7: (0.5622, 1.15, 0.129)},
        balance={0.95: 0.101, 0.8: 0.098},
        best=(0.95, 0.95, 0.95),
        significant=(7, 0, 3),
    ),
    "deepseek": Printed(
        cps={0.9: (0.4559, 1.01), 0.95: (0.455, 0.8), 0.65: (0.4548, 0.77)},
        stable={0.65: (0.4961, 0.79, 0.085), 0.9: (0.496, 0.78, 0.108), 0.95: (0.4958, 0.74, 0.093)},
        balance={0.65: 0.093},
        best=(0.9, 0.65, 0.65),
        significant=(2, 0, 8),
    ),
    "mistral": Printed(
        cps={0.95: (0.5454, 4.58), 0.9: (0.5338, 2.37), 0.7: (0.5325, 2.11)},
        stable={0.95: (0.5916, 4.54, 0.134), 0.9: (0.5793, 2.36, 0.131), 0.7: (0.5783, 2.17, 0.128)},
        balance={0.95: 0.339, 0.9: 0.18, 0.7: 0.17, 0.75: 0.161, 0.6: 0.142, 0.55: 0.134},
        best=(0.95, 0.95, 0.95),
        significant=(6, 0, 4),
    ),
    "llama": Printed(
        cps={0.9: (0.508, 1.58), 0.7: (0.5065, 1.33), 0.55: (0.5052, 1.01)},
        stable={0.9: (0.5501, 1.48, 0.148), 0.7: (0.549, 1.26, 0.142), 0.55: (0.5484, 1.16, 0.129)},
        balance={0.9: 0.1},
        best=(0.9, 0.9, 0.9),
        significant=(1, 2, 7),
    ),
}


def swept(folder: Path, model: str, ranges: Mapping[str, ObservedRange]) -> SweepReport:
    """Return the report of one model."""
    reader = SweepReader(model, PANEL)
    with gzip.open(folder / f"{model}.csv.gz") as packed:
        for number, row in enumerate(csv.DictReader(io.TextIOWrapper(packed, "utf-8")), 2):
            reader.add(row, place=f"line {number}")
    return report(reader.sweep(ranges, baseline=BASELINE), np.random.default_rng(0))


def cells(found: SweepReport, printed: Printed) -> Iterator[tuple[str, object, object]]:
    """Yield each printed cell: where it stands, what is printed, and what comes out."""
    rows = {row.threshold: row for row in found.rows}
    against = {threshold: row.against for threshold, row in rows.items() if row.against is not None}
    by_cps = sorted(against, key=lambda threshold: -against[threshold].mean)
    by_stable = sorted(against, key=lambda threshold: -(rows[threshold].stable or 0.0))
    yield "4.7 ranks", tuple(printed.cps), tuple(by_cps[: len(printed.cps)])
    for threshold, figures in printed.cps.items():
        each = against[threshold]
        yield f"4.7 at {threshold:g}", figures, (round(each.mean, 4), round(each.gain_percent or 0.0, 2))
    yield "4.8 ranks", tuple(printed.stable), tuple(by_stable[: len(printed.stable)])
    for threshold, stable in printed.stable.items():
        row = rows[threshold]
        computed = (row.stable or 0.0, 4), (row.stable_gain_percent or 0.0, 2), (row.cv or 0.0, 3)
        yield f"4.8 at {threshold:g}", stable, tuple(round(value, digits) for value, digits in computed)
    for threshold, balance in printed.balance.items():
        yield f"4.10 at {threshold:g}", balance, round(rows[threshold].balance or 0.0, 3)
    yield "4.11", printed.best, (found.best_mean, found.best_stable, found.best_balance)
    shown = [each.difference for each in against.values() if each.p_value < SIGNIFICANT]
    better = sum(difference > 0.0 for difference in shown)
    yield "4.12", printed.significant, (better, len(shown) - better, len(against) - len(shown))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with bounds.csv and the values of each question"
    )
    folder = parser.parse_args().data
    with (folder / "bounds.csv").open(encoding="utf-8") as file:
        ranges = {row["metric"]: ObservedRange(float(row["min"]), float(row["max"])) for row in csv.DictReader(file)}
    reports = {model: swept(folder, model, ranges) for model in TABLES if (folder / f"{model}.csv.gz").exists()}
    same = total = 0
    for model, found in reports.items():
        for place, printed, computed in cells(found, TABLES[model]):
            total, same = total + 1, same + (printed == computed)
            print(
                f"{model:<9} {place:<12} {'exact' if printed == computed else f'printed {printed}, found {computed}'}"
            )
        chosen = found.recommendation
        print(
            f"{model:<9} recommended {chosen.threshold}: {chosen.reason}; wins {chosen.by_questions:.0%} of resamples"
        )
    print(f"{same} of {total} cells exact")
    tests = [row.against for found in reports.values() for row in found.rows if row.against is not None]
    print(
        f"significant: {sum(each.p_value < SIGNIFICANT for each in tests)} uncorrected, "
        f"{sum(each.holm < SIGNIFICANT for each in tests)} by Holm and {sum(each.bh < SIGNIFICANT for each in tests)} "
        "by Benjamini and Hochberg within a model"
    )
    related = associations(list(reports.values()))
    if related is not None:
        print(f"4.9 over the models at hand: Spearman {related[0]:.3f} with CPS, {related[1]:.3f} with CV")


if __name__ == "__main__":
    main()
