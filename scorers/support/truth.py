"""What a claim says of the keys of a structured context, against the truth of those keys."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal

from scorers.support.denial import denied
from scorers.text.normalize import Terms
from scorers.text.record import Fact
from scorers.text.stemming import stem

FactVerdict = Literal[
    "fact_true", "fact_true_denied", "fact_false_said", "fact_false_choice_said", "fact_false_choice_grouped",
    "fact_null_said", "fact_null_denied", "fact_false_denied", "fact_value_kept", "fact_value_other",
    "fact_null_choice_said", "fact_group_denied",
]  # fmt: skip
"""How a claim stands to the truth of a key that it names."""

EXPLAINED = frozenset({"fact_true", "fact_null_denied", "fact_false_denied"})
"""Verdicts under which the words of the key are told by the context, although a false key is no sentence of it."""


_PART = 3
"""Words of at most so many letters say nothing by standing within a joined key: nearly every key holds them."""


def judge(claim: Terms, facts: Sequence[Fact]) -> tuple[tuple[Fact, FactVerdict], ...]:
    """Return the facts whose key the claim names, each with how it stands to their truth."""
    words = claim.words
    stems = [stem(word) for word in words]
    have = set(stems)
    joined = {one + other for one, other in itertools.pairwise(words)} | set(words)
    joined.update(one + two + three for one, two, three in zip(words, words[1:], words[2:], strict=False))
    named = [fact for fact in facts if fact.key <= have or fact.joined in joined]
    whole = list(_groups(facts, named, have))
    if not (named or whole):
        return ()
    flags = denied(words)
    groups: dict[frozenset[str], int] = {}
    for fact in named:
        if fact.choice:
            groups[fact.group] = groups.get(fact.group, 0) + 1
    found: list[tuple[Fact, FactVerdict]] = []
    for fact in named:
        turned = any(
            flag and (word in fact.key or (len(raw) > _PART and raw in fact.joined))
            for word, raw, flag in zip(stems, words, flags, strict=True)
        )
        grouped = bool(fact.group & have) or groups.get(fact.group, 0) > 1
        verdict = _verdict(fact, have, turned=turned, grouped=grouped)
        if verdict is not None:
            found.append((fact, verdict))
    for group, members in whole:
        there = [fact for fact in members if fact.truth == "true"]
        if there and any(flag and word in group for word, flag in zip(stems, flags, strict=True)):
            found.append((there[0], "fact_group_denied"))
    return tuple(found)


def _groups(
    facts: Sequence[Fact], named: Sequence[Fact], have: set[str]
) -> Iterator[tuple[frozenset[str], list[Fact]]]:
    """Yield the groups of choices that the claim names without any of their keys, with their facts."""
    groups: dict[frozenset[str], list[Fact]] = {}
    for fact in facts:
        if fact.choice and fact.group and fact.group <= have:
            groups.setdefault(fact.group, []).append(fact)
    told = {fact.group for fact in named}
    return ((group, members) for group, members in groups.items() if group not in told)


def _verdict(fact: Fact, have: set[str], *, turned: bool, grouped: bool) -> FactVerdict | None:
    if fact.truth == "true":
        return "fact_true_denied" if turned else "fact_true"
    if fact.truth == "null":
        if turned:
            return "fact_null_denied"
        return "fact_null_choice_said" if fact.choice else "fact_null_said"
    if fact.truth == "value":
        if not fact.value:
            return None
        return "fact_value_kept" if fact.value & have else "fact_value_other"
    if turned:
        return "fact_false_denied"
    if not fact.choice:
        return "fact_false_said"
    return "fact_false_choice_grouped" if grouped else "fact_false_choice_said"
