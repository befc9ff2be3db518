"""Numeric fidelity: the figures of the answer are those of the context."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env, Score, Unscored
from scorers.grounding.numeric_fidelity import NumericFidelity

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
POLICY = Passage(
    id="p", text="The limit is 1,800 EUR per trip until 5 pm on April 1, 2025. Receipts are kept for 10 years."
)


def judge(text: str, question: str | None = None) -> Score | Unscored:
    return NumericFidelity().score(Answer(id="a", answer=text, question=question, passages=(POLICY,)), ENV)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It is 1800 EUR until 17:00 on 2025-04-01.", 1),
        ("It is 8,100 EUR per trip.", 0),
        ("It is 1,800 EUR until 6 pm.", 0.5),
        ("Receipts are kept for 1,800 years.", 0),
        ("1. The limit is 1,800 EUR per trip.\n2. Receipts are kept.", 1),
        ("The limit is 1,800 USD per trip.", 0),
        ("The limit is 1,800 EUR per night.", 0),
        ("Receipts are kept for a decade, that is 120 months.", 1),
        ("Two trips may cost 3,600 EUR.", 1),
        ("Receipts are kept for ten days.", 0),
        ("Receipts are kept for 100 years.", 0),
    ],
)
def test_figures_are_compared_by_what_they_mean(text: str, value: float) -> None:
    result = judge(text)
    assert isinstance(result, Score)
    assert result.value == value


def test_a_figure_of_the_question_may_be_repeated() -> None:
    result = judge("With 2 nights the limit is 1,800 EUR.", question="What is the limit for 2 nights?")
    assert isinstance(result, Score)
    assert result.value == 1


def test_the_evidence_names_the_figure_and_what_stands_there() -> None:
    result = judge("The limit is 8,100 EUR per trip.")
    assert isinstance(result, Score)
    assert "states 8,100 EUR per trip against 1,800 EUR per trip" in result.evidence[0].detail
    assert "The limit is 1,800 EUR per trip" in result.evidence[0].detail


def test_formats_of_other_languages_are_no_change() -> None:
    passage = Passage(
        id="p", text="Die Erstattung betr\u00e4gt h\u00f6chstens 1.500,50 \u20ac innerhalb von 14 Werktagen."
    )
    for text, value in (
        ("Die Erstattung betr\u00e4gt h\u00f6chstens 1500,50 Euro innerhalb von vierzehn Werktagen.", 1),
        ("Die Erstattung betr\u00e4gt h\u00f6chstens 1.500,50 Euro innerhalb von 14 Kalendertagen.", 0.5),
    ):
        result = NumericFidelity().score(Answer(id="a", answer=text, passages=(passage,)), ENV)
        assert isinstance(result, Score)
        assert result.value == value


def test_the_length_that_a_lead_in_tells_is_no_claim_of_the_context() -> None:
    result = judge("Here is a summary in 40 words:\n\nReceipts are kept for 10 years.")
    assert isinstance(result, Score)
    assert result.value == 1


def test_an_answer_without_figures_is_not_applicable() -> None:
    result = judge("There is a limit for trips.")
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("not_applicable", "the answer states no quantity")


@pytest.mark.parametrize(
    ("told", "right", "wrong"),
    [
        ("Die Frist für Anträge endet am {}.", "3. März 2025|03.03.2025", "3. Mai 2025|03.05.2025|4. März 2025"),
        ("La date limite de dépôt des dossiers est le {}.", "3 mars 2025|03/03/2025", "3 mai 2025"),
        ("El plazo de presentación de solicitudes acaba el {}.", "3 de marzo de 2025|03/03/2025", "3 de mayo de 2025"),
        ("La scadenza per le domande di rimborso è il {}.", "3 marzo 2025|03/03/2025", "3 maggio 2025"),
        ("O prazo para a apresentação dos pedidos acaba em {}.", "3 de março de 2025", "3 de maio de 2025"),
        ("De termijn voor het indienen van aanvragen eindigt op {}.", "3 maart 2025|03-03-2025", "3 mei 2025"),
        ("Termin składania wniosków upływa {}.", "3 marca 2025|03.03.2025", "3 maja 2025"),
        ("Срокът за подаване на заявления изтича на {}.", "3 март 2025|03.03.2025", "3 май 2025"),
    ],
)
def test_a_date_with_another_month_is_not_that_of_the_context(told: str, right: str, wrong: str) -> None:
    first, *_ = right.split("|")
    passage = Passage(id="p", text=told.format(first))
    for dates, value in ((right, 1), (wrong, 0)):
        for date in dates.split("|"):
            result = NumericFidelity().score(Answer(id="a", answer=told.format(date), passages=(passage,)), ENV)
            assert isinstance(result, Score)
            assert (date, result.value) == (date, value)


def test_a_sentence_too_short_to_tell_its_language_is_read_in_that_of_the_passages() -> None:
    passage = Passage(id="p", text="El plazo de devolución es de 14 días a partir de la entrega del pedido.")
    for text, value in (("Son 14 semanas.", 0), ("Son 14 días.", 1)):
        result = NumericFidelity().score(Answer(id="a", answer=text, passages=(passage,)), ENV)
        assert isinstance(result, Score)
        assert (text, result.value) == (text, value)


def test_a_day_of_a_range_whose_month_stands_once_is_that_of_the_context() -> None:
    passage = Passage(id="p", text="The office is closed on 3 and 5 March 2025.")
    for text, value in (("It is closed on 3 March 2025.", 1), ("It is closed on 3 May 2025.", 0)):
        result = NumericFidelity().score(Answer(id="a", answer=text, passages=(passage,)), ENV)
        assert isinstance(result, Score)
        assert result.value == value


@pytest.mark.parametrize(
    ("passage", "answer", "value"),
    [
        ("The library is open from 9 am to 8 pm.", "It is open until 21:00.", 0),
        ("The library is open from 9 am to 8 pm.", "It is open until 9 pm.", 0),
        ("The library is open from 9 am to 8 pm.", "It opens at 8 am.", 0),
        ("The library is open from 9 am to 8 pm.", "It is open until 20:00.", 1),
        ("The library is open from 9 am to 8 pm.", "It is open until 8.", 1),
        ("The shop closes at 8:00.", "It closes at 8 pm.", 1),
        ("Die Bibliothek ist von 9 bis 20 Uhr geöffnet.", "Die Bibliothek ist von 9 bis 21 Uhr geöffnet.", 0.5),
        ("Die Bibliothek ist von 9 bis 20 Uhr geöffnet.", "Die Bibliothek ist von 9 bis 20 Uhr geöffnet.", 1),
    ],
)
def test_the_other_half_of_the_day_is_another_time_where_both_say_which(
    passage: str, answer: str, value: float
) -> None:
    given = Answer(id="a", answer=answer, passages=(Passage(id="p", text=passage),))
    result = NumericFidelity().score(given, ENV)
    assert isinstance(result, Score)
    assert result.value == value
