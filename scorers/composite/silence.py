"""Answers that claim nothing, and whether they should have."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.schema import Answer
from scorers.base import Env, Score
from scorers.composite.profile import MEMBERS
from scorers.memory import Memory, once
from scorers.support.claims import statements_of

HELD = 0.5
"""Where the passages cover less of what is asked than this, they do not hold the answer."""
GROUNDING = frozenset({"faithfulness", "contradiction_absence"})
"""What tells whether the claims of an answer rest on its passages."""
_WRONG = {"refusal_appropriateness": ("over_refusal", "missing_refusal"), "policy_boundary_handling": ("overstepped",)}
_RIGHT = {"refusal_appropriateness": "appropriate", "policy_boundary_handling": "kept"}


@once
def claims_nothing(answer: Answer, memory: Memory) -> bool:
    """Tell whether an answer has words, and none of them claims anything.

    >>> claims_nothing(Answer(id="a", answer="Sorry, I can't help with that."), Memory())
    True
    """
    return bool((answer.answer or "").strip()) and not any(each.asserts for each in statements_of(answer, memory))


def grounding_told(answer: Answer, env: Env) -> bool:
    """Tell whether anything says what an answer rests on; one that claims nothing need not rest on anything."""
    return not GROUNDING.isdisjoint(env.scored) or claims_nothing(answer, env.memory)


def wrongly_silent(scored: Mapping[str, Score]) -> bool:
    """Tell whether rules, or the points that labels require, say that an answer which claims nothing should have."""
    points = scored.get("answer_completeness")
    if points is not None and points.basis == "gold" and points.value < HELD:
        return True
    return any(name in scored and scored[name].label in labels for name, labels in _WRONG.items())


def rightly_silent(answer: Answer, scored: Mapping[str, Score]) -> bool:
    """Tell whether an answer that claims nothing is known to be right.

    Nothing says otherwise, and a rule asks for it, or nothing was retrieved, or what was does not hold the answer. A
    question that nobody asked (a greeting) cannot be left unanswered.
    """
    if wrongly_silent(scored):
        return False
    if any(name in scored and scored[name].label == label for name, label in _RIGHT.items()):
        return True
    coverage = scored.get("answerable_evidence_coverage")
    if coverage is not None:
        return coverage.value < HELD
    return answer.context_passages() == () or not (answer.question or "").strip()


def unasked(score: Score, *, right: bool) -> bool:
    """Tell whether a score says nothing of an answer that claims nothing: by no labels, what it left out.

    Where that is ``right``, so does what was retrieved: little, where nothing was there.
    """
    left_out = score.metric == "answer_completeness" or (right and score.metric in MEMBERS["retrieval"])
    return left_out and score.basis != "gold"
