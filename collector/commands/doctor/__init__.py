"""`groundwire doctor`: why nothing arrives, is scored or is judged, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from collector.commands.doctor import arriving, judging, reaching, scoring, sending
from collector.commands.doctor.base import Diagnosed, DoctorRule
from collector.commands.doctor.facts import AgentFacts

RULES: tuple[DoctorRule, ...] = (
    *reaching.RULES,
    *sending.RULES,
    *arriving.RULES,
    *scoring.RULES,
    *judging.RULES,
)
"""All rules, in the order of the way of an answer: what is wrong first may explain what is wrong later."""


def findings(facts: AgentFacts) -> Iterator[Diagnosed]:
    """Yield what is wrong, in the order of the rules. Of an agent that cannot be asked only that is told."""
    for rule in RULES:
        if rule.stage == "reach" or facts.reach == "reached":
            yield from (Diagnosed(rule, seen) for seen in rule.look(facts))
