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
        "answer_completeness": Score(metric="answer_completeness", value=0.1),
    }
    found = FirstFailedStage().score(answered(), Env(now=NOW, scored=scored))
    assert isinstance(found, Score)
    assert (found.label, found.explanation) == ("citation support", "citation_precision 0.50")
    incomplete = {name: score for name, score in scored.items() if name != "citation_precision"}
    last = FirstFailedStage().score(answered(), Env(now=NOW, scored=incomplete))
    assert isinstance(last, Score)
    assert last.label == "answer completeness"


def test_stages_that_nothing_told_of_are_named() -> None:
    alone = run_panel((FirstFailedStage(), Faithfulness()), answered(gold=None), Env(now=NOW)).scores[0]
    assert alone.label == "pass"
    assert "no metric reported on admissibility, candidate retrieval, citation support" in (alone.explanation or "")


def test_without_any_stage_nothing_is_said() -> None:
    found = FirstFailedStage().score(answered().model_copy(update={"context": None}), Env(now=NOW))
    assert isinstance(found, Unscored)
    assert found.reason == "missing_input"
