"""A store with an agent's judge over a gate of stale answers, and traffic in which it is known what breaks."""

import random
from datetime import UTC, datetime, timedelta

from adapters.schema import Answer, Passage
from collector.clock import nanoseconds
from collector.judging.judge import JudgeStep
from collector.store.entries import Entry
from collector.store.rows import Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from gates.decisions.record import DecisionRecord
from gates.threshold import ThresholdGate
from scorers.base import Evaluation, Score
from scorers.freshness.stale_source_use import StaleSourceUse
from telemetry.registry import Telemetry

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GATE = ThresholdGate(
    type="threshold", name="stale", metric="stale_source_use", at_most=0.2, by=("domain",), window="20m", min_answers=20
)
METRICS = {"stale_source_use": StaleSourceUse.metric}
PANELS = {"old": b'{"stale_source_use": "1"}', "new": b'{"stale_source_use": "2"}'}


class World:
    """A store with an agent's judge, and traffic that is stale with the probability that ``stale`` says."""

    def __init__(self, path):
        self.store = open_store(path)
        self.clock = NOON
        self.random = random.Random(4)
        self.number = self.changed = 0
        for digest, versions in PANELS.items():
            self.store.save_checkpoint(f"panel:{digest}", 0, versions)
        self.start()

    def start(self, *gates):
        telemetry = Telemetry(metrics=(), dimensions=("domain",), version="test")
        self.telemetry = telemetry
        self.step = JudgeStep(
            store=self.store,
            gates=gates or (GATE,),
            telemetry=telemetry,
            clock=lambda: nanoseconds(self.clock),
            tick=1.0,
            metrics=METRICS,
        )

    def serve(self, minutes, stale, *, per_minute=10, travel=0.5, panel="old", asked=None, **versions):
        def drawn():
            cut = {"domain": "travel" if self.random.random() < travel else "leave"}
            given = self.random.choice(["HR-1", "HR-2"])
            value = self.random.random() < stale(domain=cut["domain"], document=given)
            return cut, given, value, {**versions, "scorers": panel}, {}

        self._arrive(minutes, per_minute, drawn, asked)

    def route(self, minutes, stale, *, per_minute=20, share=0.3):
        """Serve release 1 beside its candidate, release 2; and let the last tick be over."""

        def drawn():
            arm = "candidate" if self.random.random() < share else "baseline"
            given = self.random.choice(["HR-1", "HR-2"])
            value = self.random.random() < stale(arm=arm, document=given)
            release = "2" if arm == "candidate" else "1"
            return (
                {"domain": "travel"},
                given,
                value,
                {"release": release, "scorers": "old"},
                {"arm": arm, "share": share},
            )

        self._arrive(minutes, per_minute, drawn)
        self.clock += timedelta(minutes=6)
        self.step.run_once()

    def _arrive(self, minutes, per_minute, drawn, asked=None):
        answers, rows = [], []
        for _ in range(minutes):
            self.clock += timedelta(minutes=1)
            at = nanoseconds(self.clock)
            for _ in range(per_minute):
                self.number += 1
                name = f"a{self.number}"
                cut, given, value, served, routed = drawn()
                passage = Passage(id=f"{given}@1", doc_id=given, text="Text.")
                words = {} if asked is None else {"question": asked(self.number), "answer": "As ever."}
                answers.append(StoredAnswer(Answer(id=name, passages=(passage,), **words), cut, 1.0, True))
                score = Score(metric="stale_source_use", value=float(value))
                scored = Evaluation(answer_id=name, revision=0, scores=(score,))
                rows.append(StoredEvaluation(scored, at, at, cut, 1.0, None, served, **routed))
        self.store.append_pulled(Pulled("test", b"", nanoseconds(self.clock), answers=answers))
        self.store.record_evaluations(rows)
        self.step.run_once()

    def change(self, kind, *, component=None, **more):
        at = nanoseconds(self.clock) + 1
        self.changed += 1
        entry = Entry(
            f"c{self.changed}-{kind}", at, at, kind, more.pop("source", "observed"), component or kind, **more
        )
        return self.store.record_changes([entry])[0]

    def records(self, **slice_):
        rows = [row for row in self.store.decisions(limit=100) if row.slice == slice_]
        return [DecisionRecord.model_validate_json(row.record) for row in rows]


def fine(**_):
    return 0.03


def broken(**_):
    return 0.6
