"""Labels of claims, of answers, of metrics and of comparisons never disagree, and no number says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Absent, Env, Score
from scorers.grounding.claim_support import ClaimSupport
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.grounding.faithfulness import Faithfulness
from scorers.ports.entailment import Compared, Temperatures
from scorers.support.comparison import comparisons
from scorers.support.model import EVEN

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PANEL = (ClaimSupport(), Faithfulness(), ContradictionAbsence())
RULES = (
    "Gift cards cannot be returned.",
    "Employees must report a lost badge.",
    "Hotels are reimbursed up to 180 EUR per night.",
    "Leave is 20 weeks.",
    "Managers may approve remote work for all employees.",
    "Returns are free unless the item is used.",
)
SAID = (
    *RULES,
    "Yes, gift cards can be returned.",
    "Employees may report a lost badge.",
    "Hotels are reimbursed up to 240 USD per night.",
    "Leave is 16 weeks.",
    "Penguins live in the south.",
    "Sorry, I can't help with that.",
    "Is there anything else?",
    "I don't know.",
)
answers = st.lists(st.sampled_from(SAID), min_size=1, max_size=5).map(" ".join)
contexts = st.lists(st.lists(st.sampled_from(RULES), min_size=1, max_size=4).map(" ".join), max_size=3)
figures = st.floats(0, 1)


class Drawn:
    """A model of entailment that says what is drawn."""

    name = "drawn"

    def __init__(self, support: Sequence[float], against: Sequence[float] | None, threshold: float) -> None:
        self.support, self.against = support, against
        self.temperatures = Temperatures(claim=1.5, contradiction=0.8, answer=2.0, threshold=threshold)

    def compare(self, passages: Sequence[str], claims: Sequence[str]) -> Compared:
        size = len(claims), len(passages)
        support, against = (
            None if drawn is None else np.resize(np.array(drawn), size) for drawn in (self.support, self.against)
        )
        assert support is not None
        return Compared(support, against)


models = st.none() | st.builds(
    Drawn,
    st.lists(figures, min_size=1, max_size=6),
    st.none() | st.lists(figures, min_size=1, max_size=6),
    st.floats(0.05, 0.95),
)


def agree(said: str, told: Sequence[str], model: Drawn | None) -> None:
    """Assert the law for one answer."""
    passages = tuple(Passage(id=f"p{n}", text=text) for n, text in enumerate(told))
    answer, env = Answer(id="a", answer=said, passages=passages), Env(now=NOW, entailment=model)
    found = {each.metric: each for each in run_panel(PANEL, answer, env).scores}
    compared = comparisons(answer, env)
    if isinstance(compared, Absent):
        assert not found, "what has no claims has no score"
        return
    labels = {each.verdict for each in compared}
    for each in compared:
        assert (each.contradicted >= EVEN) == (each.verdict == "contradicted")
        assert (each.supported > EVEN) == (each.verdict == "supported")
        assert each.supported + each.contradicted <= 1 + 1e-9
    faithful, absent, support = (found[s.metric.name] for s in (Faithfulness(), ContradictionAbsence(), ClaimSupport()))
    worst = next(label for label in ("contradicted", "unsupported", "supported") if label in labels)
    assert faithful.label == worst
    assert (absent.label == "contradicted") == (worst == "contradicted")
    assert support.value == pytest.approx(sum(each.supported for each in compared) / len(compared))
    for score in (faithful, absent, support):
        for label in ("contradicted", "unsupported"):
            count = sum(each.verdict == label for each in compared)
            assert (f"{count} {label}" in (score.explanation or "")) == (count > 0)


@settings(max_examples=60, deadline=None)
@given(answers, contexts, models)
def test_claims_answers_and_metrics_have_one_label(said: str, told: list[str], model: Drawn | None) -> None:
    agree(said, told, model)


def score(said: str, told: str) -> Score:
    found = Faithfulness().score(Answer(id="a", answer=said, passages=(Passage(id="p", text=told),)), Env(now=NOW))
    assert isinstance(found, Score)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_what_the_context_says_word_for_word_is_supported(rule: str) -> None:
    assert score(rule, " ".join(RULES)).label == "supported"


def test_the_explanation_names_what_differs_and_the_evidence_where() -> None:
    found = score("Employees may report a lost badge.", "Badges are blue. Employees must report a lost badge.")
    assert found.label == "contradicted"
    assert "modality differs" in (found.explanation or "")
    assert "Employees must report a lost badge." in found.evidence[0].detail


def test_every_label_that_a_score_carries_is_declared() -> None:
    declared = {each.metric.name: each.metric.labels for each in default_panel()}
    for said in SAID:
        answer = Answer(id="a", question="Is it so?", answer=said, passages=(Passage(id="p", text=" ".join(RULES)),))
        for each in run_panel(default_panel(), answer, Env(now=NOW)).scores:
            assert each.label is None or each.label in declared[each.metric]
            assert (each.label is None) == (not declared[each.metric])
