"""Whether advice holds on bad days: changes good and bad, canaries, reversals, and what the decision log says of them.

    python -m benchmarks.incidents --days 200 --seed 1

A day is seven hours of an assistant that two domains ask, told to a store and its judge as the agent would tell them:
three gates, versions observed in answers, and announcements of some of them. Several things change, some of them for
the worse; whoever is on duty mostly does what is recommended, and sometimes guesses. Every record is held against what
is true: it must not contradict its gate, nor recommend to roll back what is not served any more, nor to return to what
was rolled back. And when a failure is over, its newest record must name a true cause, or say that it is not told apart.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import structlog

from adapters.schema import Answer, Passage
from collector.api.changes import Announcement
from collector.changes.observe import ChangeOptions, Observer
from collector.changes.served import served_by
from collector.clock import nanoseconds
from collector.judging.judge import JudgeStep
from collector.store.rows import Decision, Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from collector.store.store import Store
from gates.base.gate import Gate
from gates.base.verdict import SliceVerdict
from gates.decisions.record import DecisionRecord
from gates.drift import DriftGate
from gates.inputs.changes import ChangeKind
from gates.release import ReleaseGate
from gates.threshold import ThresholdGate
from scorers.base import Evaluation, Score
from scorers.freshness.stale_source_use import StaleSourceUse
from telemetry.registry import Telemetry

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
METRIC = StaleSourceUse.metric
STEP = 10
"""Minutes between two readings of the gates."""
STEPS, QUIET, LAST = 42, 12, 34
"""A day in steps: before `QUIET` nothing happens, after `LAST` nothing new."""
PER_MINUTE = 6
FINE, LIMIT = 0.03, 0.12
DOCUMENTS = ("HR-1", "HR-2", "HR-3", "HR-4")
KINDS: dict[str, ChangeKind] = {"release": "deploy", "model": "model", "prompt": "prompt", "index": "index"}
KNOWABLE = 60
"""Minutes after which answers alone tell that a version is gone."""

GATES: tuple[Gate, ...] = (
    ThresholdGate(
        type="threshold", name="stale", metric=METRIC.name, at_most=LIMIT, by=("domain",), window=timedelta(hours=1)
    ),
    DriftGate(type="drift", name="drift", metric=METRIC.name, worse="higher", by=("domain",)),
    ReleaseGate(type="release", name="canary", metric=METRIC.name, worse="higher"),
)


@dataclass
class Fault:
    """Something that makes answers worse: a version, a document, the traffic or something that nobody knows."""

    cause: str
    by: float
    version: str | None = None
    domain: str | None = None
    document: str | None = None
    began: int = -1
    ended: int | None = None

    def active(self, since: int, until: int) -> bool:
        """Whether it did harm between two steps."""
        return 0 <= self.began <= until and (self.ended is None or self.ended >= since)


@dataclass
class Canary:
    """A candidate that is brought out beside the release."""

    version: str
    began: int

    def share(self, step: int) -> float:
        """Return the part of traffic that it gets."""
        return (0.1, 0.25, 0.5)[min(2, (step - self.began) // 5)]


@dataclass
class Day:
    """A day: what is served, what is wrong with it, what the log said, and what of that was false."""

    store: Store
    rng: np.random.Generator
    served: dict[str, str] = field(default_factory=lambda: {name: f"{name}-1" for name in KINDS})
    before: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in KINDS})
    gone: dict[tuple[str, str], tuple[int, bool]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    canary: Canary | None = None
    step: int = 0
    answers: int = 0
    seen: int = 0
    acted: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    rows: list[tuple[int, Decision, DecisionRecord]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Set up what an agent has."""
        self.store.save_checkpoint("panel:p", 0, b'{"stale_source_use": "1"}')
        telemetry = Telemetry(metrics=(), dimensions=("domain",), version="benchmark")
        self.observer = Observer(ChangeOptions(), (), store=self.store, telemetry=telemetry, clock=self.clock)
        self.judge = JudgeStep(
            store=self.store,
            gates=GATES,
            telemetry=telemetry,
            clock=self.clock,
            tick=60.0 * STEP,
            metrics={METRIC.name: METRIC},
        )
        self.minute = 0
        plan = sorted(self.rng.choice(np.arange(QUIET, LAST), int(self.rng.integers(2, 6)), replace=False).tolist())
        self.plan = {step: str(self.rng.choice(["release", "canary", *KINDS, "documents"])) for step in plan}
        self.mixed = bool(self.rng.random() < 0.1)
        self.travel = 0.15 if self.mixed else 0.5
        # What happens to nobody's knowledge, and traffic that moves to what always was hard.
        self.unknown_at = int(self.rng.choice(plan)) + 1 if self.rng.random() < 0.1 else -1
        self.mixed_at = int(self.rng.choice(plan)) + 2 if self.mixed else -1
        self.bad = {step for step in plan if self.rng.random() < 0.45}
        if not self.bad and self.unknown_at < 0 and not self.mixed:
            self.bad = {plan[0]}

    def clock(self) -> int:
        """Return the time, in Unix nanoseconds."""
        return nanoseconds(NOON + timedelta(minutes=self.minute))

    def run(self) -> None:
        """Live through the day."""
        for self.step in range(STEPS):
            self._happen()
            self._serve()
            self.judge.run_once()
            self._read()
            self._act()
        self._conclude()

    def _happen(self) -> None:
        what, bad = self.plan.get(self.step), self.step in self.bad
        if self.step == self.unknown_at:
            self.faults.append(Fault("unknown", float(self.rng.uniform(0.2, 0.5)), began=self.step))
        if self.step == self.mixed_at:
            self.travel = 0.75
            self.faults.append(Fault("traffic_mix", 0.0, began=self.step))
        if what == "documents":
            chosen = self.rng.choice(DOCUMENTS, 2, replace=False).tolist()
            if bad:
                self.faults.append(Fault("documents", 0.7, document=chosen[0], began=self.step))
            self._announce("documents", documents=chosen)
        elif what == "canary" and self.canary is None:
            self.canary = Canary(self._new("release", bad=bad), self.step)
            if self.rng.random() < 0.5:
                self._announce("deploy", version=self.canary.version, previous=self.served["release"])
        elif what in KINDS and not (what == "release" and self.canary):
            self._deploy(what, self._new(what, bad=bad))

    def _new(self, component: str, *, bad: bool) -> str:
        known = {self.served[component], *self.before[component], *(v for c, v in self.gone if c == component)}
        version = f"{component}-{len(known) + 1}"
        if bad:
            domain = None if self.rng.random() < 0.6 else str(self.rng.choice(["travel", "leave"]))
            self.faults.append(Fault(component, float(self.rng.uniform(0.15, 0.6)), version=version, domain=domain))
        return version

    def _deploy(self, component: str, version: str) -> None:
        previous = self.served[component]
        self.before[component].append(previous)
        self.served[component] = version
        self.gone.pop((component, version), None)
        if self.rng.random() < 0.6:
            told = {"previous": previous} if self.rng.random() < 0.7 else {}
            self._announce(KINDS[component], version=version, **told)

    def _roll_back(self, component: str, *, announced: bool) -> None:
        version = self.served[component]
        if component == "release" and self.canary is not None:
            version, back, self.canary = self.canary.version, version, None
        elif not self.before[component]:
            return
        else:
            back = self.served[component] = self.before[component].pop()
        self.gone[component, version] = (self.minute, announced)
        if announced:
            self._announce(KINDS[component], version=back, previous=version)

    def _announce(self, kind: str, **said: Any) -> None:
        self.store.record_changes([Announcement(kind=kind, **said).entry(now=self.clock())])

    def _hit(self, versions: dict[str, str], domain: str, document: str) -> float:
        chance = 0.5 if self.mixed and domain == "travel" else FINE
        for fault in self.faults:
            served = fault.version is None or versions[fault.cause] == fault.version
            where = fault.domain in (None, domain) and fault.document in (None, document)
            if served and where and fault.ended is None:
                chance = max(chance, fault.by)
                fault.began = self.step if fault.began < 0 else fault.began
        return chance

    def _serve(self) -> None:
        drawn = []
        for _ in range(STEP):
            self.minute += 1
            drawn += [self._answer() for _ in range(int(self.rng.poisson(PER_MINUTE)))]
        for stored, _ in drawn:
            self.observer.look(stored.answer, stored.slice)
        self.observer.save(self.store)
        self.store.append_pulled(Pulled("s", b"", self.clock(), answers=[stored for stored, _ in drawn]))
        self.store.record_evaluations([row for _, row in drawn])
        for fault in self.faults:
            names = [(fault.cause, self.served.get(fault.cause)), ("release", self.canary and self.canary.version)]
            if fault.version and fault.began >= 0:
                fault.ended = None if (fault.cause, fault.version) in names else (fault.ended or self.step)

    def _answer(self) -> tuple[StoredAnswer, StoredEvaluation]:
        self.answers += 1
        name, cut = f"a{self.answers}", {"domain": "travel" if self.rng.random() < self.travel else "leave"}
        document, versions, routed = str(self.rng.choice(DOCUMENTS)), dict(self.served), {}
        if self.canary is not None:
            share = self.canary.share(self.step)
            chosen = bool(self.rng.random() < share)
            routed = {"arm": "candidate" if chosen else "baseline", "share": share}
            versions["release"] = self.canary.version if chosen else versions["release"]
        failed = float(self.rng.random() < self._hit(versions, cut["domain"], document))
        at = NOON + timedelta(minutes=self.minute)
        told = {part: versions[part] for part in ("prompt", "index")}
        passages = (Passage(id=f"{document}@1", doc_id=document, text="Text."),)
        answer = Answer(
            id=name, release=versions["release"], model=versions["model"], versions=told, passages=passages, ended_at=at
        )
        scored = Evaluation(answer_id=name, revision=0, scores=(Score(metric=METRIC.name, value=failed),))
        known = {**served_by(answer), "scorers": "p"}
        now = nanoseconds(at)
        return StoredAnswer(answer, cut, 1.0, True), StoredEvaluation(scored, now, now, cut, 1.0, None, known, **routed)

    def _read(self) -> None:
        for row in self.store.decisions(after=self.seen, limit=1000):
            self.seen = row.seq
            record = DecisionRecord.model_validate_json(row.record or "")
            self.rows.append((self.step, row, record))
            self.wrong += [f"{record.gate} {dict(row.slice)} step {self.step}: {each}" for each in self._false(record)]

    def _false(self, record: DecisionRecord) -> Iterator[str]:
        """Yield what of a record contradicts its gate, or what is served."""
        asked = record.recommended
        if record.kind == "verification":
            return
        if (record.state == "pass") != (asked.action == "none"):
            yield f"{record.state} recommends {asked.action}"
        excluded = {each.cause for each in record.causes_excluded}
        carrying = {each.cause for each in record.causes_carrying}
        if record.state == "fail" and record.gate == "canary" and "release" in excluded:
            yield "the release that fails is excluded"
        if asked.action == "roll_back" and asked.component is not None:
            if carrying and asked.component not in carrying | {"release", "index"}:
                yield f"rolls back {asked.component}, but {sorted(carrying)} carries"
            left = self.gone.get((asked.component, asked.version or ""))
            if left is not None and (left[1] or self.minute - left[0] > KNOWABLE):
                yield f"recommends {asked.version}, taken back {self.minute - left[0]} minutes ago"
            back = self.gone.get((asked.component, asked.to_version or ""))
            if back is not None and (back[1] or self.minute - back[0] > KNOWABLE):
                yield f"recommends to return to {asked.to_version}, which was taken back"
        yield from (told for part in record.slices if (told := _good(record.gate, part)))

    def _act(self) -> None:
        """Do what is recommended, mostly; sometimes guess, bring back what was rolled back, or end a canary."""
        asked: DecisionRecord | None = None
        for step, row, record in self.rows:
            if record.recommended.action == "roll_back" and self.step - step < 3 and row.seq not in self.acted:
                asked = record
                self.acted.add(row.seq)
        failing = any(verdict.state == "fail" for verdict in self.judge.verdicts.values())
        announced = bool(self.rng.random() < 0.6)
        if asked is not None and self.rng.random() < 0.8:
            component = asked.recommended.component or ""
            standing = self.canary.version if component == "release" and self.canary else self.served.get(component)
            if standing == asked.recommended.version:
                self._roll_back(component, announced=announced)
        elif failing and self.rng.random() < 0.03:
            self._roll_back(str(self.rng.choice(list(KINDS))), announced=announced)
        elif self.gone and self.step < LAST and self.rng.random() < 0.02:
            component, version = sorted(self.gone)[int(self.rng.integers(len(self.gone)))]
            if not (component == "release" and self.canary):
                self._deploy(component, version)
        if self.canary is not None and self.step - self.canary.began >= 15:
            version, self.canary = self.canary.version, None
            self._deploy("release", version)

    def _conclude(self) -> None:
        """Hold the newest record of every failure of a gate against what was true."""
        for gate in GATES:
            mine = [each for each in self.rows if each[2].gate == gate.name and not each[1].slice]
            mine = [each for each in mine if each[2].kind in ("verdict", "attribution")]
            for place, (step, _, record) in enumerate(mine):
                over = place + 1 == len(mine) or mine[place + 1][2].state != "fail"
                if record.state == "fail" and over:
                    began = next(s for s, _, r in reversed(mine[: place + 1]) if r.kind == "verdict")
                    outcome = self._outcome(record, max(0, began - 9), step)
                    self.outcomes[outcome] += 1
                    if outcome in ("wrong", "left open"):
                        true = sorted({each.cause for each in self.faults if each.active(max(0, began - 9), step)})
                        found = record.attribution.summary if record.attribution else "no attribution"
                        said = f"{record.recommended.action}: {record.recommended.reason}"
                        self.told.append(f"{gate.name} {outcome}: true {true}, found: {found} | {said}")

    def _outcome(self, record: DecisionRecord, since: int, until: int) -> str:
        true = {each.cause for each in self.faults if each.active(since, until)}
        carrying = {each.cause for each in record.causes_carrying}
        told = record.attribution
        if not true:
            return "false alarm"
        if carrying & true:
            return "named"
        apart = {each.cause for each in (told.findings("not told apart") if told else ())}
        held = record.recommended.action == "hold" and "tell apart" in record.recommended.reason
        # Without rivals, a finding that is not told apart leaves it open whether something unknown is the cause.
        unsure = bool(told and any(not each.rivals for each in told.findings("not told apart")))
        if "unknown" in true and unsure:
            return "not told apart"
        if apart & true or held or told is None or told.kind == "not told":
            return "not told apart"
        if carrying:
            return "wrong"
        return "named" if "unknown" in true and told.unknown else "left open"


def _good(gate: str, part: SliceVerdict) -> str | None:
    """Return what is wrong with an interval that lies on the good side, while the slice fails."""
    if part.state != "fail" or part.upper is None:
        return None
    limit = {"stale": LIMIT, "canary": 0.0}.get(gate, part.evidence.get("level", 1.0))
    return f"fails with {part.lower:.3g} to {part.upper:.3g} below {limit:.3g}" if part.upper < limit else None


def days(many: int, seed: int, first: int = 0) -> Iterator[Day]:
    """Yield so many days that were lived through; the same ``seed`` gives the same days."""
    for number in range(first, first + many):
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(Path(folder) / "data")
            day = Day(store, np.random.default_rng([seed, number]))
            try:
                day.run()
            finally:
                store.close()
            yield day


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what of the advice of so many days was false, and how often the true cause was named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first day")
    parser.add_argument("--all", action="store_true", help="print every failure whose cause was not named")
    given = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    outcomes: Counter[str] = Counter()
    records: Counter[str] = Counter()
    wrong = 0
    for number, day in enumerate(days(given.days, given.seed, given.first), given.first):
        outcomes += day.outcomes
        records += Counter(record.kind for _, _, record in day.rows)
        wrong += len(day.wrong)
        if given.all:
            print(f"day {number}: {len(day.rows)} records, {dict(day.outcomes)}", flush=True)
        for each in [*day.wrong, *(day.told if given.all else ())]:
            print(f"day {number}: {each}", flush=True)
    judged = outcomes.total() - outcomes["false alarm"]
    good = outcomes["named"] + outcomes["not told apart"]
    print(f"{given.days} days, {records.total()} records: {dict(records)}")
    print(f"records that contradict their gate or what is served: {wrong}")
    print(f"failures {judged}: {dict(outcomes)}; named or not told apart {good / max(1, judged):.1%}")


if __name__ == "__main__":
    main()
