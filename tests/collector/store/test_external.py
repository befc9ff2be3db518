"""Scores by other evaluators: their place among the evaluations, new evaluators as changes, and when they go."""

from dataclasses import replace

import pytest

from adapters.schema import Answer
from collector.external.judged import judged
from collector.store import external as module
from collector.store import externalwaiting
from collector.store.rows import AnswerFilter, AnswerLabel, ExternalRow, Pulled, StoredAnswer
from collector.store.sqlite import open_store

TRACE = "ab" * 16


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def put(store, *answers, at=100):
    stored = [StoredAnswer(each, {"service": "desk"}, 1.0, True) for each in answers]
    store.append_pulled(Pulled("files", b"", at, answers=stored))


def row(answer_id="", value=0.5, **more):
    plain = {"metric": "external.tone", "probability": 1.0, "source": "api", "at": 200, "recorded_at": 300}
    return ExternalRow(answer_id=answer_id, value=value, **plain | more)


def record(store, *rows):
    return [(each.outcome, each.reason) for each in store.record_external(rows, judged)]


def test_a_score_is_kept_with_its_answer_in_the_order_of_evaluations(store):
    put(store, Answer(id="a", session_id="s"), Answer(id="b"))
    assert record(store, row("a"), row("b", 1.0)) == [("stored", ""), ("stored", "")]
    assert [(each.seq, each.evaluation.answer_id, each.cluster) for each in store.external_after(0, limit=9)] == [
        (1, "a", "s"),
        (2, "b", None),
    ]
    assert [each.value for each in store.answer("b").external] == [1.0]
    assert store.newest_evaluation() == 2


def test_of_one_answer_and_metric_the_first_score_stands(store):
    put(store, Answer(id="a"))
    assert record(store, row("a"), row("a"), row("a", 0.7), row("a", evaluator="judge@2")) == [
        ("stored", ""),
        ("repeated", ""),
        ("conflicting", ""),
        ("conflicting", ""),
    ]
    assert record(store, row("a", metric="external.other")) == [("stored", "")]


def test_a_trace_with_several_answers_needs_the_span(store):
    first = Answer(id=TRACE, trace_id=TRACE, span_id="1" * 16)
    second = Answer(id=f"{TRACE}-{'2' * 16}", trace_id=TRACE, span_id="2" * 16)
    put(store, first, second)
    of_trace = {"trace_id": TRACE}
    assert record(store, row(**of_trace)) == [("unmatched", module.SEVERAL)]
    assert record(store, row(**of_trace, span_id="2" * 16)) == [("stored", "")]
    assert [each.evaluation.answer_id for each in store.external_after(0, limit=9)] == [second.id]


def test_a_score_waits_for_its_answer_through_a_restart(tmp_path):
    store = open_store(tmp_path / "data")
    assert record(store, row("late"), row(trace_id=TRACE)) == [("waiting", module.UNKNOWN)] * 2
    assert record(store, row("late", recorded_at=999)) == [("waiting", module.UNKNOWN)]
    assert store.external_waiting() == 2
    store.close()
    store = open_store(tmp_path / "data")
    put(store, Answer(id="late"), Answer(id=TRACE, trace_id=TRACE))
    assert [each.outcome for each in store.match_external(judged, before=0, limit=1)] == ["stored"]
    assert [each.outcome for each in store.match_external(judged, before=0, limit=9)] == ["stored"]
    assert store.match_external(judged, before=0, limit=9) == []
    assert store.external_waiting() == 0
    store.close()


def test_more_scores_than_there_is_room_for_are_given_up(store, monkeypatch):
    monkeypatch.setattr(externalwaiting, "MAX_WAITING", 1)
    assert record(store, row("x"), row("y")) == [("waiting", module.UNKNOWN), ("unmatched", externalwaiting.CROWDED)]
    assert [(each.answer_id, why) for each, why in store.external_unmatched(limit=9)] == [
        ("y", externalwaiting.CROWDED)
    ]


RESPONSE = {"response_id": "chatcmpl-1"}


def made_of(*ids, name="a", **more):
    return Answer(id=name, trace_id=name, response_ids=ids, **more)


def matched(store, before=0):
    return [(each.outcome, each.row.answer_id) for each in store.match_external(judged, before=before, limit=9)]


def test_a_response_names_the_answer_that_it_went_into(store):
    put(store, made_of("chatcmpl-0", "chatcmpl-1"), made_of("chatcmpl-2", name="b"))
    assert record(store, row(**RESPONSE), row(**RESPONSE)) == [("stored", ""), ("repeated", "")]
    assert [each.value for each in store.answer("a").external] == [0.5]


def test_a_score_of_a_response_waits_for_its_answer_through_a_restart(tmp_path):
    store = open_store(tmp_path / "data")
    assert record(store, row(**RESPONSE), row(response_id="other")) == [("waiting", module.UNKNOWN)] * 2
    assert record(store, row(**RESPONSE, recorded_at=999)) == [("waiting", module.UNKNOWN)]
    store.close()
    store = open_store(tmp_path / "data")
    assert store.external_waiting() == 2
    put(store, made_of("chatcmpl-1"))
    assert matched(store) == [("stored", "a")]
    assert matched(store) == []
    assert store.external_waiting() == 1
    store.close()


def test_a_later_revision_may_tell_the_response(store):
    record(store, row(**RESPONSE))
    put(store, Answer(id="a", trace_id="a"))
    assert matched(store) == []
    put(store, made_of("chatcmpl-1", revision=1))
    assert matched(store) == [("stored", "a")]


def test_a_response_that_many_answers_have_is_that_of_the_trace_it_came_in_or_else_of_the_first(store):
    put(store, *(made_of("chatcmpl-1", name=name) for name in "abc"))
    assert record(store, row(**RESPONSE, trace_id="b"), row(**RESPONSE)) == [("stored", "")] * 2
    assert [each.evaluation.answer_id for each in store.external_after(0, limit=9)] == ["b", "a"]


@pytest.mark.parametrize("judge_first", [False, True])
def test_a_judge_whose_own_trace_is_an_answer_scores_that_of_the_response(store, judge_first):
    judge, scored = made_of("judge-1", name="judge"), made_of("chatcmpl-1")
    if judge_first:
        put(store, judge)
    found = record(store, row(**RESPONSE, trace_id="judge"))
    put(store, judge, scored)
    assert found == [("waiting", module.UNKNOWN)]
    assert matched(store) == [("stored", "a")]


def test_where_no_response_is_known_the_trace_says_whose_score_it_is(store):
    put(store, Answer(id="a", trace_id="a"))
    assert record(store, row(**RESPONSE, trace_id="a")) == [("stored", "")]


def test_a_score_whose_response_never_comes_is_of_its_trace_or_given_up_and_named(store):
    put(store, made_of("another"))
    assert record(store, row(**RESPONSE, trace_id="a"), row(**RESPONSE)) == [("waiting", module.UNKNOWN)] * 2
    assert matched(store, before=300) == []
    assert sorted(matched(store, before=301)) == [("stored", "a"), ("unmatched", "")]
    assert (store.external_waiting(), matched(store, before=301)) == (0, [])
    ((given_up, why),) = store.external_unmatched(limit=9)
    assert (given_up.response_id, given_up.metric, why) == ("chatcmpl-1", "external.tone", module.LATE)


def test_the_newest_of_the_scores_that_were_given_up_are_named(store, monkeypatch):
    monkeypatch.setattr(externalwaiting, "MAX_UNMATCHED", 2)
    for number in range(4):
        record(store, row(f"x{number}", recorded_at=number))
    assert len(matched(store, before=10)) == 4
    assert [each.answer_id for each, _ in store.external_unmatched(limit=9)] == ["x3", "x2"]


def test_the_responses_of_an_answer_go_with_it(store):
    put(store, made_of("chatcmpl-1"))
    with store._write() as connection:
        connection.exec_driver_sql("UPDATE answers SET pending = 0")
    store.prune(chunks_before=10**9, answers_before=10**9, limit=100)
    put(store, made_of("chatcmpl-2", name="b"))
    assert record(store, row(**RESPONSE), row(response_id="chatcmpl-2")) == [
        ("waiting", module.UNKNOWN),
        ("stored", ""),
    ]


def test_another_version_of_an_evaluator_is_a_change_of_the_scorer_before_its_first_score(store):
    put(store, *(Answer(id=name) for name in "abcde"))
    by = ("judge@1", "judge@1", "judge@2", "judge@1", "")
    record(store, *(row(name, evaluator=each) for name, each in zip("abcde", by, strict=True)))
    (change,) = store.changes()
    assert (change.kind, change.component, change.version, change.previous) == (
        "scorer",
        "external.tone",
        "judge@2",
        "judge@1",
    )
    assert [each.seq for each in store.external_after(0, limit=9)] == [1, 2, 4, 5, 6]
    assert change.seq == 3
    assert store.evaluators() == {"external.tone": ("", "judge@2", "judge@1")}


def test_people_can_label_what_another_evaluator_scored(store):
    put(store, Answer(id="a"))
    label = AnswerLabel(
        answer_id="a", metric="external.tone", value=1.0, probability=0.1, labeller="human", at=1, recorded_at=1
    )
    (early,) = store.record_labels([label])
    assert (early.outcome, early.reason.partition(";")[0]) == (
        "unmatched",
        "no evaluator has sent a score of this metric for the answer",
    )
    record(store, row("a"))
    (receipt,) = store.record_labels([label])
    assert receipt == ("stored", replace(label, seq=2, evaluation_seq=1), "")


def test_answers_are_listed_and_explained_by_their_scores(store):
    put(store, *(Answer(id=name) for name in "abc"))
    record(store, row("a", 0.2), row("b", 0.9))
    wanted = AnswerFilter(metric="external.tone", high=0.5)
    assert [each.stored.answer.id for each in store.answers(store.find_answers(wanted, limit=9).seqs)] == ["a"]
    asked = ("external.tone", {"service": "desk"})
    assert [each.answer_id for each in store.worst(*asked, highest=False, rows=99, limit=9)] == ["a", "b"]
    newest = store.judged(*asked, after=0, before=None, rows=99, limit=9)
    assert [(each.answer_id, each.value) for each in newest] == [("b", 0.9), ("a", 0.2)]


def test_scores_go_with_their_answers(store):
    put(store, Answer(id="a"))
    record(store, row("a"))
    store.draw_late({})
    removed = store.prune(chunks_before=10**9, answers_before=10**9, limit=100)
    assert removed["external"] == 0, "the answer waits to be scored"
    with store._write() as connection:
        connection.exec_driver_sql("UPDATE answers SET pending = 0")
    removed = store.prune(chunks_before=10**9, answers_before=10**9, limit=100)
    assert (removed["answers"], removed["external"]) == (1, 1)
    assert store.timeline_after(0, limit=9)[0] == []
