"""How long a drift gate takes to be rebuilt from a week of stored evaluations, and a restart that finds its state.

    python benchmarks/rebuild.py                  two million evaluations (about 6 GB, removed afterwards)
    python benchmarks/rebuild.py --quick          a hundred thousand

Method: evaluations of the whole panel are written to a store as the agent writes them, with made-up scores over 200
slices and a change of something every thousand answers. Then the step that judges begins without a state, as after a
change of policy, and again with the one it saved. Seconds are those until every verdict is there, reading and writing
of the state included; the rows are in the system's page cache as far as memory allows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

# Beside this file stands one that has the name of the package it needs.
sys.path[0] = str(Path(__file__).resolve().parents[1])

from collector.pipeline.judge import JudgeStep  # noqa: E402
from collector.store.base import Store, StoredEvaluation  # noqa: E402
from collector.store.entries import Entry  # noqa: E402
from collector.store.sqlite import open_store  # noqa: E402
from collector.telemetry import Telemetry  # noqa: E402
from gates.base import Gate  # noqa: E402
from gates.drift import DriftGate  # noqa: E402
from scorers import production_panel  # noqa: E402
from scorers.base import Evaluation, Metric, Score  # noqa: E402

METRIC = "faithfulness"
SLICES, WEEK_NS, START_NS = 200, 7 * 86_400 * 10**9, 1_767_225_600 * 10**9
ROWS, CHANGED = 2000, 1000


def evaluations(count: int, panel: list[Metric]) -> Iterator[list[StoredEvaluation]]:
    """Yield a week of evaluations in order of time, some thousand at once."""
    rng = np.random.default_rng(7)
    bounded = [metric.name for metric in panel if (metric.lower, metric.upper) == (0.0, 1.0)]
    for first in range(0, count, ROWS):
        size = min(ROWS, count - first)
        values, at = (
            rng.beta(9, 1, (size, len(bounded))).tolist(),
            START_NS + (first + np.arange(size)) * (WEEK_NS // count),
        )
        slices, sessions = rng.integers(0, SLICES, size).tolist(), rng.integers(0, 40, size).tolist()
        yield [
            StoredEvaluation(
                evaluation=Evaluation(
                    answer_id=f"{first + i:016x}",
                    revision=0,
                    scores=tuple(
                        Score(metric=name, value=value) for name, value in zip(bounded, values[i], strict=True)
                    ),
                ),
                at=moment,
                scored_at=moment,
                slice={"service": "assistant", "domain": f"d{slices[i]:03d}"},
                probability=(1.0, 0.25)[slices[i] % 2],
                cluster=f"s{first}-{sessions[i]}" if sessions[i] < 20 else None,
                versions={"release": "2.1", "model": "m-1", "catalog": "c0ffee"},
                document=f"HR-{sessions[i]:03d}",
            )
            for i, moment in enumerate(at.tolist())
        ]


def fill(store: Store, count: int) -> None:
    """Write the week, with its changes."""
    panel = [scorer.metric for scorer in production_panel()]
    began, written = time.perf_counter(), 0
    for batch in evaluations(count, panel):
        store.record_evaluations(batch)
        written += len(batch)
        at, scope = batch[-1].at, {"domain": batch[-1].slice["domain"]}
        changes = [
            Entry(f"{at}-{i}", at, at, "documents", "explicit", "documents", scope=scope, version=str(i))
            for i in range(len(batch) // CHANGED)
        ]
        store.record_changes(changes)
        if sys.stderr.isatty():
            print(f"\r{written:,} written in {time.perf_counter() - began:.0f} s", end="", file=sys.stderr, flush=True)


def judged(store: Store, gates: list[Gate], end: int) -> tuple[JudgeStep, float]:
    """Return a fresh step after its first look, and the seconds it took."""
    telemetry = Telemetry(metrics=(), dimensions=("service", "domain"), version="benchmark")
    step = JudgeStep(store=store, gates=gates, telemetry=telemetry, clock=lambda: end, tick=10.0)
    began = time.perf_counter()
    step.run_once()
    return step, time.perf_counter() - began


def main() -> None:
    """Fill a store and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=2_000_000)
    parser.add_argument("--quick", action="store_true", help="a hundred thousand evaluations")
    options = parser.parse_args()
    count = 100_000 if options.quick else options.evaluations
    gates: list[Gate] = [
        DriftGate(type="drift", name="grounding", metric=METRIC, worse="lower", by=("domain",), min_reference=30)
    ]
    with tempfile.TemporaryDirectory() as directory:
        store = open_store(directory)
        fill(store, count)
        end = START_NS + WEEK_NS
        print(f"\rstore        {count:,} evaluations, {store.size() / 1e9:.2f} GB                 ")
        built, seconds = judged(store, gates, end)
        print(f"rebuilt      {seconds:.2f} s, {seconds / count * 1e6:.2f} us an evaluation")
        again, seconds = judged(store, gates, end)
        print(f"restarted    {seconds:.3f} s")
        same = built.verdicts["grounding"] == again.verdicts["grounding"]
        slices = len(again.verdicts["grounding"].slices)
        print(f"verdicts     {'the same' if same else 'DIFFERENT'}, {slices} slices")
        store.close()


if __name__ == "__main__":
    main()
