"""Claims that say what a context comes to, or has in so many words, and claims beside them that do not."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

PRICES = "Prices for the boat house:\n- Canoe: 16 euros\n- Pedal boat: 21 euros\n- Sailing boat: 48 euros"
FEES = "Fees:\n\n| Course | Fee |\n|---|---|\n| Pottery | 140 |\n| Weaving | 95 |\n\nAll fees are in francs."
PASSES = "The S pass costs 30 euros a month. The M pass costs 44 euros. The L pass costs 61 euros."
NOTICE = "| Years of service | Weeks of notice |\n|---|---|\n| 0-2 | 4 |\n| 3-6 | 8 |\n| 7 or more | 12 |"
SEASON = "Boats rented between 10 May and 20 September must be returned by 19:00. At other times they are due at 16:00."
WARRANTY = "Pumps come with a six-year warranty, hoses with a four-year warranty and valves with a one-year warranty."
BADGE = "Contractors receive a temporary badge. It may be used on weekdays and at night, but not for the archive."
TRIAL = "The trial phase lasts four months. During this phase the notice is shorter, at ten days."


def label(claim: str, source: str, question: str | None = None) -> str:
    found = judge(Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=source),)), Memory())
    assert isinstance(found, Judgement)
    return found.label


@pytest.mark.parametrize(
    ("source", "question", "claim"),
    [
        (PRICES, "What do a canoe and a sailing boat cost?", "A canoe and a sailing boat together cost 64 euros."),
        (PRICES, "What do two canoes cost?", "Renting two canoes costs €32."),
        (FEES, "What do three pottery courses cost?", "Three pottery courses cost CHF 420."),
        (PASSES, "How much more is L than S?", "The L pass is €31 a month more expensive than the S pass."),
        (PASSES, "What is the S pass per year?", "The S pass comes to 360 euros a year."),
        (NOTICE, "What is the notice after five years?", "With five years of service the notice is 8 weeks."),
        (SEASON, "When is a boat due that I rent on 3 July?", "A boat rented on 3 July must be returned by 19:00."),
        (WARRANTY, "How long is the warranty on a hose?", "Hoses come with a four-year warranty."),
        (
            BADGE,
            "And the archive?",
            "The temporary badge may be used on weekdays and at night but not for the archive.",
        ),
        (TRIAL, "Is the notice different at first?", "During the trial phase the notice is shorter, at ten days."),
        ("Rentals cost 40 euros. Members pay half.", "What do members pay?", "Members pay 20 euros for rentals."),
    ],
)
def test_what_a_context_comes_to_is_supported(source: str, question: str, claim: str) -> None:
    assert label(claim, source, question) == "supported"


@pytest.mark.parametrize(
    ("source", "question", "claim"),
    [
        (PRICES, "What do a canoe and a sailing boat cost?", "A canoe and a sailing boat together cost 69 euros."),
        (PRICES, "What do two canoes cost?", "Renting two canoes costs €42."),
        (FEES, "What do three pottery courses cost?", "Three pottery courses cost CHF 285."),
        (PASSES, "How much more is L than S?", "The L pass is €25 a month more expensive than the S pass."),
        (SEASON, "When is a boat due that I rent on 3 July?", "A boat rented on 3 July must be returned by 21:00."),
    ],
)
def test_what_it_does_not_come_to_is_flagged(source: str, question: str, claim: str) -> None:
    assert label(claim, source, question) in ("unsupported", "contradicted")


def test_talk_about_the_answer_is_no_claim() -> None:
    said = "Good question, there are a few options. The canoe costs 16 euros. Hope you enjoy the trip!"
    assert label(said, PRICES, "What does a canoe cost?") == "supported"
    assert label("Yes, there's an easy way.", "A canoe can be rented.", "Can I rent a canoe?") == "supported"
    assert label("Yes, there's an easy way.", "A canoe cannot be rented.", "Can a canoe be rented?") == "contradicted"


@pytest.mark.parametrize(
    ("source", "question", "claim"),
    [
        (
            "Cabins may be rented for a week provided nobody else has reserved them.",
            "Can I rent a cabin?",
            "You can rent a cabin for a week, as long as no one else has reserved it.",
        ),
        (
            "Filming without a tripod is allowed.",
            "May I film?",
            "Yes, you may film provided you don't use a tripod.",
        ),
        (
            "Courses must be cancelled at least 10 days before the start.",
            None,
            "You must cancel a course no later than 10 days ahead of the start.",
        ),
        (
            "The desk closes 45 minutes before the show.",
            None,
            "The desk closes three quarters of an hour before the show.",
        ),
        ("The gallery opens daily except Tuesdays from 10 to 18.", None, "The gallery is closed on Tuesdays."),
        (
            "Cats are not admitted, except service cats.",
            "Can I bring a service cat?",
            "Yes, service cats are the exception to the ban on cats.",
        ),
        (
            "Some districts have a higher rent cap, which is listed in the annex.",
            "Do all districts have the higher rent cap?",
            "No, the higher rent cap applies to some districts only, listed in the annex.",
        ),
        ("Pupils are exempt from the fee.", "What do I pay as a pupil?", "Nothing, pupils are exempt."),
        (
            "Members are not required to state a reason for cancelling.",
            "Do I need to explain why?",
            "No, you aren't obliged to state any reason for cancelling.",
        ),
        (
            "Delivery is free for orders above 60 euros or with a gift set; otherwise it costs 5 euros.",
            "Is delivery free for a gift set?",
            "Yes, delivery is free for an order with a gift set, even if it's under 60 euros.",
        ),
    ],
)
def test_a_condition_told_in_other_words_is_no_other_condition(source: str, question: str | None, claim: str) -> None:
    assert label(claim, source, question) == "supported"


@pytest.mark.parametrize(
    ("source", "question", "claim"),
    [
        ("Filming without a tripod is allowed.", "May I film?", "Yes, you may film only if you use a tripod."),
        (
            "Courses must be cancelled at least 10 days before the start.",
            None,
            "You must cancel a course no later than 5 days ahead of the start.",
        ),
        ("The gallery opens daily except Tuesdays from 10 to 18.", None, "The gallery is open on Tuesdays."),
        (
            "Cats are not admitted, except service cats.",
            "Can I bring a service cat?",
            "No, service cats are not admitted.",
        ),
        ("Pupils are exempt from the fee.", "What do I pay as a pupil?", "Pupils are not exempt from the fee."),
    ],
)
def test_another_condition_is(source: str, question: str | None, claim: str) -> None:
    assert label(claim, source, question) in ("unsupported", "contradicted")
