import json
from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Answer
from collector.clock import nanoseconds
from collector.pipeline.judge import JudgeStep, observations
from collector.store.base import Adapted, Chunk, StoredAnswer, StoredEvaluation
from collector.store.chain import verify_chain
from collector.store.sqlite import open_store
from collector.telemetry import Telemetry
from gates.threshold import ThresholdGate
from scorers.base import Evaluation, Score

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GATE = ThresholdGate(
    type="threshold", name="stale", metric="stale_source_use", at_most=0.2, by=("domain",), window="10m", min_answers=20
)


class Clock:
    def __init__(self, at):
        self.at = at

    def __call__(self):
        return nanoseconds(self.at)


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def judge(store, clock, gates=(GATE,)):
    telemetry = Telemetry(metrics=(), dimensions=("domain",), version="test")
    step = JudgeStep(store=store, gates=gates, telemetry=telemetry, clock=clock, tick=1.0)
    step.telemetry_ = telemetry
    return step


def score(store, values, *, domain, at=NOON, start=0, revision=0):
    for i, value in enumerate(values, start):
        answer_id = f"{domain}-{i}"
        trace_id = answer_id.encode().ljust(16, b"0")[:16]
        arrived = nanoseconds(at)
        store.append([Chunk(trace_id=trace_id, arrived=arrived, n_spans=1, has_root=True, data=b"")])
        due = store.due(now=arrived + 1, idle=1, timeout=1, limit=10, limit_bytes=1000)
        stored = StoredAnswer(Answer(id=answer_id, revision=revision), {"domain": domain}, 1.0, True)
        store.record_adapted(
            [Adapted(d.trace_id, d.upto_seq, revision, 1 + revision, 0, "answer", arrived, (stored,)) for d in due]
        )
        evaluation = Evaluation(
            answer_id=answer_id, revision=revision, scores=(Score(metric="stale_source_use", value=value),)
        )
        store.record_evaluations(
            [StoredEvaluation(evaluation, arrived, arrived + revision, {"domain": domain}, 1.0, None, {})]
        )


def exposed(step, name):
    text = step.telemetry_.exposition("")[0].decode()
    return [line for line in text.splitlines() if line.startswith(name)]


def test_a_gate_without_answers_is_inconclusive_and_logs_nothing(store):
    step = judge(store, Clock(NOON))
    step.run_once()
    verdict = step.verdicts["stale"]
    assert (verdict.state, verdict.no_data) == ("inconclusive", True)
    assert store.decisions() == []
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 0.0']


def test_only_the_slice_that_went_bad_fails_and_the_log_says_so(store):
    score(store, [1.0] * 40, domain="travel")
    score(store, [0.0] * 40, domain="leave")
    step = judge(store, Clock(NOON))
    assert step.run_once() == 80
    states = {part.slice["domain"]: part.state for part in step.verdicts["stale"].slices}
    assert states == {"travel": "fail", "leave": "pass"}
    logged = {(json.dumps(dict(row.slice)), row.previous_state, row.state) for row in store.decisions()}
    assert logged == {
        ("{}", None, "fail"),
        ('{"domain": "travel"}', None, "fail"),
        ('{"domain": "leave"}', None, "pass"),
    }
    assert 'groundwire_gate_slice_state{domain="travel",gate="stale"} -1.0' in exposed(step, "groundwire_gate_slice")


def test_a_verdict_that_does_not_change_is_not_logged_again(store):
    score(store, [1.0] * 40, domain="travel")
    step = judge(store, Clock(NOON))
    step.run_once()
    before = store.decisions()
    step.run_once()
    assert store.decisions() == before


def test_a_restart_folds_only_what_is_new_and_comes_to_the_same_verdict(store):
    clock = Clock(NOON)
    score(store, [1.0] * 15, domain="travel")
    judge(store, clock).run_once()
    score(store, [1.0] * 25, domain="travel", start=15)
    restarted = judge(store, clock)
    assert restarted.run_once() == 25
    fresh = GATE.initial()
    for row in store.evaluations_after(0, limit=100):
        for observation in observations(row, GATE.metrics):
            fresh = GATE.update(fresh, observation)
    assert restarted.verdicts["stale"].slices == GATE.verdict(fresh, NOON).slices


def test_another_policy_is_rebuilt_from_the_stored_evaluations(store):
    score(store, [1.0] * 40, domain="travel")
    judge(store, Clock(NOON)).run_once()
    lenient = GATE.model_copy(update={"at_most": 0.99, "min_answers": 1})
    assert lenient.policy_version != GATE.policy_version
    step = judge(store, Clock(NOON), (lenient,))
    assert step.run_once() == 40
    assert step.verdicts["stale"].policy_version == lenient.policy_version


def test_a_slice_whose_traffic_ends_becomes_inconclusive_in_the_log_and_leaves_the_metrics(store):
    clock = Clock(NOON)
    score(store, [1.0] * 40, domain="travel")
    step = judge(store, clock)
    step.run_once()
    clock.at = NOON + timedelta(hours=1)
    step.run_once()
    newest = {json.dumps(dict(row.slice)): (row.previous_state, row.state) for row in store.decisions()}
    assert newest == {"{}": ("fail", "inconclusive"), '{"domain": "travel"}': ("fail", "inconclusive")}
    assert exposed(step, "groundwire_gate_slice_state") == []


def test_a_later_revision_is_counted_and_not_folded(store):
    score(store, [1.0] * 30, domain="travel")
    score(store, [0.0] * 30, domain="travel", revision=1)
    step = judge(store, Clock(NOON))
    step.run_once()
    assert step.verdicts["stale"].slices[0].estimate == 1.0
    assert exposed(step, "groundwire_late_revisions_total") == ["groundwire_late_revisions_total 30.0"]


def test_a_verdict_that_is_not_renewed_is_no_verdict(store):
    score(store, [0.0] * 40, domain="travel")
    step = judge(store, Clock(NOON))
    seconds = 100.0
    step.monotonic = lambda: seconds
    step.run_once()
    step.expire()
    assert step.fresh
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 1.0']
    seconds += 61
    step.expire()
    assert not step.fresh
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 0.0']


def test_evaluations_do_not_wait_for_gates_that_were_removed(store):
    score(store, [1.0] * 5, domain="travel")
    judge(store, Clock(NOON)).run_once()
    score(store, [1.0] * 5, domain="travel", start=5)
    assert store.pending()["judge"].count == 5
    ungated = judge(store, Clock(NOON), ())
    while ungated.run_once():
        pass
    assert store.pending()["judge"].count == 0


def test_the_decision_log_is_a_chain(store):
    clock = Clock(NOON)
    step = judge(store, clock)
    score(store, [1.0] * 40, domain="travel")
    step.run_once()
    clock.at = NOON + timedelta(hours=1)
    step.run_once()
    assert verify_chain(store.decisions()) is None
