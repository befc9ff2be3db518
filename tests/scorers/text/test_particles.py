"""The yes or no that opens an answer, in many languages."""

# ruff: noqa: RUF001 - full-width signs
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.text.particles import particle_of

NO = """No, |No. |**No**: |Not at all: |Not at all, |Unfortunately not. |Unfortunately, not. |The short answer is no: |
No - |Nein, |Leider nein, |Leider nicht: |Auf keinen Fall. |Non, |Pas du tout, |Malheureusement non : |En absoluto: |
Purtroppo no, |Não, |Infelizmente não. |Nee, |Helaas niet. |Nie, |Niestety nie. |
Не, |За съжаление не. |いいえ、|不可以，|不，"""
YES = """Yes, |Yes! |Of course, |Yes, of course: |Absolutely: |Certainly. |Ja, |Doch, |Natürlich: |Oui, |
Bien sûr, |Sí, |Claro que sí, |Por supuesto: |Sì, |Certo, |Sim, |Com certeza. |Tak, |Oczywiście: |Да, |
Разбира се, |はい、|可以，|是的，"""


def each(listed: str) -> list[str]:
    return [one.strip("\n") for one in listed.split("|") if one.strip()]


@pytest.mark.parametrize(("says", "opening"), [("no", one) for one in each(NO)] + [("yes", one) for one in each(YES)])
def test_a_particle_is_found_and_the_statement_behind_it(says: str, opening: str) -> None:
    found = particle_of(f"{opening}EX-77")
    assert found is not None
    assert found.says == says
    assert f"{opening}EX-77"[found.end :].strip() == "EX-77"


@pytest.mark.parametrize(
    "text",
    [
        "No refunds are given.",
        "No. 5 is due.",
        "No-show fees are due.",
        "No one may enter.",
        "Sim cards are sold.",
        "Si le client part, il paie.",
        "Not all gifts are refunded.",
        "Ja-Stimmen zählen doppelt.",
        "可以在30天内退货。",
        "不含早餐。",
        "Correct the form first.",
        "",
    ],
)
def test_what_only_begins_like_one_is_none(text: str) -> None:
    assert particle_of(text) is None


@given(st.text(max_size=200))
def test_any_text_has_one_within_it_or_none(text: str) -> None:
    found = particle_of(text)
    assert found is None or 0 < found.end <= len(text)
