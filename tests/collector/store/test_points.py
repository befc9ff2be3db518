"""What pages draw is what was stored: values by slice and time, counts by label, and bad answers by document."""

import numpy as np
import pytest

from collector.store import points
from collector.store.rows import StoredEvaluation
from collector.store.sqlite import open_store
from scorers.base import Evaluation, Score

SECOND = 10**9


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def put(
    store, number, value, *, domain="travel", at=None, label="supported", document="D-1", probability=1.0, revision=0
):
    scores = [Score(metric="latency", value=1.0)]
    if value is not None:
        scores.append(Score(metric="faithfulness", value=value, label=label))
    evaluation = Evaluation(answer_id=f"a-{number}", revision=revision, scores=tuple(scores))
    at = number * SECOND if at is None else at
    slice_ = {"service": "desk", "domain": domain}
    row = StoredEvaluation(
        evaluation, at, at, slice_, probability, None, {"model": f"m-{number % 2}"}, document=document
    )
    store.record_evaluations([row])


def test_values_of_a_slice_come_by_their_own_time_whatever_versions_served_them(store):
    put(store, 1, 0.1, at=9 * SECOND)
    put(store, 2, 0.2, probability=0.5)
    put(store, 3, 0.3, domain="leave")
    found = store.points("faithfulness", {"domain": "travel"})
    assert (found.at.tolist(), found.value.tolist()) == ([2_000_000, 9_000_000], [0.2, 0.1])
    assert found.probability.tolist() == [0.5, 1.0]
    assert not found.partial
    assert store.points("faithfulness", {}, since=3 * SECOND).value.tolist() == [0.3, 0.1]
    assert len(store.points("faithfulness", {"domain": "nowhere"}).at) == 0
    assert len(store.points("stale_source_use", {}).at) == 0


def test_where_labels_are_counted_values_are_shares_of_good_ones(store):
    put(store, 1, 0.9)
    put(store, 2, 0.8, label="contradicted")
    assert store.points("faithfulness", {}, good_labels=("supported",)).value.tolist() == [1.0, 0.0]


def test_of_many_the_newest_are_read_and_that_is_said(store, monkeypatch):
    monkeypatch.setattr(points, "POINTS", 3)
    for number in range(1, 6):
        put(store, number, number / 10)
    found = store.points("faithfulness", {})
    assert np.allclose(found.value, [0.3, 0.4, 0.5])
    assert found.partial


def test_documents_come_with_most_bad_answers_first_and_the_newest_of_them(store):
    for number, (value, document) in enumerate(
        [(0.1, "D-1"), (0.9, "D-1"), (0.2, "D-1"), (0.1, "D-2"), (0.9, "D-3")], 1
    ):
        put(store, number, value, document=document)
    put(store, 6, 0.1, document=None)
    found = store.documents_rested_on("faithfulness", {"domain": "travel"}, worse="lower", than=0.5)
    assert [(each.document, each.answers, each.bad, each.example) for each in found] == [
        ("D-1", 3, 2, "a-3"),
        ("D-2", 1, 1, "a-4"),
        ("D-3", 1, 0, None),
    ]
    assert store.documents_rested_on("faithfulness", {"domain": "leave"}, worse="lower", than=0.5) == []


def test_an_answer_that_was_scored_again_is_counted_once_by_its_newest_evaluation(store):
    put(store, 1, 0.1)
    put(store, 2, 0.2)
    put(store, 3, 0.9)
    put(store, 1, 0.9, revision=1)
    put(store, 2, 0.3, document="D-2", revision=1)
    put(store, 3, None, revision=1)
    found = store.documents_rested_on("faithfulness", {}, worse="lower", than=0.5)
    assert [(each.document, each.answers, each.bad, each.example) for each in found] == [
        ("D-2", 1, 1, "a-2"),
        ("D-1", 1, 0, None),
    ]


def test_changes_are_read_from_the_newest_on(store):
    assert store.newest_changes() == []
    assert store.change(1) is None
