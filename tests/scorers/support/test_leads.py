"""A label is the same with and without what assistants say around a statement."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers import default_panel
from scorers.base import Env
from scorers.panel import run_panel
from tests.scorers.text.test_leads import LEADS, TAILS

PANEL = tuple(each for each in default_panel() if each.metric.name == "faithfulness")
POLICIES = (
    ("Gift cards cannot be returned.", "gift cards can be returned.", "gift cards cannot be returned."),
    ("Employees must wear a badge at all times.", "wearing a badge is optional.", "staff must always wear a badge."),
    ("The token expires after 30 minutes.", "the token expires after 30 days.", "the token expires after 30 minutes."),
)
AROUND = {
    **{lead.strip(): (lambda said, lead=lead: lead + said) for lead in LEADS},
    **{tail.strip(): (lambda said, tail=tail: said.rstrip(".") + tail) for tail in TAILS},
    "(source: policy handbook)": lambda said: said.rstrip(".") + " (source: policy handbook).",
    "[source: handbook, p. 3]": lambda said: f"{said} [source: handbook, p. 3]",
    "(see section 3 of the handbook)": lambda said: said.rstrip(".") + " (see section 3 of the handbook).",
    "capitals": str.upper,
    "a paragraph of HTML": lambda said: f"<p>{said}</p>",
    "bold HTML": lambda said: f"<b>{said}</b><br/>",
    "a label in bold": lambda said: f"**Answer:** {said}",
}


@pytest.mark.parametrize("around", AROUND)
def test_a_label_does_not_hang_on_what_is_said_around_a_statement(around: str) -> None:
    for source, wrong, right in POLICIES:
        assert _label(source, AROUND[around](wrong)) == "contradicted", source
        assert _label(source, AROUND[around](right)) == "supported", source


def _label(source: str, said: str) -> str | None:
    answer = Answer(id="a", question="What is the rule?", answer=said, passages=(Passage(id="p", text=source),))
    found = run_panel(PANEL, answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    return next(score.label for score in found.scores if score.metric == "faithfulness")
