"""Claims compared with source sentences as statements."""

from __future__ import annotations

from collections import Counter

import pytest

from scorers.statements.comparison import compare
from scorers.statements.reading import read_passages
from tests.scorers.statements.pairs import pairs

PAIRS = pairs("pairs.txt")
SOURCES = sorted({pair.source for pair in PAIRS})


def test_a_permission_is_contradicted_by_a_prohibition() -> None:
    found = compare("Yes, gift cards can be returned.", ["Leave is paid.", "Gift cards cannot be returned."])
    assert found.difference is not None
    assert (found.outcome, found.difference.kind, found.source) == ("contradicts", "polarity", 1)


@pytest.mark.parametrize("kind", sorted({pair.kind for pair in PAIRS if pair.kind}))
def test_most_wrong_claims_of_each_kind_are_contradicted(kind: str) -> None:
    found = Counter(compare(pair.claim, [pair.source], pair.question).outcome for pair in PAIRS if pair.kind == kind)
    assert found["contradicts"] >= 0.75 * found.total()


def test_hardly_any_reworded_claim_is_contradicted() -> None:
    right = [pair for pair in PAIRS if not pair.kind]
    flagged = [pair for pair in right if compare(pair.claim, [pair.source], pair.question).outcome == "contradicts"]
    assert len(flagged) <= 0.02 * len(right), flagged


@pytest.mark.parametrize("source", SOURCES)
def test_a_sentence_never_contradicts_itself(source: str) -> None:
    assert compare(source, [source]).outcome != "contradicts"


def test_a_source_that_agrees_acquits() -> None:
    sources = ["Gift cards cannot be returned.", "Gift cards can be returned within 14 days."]
    assert compare("Gift cards can be returned.", sources).outcome == "agrees"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Cod is one of the most common fish here.", "In Kent, cod is one of the most common fish here, with plaice."),
        ("It is mainly part of the service.", "It is mainly part of the service, on weekdays."),
        ("The band is from Kent, formed in 1985.", "The band is from Los Angeles and Kent, formed in 1985."),
        ("Staff in NYC get a transit pass.", "Staff in New York City get a transit pass."),
        ("Staff in New York City get a transit pass.", "Staff in NYC get a transit pass."),
        ("The notice period is two weeks for both sides.", "Either side may end it with two weeks' notice."),
        ("You earn 18 days of paid leave per year.", "Employees accrue 1.5 days of paid leave per month."),
        ("Parking costs 120 EUR per year.", "Parking costs 10 EUR per month."),
    ],
)
def test_the_same_in_the_same_or_shorter_words_is_no_contradiction(claim: str, source: str) -> None:
    assert compare(claim, [source]).difference is None


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("You earn 1.5 days of paid leave per week.", "unit"),
        ("You earn 20 days of paid leave per year.", "quantity"),
        ("Staff accrue 2 days of paid leave per month.", "quantity"),
    ],
)
def test_what_is_paid_for_a_time_is_compared_with_the_time(claim: str, kind: str) -> None:
    found = compare(claim, ["Employees accrue 1.5 days of paid leave per month."])
    assert found.difference is not None
    assert (found.outcome, found.difference.kind) == ("contradicts", kind)


@pytest.mark.parametrize(
    ("claim", "source", "told"),
    [
        (
            "You earn 1.5 days of paid leave per week.",
            "Employees accrue 1.5 days of paid leave per month.",
            ("1.5 days per week", "1.5 days per month"),
        ),
        (
            "You get 40 EUR for meals per month.",
            "Meals are paid with 40 EUR per day of travel.",
            ("40 EUR per month", "40 EUR per day"),
        ),
    ],
)
def test_where_only_the_time_differs_that_a_figure_is_for_both_times_are_told(
    claim: str, source: str, told: tuple[str, str]
) -> None:
    found = compare(claim, [source])
    assert found.difference is not None
    assert (found.difference.claimed, found.difference.told) == told


@pytest.mark.parametrize("name", ["passages.txt", "domains.txt"])
def test_most_wrong_claims_over_passages_are_contradicted_and_hardly_any_right_one(name: str) -> None:
    found: Counter[tuple[bool, bool]] = Counter()
    for pair in pairs(name):
        outcome = compare(pair.claim, read_passages([pair.source]), pair.question).outcome
        found[bool(pair.kind), outcome == "contradicts"] += 1
    assert found[True, True] >= 0.85 * (found[True, True] + found[True, False])
    assert found[False, True] <= 0.03 * (found[False, True] + found[False, False])
