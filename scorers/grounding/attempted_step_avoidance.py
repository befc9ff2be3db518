"""Attempted step avoidance: whether an answer spares its reader the steps that were tried already."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, not_applicable
from scorers.policy.actions import action_of, clauses_of, told
from scorers.text.excerpt import excerpt

MAX_STEPS = 50
LISTED = 5


class AttemptedStepAvoidance(Scorer):
    """Share of the case's attempted steps that the answer does not ask for again: 0 it repeats all of them, 1 none.

    A step is repeated where a clause of the answer names it and neither says not to do it nor that it was tried. What
    was tried is the case's to tell (``case.attempted_steps``); without it: ``not_applicable``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Case
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> case = Case(attempted_steps=("restart the mail client",))
    >>> for text in ("Restart your mail client.", "As you already restarted the mail client, clear its cache."):
    ...     print(AttemptedStepAvoidance().score(Answer(id="a", answer=text, case=case), env).value)
    0.0
    1.0
    """

    metric: ClassVar[Metric] = Metric(
        name="attempted_step_avoidance",
        family="grounding",
        languages=("en",),
        words=("answer",),
        unit="ratio",
        better="higher",
        help="Share of the steps tried before that an answer does not ask for again: 0 it repeats all, 1 none.",
        formula="1 - attempted steps that a clause of the answer asks for / attempted steps",
        source="Case-aware judge, metric M8 (resolution alignment) and J.5 (answers that repeat attempted steps).",
        bases=("gold",),
        cost="wording",
        limits="Recognizes a step by its words and their synonyms, in English: one asked for in other words is not "
        "found.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "case"})
    type: Literal["attempted_step_avoidance"] = "attempted_step_avoidance"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of attempted steps that are not repeated, or why there is none."""
        steps = answer.case.attempted_steps[:MAX_STEPS] if answer.case is not None else ()
        actions = [(step, action) for step in steps if (action := action_of(step)) is not None]
        if not actions:
            return not_applicable("the case lists no attempted step")
        clauses = clauses_of(answer, env.memory)
        found = [
            (step, next((clause for clause in told(action, clauses) if not clause.tried), None))
            for step, action in actions
        ]
        repeated = [(step, clause) for step, clause in found if clause is not None]
        return Measured(
            value=1 - len(repeated) / len(actions),
            basis="gold",
            label="repeated" if repeated else "spared",
            explanation=f"{len(repeated)} of {len(actions)} attempted steps are suggested again",
            evidence=tuple(
                Evidence.of_claim(
                    clause.sentence, f"{excerpt(clause.sentence.words)!r} asks for {excerpt(step)!r}, which was tried"
                )
                for step, clause in repeated[:LISTED]
            ),
        )
