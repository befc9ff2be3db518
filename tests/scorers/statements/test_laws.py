"""Laws of comparing statements: harmless edits keep the outcome, nothing contradicts itself, work is bounded."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.caching import forget
from scorers.statements.base import DifferenceKind
from scorers.statements.comparison import OPERATING_POINT, compare
from scorers.statements.features import KINDS, NAMES, features
from scorers.statements.reading import read_passages, read_statements
from tests.scorers.statements.pairs import Pair, pairs

PAIRS = [*pairs("pairs.txt"), *pairs("passages.txt")]
ENGLISH = pairs("pairs.txt")
_WORDS = """employees may must not only if unless except all some before after cards returned the a receipt 30 days no
    without never cannot , . ; and or Germany 180 EUR is are free"""
WORDS = st.sampled_from(_WORDS.split())
EDITS = {
    "markdown": lambda text: f"**{text}**",
    "quotation marks": lambda text: f"\u201c{text}\u201d",
    "a typographic apostrophe": lambda text: text.replace("'", "\u2019"),
    "no full stop": lambda text: text.rstrip("."),
    "a lead-in": lambda text: f"According to the policy, {text[0].lower()}{text[1:]}",
    "a note": lambda text: f"Please note that {text[0].lower()}{text[1:]}",
    "blanks": lambda text: text.replace(" ", "  "),
    "a hard blank": lambda text: text.replace(" ", "\u00a0"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_harmless_edit_keeps_whether_a_claim_is_contradicted(edit: str) -> None:
    changed = [
        pair
        for pair in ENGLISH
        if (_outcome(pair, pair.claim) == "contradicts") != (_outcome(pair, EDITS[edit](pair.claim)) == "contradicts")
    ]
    assert len(changed) <= 0.01 * len(ENGLISH), changed


def _outcome(pair: Pair, claim: str) -> str:
    return compare(claim, [pair.source], pair.question).outcome


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.claim[:60])
def test_no_sentence_contradicts_itself(pair: Pair) -> None:
    assert compare(pair.claim, [pair.claim]).outcome != "contradicts"
    sources = read_passages([pair.source])
    assert all(compare(source, sources).outcome != "contradicts" for source in sources)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=14), st.lists(WORDS, min_size=1, max_size=14))
def test_any_words_are_compared_within_bounds_and_always_alike(ours: list[str], theirs: list[str]) -> None:
    claim, source = " ".join(ours), " ".join(theirs)
    first = compare(claim, [source])
    forget()
    assert compare(claim, [source]) == first
    if first.outcome == "contradicts":
        assert first.difference is not None
        assert first.difference.strength >= OPERATING_POINT
        assert first.difference.strength <= 1
    else:
        assert first.difference is None
    row = features(claim, [source])
    assert len(row) == len(NAMES)
    assert all(value >= 0 for value in row)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read(claim: str, passage: str) -> None:
    compare(claim, read_passages([passage]), passage)


@pytest.mark.parametrize(
    "text",
    [
        "not " * 3_000,
        "if unless except without " * 500,
        "no A and no B or " * 800,
        "a" * 10_000,
        "1,5 EUR " * 1_500,
        "(" * 5_000,
        "must be " * 2_000,
        "it does not apply to " * 600,
        ", not by" * 2_000,
        "|a" * 4_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_hostile_text_is_no_statement_that_matters(text: str) -> None:
    assert compare(text, [text, "Gift cards cannot be returned."]).outcome != "contradicts"
    assert compare("Gift cards cannot be returned.", list(read_passages([text]))).outcome != "contradicts"


def test_every_kind_of_difference_is_a_feature() -> None:
    assert [name for name in NAMES if name.removeprefix("statement_") in KINDS] == [f"statement_{k}" for k in KINDS]
    seen: set[DifferenceKind] = set()
    for pair in PAIRS:
        found = compare(pair.claim, read_passages([pair.source]), pair.question).difference
        seen |= {found.kind} if found else set()
    assert seen == set(KINDS)


def test_list_items_are_read_under_their_stem() -> None:
    told = read_passages(["These items cannot be returned:\n- gift cards\n- software\n\nBooks can be returned."])
    assert compare("Gift cards can be returned.", told).outcome == "contradicts"
    assert compare("Software cannot be returned.", told).outcome == "agrees"
    assert compare("Books can be returned.", told).outcome == "agrees"


def test_a_rule_that_does_not_apply_to_a_case_excepts_it() -> None:
    told = read_passages(["Items can be returned within 30 days. This does not apply to gift cards."])
    assert compare("Gift cards can be returned within 30 days.", told).outcome == "contradicts"


def test_a_row_of_a_table_is_read_under_its_header() -> None:
    (row, _) = read_statements("| Country | Allowance |\n|---|---|\n| Germany | 180 EUR |\n| Switzerland | 220 EUR |\n")
    assert row.words == "Country Germany, Allowance 180 EUR"


def test_a_claim_in_a_language_that_is_not_known_is_not_compared() -> None:
    found = compare(
        "Lahjakortteja ei voi palauttaa kauppaan missään olosuhteissa.", ["Lahjakortteja voi palauttaa kauppaan."]
    )
    assert (found.outcome, found.undecided) == ("undecided", "statements in Finnish are not compared")


def test_a_yes_is_taken_with_what_was_asked() -> None:
    told = ["Gift cards cannot be returned."]
    assert compare("Yes.", told, "Can I return gift cards?").outcome == "contradicts"
    assert compare("No.", told, "Can I return gift cards?").outcome == "agrees"
    assert compare("Yes.", told, "How can I return gift cards?").outcome == "undecided"
    assert compare("Yes.", told).outcome == "undecided"


def test_no_to_a_question_whether_something_is_a_duty_frees_of_it() -> None:
    told = ["A receipt is required."]
    assert compare("No.", told, "Is a receipt required?").outcome == "contradicts"
    assert compare("Yes.", told, "Is a receipt required?").outcome == "agrees"
