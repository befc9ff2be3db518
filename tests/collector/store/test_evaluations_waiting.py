"""What write-back asks the store: how far the evaluations go, and how many are left."""

from adapters.schema import Answer
from collector.store.rows import Adaptation, Chunk, Pending, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from scorers.base import Evaluation


def put(store, name, *, scored_at):
    trace_id = name.encode().ljust(16, b"-")
    store.append([Chunk(trace_id, 1, 1, True, b"")])
    (due,) = store.due(now=9, idle=1, timeout=1, limit=1, limit_bytes=10)
    stored = StoredAnswer(Answer(id=name), {}, 1.0, True)
    store.record_adapted([Adaptation(trace_id, due.upto_seq, 0, 1, 0, "answer", 2, (stored,))])
    evaluation = Evaluation(answer_id=name, revision=0)
    store.record_evaluations([StoredEvaluation(evaluation, 1, scored_at, {}, 1.0, None, {})])


def test_the_newest_evaluation_is_known_even_after_it_was_removed(tmp_path):
    store = open_store(tmp_path / "data")
    assert store.newest_evaluation() == 0
    assert store.evaluations_waiting(0) == Pending(0, None)
    put(store, "a", scored_at=5)
    put(store, "b", scored_at=7)
    assert store.newest_evaluation() == 2
    assert store.evaluations_waiting(0) == Pending(2, 5)
    assert store.evaluations_waiting(1) == Pending(1, 7)
    assert store.evaluations_waiting(2) == Pending(0, None)
    while any(store.prune(chunks_before=100, answers_before=100, limit=10).values()):
        continue
    assert store.newest_evaluation() == 2
    assert store.evaluations_waiting(0) == Pending(0, None)
    store.close()
