"""Workflow order: steps are told in the order in which the sources want them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Case, Passage
from scorers.base import Env, Score, Unscored
from scorers.grounding.workflow_order import WorkflowOrder

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
FIRMWARE = "Printers of series K: software version 2.14 must be installed before applying the firmware patch."


def judged(text: str, *sources: str, case: Case | None = None) -> Score | Unscored:
    passages = tuple(Passage(id=f"p{place}", text=source) for place, source in enumerate(sources))
    return WorkflowOrder().score(Answer(id="a", question="What now?", answer=text, passages=passages, case=case), ENV)


def label(text: str, *sources: str) -> str | None:
    found = judged(text, *sources)
    return found.label if isinstance(found, Score) else found.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Install software version 2.14 first, then apply the firmware patch.", "kept"),
        ("1. Install software version 2.14.\n2. Apply the firmware patch.", "kept"),
        ("Apply the firmware patch, but only once version 2.14 of the software is installed.", "kept"),
        ("Before you apply the firmware patch, install software version 2.14.", "kept"),
        ("1. Apply the firmware patch.\n2. Install software version 2.14.", "reversed"),
        ("Apply the firmware patch, then install software version 2.14.", "reversed"),
        ("Install software version 2.14 after applying the firmware patch.", "reversed"),
        ("Apply the firmware patch directly to the printer.", "skipped"),
        ("You should apply the firmware patch right away.", "skipped"),
        ("The firmware patch mends paper jams.", "not_applicable"),
        ("Do not apply the firmware patch yet.", "not_applicable"),
    ],
)
def test_the_step_that_comes_first_is_told_first(text: str, expected: str) -> None:
    assert label(text, FIRMWARE) == expected


@pytest.mark.parametrize(
    "source",
    [
        "Do not close the account until the final invoice is paid.",
        "The account may be closed only after the final invoice is paid.",
        "Once the final invoice is paid, close the account.",
        "Before closing the account, pay the final invoice.",
        "Pay the final invoice, then close the account.",
    ],
)
def test_an_order_is_read_however_it_is_worded(source: str) -> None:
    assert label("Pay the final invoice. Close the account.", source) == "kept"
    assert label("Close the account. Pay the final invoice.", source) == "reversed"


@pytest.mark.parametrize(
    "source",
    [
        "Install software version 2.14 before you apply the firmware patch.",
        "Before applying the firmware patch, please install software version 2.14.",
        "1. Install software version 2.14 prior to applying the firmware patch.",
    ],
)
def test_a_step_that_the_source_commands_may_not_be_left_out(source: str) -> None:
    assert label("Apply the firmware patch directly to the printer.", source) == "skipped"
    assert label("Install software version 2.14 first. Then apply the firmware patch.", source) == "kept"


def test_what_others_do_before_commands_nobody() -> None:
    source = "Technicians install software version 2.14 before they apply the firmware patch."
    assert label("Apply the firmware patch directly to the printer.", source) == "not_applicable"


def test_how_long_before_something_is_due_is_no_order_of_steps() -> None:
    source = "Parental leave must be requested 14 days before the leave begins."
    assert label("Begin the leave when it suits you. Request it in the portal.", source) == "not_applicable"


def test_an_order_that_obliges_nobody_may_be_left_out() -> None:
    assert label("Close the ticket.", "Agents thank the caller, then close the ticket.") == "not_applicable"


def test_a_constraint_of_the_case_states_an_order_too() -> None:
    case = Case(constraints=("Never wipe the laptop before backing up its disk.",))
    found = judged("Wipe the laptop today.", "Laptops are wiped with the vendor's tool.", case=case)
    assert isinstance(found, Score)
    assert (found.value, found.label, found.basis) == (0.0, "skipped", "gold")


def test_the_passage_that_states_the_order_is_shown() -> None:
    found = judged("Apply the firmware patch.", "The desk opens at nine.", FIRMWARE)
    assert isinstance(found, Score)
    assert [(each.passage_id, each.detail.split(":")[0]) for each in found.evidence] == [("p1", "skipped")]
