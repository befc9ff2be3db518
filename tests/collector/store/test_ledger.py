"""The ledger, its place among the evaluations, and answers drawn late."""

from dataclasses import replace

import pytest

from adapters.schema import Answer
from collector.store.entries import Entry, SeenVersion
from collector.store.rows import Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from scorers.base import Evaluation, Score


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def entry(name, *, at=100, **more):
    return Entry(
        **{"id": name, "at": at, "recorded_at": at, "kind": "deploy", "source": "explicit"}
        | {"component": "release", "scope": {"service": "desk"}, "version": "2", "previous": "1"}
        | more
    )


def put(store, name, *, at=100, probability=1.0, sampled=True, revision=0, **fields):
    stored = StoredAnswer(Answer(id=name, revision=revision, **fields), {"service": "desk"}, probability, sampled)
    store.append_pulled(Pulled("files", b"", at, answers=[stored]))


def score(store, name, *, value=0.5, at=100, **more):
    evaluation = Evaluation(answer_id=name, revision=0, scores=(Score(metric="m", value=value),))
    store.record_evaluations([StoredEvaluation(evaluation, at, at, {"service": "desk"}, 1.0, None, {}, **more)])


def test_a_change_is_recorded_once_by_its_id_and_comes_back_as_it_was(store):
    said = entry("a", documents=("D", "E"), kind="documents", note="why")
    (first,) = store.record_changes([said])
    assert replace(first, seq=0) == said
    (again,) = store.record_changes([replace(said, version="3")])
    assert again == first
    assert store.changes() == [first]
    (second,) = store.record_changes([entry("b")])
    assert store.changes_of("release", limit=9) == [second, first]
    assert store.changes_of("release", limit=1) == [second]
    assert store.changes_of("index", limit=1) == []


def test_changes_and_evaluations_have_one_order_which_a_restart_keeps(store, tmp_path):
    put(store, "a")
    put(store, "b")
    store.record_changes([entry("before")])
    score(store, "a", value=0.1)
    store.record_changes([entry("between"), entry("too")])
    score(store, "b", value=0.2)
    store.record_changes([entry("after")])

    def told(pieces):
        return [
            name
            for piece in pieces
            for name in ([piece.id] if isinstance(piece, Entry) else piece.values("m")[1].tolist())
        ]

    order = ["before", 0.1, "between", "too", 0.2, "after"]
    pieces, end = store.timeline_after(0, limit=100)
    assert (told(pieces), end) == (order, 6)
    assert told(store.timeline_after(0, limit=100, upto=3)[0]) == order[:3]
    for limit in (1, 2, 3):
        seq, found = 0, []
        while (page := store.timeline_after(seq, limit=limit))[1] > seq:
            found += told(page[0])
            seq = page[1]
        assert found == order, limit
    store.close()
    store = open_store(tmp_path / "data")
    assert told(store.timeline_after(3, limit=100)[0]) == order[3:]
    store.close()


def test_what_was_seen_is_kept_with_the_changes_and_forgotten_by_version_or_whole(store):
    rows = [SeenVersion("release", "{}", str(i), i, 1, i, 100 + i) for i in range(1, 4)]
    store.record_changes([], seen=[*rows, SeenVersion("model", "{}", "m", 1, 1, 1, 50)])
    assert [row.version for row in store.seen()] == ["m", "1", "2", "3"]
    store.record_changes(
        [], seen=[replace(rows[0], count=9)], forgotten=[("release", "{}", "2"), ("model", "{}", None)]
    )
    assert [(row.version, row.count) for row in store.seen()] == [("1", 9), ("3", 3)]


def test_retention_removes_changes_that_were_folded_with_the_answers_of_their_time(store):
    store.record_changes([entry("old", at=100), entry("new", at=900)])
    put(store, "a", at=100)
    score(store, "a")
    store.save_checkpoint("gate:g", 1, b"")
    assert store.prune(chunks_before=0, answers_before=500, limit=10)["changes"] == 1
    assert [row.id for row in store.changes()] == ["new"]


def test_a_change_that_no_gate_folded_yet_is_not_removed(store):
    put(store, "a")
    score(store, "a")
    store.save_checkpoint("gate:g", 1, b"")
    store.record_changes([entry("waiting")])
    assert store.prune(chunks_before=0, answers_before=500, limit=10)["changes"] == 0


def test_an_answer_keeps_its_place_in_the_sample_when_its_late_spans_come(store):
    put(store, "in", probability=0.25)
    put(store, "out", probability=0.25, sampled=False)
    for name in ("in", "out"):
        put(store, name, probability=1.0, revision=1, answer="more")
    found = store.answers_by_id(["in", "out"])
    assert {name: (row.probability, row.sampled, row.answer.revision) for name, row in found.items()} == {
        "in": (0.25, True, 1),
        "out": (0.25, False, 1),
    }
    assert [row.answer.id for row in store.pending_answers(limit=9)] == ["in"]


def test_an_answer_drawn_late_is_scored_with_the_probability_of_that_draw_and_no_other_is_touched(store):
    put(store, "in", probability=0.25)
    put(store, "out", probability=0.25, sampled=False)
    assert store.draw_late({"in": 0.75, "out": 0.75}) == 1
    assert store.draw_late({"out": 0.5}) == 0
    found = store.answers_by_id(["in", "out"])
    assert (found["in"].probability, found["in"].late) == (0.25, False)
    assert (found["out"].probability, found["out"].late) == (0.75, True)
    assert {row.answer.id for row in store.pending_answers(limit=9)} == {"in", "out"}
    score(store, "out", late=True, arm="candidate", share=0.1)
    (row,) = store.evaluations_after(0, limit=9)
    assert (row.late, row.arm, row.share) == (True, "candidate", 0.1)


def test_unsampled_answers_are_found_by_their_arrival_in_order(store):
    for i in range(4):
        put(store, f"a{i}", at=100 * i, sampled=i == 1, probability=0.5)
    found = store.unsampled(after=0, arrived_from=0, arrived_before=300, limit=9)
    assert [stored.answer.id for _, stored in found] == ["a0", "a2"]
    assert store.unsampled(after=found[0][0], arrived_from=0, arrived_before=300, limit=9) == found[1:]


def test_the_worst_answers_are_those_of_the_slice_among_the_newest(store):
    for i, value in enumerate((0.9, 0.1, 0.5)):
        put(store, f"a{i}")
        score(store, f"a{i}", value=value)
    cut = {"service": "desk"}
    lowest = store.worst("m", cut, highest=False, rows=100, limit=2)
    assert [row.answer_id for row in lowest] == ["a1", "a2"]
    assert [row.answer_id for row in store.worst("m", cut, highest=True, rows=2, limit=9)] == ["a2", "a1"]
    assert store.worst("m", {"service": "shop"}, highest=True, rows=100, limit=9) == []
    assert store.worst("other", cut, highest=True, rows=100, limit=9) == []


def test_traffic_is_counted_by_slice_sampled_or_not(store):
    for i in range(3):
        put(store, f"a{i}", at=100 + i, sampled=False)
    assert store.traffic(arrived_from=100, arrived_before=102) == [({"service": "desk"}, 2)]
