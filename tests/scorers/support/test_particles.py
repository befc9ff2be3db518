"""The yes or no that opens an answer: it answers what was asked, and turns nothing of what follows round."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers import default_panel
from scorers.base import Env, Score
from scorers.memory import Memory
from scorers.support.claims import claims_of

ENV = Env(now=datetime(2026, 5, 4, tzinfo=UTC))
JUDGED = ("claim_support", "faithfulness", "contradiction_absence")
PANEL = {scorer.metric.name: scorer for scorer in default_panel() if scorer.metric.name in JUDGED}

# Whether it is so, the particle, what the answer says behind it, and what the passage says unless that is the same.
ENGLISH = """
    right | No | gift cards cannot be returned.
    wrong | Yes | gift cards can be returned. | Gift cards cannot be returned.
    right | Yes | gift cards can be returned within 30 days.
    wrong | No | gift cards cannot be returned within 30 days. | Gift cards can be returned within 30 days.
    wrong | No | gift cards can be returned within 14 days. | Gift cards can be returned within 30 days.
    right | No | refunds are not possible after 30 days.
    wrong | No | refunds are not possible after 30 days. | Refunds are possible after 30 days.
    right | No | only the deposit is refunded.
    right | No | refunds are paid to the card that was used.
    wrong | No | refunds come by cheque to your home. | Refunds are paid to the card that was used.
    right | No | employees may not accept gifts above 50 EUR.
    wrong | Yes | employees may accept gifts above 50 EUR. | Employees may not accept gifts above 50 EUR.
    wrong | No | employees may not accept gifts above 80 EUR. | Employees may not accept gifts above 50 EUR.
    right | Yes | a receipt is required for every claim.
    right | No | a receipt is not required for claims below 20 EUR.
    wrong | No | a receipt is not required for claims below 90 EUR.
        | A receipt is not required for claims below 20 EUR.
    right | No | no refunds are given after 30 days.
    wrong | Yes | refunds are given after 30 days. | No refunds are given after 30 days.
    right | No | no one may enter the server room alone.
    right | No | unused leave does not carry over to the next year.
    wrong | Yes | unused leave carries over to the next year. | Unused leave does not carry over to the next year.
    right | No | the warranty never covers water damage.
    right | No | it does not cover water damage. | The warranty does not cover water damage.
    right | No | the contract can be cancelled without notice.
    wrong | No | but opened software can be exchanged. | Opened software cannot be exchanged.
    right | No | but opened software can be exchanged. | Opened software can be exchanged.
"""


def rows(table: str) -> list[tuple[str, str, str, str]]:
    """Return label, particle, answer and passage of each row."""
    found = []
    for row in filter(str.strip, table.replace("\n        |", " |").splitlines()):
        judged, particle, said, *told = (cell.strip() for cell in row.split("|"))
        found.append(
            ("supported" if judged == "right" else "wrong", particle, said, told[0] if told else capital(said))
        )
    return found


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


FORMS = (
    "{}, {}", "{}. {}", "{}: {}", "{} - {}", "{} \u2013 {}", "{}\u2014{}", "{}; {}", "{}! {}", "**{}**, {}",
    "{}.\n\n{}", "Answer: {}, {}", "The short answer is {}: {}", "Unfortunately, {}, {}",
)  # fmt: skip


def scores(said: str, told: str) -> dict[str, object]:
    answer = Answer(id="a", question="Is it so?", answer=said, passages=(Passage(id="p", text=told),))
    found = {name: scorer.score(answer, ENV) for name, scorer in PANEL.items()}
    values: dict[str, object] = {
        name: one.value if isinstance(one, Score) else one.reason for name, one in found.items()
    }
    faithful = found["faithfulness"]
    return {**values, "label": faithful.label if isinstance(faithful, Score) else None}


@pytest.mark.parametrize(("label", "particle", "said", "told"), rows(ENGLISH))
def test_an_answer_is_judged_by_what_it_states_and_not_by_its_particle(
    label: str, particle: str, said: str, told: str
) -> None:
    plain = scores(capital(said), told)
    assert (plain["label"] == "supported") is (label == "supported")
    for form in FORMS:
        assert scores(form.format(particle, said), told) == plain, form


@pytest.mark.parametrize(("label", "particle", "said", "told"), rows(ENGLISH))
def test_a_passage_that_answers_a_question_itself_is_read_the_same_way(
    label: str, particle: str, said: str, told: str
) -> None:
    assert scores(said, f"{particle}, {told}") == scores(said, told)
    assert (scores(said, told)["label"] == "supported") is (label == "supported")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("No refunds are given after 30 days.", "Refunds are given after 30 days."),
        ("No one may enter the server room.", "Everyone may enter the server room."),
        ("No gift cards can be returned.", "Gift cards can be returned."),
        ("Refunds are given, but not after 30 days.", "Refunds are given after 30 days."),
    ],
)
def test_a_no_that_belongs_to_the_statement_still_negates(said: str, told: str) -> None:
    assert scores(said, told)["claim_support"] < scores(told, told)["claim_support"] - 0.1  # type: ignore[operator]


@pytest.mark.parametrize("said", ["No.", "No", "Yes!", "Nein.", "**Ja**", "Answer: no.", "\u201cNo.\u201d", "No. [1]"])
def test_a_yes_or_no_alone_is_no_claim(said: str) -> None:
    for told in ("Gift cards cannot be returned.", "Gift cards can be returned."):
        assert scores(said, told) == {**dict.fromkeys(JUDGED, "not_applicable"), "label": None}


def test_a_particle_on_a_line_of_its_own_is_no_claim_beside_the_others() -> None:
    said = "No.\n\nGift cards cannot be returned.\n\nVouchers are sold at the desk."
    assert [claim.words for claim in claims_of(Answer(id="a", answer=said), Memory())] == [
        "Gift cards cannot be returned.",
        "Vouchers are sold at the desk.",
    ]


@pytest.mark.parametrize("said", ["No. 5 of the list is due.", "No: 5 is due.", "No-show fees are due.", "Sim cards."])
def test_what_only_looks_like_a_particle_is_left_alone(said: str) -> None:
    assert len(claims_of(Answer(id="a", answer=f"{said} They are due on Monday."), Memory())) > 0
    assert scores(f"{said} It is due on Monday.", f"{said} It is due on Monday.")["label"] == "supported"


def test_the_claim_keeps_its_place_in_the_answer() -> None:
    said = "Thanks for asking us.\nNo, gift cards cannot be returned [1]."
    (claim,) = claims_of(Answer(id="a", answer=said), Memory())
    assert said[claim.start : claim.end] == "No, gift cards cannot be returned [1]."
