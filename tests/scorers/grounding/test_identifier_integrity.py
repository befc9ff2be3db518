"""Identifier integrity: versions, codes, commands and paths are copied without change."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Case, Passage, Turn
from scorers.base import Env, Score, Unscored
from scorers.grounding.identifier_integrity import IdentifierIntegrity

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
GUIDE = Passage(id="g", text="Error E-4012 is fixed in v2.3.1. Run `acme repair --all` and see https://Corp.test/Help.")


def judge(text: str, **fields: object) -> Score | Unscored:
    return IdentifierIntegrity().score(
        Answer.model_validate({"id": "a", "answer": text, "passages": (GUIDE,), **fields}), ENV
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Run `acme repair --all` to fix E-4012.", 1),
        ("Run `acme repair -all` to fix E-4012.", 0.5),
        ("Upgrade to v2.3.2.", 0),
        ("See https://corp.test/help.", 1),
    ],
)
def test_one_changed_letter_is_a_changed_identifier(text: str, value: float) -> None:
    result = judge(text)
    assert isinstance(result, Score)
    assert result.value == value


def test_what_the_asker_or_the_case_named_may_be_repeated() -> None:
    for fields in (
        {"question": "What of JOB-77?"},
        {"history": (Turn(role="user", content="It is JOB-77."),)},
        {"case": Case(identifiers=("JOB-77",))},
    ):
        result = judge("JOB-77 is closed.", **fields)
        assert isinstance(result, Score)
        assert result.value == 1


def test_the_evidence_is_the_place_and_the_nearest_identifier() -> None:
    text = "It is fixed in v2.3.7."
    result = judge(text)
    assert isinstance(result, Score)
    (evidence,) = result.evidence
    assert text[evidence.start : evidence.end].startswith("v2.3.7")
    assert evidence.detail == "'v2.3.7' is not in the context; nearest 'v2.3.1'"


def test_an_answer_without_identifiers_is_not_applicable() -> None:
    result = judge("Restart the agent.")
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


@pytest.mark.parametrize(
    "text", ["Drive 6mph on 18th-century roads.", "CO2 fell in Q3.", "A 4x4 is 30.5cm of 2-to-5-degree."]
)
def test_amounts_and_words_with_digits_are_no_identifiers(text: str) -> None:
    result = judge(text)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


@pytest.mark.parametrize("text", ["Fixed in V2.3.1.", "See http://corp.test/help."])
def test_the_case_of_a_version_and_the_scheme_of_an_address_change_nothing(text: str) -> None:
    result = judge(text)
    assert isinstance(result, Score)
    assert result.value == 1


@pytest.mark.parametrize(
    ("told", "kept", "changed"),
    [
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "DE89 3704 0044 0532 0130 01"),
        ("GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819", "GB29 NWBK 6016 1331 9286 19"),
        ("+49 30 1234567", "030 / 123 45 67", "+49 30 1234576"),
        ("06 12 34 56 78", "+33 6 12 34 56 78", "06 12 34 56 87"),
        ("(212) 555-0188", "212-555-0188", "212-555-0198"),
        ("help@acme.test", "Help@Acme.test", "help@acme.tes"),
    ],
)
def test_an_account_a_phone_number_and_an_address_may_be_grouped_otherwise_and_not_changed(
    told: str, kept: str, changed: str
) -> None:
    passage = Passage(id="p", text=f"It is {told}.")
    for written, value in ((told, 1), (kept, 1), (changed, 0)):
        result = judge(f"It is {written}.", passages=(passage,))
        assert isinstance(result, Score)
        assert (written, result.value) == (written, value)


def test_a_changed_account_in_an_instruction_is_corrupted() -> None:
    passage = Passage(id="p", text="The account is DE89 3704 0044 0532 0130 00.")
    result = judge("Transfer it to DE89 3704 0044 0532 0130 01.", passages=(passage,))
    assert isinstance(result, Score)
    assert result.label == "corrupted"


def test_a_date_in_another_format_is_no_identifier() -> None:
    passage = Passage(id="p", text="The deadline is 3 March 2025.")
    assert isinstance(judge("The deadline is 03.03.2025.", passages=(passage,)), Unscored)
