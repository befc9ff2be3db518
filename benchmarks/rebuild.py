"""How long a drift gate takes to be rebuilt from a week of stored evaluations, and a restart that finds its state.

    python benchmarks/rebuild.py                  two million evaluations
    python benchmarks/rebuild.py --quick          two hundred thousand

Method: a twentieth of a week is written to a store as the agent writes it: evaluations of the whole panel with made-up
scores over 200 slices, half of them of conversations, and a change of a document every thousand. The rows that gates
fold are then copied nineteen times, each a twentieth of the week later. The step that judges begins without a state, as
after a change of policy, and again with the one it saved. Seconds are those until every verdict is there, reading and
writing of the state included; rows are in the system's page cache.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from collector.judging.judge import JudgeStep
from collector.store.entries import Entry
from collector.store.rows import StoredEvaluation
from collector.store.sqlite import DATABASE, open_store
from collector.store.store import Store
from gates.base.gate import Gate
from gates.drift import DriftGate
from scorers import production_panel
from scorers.base import Evaluation, Metric, Score
from telemetry.registry import Telemetry

METRIC = "faithfulness"
SLICES, WEEK_NS, START_NS = 200, 7 * 86_400 * 10**9, 1_767_225_600 * 10**9
COPIES = 20
PART_NS = WEEK_NS // COPIES
ROWS, CHANGED, DRAWN = 2000, 1000, 500
COPIED = (
    """INSERT INTO scored SELECT seq + :seqs, at + :ns, context, probability, cluster, arm, share, "values"
       FROM scored WHERE seq <= :upto""",
    """INSERT INTO changes SELECT seq + :seqs, change_id || :ns, at + :ns, recorded_at + :ns, kind, source, component,
       scope, version, previous, documents, note FROM changes WHERE seq <= :upto""",
    "UPDATE books SET evaluation_seq = :upto + :seqs",
    "UPDATE contexts SET last = :upto + :seqs",
)


def evaluations(count: int, panel: list[Metric]) -> Iterator[list[StoredEvaluation]]:
    """Yield the evaluations of a part of the week in order of time, some thousand at once."""
    rng = np.random.default_rng(7)
    bounded = [metric.name for metric in panel if (metric.lower, metric.upper) == (0.0, 1.0)]
    drawn = [
        tuple(Score(metric=name, value=value) for name, value in zip(bounded, values, strict=True))
        for values in rng.beta(9, 1, (DRAWN, len(bounded))).tolist()
    ]
    for first in range(0, count, ROWS):
        size = min(ROWS, count - first)
        at = START_NS + (first + np.arange(size)) * (PART_NS // count)
        slices, sessions, scores = (rng.integers(0, n, size).tolist() for n in (SLICES, 40, DRAWN))
        yield [
            StoredEvaluation(
                evaluation=Evaluation(answer_id=f"{first + i:016x}", revision=0, scores=drawn[scores[i]]),
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


def fill(directory: str, count: int) -> None:
    """Write the week, with its changes."""
    part = count // COPIES
    with closing(open_store(directory)) as store:
        for batch in evaluations(part, [scorer.metric for scorer in production_panel()]):
            store.record_evaluations(batch)
            at, scope = batch[-1].at, {"domain": batch[-1].slice["domain"]}
            store.record_changes(
                [
                    Entry(f"{at}-{i}", at, at, "documents", "explicit", "documents", scope=scope, version=str(i))
                    for i in range(len(batch) // CHANGED)
                ]
            )
        upto = store.newest_evaluation()
    with closing(sqlite3.connect(Path(directory) / DATABASE)) as database:
        for copy in range(1, COPIES):
            for statement in COPIED:
                database.execute(statement, {"seqs": copy * upto, "ns": copy * PART_NS, "upto": upto})
        database.commit()


def judged(store: Store, gates: list[Gate], end: int) -> tuple[JudgeStep, float, float]:
    """Return a fresh step after its first look, the seconds it took, and those of a processor."""
    telemetry = Telemetry(metrics=(), dimensions=("service", "domain"), version="benchmark")
    step = JudgeStep(store=store, gates=gates, telemetry=telemetry, clock=lambda: end, tick=10.0)
    began, worked = time.perf_counter(), time.process_time()
    step.run_once()
    return step, time.perf_counter() - began, time.process_time() - worked


def main() -> None:
    """Fill a store and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=2_000_000)
    parser.add_argument("--quick", action="store_true", help="two hundred thousand evaluations")
    options = parser.parse_args()
    count = 200_000 if options.quick else options.evaluations
    gates: list[Gate] = [
        DriftGate(type="drift", name="grounding", metric=METRIC, worse="lower", by=("domain",), min_reference=30)
    ]
    with tempfile.TemporaryDirectory() as directory:
        fill(directory, count)
        store = open_store(directory)
        end = START_NS + WEEK_NS
        print(f"store        {count:,} evaluations")
        built, seconds, worked = judged(store, gates, end)
        print(
            f"rebuilt      {seconds:.2f} s, {worked:.2f} s of a processor, {worked / count * 1e6:.2f} us an evaluation"
        )
        again, seconds, worked = judged(store, gates, end)
        print(f"restarted    {seconds:.3f} s, {worked:.3f} s of a processor")
        same = built.verdicts["grounding"] == again.verdicts["grounding"]
        slices = len(again.verdicts["grounding"].slices)
        print(f"verdicts     {'the same' if same else 'DIFFERENT'}, {slices} slices")
        store.close()


if __name__ == "__main__":
    main()
