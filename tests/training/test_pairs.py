"""Minimal pairs: wrong by one change, or reworded without harm."""

import random
from collections.abc import Mapping, Sequence

import pytest

from training.pairs.pair import Way, edits
from training.pairs.policies import blocks, policies
from training.pairs.ways import HARMLESS, WRONG

SOURCE = (
    "Managers must approve orders of more than $1,500 within 14 days after 3 May 2024."
    " Employees in Germany get 30 days of leave."
    " All guests may use the sauna until 22:00 if the desk agrees. Interns in Norway get 12 days."
)


def made(ways: Mapping[str, Sequence[Way]], text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    rng = random.Random(1)
    for _ in range(60):
        for kind, changed in edits(ways, text, SOURCE, rng, most=3):
            found.setdefault(kind, set()).add(changed)
    return found


@pytest.mark.parametrize(
    ("kind", "text", "changed"),
    [
        ("number", "Employees get 30 days.", "Employees get 12 days."),
        ("unit", "Employees get 30 days.", "Employees get 30 weeks."),
        ("unit", "The fee is $50 per night.", "The fee is $50 per week."),
        ("year", "It was founded in 1999.", "It was founded in 2002."),
        ("exchange", "It takes 2 to 5 days.", "It takes 5 to 2 days."),
        ("negation", "Gift cards cannot be returned.", "Gift cards can be returned."),
        ("negation", "Leave is paid.", "Leave is not paid."),
        ("opposite", "The fee is refundable.", "The fee is non-refundable."),
        ("entity", "Employees in Germany get leave.", "Employees in Norway get leave."),
        ("role", "The guests tell the managers.", "The managers tell the guests."),
        ("modality", "Managers must approve orders.", "Managers may approve orders."),
        ("bound", "At least 3 people must sign.", "At most 3 people must sign."),
        ("order", "Sign it before the audit.", "Sign it after the audit."),
        ("scope", "All guests may enter.", "Some guests may enter."),
        ("condition", "Guests may enter if the desk agrees.", "Guests may enter."),
        ("condition", "Guests may enter if the desk agrees.", "Guests may enter unless the desk agrees."),
    ],
)
def test_a_statement_is_made_wrong_by_one_change(kind: str, text: str, changed: str) -> None:
    assert changed in made(WRONG, text)[kind]


@pytest.mark.parametrize(
    ("kind", "text", "changed"),
    [
        ("synonym", "You can buy it.", "You can purchase it."),
        ("force", "Managers must approve it.", "Managers have to approve it."),
        ("limit", "It takes at least 3 days.", "It takes a minimum of 3 days."),
        ("format", "It costs $1,500.", "It costs 1,500 dollars."),
        ("format", "It ends on 3 May 2024.", "It ends on 2024-05-03."),
        ("format", "It takes 60 minutes.", "It takes one hour."),
        ("quotes", 'It\'s "free".', "It\u2019s \u201cfree\u201d."),
        ("markdown", "It takes 14 days.", "It takes **14 days**."),
        ("clause", "If it rains, the trip is cancelled.", "The trip is cancelled if it rains."),
        (
            "passive",
            "Managers must approve orders within 14 days.",
            "Orders must be approved by managers within 14 days.",
        ),
    ],
)
def test_a_statement_is_reworded_without_harm(kind: str, text: str, changed: str) -> None:
    assert changed in made(HARMLESS, text)[kind]


def test_the_same_seed_gives_the_same_policies() -> None:
    assert list(policies(30, 5)) == list(policies(30, 5))
    assert list(policies(30, 5)) != list(policies(30, 6))


def test_policies_hold_what_they_tell_and_every_kind_of_change_and_rewording() -> None:
    found = list(policies(8 * len(blocks()), 1))
    for policy in found:
        assert any(policy.told in passage for passage in policy.passages)
        assert {statement.wrong for statement in policy.statements} == {True, False}
    wrong = {each.kind for policy in found for each in policy.statements if each.wrong}
    right = {each.kind for policy in found for each in policy.statements if not each.wrong}
    assert wrong >= set(WRONG)
    assert right >= set(HARMLESS)


def test_no_statement_of_a_policy_is_both_right_and_wrong() -> None:
    for policy in policies(4 * len(blocks()), 2):
        right = {each.text for each in policy.statements if not each.wrong}
        assert not right & {each.text for each in policy.statements if each.wrong}


def test_every_slot_of_the_policies_has_values() -> None:
    for policy in policies(2 * len(blocks()), 3):
        for each in policy.statements:
            assert "{" not in each.text
