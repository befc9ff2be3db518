"""Conflict handling: named, resolved, deferred, or one side taken silently."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Answer, Citation, Gold, GoldPassage, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.conflict.conflict_handling import ConflictHandling

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENV = Env(now=NOW)
YEAR = timedelta(days=365)
QUESTION = "What is the notice period?"
THIRTY = Passage(id="thirty", text="The notice period is 30 days.")
SIXTY = Passage(id="sixty", text="The notice period is 60 days.")


def judge(
    text: str, *passages: Passage, env: Env = ENV, question: str = QUESTION, **fields: object
) -> Score | Unscored:
    answer = Answer(id="a", question=question, answer=text, passages=passages or (THIRTY, SIXTY), **fields)
    return ConflictHandling().score(answer, env)


def told(result: Score | Unscored) -> tuple[float, str | None]:
    assert isinstance(result, Score), result
    return result.value, result.label


def with_(passage: Passage, **fields: object) -> Passage:
    return passage.model_copy(update=fields)


def test_a_side_taken_where_nothing_tells_which_prevails_is_silent() -> None:
    assert told(judge("The notice period is 30 days.")) == (0.0, "silent")


def test_of_two_versions_of_a_document_it_is_told_what_would_decide() -> None:
    result = judge("It is 30 days.", with_(THIRTY, doc_id="N-1", version="2"), with_(SIXTY, doc_id="N-1", version="3"))
    assert told(result) == (0.0, "silent")
    assert isinstance(result, Score)
    assert "both are N-1, versions 2 and 3, and no date or catalog says which is in force" in str(result.explanation)
    other = judge("It is 30 days.", with_(THIRTY, doc_id="N-1", version="2"), with_(SIXTY, doc_id="N-2", version="3"))
    assert isinstance(other, Score)
    assert "nothing decides which source prevails" in str(other.explanation)


@pytest.mark.parametrize(
    "text",
    [
        "One policy says 30 days, another says 60 days.",
        "The sources disagree; going by the first it is 30 days.",
        "The notice period is 60 days, which conflicts with the older document.",
    ],
)
def test_a_conflict_that_is_named_is_handled(text: str) -> None:
    assert told(judge(text)) == (1.0, "named")


def test_the_higher_authority_resolves_it() -> None:
    passages = (with_(THIRTY, authority=0.9), with_(SIXTY, authority=0.4))
    assert told(judge("It is 30 days.", *passages)) == (1.0, "resolved")
    assert told(judge("It is 60 days.", *passages)) == (0.0, "silent")


def test_the_later_date_resolves_it_where_authority_does_not() -> None:
    passages = (with_(THIRTY, published_at=NOW - YEAR, authority=0.5), with_(SIXTY, published_at=NOW, authority=0.5))
    assert told(judge("It is 60 days.", *passages)) == (1.0, "resolved")
    assert told(judge("It is 30 days.", *passages)) == (0.0, "silent")


def test_a_higher_authority_that_was_superseded_does_not_prevail() -> None:
    catalog = Catalog(
        [
            Document(id="N", version="1", authority=0.9),
            Document(id="N", version="2", authority=0.5, supersedes=("1",)),
        ]
    )
    passages = (with_(THIRTY, doc_id="N", version="1"), with_(SIXTY, doc_id="N", version="2"))
    result = judge("It is 60 days.", *passages, env=Env(now=NOW, catalog=catalog))
    assert told(result) == (1.0, "resolved")
    assert isinstance(result, Score)
    assert result.basis == "catalog"


def test_dates_in_the_text_count_where_nothing_else_dates_a_passage() -> None:
    old = with_(THIRTY, text="Effective 1 March 2019. The notice period is 30 days.")
    new = with_(SIXTY, text="Last updated May 2024. The notice period is 60 days.")
    assert told(judge("It is 60 days.", old, new)) == (1.0, "resolved")
    assert told(judge("It is 30 days.", old, new)) == (0.0, "silent")


def test_labels_of_a_person_say_which_side_has_the_authority() -> None:
    gold = Gold(
        passages=(
            GoldPassage(id="thirty", label="conflicting", authority=0.2),
            GoldPassage(id="sixty", label="sufficient", authority=0.9),
        )
    )
    result = judge("It is 60 days.", gold=gold)
    assert told(result) == (1.0, "resolved")
    assert isinstance(result, Score)
    assert result.basis == "gold"


@pytest.mark.parametrize("text", ["Please contact HR to confirm which applies.", "I cannot determine that."])
def test_taking_no_side_and_deferring_is_handled(text: str) -> None:
    assert told(judge(text)) == (1.0, "deferred")


def test_an_answer_of_something_else_is_not_judged() -> None:
    result = judge("Parking is free.")
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("not_applicable", "the answer takes no side")


def test_without_a_conflict_there_is_nothing_to_handle() -> None:
    result = judge("It is 30 days.", THIRTY, Passage(id="p", text="Parking is free."))
    assert isinstance(result, Unscored)
    assert result.detail == "no conflict between passages"


def test_a_citation_tells_the_side_where_the_words_do_not() -> None:
    cited = (Citation(start=0, end=3, marker="[1]", passage_id="sixty"),)
    assert told(judge("[1] says how long.", citations=cited)) == (0.0, "silent")


def test_the_worst_handled_of_several_conflicts_counts() -> None:
    ninety = Passage(id="ninety", text="The notice period is 90 days.", authority=0.9)
    passages = (with_(THIRTY, authority=0.1), with_(SIXTY, authority=0.5), ninety)
    assert told(judge("It is 60 days.", *passages)) == (0.0, "silent")
    assert told(judge("It is 90 days.", *passages)) == (1.0, "resolved")


def test_opposite_statements_are_told_by_what_the_answer_opposes() -> None:
    yes = Passage(id="y", text="Smoking is allowed in the lobby.", authority=0.3)
    no = Passage(id="n", text="Smoking is not allowed in the lobby.", authority=0.8)
    question = "Is smoking allowed in the lobby?"
    assert told(judge("Smoking is not allowed in the lobby.", yes, no, question=question)) == (1.0, "resolved")
    assert told(judge("Smoking is allowed in the lobby.", yes, no, question=question)) == (0.0, "silent")


SUSPENDED = Passage(id="memo", text="Until Friday the director has suspended overnight delivery on the west lane.")
GUIDE = Passage(id="guide", text="Overnight delivery may be ordered by the shift lead when a truck is late.")
DECLARED = Gold(
    passages=(GoldPassage(id="guide", label="conflicting"), GoldPassage(id="memo", label="sufficient")),
)


def ordering(text: str, cites: str | None, gold: Gold = DECLARED) -> Score | Unscored:
    citations = () if cites is None else (Citation(start=0, end=0, marker="", passage_id=cites),)
    asked = "May the shift lead order overnight delivery this week?"
    return judge(text, SUSPENDED, GUIDE, question=asked, gold=gold, citations=citations)


def test_a_conflict_that_labels_declare_is_judged_whatever_the_texts_show() -> None:
    followed = "The shift lead may order overnight delivery when a truck is late."
    for cites in ("guide", None):
        silent = ordering(followed, cites)
        assert told(silent) == (0.0, "silent")
        assert isinstance(silent, Score)
        assert (silent.basis, {evidence.passage_id for evidence in silent.evidence}) == ("gold", {"guide", "memo"})
    kept = "The director has suspended overnight delivery on the west lane until Friday."
    assert told(ordering(kept, "memo")) == (1.0, "resolved")
    named = "The sources disagree: the memo suspends what the guide allows."
    assert told(ordering(named, "guide")) == (1.0, "named")
    assert told(ordering("Please ask the logistics manager to decide.", None)) == (1.0, "deferred")


def test_between_two_sides_labelled_conflicting_the_rank_decides() -> None:
    both = tuple(GoldPassage(id=name, label="conflicting") for name in ("guide", "memo"))
    assert told(ordering("The shift lead may order it.", "guide", Gold(passages=both))) == (0.0, "silent")
    levels = (("guide", 0.9), ("memo", 0.5))
    ranked = tuple(GoldPassage(id=name, label="conflicting", authority=level) for name, level in levels)
    assert told(ordering("The shift lead may order it.", "guide", Gold(passages=ranked))) == (1.0, "resolved")


def test_a_declared_conflict_of_which_one_side_was_retrieved_is_not_held_against_the_answer() -> None:
    alone = judge("The shift lead may order it.", GUIDE, question="May I order it?", gold=DECLARED)
    assert isinstance(alone, Unscored)
