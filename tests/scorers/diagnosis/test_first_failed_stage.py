"""First failed stage: the first that failed owns the repair."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Gold, GoldPassage, Passage, Stage
from scorers.base import Env, Score, Unscored
from scorers.diagnosis.admissible import Admissible
from scorers.diagnosis.first_failed_stage import FirstFailedStage
from scorers.grounding.answer_completeness import AnswerCompleteness
from scorers.grounding.citation_precision import CitationPrecision
from scorers.grounding.faithfulness import Faithfulness
from scorers.panel import run_panel
from scorers.retrieval.answerable_evidence_coverage import AnswerableEvidenceCoverage
from scorers.retrieval.context import CandidateRecall, ContextRecall
from scorers.safety.abstention import Abstention

NOW = datetime(2026, 5, 4, tzinfo=UTC)
PANEL = (
    FirstFailedStage(),
    Admissible(),
    CandidateRecall(),
    ContextRecall(),
    AnswerableEvidenceCoverage(),
    Faithfulness(),
    CitationPrecision(),
    AnswerCompleteness(),
)
RULE = Passage(
    id="rule", text="Deploys of the payment service during the release freeze need approval by the incident commander."
)
BOOK = Passage(id="book", text="Rollback drills keep the previous artifact for 30 minutes.")
DOCS = Passage(id="docs", text="Changes of the frontend manual ship in normal business hours.")
QUESTION = "May I deploy the payment service during the release freeze?"
GOOD = "Deploys of the payment service during the release freeze need approval by the incident commander."
GOLD = Gold(passages=(GoldPassage(id="rule", label="sufficient"),))


def stage_of(answer: Answer) -> Score:
    return next(s for s in run_panel(PANEL, answer, Env(now=NOW)).scores if s.metric == "first_failed_stage")


def answered(text: str = GOOD, *, context: tuple[str, ...] = ("rule",), gold: Gold | None = GOLD) -> Answer:
    return Answer(id="a", question=QUESTION, answer=text, passages=(BOOK, DOCS, RULE), context=context, gold=gold)


both = pytest.mark.parametrize("gold", [GOLD, None], ids=["with labels", "without labels"])


@both
def test_a_good_answer_passes(gold: Gold | None) -> None:
    found = stage_of(answered(gold=gold))
    assert (found.value, found.label) == (1.0, "pass")


@both
def test_a_missing_candidate_is_a_failure_of_retrieval_whatever_was_answered(gold: Gold | None) -> None:
    missed = answered("Bananas ripen faster in a bag.", context=("book",), gold=gold)
    found = stage_of(missed.model_copy(update={"passages": (BOOK, DOCS)}))
    assert (found.value, found.label) == (0.0, "candidate retrieval")


@both
def test_a_dropped_passage_is_a_failure_of_selection(gold: Gold | None) -> None:
    assert stage_of(answered(context=("book",), gold=gold)).label == "context selection"


@both
def test_an_invented_claim_is_a_failure_of_faithfulness(gold: Gold | None) -> None:
    text = f"{GOOD} The fee for a late deploy is 4,200 USD and is charged to the board of directors."
    assert stage_of(answered(text, gold=gold)).label == "answer faithfulness"


def test_an_empty_answer_fails_completeness_before_faithfulness() -> None:
    assert stage_of(answered("")).label == "answer completeness"


def test_a_path_that_is_not_admissible_comes_first() -> None:
    stages = (Stage(kind="retrieve", output_ids=("book", "docs")),)
    assert stage_of(answered("").model_copy(update={"stages": stages})).label == "admissibility"


def test_a_wrong_citation_fails_after_faithfulness() -> None:
    scored = {
        "faithfulness": Score(metric="faithfulness", value=0.9, label="supported"),
        "citation_precision": Score(metric="citation_precision", value=0.5, label="wrong_chunk"),
        "answer_completeness": Score(metric="answer_completeness", value=0.1, basis="gold"),
    }
    found = FirstFailedStage().score(answered(), Env(now=NOW, scored=scored))
    assert isinstance(found, Score)
    assert (found.label, found.explanation) == ("citation support", "citation_precision 0.50")
    incomplete = {name: score for name, score in scored.items() if name != "citation_precision"}
    last = FirstFailedStage().score(answered(), Env(now=NOW, scored=incomplete))
    assert isinstance(last, Score)
    assert last.label == "answer completeness"


def with_scores(answer: Answer, **scores: tuple[float, str | None]) -> Score:
    scored = {name: Score(metric=name, value=value, label=label) for name, (value, label) in scores.items()}
    found = FirstFailedStage().score(answer, Env(now=NOW, scored=scored))
    assert isinstance(found, Score)
    return found


UNLABELLED = Answer(id="a", question=QUESTION, answer=GOOD, passages=(BOOK, DOCS, RULE))


def test_retrieval_is_not_blamed_for_an_answer_that_its_passages_support() -> None:
    worded_otherwise = with_scores(
        UNLABELLED, answerable_evidence_coverage=(0.2, None), faithfulness=(0.9, "supported")
    )
    assert worded_otherwise.label == "pass"


def test_retrieval_is_blamed_where_neither_question_nor_claims_are_told_of() -> None:
    scores = {"answerable_evidence_coverage": (0.2, None), "faithfulness": (0.1, "unsupported")}
    assert with_scores(UNLABELLED, **scores, retrieval_silence=(0.7, None)).label == "candidate retrieval"
    assert with_scores(UNLABELLED, **scores, retrieval_silence=(0.3, None)).label == "answer faithfulness"
    empty = UNLABELLED.model_copy(update={"passages": ()})
    assert with_scores(empty, faithfulness=(0.0, "unsupported")).label == "candidate retrieval"


def test_a_contradicted_claim_is_a_failure_of_faithfulness() -> None:
    assert with_scores(UNLABELLED, faithfulness=(0.1, "contradicted")).label == "answer faithfulness"


def test_selection_is_blamed_for_an_abstention_only_where_it_dropped_the_evidence() -> None:
    honest = UNLABELLED.model_copy(update={"answer": "I don't know: the documents do not mention it."})
    dropped = honest.model_copy(update={"context": ("book",)})
    assert with_scores(dropped, abstention=(0.9, "abstains")).label == "context selection"
    foreign = dropped.model_copy(update={"question": "Who won the cup in 1998?"})
    assert with_scores(foreign, abstention=(0.9, "abstains")).label == "pass"


def test_weak_support_by_what_is_cited_is_blamed_where_the_context_does_better() -> None:
    faithful = {"faithfulness": (0.8, "supported")}
    weak = {"citation_precision": (0.5, "unsupported"), "citation_support": (0.45, None)}
    assert with_scores(UNLABELLED, **faithful, **weak, claim_support=(0.5, None)).label == "pass"
    assert with_scores(UNLABELLED, **faithful, **weak, claim_support=(0.9, None)).label == "citation support"
    assert with_scores(UNLABELLED, **faithful, citation_support=(0.1, None)).label == "citation support"


def test_a_part_of_the_question_worded_otherwise_is_no_failure_of_completeness() -> None:
    loose = UNLABELLED.model_copy(update={"question": "Which fruit is cheapest?"})
    assert with_scores(loose, answer_completeness=(0.0, None)).label == "pass"
    surely = UNLABELLED.model_copy(update={"answer": "Have a good day.", "question": f"{GOOD[:-1]}?"})
    assert with_scores(surely, answer_completeness=(0.0, None)).label == "answer completeness"
    assert with_scores(surely, answer_completeness=(0.0, None), refusal=(0.9, "refuses")).label == "pass"


def test_a_supported_answer_in_other_words_than_the_question_is_not_blamed() -> None:
    asked = UNLABELLED.model_copy(update={"answer": "The commander approves.", "question": f"{GOOD[:-1]}?"})
    told = {"answer_completeness": (0.0, None), "faithfulness": (0.9, "supported")}
    assert with_scores(asked, **told).label == "pass"
    assert with_scores(asked, **told, abstention=(0.9, "abstains")).label == "answer completeness"


def test_an_unacceptable_answer_that_passes_every_stage_failed_at_an_unknown_one() -> None:
    found = with_scores(UNLABELLED.model_copy(update={"gold": Gold(acceptable=False)}), faithfulness=(0.9, "supported"))
    assert (found.value, found.label) == (0.0, "unknown")


def test_stages_that_nothing_told_of_are_named() -> None:
    alone = run_panel((FirstFailedStage(), Faithfulness()), answered(gold=None), Env(now=NOW)).scores[0]
    assert alone.label == "pass"
    assert "no metric reported on admissibility, citation support" in (alone.explanation or "")


def test_without_any_stage_nothing_is_said() -> None:
    found = FirstFailedStage().score(answered().model_copy(update={"context": None}), Env(now=NOW))
    assert isinstance(found, Unscored)
    assert found.reason == "missing_input"


CARD = Passage(
    id="card", text="The account fee is 3 pounds a month. A replacement card costs 5 pounds. Visitors get a badge."
)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How much is a replacement card?", "answer completeness"),
        ("What is the account fee?", "answer completeness"),
        ("Do visitors get a badge?", "answer completeness"),
        ("Where do visitors with a badge park?", "pass"),
        ("How much is a badge for visitors?", "pass"),
        ("When is the account fee due?", "pass"),
    ],
)
def test_that_there_is_no_answer_is_wrong_only_where_the_context_surely_holds_it(question: str, label: str) -> None:
    said = "I'm sorry, I couldn't find any information about that."
    panel = (*PANEL, Abstention())
    answer = Answer(id="a", question=question, answer=said, passages=(CARD,))
    found = next(s for s in run_panel(panel, answer, Env(now=NOW)).scores if s.metric == "first_failed_stage")
    assert found.label == label
