"""Policy answers in other languages than English: what a statement of the passage says otherwise is contradicted.

The files hold passages (``P``), a question (``Q``, or behind ``??`` that of one answer), right answers (``+``) and
wrong ones (``-``, with what is wrong).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Env, Evaluation, Score
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.memory import Memory
from scorers.support.comparison import comparisons
from scorers.support.judgement import Judgement, judge
from scorers.support.spoken import MEASURED

ENV = Env(now=datetime(2026, 5, 4, tzinfo=UTC))
FOLDER = Path(__file__).parent / "spoken"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.txt"))
each_language = pytest.mark.parametrize("language", LANGUAGES)
CARDS = "Geschenkkarten können nicht zurückgegeben werden. Alle anderen Artikel nehmen wir 30 Tage lang zurück."
WRONG = "Ja, Geschenkkarten können zurückgegeben werden."
RIGHT = "Nein, Geschenkkarten können nicht zurückgegeben werden."
ASKED = "Kann ich Geschenkkarten zurückgeben?"


class Case(NamedTuple):
    """An answer over one passage, and what is wrong with it, if anything."""

    passage: str
    question: str
    said: str
    wrong: str


def cases(language: str) -> Iterator[Case]:
    passage = asked = ""
    for line in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "P:":
            passage = rest.replace("\\n", "\n")
        elif mark == "Q:":
            asked = rest
        elif mark:
            wrong, said = ("", rest) if mark == "+" else rest.split(": ", 1)
            said, _, own = said.partition(" ?? ")
            yield Case(passage, own or asked, said, wrong)


def over(passage: str, said: str, question: str | None = None) -> Answer:
    return Answer(id="a", question=question, answer=said, passages=(Passage(id="p", text=passage),))


def differs(case: Case) -> bool:
    found = judge(over(case.passage, case.said, case.question), Memory())
    assert isinstance(found, Judgement)
    return any(said.strength for said in found.stated)


def evaluated(answer: Answer) -> Evaluation:
    return run_panel(default_panel(), answer, ENV)


def scores(answer: Answer) -> dict[str, Score]:
    return {score.metric: score for score in evaluated(answer).scores}


@each_language
def test_wrong_policy_answers_are_contradicted(language: str) -> None:
    wrong = [case for case in cases(language) if case.wrong]
    missed = [(case.wrong, case.said) for case in wrong if not differs(case)]
    assert len(wrong) >= 16
    assert len(missed) <= 0.1 * len(wrong), missed


@each_language
def test_right_policy_answers_are_not(language: str) -> None:
    right = [case for case in cases(language) if not case.wrong]
    assert len(right) >= 16
    assert [case.said for case in right if differs(case)] == []


def test_every_language_that_is_measured_has_its_cases() -> None:
    assert set(MEASURED) - {"en"} <= set(LANGUAGES)


@each_language
def test_only_in_languages_that_are_measured_a_difference_contradicts(language: str) -> None:
    for case in filter(differs, cases(language)):
        found = judge(over(case.passage, case.said, case.question), Memory())
        assert isinstance(found, Judgement)
        assert (found.label == "contradicted") == (language in MEASURED)


def test_a_contradicted_claim_makes_a_contradicted_answer_in_every_score() -> None:
    found = scores(over(CARDS, WRONG, ASKED))
    absence = found["contradiction_absence"]
    assert (absence.label, absence.value < 0.35) == ("contradicted", True)
    assert "Geschenkkarten können nicht zurückgegeben werden" in absence.evidence[0].detail
    assert "Geschenkkarten können zurückgegeben werden" in absence.evidence[0].detail
    assert "contradicted (polarity differs" in (absence.explanation or "")
    assert found["first_failed_stage"].label == "answer faithfulness"
    assert found["failure_category"].label == "unknown"
    assert found["unsafe_probability"].value > 0.65
    assert "contradicted" in (found["unsafe_probability"].explanation or "")
    assert found["composite"].value <= 50
    assert "capped at 50: the context contradicts a claim" in (found["composite"].explanation or "")


def test_a_right_answer_is_contradicted_in_none() -> None:
    found = scores(over(CARDS, RIGHT, ASKED))
    assert found["contradiction_absence"].label == "not_contradicted"
    assert found["contradiction_absence"].value > 0.9
    assert "first_failed_stage" not in found or found["first_failed_stage"].label == "pass"
    assert found["failure_category"].label == "none"
    assert found["unsafe_probability"].value < 0.1
    assert found["composite"].label == "uncapped"


def test_what_no_statement_settles_is_undecided_and_not_called_unsupported() -> None:
    invented = "Der Firmenwagen darf am Wochenende privat genutzt werden."
    (claim,) = comparisons(over(CARDS, invented), ENV)
    assert claim.verdict == "undecided"
    score = scores(over(CARDS, invented))["contradiction_absence"]
    assert score.label == "not_contradicted"
    assert "unsupported" not in (score.explanation or "")


def test_support_says_in_plain_words_that_it_does_not_see_inventions() -> None:
    reasons = {absent.metric: absent.detail or "" for absent in evaluated(over(CARDS, WRONG)).unscored}
    for name in ("faithfulness", "claim_support"):
        assert "not measured on German" in reasons[name]
        assert "an invention is not seen here" in reasons[name]
        assert "contradiction_absence" in reasons[name]


@pytest.mark.parametrize(
    "said", ["Yes, gift cards can be returned by every customer.", "Oui, les cartes sont reprises."]
)
def test_an_answer_in_another_language_than_its_passage_is_not_compared(said: str) -> None:
    answer = over(CARDS, said, ASKED)
    assert "contradiction_absence" not in scores(answer)
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    assert "contradicted" not in [verdict.label for verdict in found.verdicts]


def test_a_yes_to_a_question_in_another_language_is_not_read_with_it() -> None:
    asked = "Can gift cards be returned to the shop?"
    found = ContradictionAbsence().score(
        over(CARDS, "Ja. Alle anderen Artikel nehmen wir 30 Tage lang zurück.", asked), ENV
    )
    assert isinstance(found, Score)
    assert found.label == "not_contradicted"


def test_a_passage_in_another_language_beside_those_of_the_answer_says_nothing_of_it() -> None:
    english = Passage(
        id="en", text="Geschenkkarten: gift cards must not be returned to any of our shops, whatever is said."
    )
    german = Passage(id="de", text="Geschenkkarten können zurückgegeben werden, wenn sie nicht benutzt wurden.")
    answer = over(CARDS, WRONG, ASKED).model_copy(update={"passages": (german, english)})
    assert scores(answer)["contradiction_absence"].label == "not_contradicted"
