"""A running agent judges by labels that are sent to it as a replay judges by labels in its files."""

import json
from datetime import UTC, datetime, timedelta
from itertools import groupby

import numpy as np
import pytest

from collector.clock import nanoseconds
from collector.commands.evaluations import stored_lines
from collector.judging.folding import Folding
from collector.store.rows import AnswerLabel, StoredEvaluation
from collector.store.sqlite import open_store
from gates.drift import DriftGate
from gates.inputs.observations import Batch, Observation
from gates.replay.reader import EvaluationReader
from gates.replay.replay import Replay
from scorers.base import Evaluation, Score

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPTIONS = {
    "type": "drift",
    "name": "g",
    "metric": "m",
    "worse": "higher",
    "by": ("domain",),
    "labels": "prediction-powered",
    "label_probability": 0.05,
    "reference": "2d",
    "min_reference_time": "6h",
    "min_reference": 100,
    "label_wait": "6h",
    "tick": "1h",
}
GATE = DriftGate(**OPTIONS)
PLAIN = DriftGate(type="drift", name="plain", metric="m", worse="higher", by=("domain",))
HOUR = timedelta(hours=1)
DAYS, RATE = 6, 40


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def world(seed=1, wait=timedelta(hours=4)):
    """Answers in order, and labels of some up to ``wait`` later; from the fourth day half of one domain fails."""
    rng = np.random.default_rng(seed)
    answers, labels = [], []
    for i in range(DAYS * 24 * RATE):
        at = NOON + HOUR * i / RATE
        domain = ("a", "b")[i % 2]
        bad = rng.random() < (0.5 if domain == "b" and i > 3 * 24 * RATE else 0.02)
        value = float(np.clip(rng.normal(0.8 if bad else 0.1, 0.1), 0, 1))
        answers.append((at, f"answer-{i}", domain, value))
        probability = float(GATE.drawing.probability([value], 0.1)[0])
        if rng.random() < probability:
            labels.append((at + wait * rng.random(), f"answer-{i}", float(bad), probability))
    return answers, labels


def scored(at, name, domain, value):
    evaluation = Evaluation(answer_id=name, revision=0, scores=(Score(metric="m", value=value),))
    moment = nanoseconds(at)
    return StoredEvaluation(evaluation, moment, moment, {"domain": domain}, 0.5, None, {"release": "1"})


def label(at, name, value, probability, **more):
    fields = {"metric": "m", "labeller": "human", "at": nanoseconds(at), "recorded_at": nanoseconds(at)}
    return AnswerLabel(answer_id=name, value=value, probability=probability, **fields | more)


def live(store, answers, labels, *, fold):
    """Record what comes, in order of time; ``fold`` is called after each hour. Return the time of the last."""
    events = sorted([(at, 0, row) for at, *row in answers] + [(at, 1, row) for at, *row in labels], key=lambda e: e[:2])
    for hour in range(int((events[-1][0] - NOON) / HOUR) + 1):
        mine = [event for event in events if hour * HOUR <= event[0] - NOON < (hour + 1) * HOUR]
        for kind, group in groupby(mine, key=lambda event: event[1]):
            rows = [(at, *row) for at, _, row in group]
            if kind:
                assert {each.outcome for each in store.record_labels([label(*row) for row in rows])} == {"stored"}
            else:
                store.record_evaluations([scored(*row) for row in rows])
        fold(NOON + (hour + 1) * HOUR)
    return events[-1][0]


def whole(store, at, gates=(GATE, PLAIN)):
    folding = Folding(store=store, gates=gates)
    folding.run(nanoseconds(at))
    return [folding.of(gate).state for gate in gates]


@pytest.mark.slow
def test_labels_sent_to_an_agent_are_the_evidence_that_a_replay_has_of_them(store):
    answers, labels = world()
    folding = Folding(store=store, gates=(GATE, PLAIN))
    last = live(store, answers, labels, fold=lambda at: folding.run(nanoseconds(at)))
    folding.run(nanoseconds(last))
    known = {name: (value, probability) for _, name, value, probability in labels}
    rows = [
        Observation(
            at=at,
            answer_id=name,
            metric="m",
            value=value,
            probability=0.5,
            slice={"domain": domain},
            versions={"release": "1"},
            **dict(zip(("label", "label_probability"), known.get(name, ()), strict=False)),
        )
        for at, name, domain, value in answers
    ]
    replayed = GATE.fold(GATE.initial(), Batch.of(rows))
    end = NOON + timedelta(days=DAYS)
    mine, theirs = (GATE.verdict(state, end) for state in (folding.of(GATE).state, replayed))
    assert mine == theirs
    assert {part.slice["domain"]: part.state for part in mine.slices} == {"a": "pass", "b": "fail"}
    assert mine.slices[0].evidence["labels"] > 5
    # A gate without labels does not see them.
    assert PLAIN.verdict(folding.of(PLAIN).state, end) == PLAIN.verdict(
        PLAIN.fold(PLAIN.initial(), Batch.of(rows)), end
    )


@pytest.mark.slow
def test_labels_that_come_days_later_are_evidence_too_and_a_rebuild_makes_the_same_of_all(store):
    answers, labels = world(2, wait=timedelta(days=3))
    folding = Folding(store=store, gates=(GATE, PLAIN))

    def fold(at):
        nonlocal folding
        folding.run(nanoseconds(at))
        for gate in (GATE, PLAIN):
            folding.checkpoints.save(gate, folding.of(gate))
        if at.hour % 7 == 0:
            folding = Folding(store=store, gates=(GATE, PLAIN))

    last = live(store, answers, labels, fold=fold)
    folding.run(nanoseconds(last))
    rebuilt = Folding(store=store, gates=(GATE.model_copy(update={"name": "anew"}), PLAIN))
    rebuilt.run(nanoseconds(last))
    (state,) = (rebuilt.of(gate).state for gate in rebuilt.gates if gate.name == "anew")
    assert GATE.dump(folding.of(GATE).state) == GATE.dump(state)
    verdict = GATE.verdict(state, NOON + timedelta(days=DAYS))
    assert sum(part.evidence["labels"] for part in verdict.slices) > 20
    assert {part.slice["domain"]: part.state for part in verdict.slices}["b"] == "fail"


def replayed(lines, gate, order="arrival"):
    reader = EvaluationReader(gate.metrics)
    reader.add(lines)
    recording = reader.recording(order)
    assert (recording.n_bad, recording.repeated, recording.contradicting, recording.unknown) == (0, 0, 0, ())
    course = Replay(gate=gate, recording=recording, tick=HOUR)
    for _ in course.events():
        pass
    return course


@pytest.mark.slow
def test_a_replay_of_an_export_gives_the_verdict_that_the_agent_had_of_scores_and_labels(store, tmp_path):
    answers, labels = world(3, wait=timedelta(days=2))
    last = live(store, answers, labels, fold=lambda _: None)
    lines = list(stored_lines(tmp_path / "data", None))
    assert len(lines) == len(answers) + len(labels)
    for gate, state in zip((GATE, PLAIN), whole(store, last), strict=True):
        course = replayed(lines, gate)
        assert course.verdict == gate.verdict(state, course.verdict.at)
        assert sum(history.answers for history in course.histories.values()) <= len(answers)
    by_time = replayed(lines, GATE, "time").verdict
    assert {part.slice["domain"]: part.state for part in by_time.slices}["b"] == "fail"
    assert sum(part.evidence["labels"] for part in by_time.slices) > 20


def test_an_export_of_one_metric_has_the_labels_of_that_metric_alone(store, tmp_path):
    store.record_evaluations([scored(NOON, "a-0", "a", 0.5)])
    store.record_labels([label(NOON + HOUR, "a-0", 1.0, 0.5, labeller="gold")])
    (_, sent) = stored_lines(tmp_path / "data", frozenset({"m"}))
    found = json.loads(sent)
    assert (found["label"], found["label_probability"], found["labeller"]) == (1.0, 0.5, "gold")
    assert (found["value"], datetime.fromisoformat(found["arrived"])) == (0.5, NOON + HOUR)
    assert list(stored_lines(tmp_path / "data", frozenset({"n"}))) == []


def test_a_replay_of_an_export_counts_labels_by_a_model_where_its_errors_are_known_and_there_alone(store, tmp_path):
    judged = DriftGate(
        **OPTIONS | {"name": "judged"}, label_judge={"failures": 99, "found": 95, "good": 99, "accepted": 97}
    )
    store.record_evaluations([scored(NOON + timedelta(minutes=i), f"a-{i}", "a", 0.5) for i in range(300)])
    by = [("human", "model")[i % 3 == 0] for i in range(300)]
    moment = NOON + timedelta(minutes=300)
    store.record_labels([label(moment, f"a-{i}", 1.0, 0.5, labeller=each) for i, each in enumerate(by)])
    lines = list(stored_lines(tmp_path / "data", None))
    for gate, state in zip((GATE, judged), whole(store, NOON + timedelta(days=1), (GATE, judged)), strict=True):
        course = replayed(lines, gate)
        assert course.verdict == gate.verdict(state, course.verdict.at)


def test_labels_by_a_model_count_where_its_errors_are_known_and_there_alone(store):
    judged = DriftGate(
        **OPTIONS | {"name": "judged"}, label_judge={"failures": 99, "found": 95, "good": 99, "accepted": 97}
    )
    store.record_evaluations([scored(NOON + timedelta(minutes=i), f"a-{i}", "a", 0.5) for i in range(300)])
    by = [("human", "model")[i % 3 == 0] for i in range(300)]
    store.record_labels([label(NOON, f"a-{i}", 1.0, 0.5, labeller=each) for i, each in enumerate(by)])
    by_people, by_model = whole(store, NOON + timedelta(days=1), (GATE, judged))

    def counted(gate, state):
        found = gate.settled(state, NOON + timedelta(days=1))
        return int(found.monitor.scorer.recent[..., 1].sum())

    assert (counted(GATE, by_people), counted(judged, by_model)) == (200, 100)
