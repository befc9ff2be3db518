"""Labels of scored answers: which are kept, their place among the evaluations, and when they go."""

from dataclasses import replace

import pytest

from adapters.schema import Answer
from collector.store.entries import Entry
from collector.store.rows import AnswerLabel, Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from scorers.base import Evaluation, Score


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def put(store, name, *, at=100, **more):
    store.append_pulled(
        Pulled(
            "files",
            b"",
            at,
            answers=[StoredAnswer(Answer(id=name), {}, **{"probability": 1.0, "sampled": True} | more)],
        )
    )


def score(store, name, *, value=0.5, at=100, **more):
    evaluation = Evaluation(answer_id=name, revision=0, scores=(Score(metric="m", value=value),))
    store.record_evaluations([StoredEvaluation(evaluation, at, at, {"service": "desk"}, 0.5, None, {}, **more)])


def label(name, value=0.0, **more):
    plain = {"metric": "m", "probability": 0.25, "labeller": "human", "at": 200, "recorded_at": 300}
    return AnswerLabel(answer_id=name, value=value, **plain | more)


def told(store, *labels):
    return [(receipt.outcome, receipt.reason) for receipt in store.record_labels(labels)]


def test_a_label_is_kept_with_the_score_it_is_of_and_comes_back_as_it_was(store):
    put(store, "a")
    score(store, "a")
    (receipt,) = store.record_labels([label("a")])
    assert receipt.outcome == "stored"
    assert store.labels() == [receipt.label] == [replace(label("a"), seq=2, evaluation_seq=1)]
    assert store.labels_of([1, 7]) == {(1, "m"): receipt.label}
    assert store.labels(after=2) == []


def test_the_same_label_again_is_known_and_another_one_is_told_and_does_not_replace_it(store):
    put(store, "a")
    score(store, "a")
    again = label("a", recorded_at=999, at=5)
    first, second, other = store.record_labels([label("a"), again, label("a", 1.0)])
    assert [each.outcome for each in (first, second, other)] == ["stored", "repeated", "conflicting"]
    assert (other.label.value, other.label.recorded_at) == (0.0, 300)
    assert told(store, again, label("a", probability=0.5), label("a", labeller="model")) == [
        ("repeated", ""),
        ("conflicting", ""),
        ("conflicting", ""),
    ]
    assert len(store.labels()) == 1


def test_a_label_without_a_score_that_counts_is_not_kept_and_the_reason_is_told(store):
    put(store, "waiting")
    put(store, "out", sampled=False)
    put(store, "late", late=True)
    put(store, "a")
    score(store, "a")
    score(store, "late", late=True)
    reasons = dict(
        zip(
            ("waiting", "out", "late", "none", "a"),
            told(store, *map(label, ("waiting", "out", "late", "none")), label("a", metric="x")),
            strict=True,
        )
    )
    assert {outcome for outcome, _ in reasons.values()} == {"unmatched"}
    assert "not scored yet" in reasons["waiting"][1]
    assert "was not drawn" in reasons["out"][1]
    assert "late" in reasons["late"][1]
    assert "unknown" in reasons["none"][1]
    assert reasons["a"][1] == "the answer has no score of 'x'; it has: m"
    assert store.labels() == []
    score(store, "waiting")
    assert told(store, label("waiting")) == [("stored", "")]


def test_labels_have_their_place_among_evaluations_and_changes_on_pages_of_any_length(store):
    for name in "abc":
        put(store, name)
    score(store, "a", value=0.1)
    score(store, "b", value=0.2)
    store.record_labels([label("a", 1.0)])
    store.record_changes([Entry("x", 100, 100, "deploy", "explicit", "release", {}, "2")])
    store.record_labels([label("b", labeller="model"), label("c")])
    score(store, "c", value=0.3)
    store.record_labels([label("c")])

    def read(pieces):
        for piece in pieces:
            if isinstance(piece, Entry):
                yield piece.seq, piece.id
                continue
            yield from zip(piece.seq.tolist(), piece.values("m")[1].tolist(), strict=True)
            for each in piece.labels:
                values = each.scored.values("m")[1]
                rows = zip(each.scored.seq, values, each.truth, each.drawn, strict=True)
                yield from ((int(seq), each.labeller, *map(float, rest)) for seq, *rest in rows)

    order = [
        (1, 0.1),
        (2, 0.2),
        (3, "human", 0.1, 1.0, 0.25),
        (4, "x"),
        (5, "model", 0.2, 0.0, 0.25),
        (6, 0.3),
        (7, "human", 0.3, 0.0, 0.25),
    ]
    for limit in (1, 2, 3, 100):
        seq, found = 0, []
        while (page := store.timeline_after(seq, limit=limit))[1] > seq:
            found += sorted(read(page[0]))
            seq = page[1]
        assert found == order, limit


def test_a_label_goes_with_its_evaluation_and_not_before_gates_have_folded_it(store):
    put(store, "a")
    score(store, "a")
    store.record_labels([label("a")])
    store.save_checkpoint("gate:g", 1, b"")
    pruned = {"chunks_before": 0, "answers_before": 500, "limit": 10}
    assert store.prune(**pruned)["evaluations"] == 0
    store.save_checkpoint("gate:g", 2, b"")
    gone = store.prune(**pruned)
    assert (gone["evaluations"], gone["labels"]) == (1, 1)
    assert store.labels() == []
    assert told(store, label("a"))[0][0] == "unmatched"
