"""Governing exceptions: cited, left out, or not governing at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from adapters.schema import Answer, Citation, Gold, GoldPassage, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.conflict.governing_exception_coverage import GoverningExceptionCoverage

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
QUESTION = "Can operations approve air expedite on the Northwest lane?"
GENERAL = "Air expedite may be approved by operations under the routing guide."
SPECIAL = "On the Northwest lane operations approve air expedite only with budget control."
RULE = Passage(id="guide", doc_id="GUIDE", text=GENERAL, role="general_policy")
MEMO = Passage(id="memo", doc_id="MEMO", text=SPECIAL, role="regional_exception")


def judge(
    text: str, *passages: Passage, catalog: Catalog | None = None, question: str = QUESTION, **fields: object
) -> Score | Unscored:
    answer = Answer(id="a", question=question, answer=text, passages=passages or (RULE, MEMO), **fields)
    return GoverningExceptionCoverage().score(answer, Env(now=NOW, catalog=catalog))


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_the_general_rule_without_its_exception_is_not_covered() -> None:
    result = judge(GENERAL)
    assert value(result) == 0
    assert isinstance(result, Score)
    assert (result.label, result.basis, result.evidence[0].passage_id) == ("missing", "passages", "memo")


def test_an_answer_that_rests_on_the_exception_covers_it() -> None:
    assert value(judge(SPECIAL)) == 1


def test_a_citation_covers_it_too() -> None:
    cited = (Citation(start=0, end=3, marker="[1]", passage_id="memo"),)
    assert value(judge("[1] " + GENERAL, citations=cited)) == 1


def test_an_exception_that_retrieval_missed_is_found_in_the_catalog() -> None:
    catalog = Catalog(
        [Document(id="GUIDE", text=GENERAL, role="governing"), Document(id="MEMO", text=SPECIAL, role="exception")]
    )
    result = judge(GENERAL, RULE, catalog=catalog)
    assert value(result) == 0
    assert isinstance(result, Score)
    assert (result.basis, result.evidence[0].kind, result.evidence[0].doc_id) == ("catalog", "document", "MEMO")
    assert value(judge(SPECIAL, catalog=catalog)) == 1


def test_an_exception_that_has_expired_does_not_govern() -> None:
    result = judge(GENERAL, RULE, MEMO.model_copy(update={"effective_to": NOW - DAY}))
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


def test_an_exception_to_something_else_does_not_govern() -> None:
    other = Passage(id="x", text="Interns are exempt from the badge rule.", role="exemption")
    assert isinstance(judge(GENERAL, RULE, other), Unscored)


def test_a_half_is_covered_of_two() -> None:
    second = Passage(id="two", text="Operations cannot approve air expedite on the Northwest lane.", role="waiver")
    assert value(judge(SPECIAL, RULE, MEMO, second)) == 0.5


def test_a_person_says_which_exception_governs() -> None:
    gold = Gold(passages=(GoldPassage(id="memo", label="sufficient", role="regional_exception"),))
    plain = MEMO.model_copy(update={"role": None})
    missed, covered = judge(GENERAL, RULE, plain, gold=gold), judge(SPECIAL, RULE, plain, gold=gold)
    assert (value(missed), value(covered)) == (0, 1)
    assert isinstance(missed, Score)
    assert missed.basis == "gold"


def test_without_roles_there_is_nothing_to_cover() -> None:
    assert isinstance(judge(GENERAL, RULE.model_copy(update={"role": None})), Unscored)


def test_an_answer_that_cites_the_exception_and_says_otherwise_does_not_cover_it() -> None:
    cited = "Operations approve air expedite on the Northwest lane without budget control [1]."
    at = cited.index("[1]")
    citation = Citation(start=at, end=at + 3, marker="[1]", passage_id="memo")
    banned = MEMO.model_copy(update={"text": "On the Northwest lane operations must not approve air expedite."})
    result = judge(cited, RULE, banned, citations=(citation,))
    assert value(result) == 0
    assert isinstance(result, Score)
    assert "says otherwise" in result.evidence[0].detail


def test_a_question_on_another_case_is_not_under_the_exception() -> None:
    elsewhere = judge(GENERAL, question="Can operations approve air expedite on the Southeast lane?")
    east = MEMO.model_copy(update={"text": "Air expedite on the west lane is approved by operations."})
    assert isinstance(
        judge(GENERAL, RULE, east, question="Can operations approve air expedite on the east lane?"), Unscored
    )
    assert value(judge(GENERAL, RULE, east, question="Can operations approve air expedite?")) == 0
    large = MEMO.model_copy(update={"text": "Operations approve air expedite above 500 EUR only with budget control."})
    small = "Can operations approve air expedite of 100 EUR?"
    assert isinstance(judge(GENERAL, RULE, large, question=small), Unscored)
    assert value(judge(GENERAL, RULE, large, question=small.replace("100", "900"))) == 0
    assert isinstance(elsewhere, Score), "two names that no set holds are not known to exclude each other"
