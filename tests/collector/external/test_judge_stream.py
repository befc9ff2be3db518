"""A foreign judge over weeks, another version of it, and a fall: what a drift gate says of its scores.

The scores go the whole way: to the store with their answers, and from there to the gate, day by day.
"""

from datetime import timedelta

import numpy as np
import pytest

from adapters.schema import Answer
from collector.clock import instant
from collector.external.judged import judged
from collector.judging.folding import Folding
from collector.store.rows import ExternalRow, Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from gates.drift import DriftGate
from gates.release import ReleaseGate
from scorers.base import Evaluation, Score

HOUR = 3600 * 10**9
BEGIN = 1_780_000_000 * 10**9 // HOUR * HOUR
SLICES = ("travel", "leave", "it")
AN_HOUR = 4
"""Answers of a slice in an hour."""
FIRST, SECOND = 6 * 24, 5 * 24
"""Hours of the first version of the judge, and of the second before the fall."""
OPTIONS = {"type": "drift", "worse": "lower", "by": ["domain"], "min_reference": 200}


class Stream:
    """Answers of three slices whose scores are beta-distributed about a level."""

    def __init__(self, directory, metric):
        self.store = open_store(directory)
        self.metric = metric
        self.gate = DriftGate(**OPTIONS, name="g", metric=metric)
        self.folding = Folding(store=self.store, gates=[self.gate])

    def hours(self, first, last, *, level, evaluator, fallen=()):
        """Let hours pass, and return the slices that fail at the end of the last."""
        answers, rows = [], []
        for hour in range(first, last):
            for domain in SLICES:
                mean = 0.35 if domain in fallen else level
                values = np.random.default_rng([hour, SLICES.index(domain)]).beta(8 * mean, 8 * (1 - mean), AN_HOUR)
                for number, value in enumerate(values.tolist()):
                    at = BEGIN + hour * HOUR + number * HOUR // AN_HOUR
                    answer = Answer(id=f"{domain}-{hour}-{number}", ended_at=instant(at))
                    answers.append(StoredAnswer(answer, {"domain": domain}, 1.0, False))
                    rows.append((answer.id, at, value, domain))
        now = BEGIN + last * HOUR
        self.store.append_pulled(Pulled("files", b"", now, answers=answers))
        self.score(rows, now, evaluator)
        self.folding.run(now)
        verdict = self.gate.verdict(self.folding.of(self.gate).state, instant(now))
        return {part.slice["domain"] for part in verdict.slices if part.state == "fail" and "domain" in part.slice}

    def score(self, rows, now, evaluator):
        """Have a judge elsewhere send its scores."""
        sent = [
            ExternalRow(
                metric=self.metric,
                value=value,
                probability=1.0,
                source="api",
                at=at,
                recorded_at=now,
                answer_id=name,
                evaluator=evaluator,
            )
            for name, at, value, _ in rows
        ]
        assert {each.outcome for each in self.store.record_external(sent, judged)} == {"stored"}


class Native(Stream):
    """The same scores as ones of the panel."""

    def score(self, rows, now, evaluator):  # noqa: ARG002 - as above
        self.store.record_evaluations(
            [
                StoredEvaluation(
                    Evaluation(answer_id=name, revision=0, scores=(Score(metric=self.metric, value=value),)),
                    at,
                    now,
                    {"domain": domain},
                    1.0,
                    None,
                    {},
                )
                for name, at, value, domain in rows
            ]
        )


@pytest.fixture
def streams(tmp_path):
    opened = Stream(tmp_path / "external", "external.tone"), Native(tmp_path / "native", "claim_support")
    yield opened
    for each in opened:
        each.store.close()


def found(stream, begin, **told):
    """Return after how many hours the fall of one slice is found, and in which slices."""
    for hour in range(begin, begin + 48):
        failed = stream.hours(hour, hour + 1, fallen=("leave",), **told)
        if failed:
            return hour - begin, failed
    raise AssertionError("not found in two days")


@pytest.mark.slow
def test_another_version_of_a_judge_raises_no_alarm_and_a_fall_is_found_as_soon_as_by_a_scorer_of_ours(streams):
    external, native = streams
    for day in range(0, FIRST, 24):
        assert external.hours(day, day + 24, level=0.8, evaluator="judge@1") == set()
    for day in range(FIRST, FIRST + SECOND, 24):
        # The second version is stricter by far: held against the first, every slice would have fallen.
        assert external.hours(day, day + 24, level=0.6, evaluator="judge@2") == set()
        native.hours(day, day + 24, level=0.6, evaluator="")
    (change,) = external.store.changes()
    assert (change.kind, change.component, change.version) == ("scorer", "external.tone", "judge@2")
    begin = FIRST + SECOND
    delay, failed = found(external, begin, level=0.6, evaluator="judge@2")
    native_delay, _ = found(native, begin, level=0.6, evaluator="")
    assert failed == {"leave"}
    assert abs(delay - native_delay) <= 2, (delay, native_delay)


@pytest.mark.slow
def test_a_judge_that_does_not_say_its_version_is_taken_for_the_same_and_its_swap_for_a_fall(streams):
    external, _ = streams
    for day in range(0, FIRST, 24):
        assert external.hours(day, day + 24, level=0.8, evaluator="") == set()
    assert external.hours(FIRST, FIRST + 48, level=0.6, evaluator="") == set(SLICES)
    assert external.gate.tick < timedelta(hours=2)


class Rollout(Stream):
    """Answers of which one in ten is a candidate's, with what a judge elsewhere says of them."""

    def __init__(self, directory):
        self.store = open_store(directory)
        self.metric = "external.tone"
        self.gate = ReleaseGate(
            type="release", name="canary", metric=self.metric, worse="lower", by=["domain"], margin=0.1
        )
        self.folding = Folding(store=self.store, gates=[self.gate])

    def over(self, hours, *, candidate, evaluator=lambda _: "judge@1"):
        """Let hours pass in which a candidate's mean is another than .8; return the verdict at their end."""
        answers, rows = [], {}
        for number in range(hours * 200):
            rng = np.random.default_rng([7, number])
            arm, domain = "candidate" if rng.random() < 0.1 else "baseline", SLICES[number % len(SLICES)]
            mean = candidate if arm == "candidate" else 0.8
            at = BEGIN + number * HOUR // 200
            version = "2.0" if arm == "candidate" else "1.0"
            answer = Answer(id=f"a-{number}", ended_at=instant(at), release=version, arm=arm, share=0.1)
            answers.append(StoredAnswer(answer, {"domain": domain}, 1.0, False))
            row = (answer.id, at, float(rng.beta(8 * mean, 8 * (1 - mean))), domain)
            rows.setdefault(evaluator(number / (hours * 200)), []).append(row)
        now = BEGIN + hours * HOUR
        self.store.append_pulled(Pulled("files", b"", now, answers=answers))
        for name, some in rows.items():
            self.score(some, now, name)
        self.folding.run(now)
        return self.gate.verdict(self.folding.of(self.gate).state, instant(now))


@pytest.fixture
def rollout(tmp_path):
    opened = Rollout(tmp_path / "rollout")
    yield opened
    opened.store.close()


@pytest.mark.slow
@pytest.mark.parametrize(("candidate", "state"), [(0.8, "pass"), (0.6, "fail")])
def test_a_release_is_judged_by_what_a_judge_elsewhere_says(rollout, candidate, state):
    verdict = rollout.over(24, candidate=candidate)
    assert (verdict.state, verdict.candidate, verdict.baseline) == (state, "2.0", "1.0")


def test_another_version_of_the_judge_within_a_rollout_fails_no_candidate_that_is_as_good(rollout):
    verdict = rollout.over(24, candidate=0.8, evaluator=lambda share: "judge@1" if share < 0.5 else "judge@2")
    assert verdict.state == "pass"
