"""Citations: present, and supported by the very passage they point at."""

from __future__ import annotations

from datetime import UTC, datetime

from adapters.schema import Answer, Citation, Passage
from scorers.base import Env, Score, Scorer, Unscored
from scorers.catalog import Catalog, Document
from scorers.grounding.citation_coverage import CitationCoverage
from scorers.grounding.citation_precision import CitationPrecision
from scorers.grounding.citation_recall import CitationRecall
from scorers.grounding.citation_support import CitationSupport
from scorers.support.claims import MAX_CITED

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
WEEKS = Passage(id="p1", doc_id="HR-1", version="4", text="Employees receive 20 weeks of paid parental leave.")
NOTICE = Passage(id="p2", doc_id="HR-1", version="4", text="Leave is requested from the line manager in writing.")
HOTEL = Passage(id="p3", doc_id="TRV-1", version="2", text="The hotel limit is 180 EUR per night.")
TARGETS = {"[1]": "p1", "[2]": "p2", "[3]": "p3", "[9]": None}


def cite(text: str) -> Answer:
    """Build an answer whose ``[n]`` markers point at the passages above; ``[9]`` points nowhere."""
    found = [
        Citation(start=at, end=at + 3, marker=marker, passage_id=target)
        for marker, target in TARGETS.items()
        for at in range(len(text))
        if text.startswith(marker, at)
    ]
    return Answer(id="a", answer=text, passages=(WEEKS, NOTICE, HOTEL), citations=tuple(found))


def coverage(text: str, *, require: bool = False) -> Score | Unscored:
    return CitationCoverage(require=require).score(cite(text), ENV)


def precision(text: str) -> Score:
    result = CitationPrecision().score(cite(text), ENV)
    assert isinstance(result, Score), result
    return result


def judged(kind: type[Scorer], text: str) -> Score:
    result = kind().score(cite(text), ENV)
    assert isinstance(result, Score), result
    return result


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_a_marker_counts_for_the_sentence_it_stands_in_or_right_after() -> None:
    assert value(coverage("Leave is 20 weeks [1]. It is requested in writing [2].")) == 1
    assert value(coverage("Leave is 20 weeks. [1] It is requested in writing. [2]")) == 1
    assert value(coverage("[1] Leave is 20 weeks.")) == 1


def test_one_of_two_claims_cited_is_a_half_and_the_bare_one_is_named() -> None:
    result = coverage("Leave is 20 weeks [1]. It is requested in writing.")
    assert value(result) == 0.5
    assert isinstance(result, Score)
    assert "requested in writing" in result.evidence[0].detail


def test_a_citation_on_the_next_line_does_not_count_for_the_line_above() -> None:
    assert value(coverage("Leave is 20 weeks.\n- It is requested in writing [2].")) == 0.5


def test_questions_headings_and_lead_ins_need_no_citation() -> None:
    assert value(coverage("# Leave\nHere it is:\n- Leave is 20 weeks [1].\nAnything else?")) == 1


def test_an_answer_that_never_cites_is_left_out_unless_citations_are_required() -> None:
    absent = coverage("Leave is 20 weeks.")
    assert isinstance(absent, Unscored)
    assert absent.reason == "not_applicable"
    assert value(coverage("Leave is 20 weeks.", require=True)) == 0


def test_an_answer_without_a_claim_has_no_coverage() -> None:
    absent = coverage("I do not know. [1]", require=True)
    assert isinstance(absent, Unscored)
    assert absent.reason == "not_applicable"


def test_a_citation_whose_passage_supports_the_claim_is_precise() -> None:
    result = precision("You receive 20 weeks of paid parental leave [1].")
    assert (result.value, result.label, result.evidence) == (1, "precise", ())


def test_the_right_document_but_the_wrong_passage_is_a_wrong_chunk_and_the_right_one_is_named() -> None:
    result = precision("You receive 20 weeks of paid parental leave [2].")
    assert (result.value, result.label) == (0, "wrong_chunk")
    assert (result.evidence[0].passage_id, result.evidence[0].doc_id) == ("p2", "HR-1")
    assert "from p1 of the same document" in result.evidence[0].detail
    assert result.evidence[1].passage_id == "p1"
    assert "20 weeks" in result.evidence[1].detail


def test_a_section_of_the_catalog_that_was_not_retrieved_makes_a_wrong_chunk_too_and_is_named() -> None:
    text = "Contractors receive 5 days of unpaid leave [2]."
    listed = Document(id="HR-1", version="4", section="7", text="Contractors receive 5 days of unpaid leave a year.")
    other = listed.model_copy(update={"version": "3"})
    found = [
        CitationPrecision().score(cite(text), Env(now=ENV.now, catalog=Catalog([document])))
        for document in (listed, other, listed.model_copy(update={"text": None}))
    ]
    assert [each.label for each in found if isinstance(each, Score)] == ["wrong_chunk", "unsupported", "unsupported"]
    named = found[0]
    assert isinstance(named, Score)
    assert (named.evidence[1].kind, named.evidence[1].doc_id, named.evidence[1].version) == ("document", "HR-1", "4")
    assert "section 7, which was not retrieved" in named.evidence[1].detail


def test_a_failing_citation_shows_the_nearest_sentence_and_what_differs() -> None:
    result = precision("You receive 16 weeks of paid parental leave [1].")
    assert (result.value, result.label) == (0, "unsupported")
    assert "nearest 'Employees receive 20 weeks of paid parental leave.'" in result.evidence[0].detail
    assert "number 16 not found (nearest text: 20)" in result.evidence[0].detail


def test_another_document_is_simply_unsupported() -> None:
    result = precision("You receive 20 weeks of paid parental leave [3].")
    assert (result.value, result.label) == (0, "unsupported")


def test_the_same_section_of_another_version_is_no_wrong_chunk() -> None:
    older = WEEKS.model_copy(update={"id": "p0", "version": "3", "text": "Employees receive 16 weeks of leave."})
    text = "You receive 20 weeks of paid parental leave [1]."
    answer = Answer(
        id="a",
        answer=text,
        passages=(older, WEEKS),
        citations=(Citation(start=44, end=47, marker="[1]", passage_id="p0"),),
    )
    result = CitationPrecision().score(answer, ENV)
    assert isinstance(result, Score)
    assert result.label == "unsupported"


def test_a_marker_that_points_nowhere_fails_and_says_so() -> None:
    result = precision("You receive 20 weeks of paid parental leave [9].")
    assert (result.value, result.label) == (0, "unresolved")
    assert "cites a passage that was not retrieved" in result.evidence[0].detail


def test_two_passages_that_support_a_claim_only_together_are_both_precise() -> None:
    result = precision("Parental leave is 20 paid weeks, requested from the line manager in writing [1][2].")
    assert result.value == 1


def test_a_second_citation_that_adds_nothing_is_not_precise() -> None:
    assert precision("You receive 20 weeks of paid parental leave [1][3].").value == 0.5


def test_a_cited_passage_without_text_cannot_be_judged() -> None:
    answer = cite("You receive 20 weeks of paid parental leave [1].")
    blind = answer.model_copy(update={"passages": (WEEKS.model_copy(update={"text": None}),)})
    result = CitationPrecision().score(blind, ENV)
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "text of a cited passage")


def test_an_answer_whose_claims_cite_nothing_has_no_precision() -> None:
    for text in ("Leave is 20 weeks.", "I do not know [1]."):
        result = CitationPrecision().score(cite(text), ENV)
        assert isinstance(result, Unscored)
        assert result.reason == "not_applicable"


def test_recall_is_the_share_of_claims_that_what_they_cite_supports_together() -> None:
    whole = "Parental leave is 20 paid weeks, requested from the line manager in writing"
    assert judged(CitationRecall, f"{whole} [1][2].").value == 1
    assert judged(CitationRecall, f"{whole} [2].").value == 0
    result = judged(CitationRecall, "You receive 20 weeks of paid parental leave [1]. Hotels cost up to 180 EUR [2].")
    assert result.value == 0.5
    assert [evidence.passage_id for evidence in result.evidence] == ["p2"]


def test_a_claim_without_a_citation_counts_against_recall_only_where_the_answer_cites() -> None:
    weeks = "You receive 20 weeks of paid parental leave"
    assert judged(CitationRecall, f"{weeks} [1]. The hotel limit is 180 EUR.").value == 0.5
    assert judged(CitationSupport, f"{weeks} [1]. The hotel limit is 180 EUR.").value > 0.9
    for kind in (CitationRecall, CitationSupport):
        result = kind().score(cite(f"{weeks}. The hotel limit is 180 EUR."), ENV)
        assert isinstance(result, Unscored)
        assert result.reason == "not_applicable"


def test_support_is_a_probability_that_tells_a_figure_from_another() -> None:
    right = judged(CitationSupport, "You receive 20 weeks of paid parental leave [1].")
    wrong = judged(CitationSupport, "You receive 16 weeks of paid parental leave [1].")
    assert right.value > 0.9
    assert wrong.value < 0.3
    assert right.evidence == ()
    assert "number 16 not found (nearest text: 20)" in wrong.evidence[0].detail


def test_a_citation_that_points_nowhere_supports_nothing() -> None:
    text = "You receive 20 weeks of paid parental leave [9]."
    assert judged(CitationSupport, text).value == judged(CitationRecall, text).value == 0


def test_a_passage_that_was_retrieved_and_not_shown_to_the_generator_is_judged_when_it_is_cited() -> None:
    answer = cite("The hotel limit is 180 EUR per night [3].").model_copy(update={"context": ("p1", "p2")})
    for kind in (CitationPrecision, CitationRecall):
        assert value(kind().score(answer, ENV)) == 1


def test_a_claim_that_cites_thousands_of_passages_is_judged_by_the_first_of_them() -> None:
    text = "You receive 20 weeks of paid parental leave."
    passages = tuple(NOTICE.model_copy(update={"id": str(n)}) for n in range(3_000))
    cited = tuple(Citation(start=3, end=3, marker="", passage_id=passage.id) for passage in passages)
    result = CitationPrecision().score(Answer(id="a", answer=text, passages=passages, citations=cited), ENV)
    assert isinstance(result, Score)
    assert result.explanation == f"0 of {MAX_CITED} citations point to a passage that supports the claim"
