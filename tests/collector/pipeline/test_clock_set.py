"""The agent's clock is set forward and back: gates go on, or say that they cannot."""

from datetime import timedelta

import pytest

from adapters.schema import Answer
from collector.clock import nanoseconds
from collector.judging.judge import JudgeStep
from collector.store.entries import Entry
from collector.store.rows import Adaptation, Chunk, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from gates.decisions.record import DecisionRecord
from gates.drift import DriftGate
from gates.objective import ObjectiveGate
from gates.release import ReleaseGate
from gates.threshold import ThresholdGate
from scorers.base import Evaluation, Score
from telemetry.registry import Telemetry
from tests.collector.judging.test_judge import METRICS, NOON, Clock, exposed

METRIC = {"metric": "stale_source_use"}
GATES = (
    ThresholdGate(type="threshold", name="threshold", at_most=0.2, window="30m", **METRIC),
    DriftGate(type="drift", name="drift", worse="higher", declared=0.2, window="2h", **METRIC),
    ReleaseGate(type="release", name="release", worse="higher", margin=0.1, **METRIC),
    ObjectiveGate(type="objective", name="objective", worse="higher", objective=0.9, **METRIC),
)
NAMES = [gate.name for gate in GATES]
YEAR, HOUR, TEN, MINUTE = timedelta(days=365), timedelta(hours=1), timedelta(minutes=10), timedelta(minutes=1)


class World:
    """An agent's store and judge, with ten answers a minute; from the first hour on traffic is split."""

    def __init__(self, store):
        self.store, self.clock, self.real, self.count = store, Clock(NOON), NOON, 0
        self.restart()

    def restart(self):
        telemetry = Telemetry(metrics=(), dimensions=(), version="test")
        self.step = JudgeStep(
            store=self.store, gates=GATES, telemetry=telemetry, clock=self.clock, tick=10.0, metrics=METRICS
        )
        self.step.telemetry_ = telemetry

    def run(self, length, *, bad=False, shift=timedelta()):
        """Let time pass, with a clock that is wrong by ``shift``; gates are judged every ten minutes."""
        rows = []
        for minute in range(1, length // MINUTE + 1):
            self.real += MINUTE
            self.clock.at = self.real + shift
            rows += self.answers(nanoseconds(self.clock.at), bad=bad, routed=self.real - NOON > HOUR)
            if minute % 10 == 0:
                self.store.record_evaluations(rows)
                self.step.run_once()
                rows = []

    def answers(self, at, *, bad, routed):
        for i in range(10):
            candidate = routed and i % 2 == 0
            value = float(bad and (candidate or not routed or i % 4 == 1))
            scores = (Score(metric="stale_source_use", value=value),)
            yield StoredEvaluation(
                Evaluation(answer_id=f"a{self.count}", revision=0, scores=scores),
                *(at, at, {}, 1.0, None, {"release": "2" if candidate else "1"}),
                arm=("candidate" if candidate else "baseline") if routed else None,
                share=0.5 if routed else None,
            )
            self.count += 1

    @property
    def states(self):
        return {name: self.step.verdicts[name].state for name in NAMES}

    @property
    def reasons(self):
        return {name: self.step.verdicts[name].reason for name in NAMES}


@pytest.fixture
def world(tmp_path):
    store = open_store(tmp_path / "data")
    yield World(store)
    store.close()


def dumped(world):
    return {gate.name: gate.dump(world.step._folding.of(gate).state) for gate in GATES}


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "restarted"), [(2 * HOUR, False), (YEAR, False), (YEAR, True)])
def test_after_a_clock_that_was_ahead_gates_find_what_goes_wrong(world, shift, restarted):
    world.run(2 * HOUR)
    world.run(TEN, shift=shift, bad=True)
    if restarted:
        world.restart()
    world.run(TEN)
    assert not [reason for reason in world.reasons.values() if "the clock is" in reason]
    world.run(2 * HOUR, bad=True)
    assert world.states == dict.fromkeys(NAMES, "fail")
    (whole,) = world.step.verdicts["objective"].slices
    assert whole.n == world.count - 10, "answers of the wrong time count, too, and a tick that has begun does not"
    redated = exposed(world.step, 'groundwire_gate_redated_total{gate="drift"}')
    assert redated == ['groundwire_gate_redated_total{gate="drift"} 100.0']
    assert exposed(world.step, 'groundwire_gate_ahead_seconds{gate="drift"}')[0].endswith(" 0.0")


@pytest.mark.parametrize("shift", [-2 * HOUR, -YEAR])
def test_a_clock_that_was_behind_costs_no_evidence(world, shift):
    world.run(3 * HOUR)
    before = dumped(world)
    world.clock.at = world.real + shift
    world.step.run_once()
    assert set(world.states.values()) == {"inconclusive"}
    assert all("behind the newest evidence" in reason for reason in world.reasons.values())
    assert dumped(world) == before
    world.clock.at = world.real
    world.step.run_once()
    assert dumped(world) == before
    assert world.states == dict.fromkeys(NAMES, "pass")


def test_what_cannot_be_mended_is_said_and_what_fails_goes_on_to_fail(world):
    world.run(2 * HOUR, bad=True, shift=YEAR)
    world.run(HOUR, shift=YEAR + timedelta(days=2))
    assert world.states["release"] == "fail"
    world.run(TEN)
    for name in ("threshold", "objective"):
        assert world.reasons[name].startswith("the clock is 366d23h"), name
        assert world.states[name] == "inconclusive"
    assert world.states["release"] == "fail", "it stands until the next candidate"
    behind = float(exposed(world.step, 'groundwire_gate_ahead_seconds{gate="drift"}')[0].split()[-1])
    assert behind == pytest.approx((YEAR + timedelta(days=2)).total_seconds(), abs=900)


def test_a_change_told_of_while_the_clock_was_ahead_stands_in_its_place(world):
    world.run(2 * HOUR)
    at = nanoseconds(world.real + YEAR)
    world.store.record_changes([Entry("x", at, at, "deploy", "explicit", "release", {}, "3")])
    world.run(TEN, shift=YEAR)
    world.run(TEN)
    state = world.step._folding.of(GATES[1]).state
    assert [change.at for change in state.past] == [NOON + 2 * HOUR]


@pytest.mark.slow
def test_a_record_names_changes_though_the_last_pass_is_of_a_time_that_has_not_come(world):
    world.run(2 * HOUR)
    world.run(HOUR, shift=YEAR)
    world.run(TEN)
    at = nanoseconds(world.real)
    world.store.record_changes([Entry("x", at, at, "prompt", "explicit", "prompt", {}, "7")])
    world.run(HOUR, bad=True)
    row = next(row for row in reversed(world.store.decisions(gate="threshold", limit=1000)) if row.state == "fail")
    assert [change.component for change in DecisionRecord.model_validate_json(row.record).changes] == ["prompt"]


def test_a_trace_that_came_while_the_clock_was_ahead_closes_when_it_is_set_right(tmp_path):
    store = open_store(tmp_path / "data")
    for name, root in ((b"whole", True), (b"part", False)):
        store.append([Chunk(name.ljust(16), 10_000, 1, root, b"")])
    limits = {"idle": 5, "timeout": 60}
    assert store.due(now=9_950, **limits, limit=9, limit_bytes=99) == []
    due = store.due(now=100, **limits, limit=9, limit_bytes=99)
    assert sorted((trace.trace_id.strip(), trace.complete) for trace in due) == [(b"part", False), (b"whole", True)]
    assert store.backlog(now=100, **limits).count == 2
    stored = StoredAnswer(Answer(id="a"), {}, 1.0, True)
    store.record_adapted([Adaptation(d.trace_id, d.upto_seq, 0, 1, 0, "answer", 100, (stored,)) for d in due[:1]])
    assert store.backlog(now=100, **limits).count == 2
    store.close()


def test_answers_that_come_late_are_counted_by_gate_and_those_that_come_too_late_are_named(world):
    world.run(2 * HOUR)
    for late in (timedelta(minutes=40), timedelta(days=8)):
        rows = [row for _ in range(5) for row in world.answers(nanoseconds(world.real - late), bad=True, routed=False)]
        world.store.record_evaluations(rows)
        world.step.run_once()
    counted, left_out = 'groundwire_gate_late_total{gate="%s",outcome="counted"}', ',outcome="left_out"}'
    assert exposed(world.step, counted % "drift") == [f"{counted % 'drift'} 50.0"]
    assert exposed(world.step, f'groundwire_gate_late_total{{gate="drift"{left_out}')[0].endswith(" 50.0")
    # A window of 30 minutes has no place for either.
    assert exposed(world.step, f'groundwire_gate_late_total{{gate="threshold"{left_out}')[0].endswith(" 100.0")
    assert "came too late and were left out" in world.reasons["drift"]
    assert "pass" not in (world.states["drift"], world.states["threshold"])
