"""`groundwire doctor`: why nothing arrives, is scored or is judged, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from collector.commands.doctor import arriving, judging, pulling, reaching, scoring, sending
from collector.commands.doctor.base import Diagnosed, DoctorRule, Gravity
from collector.commands.doctor.facts import AgentFacts

RULES: tuple[DoctorRule, ...] = (
    *reaching.RULES,
    *sending.RULES,
    *arriving.RULES,
    *pulling.RULES,
    *scoring.RULES,
    *judging.RULES,
)
"""All rules, in the order of the way of an answer: what is wrong first may explain what is wrong later."""


def findings(facts: AgentFacts) -> Iterator[Diagnosed]:
    """Yield what is wrong: errors, then warnings, then notes, each in the order of the rules.

    Of an agent that cannot be asked, or is not ready, only that is told and what is wrong with the exporter's address:
    what else it does not do may come from there.
    """
    ready = facts.reach == "reached" and not facts.ready.get("reasons")
    found = [
        Diagnosed(rule, seen)
        for rule in RULES
        if rule.stage == "reach" or ready or (facts.reach == "reached" and rule in sending.RULES)
        for seen in rule.look(facts)
    ]
    yield from sorted(found, key=lambda each: get_args(Gravity).index(each.rule.severity))
