"""What gates lack: answers that wait to be scored, and closed traces that wait to be adapted."""

import pytest

from adapters.schema import Answer
from collector.store.rows import Adaptation, Backlog, Chunk, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from scorers.base import Evaluation

IDLE, TIMEOUT = 5, 60
NOTHING = Backlog(0, None, None)


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def spans(store, name, *, at, root=True):
    store.append([Chunk(name.encode().ljust(16, b"-"), at, 1, root, b"")])


def adapt(store, name, *, at, sampled=True, revision=0):
    (due,) = (each for each in store.due(now=at, idle=IDLE, timeout=TIMEOUT, limit=10, limit_bytes=100))
    stored = StoredAnswer(Answer(id=name, revision=revision), {}, 0.5, sampled)
    store.record_adapted([Adaptation(due.trace_id, due.upto_seq, revision, 1 + revision, 0, "answer", at, (stored,))])


def score(store, name, *, at, revision=0):
    evaluation = Evaluation(answer_id=name, revision=revision)
    store.record_evaluations([StoredEvaluation(evaluation, at, at, {}, 0.5, None, {})])


def lacking(store, now):
    return store.backlog(now=now, idle=IDLE, timeout=TIMEOUT)


def test_a_trace_waits_from_when_it_closed_until_its_answer_is_scored(store):
    assert lacking(store, 1000) == NOTHING
    spans(store, "a", at=1000)
    assert lacking(store, 1004) == NOTHING, "it is still open"
    assert lacking(store, 1005) == Backlog(1, 1000, 1005)
    adapt(store, "a", at=1010)
    assert lacking(store, 1500) == Backlog(1, 1000, 1005)
    score(store, "a", at=1600)
    assert lacking(store, 1700) == NOTHING


def test_a_trace_without_its_root_waits_from_its_timeout_on_and_one_that_never_falls_silent_from_ten(store):
    spans(store, "open", at=1000, root=False)
    assert lacking(store, 1059) == NOTHING
    assert lacking(store, 1060) == Backlog(1, 1000, 1060)
    for at in range(1050, 1700, 50):
        spans(store, "open", at=at, root=False)
    assert lacking(store, 1599) == NOTHING
    assert lacking(store, 1605) == Backlog(1, 1000, 1600)
    assert lacking(store, 1800) == Backlog(1, 1000, 1710), "counted once, when it fell silent as well"


def test_a_long_trace_has_not_waited_since_its_first_span(store):
    spans(store, "long", at=1000, root=False)
    spans(store, "long", at=1050)
    adapt(store, "long", at=1060)
    assert lacking(store, 1061) == Backlog(1, 1000, 1055)


def test_what_no_gate_folds_keeps_nobody_waiting(store):
    spans(store, "out", at=1000)
    adapt(store, "out", at=1010, sampled=False)
    assert lacking(store, 1100) == NOTHING
    store.draw_late({"out": 1.0})
    assert lacking(store, 1100) == Backlog(1, None, None)
    score(store, "out", at=1110)
    spans(store, "again", at=2000)
    adapt(store, "again", at=2010)
    score(store, "again", at=2020)
    spans(store, "again", at=2030)
    adapt(store, "again", at=2040, revision=1)
    assert lacking(store, 2100) == Backlog(1, None, None), "its first score is known"
