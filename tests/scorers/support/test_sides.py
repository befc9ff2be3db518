"""Spans of time on the other side of what happens, and days of the calendar for days of work."""

from __future__ import annotations

import pytest

from tests.scorers.support.test_other_words import label_of

RULES = (
    "Course fees are due within 14 days of receiving the invoice. The organiser may move a course with 5 days' notice. "
    "Certificates are sent 3 weeks after the exam. The results are published two days later. Rooms open 30 minutes "
    "before the lesson. Materials are shipped one week in advance. Membership ends 3 months after you cancel it. "
    "Tutors are paid within 10 working days of sending their report. Complaints are answered within 8 working days."
)
WRONG = [
    "Course fees are due 14 days before you receive the invoice.", "Certificates are sent 3 weeks before the exam.",
    "The organiser may tell you 5 days after moving a course.", "Rooms open 30 minutes after the lesson.",
    "Materials are shipped one week after the start.", "The results are published two days earlier.",
    "Tutors are paid 10 working days before they send their report.",
    "Complaints are answered within 8 calendar days.",
]  # fmt: skip
RIGHT = [
    "Courses may be moved if the organiser gives 5 days' notice.", "The exam is 3 weeks before certificates are sent.",
    "Membership takes 3 months' notice to end.", "Rooms open half an hour ahead of the lesson.",
    "You have 14 days to pay the course fees once you get the invoice.",
    "Complaints are answered within 8 business days.",
    "Tutors get paid 10 working days after their report at the latest.",
]  # fmt: skip


@pytest.mark.parametrize("claim", WRONG)
def test_a_span_on_the_other_side_is_found(claim: str) -> None:
    assert label_of(RULES, "When?", claim) != "supported"


@pytest.mark.parametrize("claim", RIGHT)
def test_a_span_on_the_same_side_is_none(claim: str) -> None:
    assert label_of(RULES, "When?", claim) != "contradicted"
