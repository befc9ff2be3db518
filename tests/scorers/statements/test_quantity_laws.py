"""Laws of quantities: formats and units do not change them, nothing disagrees with itself, no text takes long."""

from __future__ import annotations

import cProfile
import importlib
import pkgutil
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorers.statements.quantities as room
from scorers.statements.quantities import compare_quantities, read_quantities, transposed
from scorers.statements.quantities.reading import MAX_QUANTITIES
from scorers.text.numbers import number_readings
from tests.scorers import regexes

FORMATS = {
    "en": (",", "."), "de": (".", ","), "es": (".", ","), "it": (".", ","), "nl": (".", ","), "pt": (".", ","),
    "fr": ("\u202f", ","), "pl": ("\u00a0", ","), "bg": (" ", ","), "zh": (",", "."), "ja": (",", "."),
}  # fmt: skip
LANGUAGES = st.sampled_from(sorted(FORMATS))
OTHERS = st.sampled_from(["ru", "xx", "", "en-GB", "DE"])
WORDS = """at least|at most|up to|no more than|within|after|before|not|exceed|5|30|1,500|2.5|half|one|three|days|months
|EUR|USD|%|kg|per night|a year|twice|every|by|1 March 2026|2024|17:30|5 pm|in|of|and|to|between|-|,|;|(|)|.|section
|monthly|Tage|h\u00f6chstens|jours|30\u65e5|guests|business days|percentage points|$|out of|third|dozen|\u00bd|+|/"""
PIECES = st.sampled_from(re.split(r"\n?\|", WORDS))
SENTENCES = st.lists(PIECES, max_size=14).map(" ".join)
MARKS = st.text("0123456789.,/:-+$\u20ac%()[] ab\u00bd\u00b2\u0663\u6708\u65e5\u5e74\u4e07", max_size=24)
TEXTS = st.one_of(SENTENCES, MARKS, st.text(max_size=60))


def written(number: int, cents: int, language: str) -> str:
    group, mark = FORMATS[language]
    return f"{number:,}".replace(",", group) + f"{mark}{cents:02}"


@given(st.integers(0, 10**9), st.integers(0, 99), LANGUAGES)
def test_a_number_is_the_same_in_the_format_of_every_language(number: int, cents: int, language: str) -> None:
    assert number_readings(written(number, cents, language), language)[0] == pytest.approx(number + cents / 100)


@given(st.integers(1, 10**7), st.integers(0, 99), LANGUAGES, LANGUAGES)
def test_an_amount_in_two_formats_agrees(number: int, cents: int, one: str, other: str) -> None:
    claim = read_quantities(f"EUR {written(number, cents, one)}", one)
    source = read_quantities(f"EUR {written(number, cents, other)}", other)
    assert [match.outcome for match in compare_quantities(claim, source)] == ["agrees"]


CONVERSIONS = [
    ("minutes", "hours", 60), ("hours", "days", 24), ("days", "weeks", 7), ("months", "years", 12), ("g", "kg", 1000),
    ("kg", "tonnes", 1000), ("mm", "cm", 10), ("m", "km", 1000), ("ml", "litres", 1000), ("MB", "GB", 1000),
]  # fmt: skip


@given(st.sampled_from(CONVERSIONS), st.integers(2, 5_000))
def test_a_quantity_converted_agrees_and_the_same_number_of_the_other_unit_does_not(
    units: tuple[str, str, int], number: int
) -> None:
    small, large, factor = units
    claim, source = read_quantities(f"{number * factor} {small}"), read_quantities(f"{number} {large}")
    assert compare_quantities(claim, source)[0].outcome == "agrees"
    assert compare_quantities(source, claim)[0].outcome == "agrees"
    wrong = compare_quantities(read_quantities(f"{number} {small}"), source)[0]
    assert (wrong.outcome, wrong.kind) == ("disagrees", "unit")


@given(TEXTS, OTHERS)
def test_a_text_in_a_language_without_tables_is_read_all_the_same(text: str, language: str) -> None:
    assert all(each.written for each in read_quantities(text, language))


@given(TEXTS, LANGUAGES)
def test_nothing_disagrees_with_itself(text: str, language: str) -> None:
    found = read_quantities(text, language)
    assert all(match.outcome != "disagrees" for match in compare_quantities(found, found))
    assert transposed(found, found) is None


@given(TEXTS, LANGUAGES)
def test_what_is_read_stands_where_it_says_in_order(text: str, language: str) -> None:
    found = read_quantities(text, language)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(each.written.startswith(re.sub("[*`]", "", text[each.start : each.end])) for each in found)


@given(TEXTS, TEXTS)
def test_every_comparison_has_words_for_what_it_says(claim: str, source: str) -> None:
    for match in compare_quantities(read_quantities(claim), read_quantities(source)):
        assert (match.outcome == "agrees") == (not match.words)
        assert (match.outcome == "disagrees") == (match.kind is not None) == (match.certainty > 0)


def work(text: str, language: str) -> int:
    profile = cProfile.Profile()
    profile.enable()
    found = read_quantities(text, language)
    compare_quantities(found, found)
    transposed(found, found)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


HOSTILE = [
    *("1", "1 ", "1,", "1.", "5% ", "1-", "one ", "half ", "30 days ", "1:0", "\u0661 ", "$", "1/", "not ", "at most "),
    *("zwei", "\u4e00", "30\u65e5", "1 and ", "maximum ", "(1) ", "2024-01-01 ", "every ", "hundred "),
]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_a_hostile_text_takes_a_bounded_amount_of_work(unit: str, language: str) -> None:
    size = 100_000
    assert work(unit * (size // len(unit)), language) < 1_500_000
    assert len(read_quantities(unit * size, language)) <= MAX_QUANTITIES


def patterns() -> Iterator[re.Pattern[str]]:
    for module in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, re.Pattern):
                yield value


@pytest.mark.timeout(60)
@pytest.mark.parametrize("pattern", list(dict.fromkeys(patterns())), ids=lambda pattern: pattern.pattern[:30])
def test_no_expression_of_the_room_blows_up(pattern: re.Pattern[str]) -> None:
    regexes.check(pattern)
