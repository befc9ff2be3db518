"""Values that step up or down at a point: "27 days of leave, rising to 30 after five years of service".

Of somebody with seven years a claim must give the second value, of somebody with three the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bounded import MOST_SENTENCES
from scorers.support.bracketing import Bracketed
from scorers.support.context import Context
from scorers.support.contraries.reading import held, keys_of_text, marks_of
from scorers.support.parity import CONDITIONED, named_in, turns
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.75
"""How sure it is that a claim is wrong that gives its case the value of the other side."""
HELD = 0.5
"""Share of what else a claim says that the sentence must have."""

_STEP = re.compile(r"[^.;]{0,40}\b(?:after|from|once|upon|with|for) (?:[a-z]{1,12} ){0,3}", re.IGNORECASE)
"""What stands between the second value and the point from which on it goes."""
_CASE = re.compile(
    r"\b(?:for|with|after|has|have|in|completed?|done|served|of)(?: (?:over|about|just|only))? $", re.IGNORECASE
)
_SOMEBODY = word_set(
    "someone somebody anyone person people employee employees member members company staff join joined been"
)
"""Words that tell of nobody in particular."""


class _Step(NamedTuple):
    """A sentence with two values of one kind and the point at which the second one takes the place of the first."""

    source: int
    words: str
    first: Quantity
    second: Quantity
    point: Quantity


def stepped(a: Alignment) -> Bracketed | None:
    """Return what a sentence says of the case of a claim on one side of a step; ``None`` of no case."""
    words = a.claim.sentence.words[:LONGEST]
    stated = words[behind_particle(words) :]
    found = quantities_in(stated, "en")
    steps = a.context.once(_steps) if len(found) > 1 else ()
    if not steps:
        return None
    marks = marks_of(stated)
    if CONDITIONED.search(stated) or turns(marks):
        return None
    named = [word for word in named_in(marks) if word.text not in _SOMEBODY]
    for step in steps:
        case = next((each for each in found if _is_case(each, step.point, stated)), None)
        value = next((each for each in found if each is not case and _is_value(each, step)), None)
        if case is None or value is None or held(named, keys_of_text(step.words)) < HELD:
            continue
        right, wrong = (step.second, step.first) if case.value >= step.point.value else (step.first, step.second)
        if same_value(value, right):
            return Bracketed(step.source, step.words)
        if same_value(value, wrong):
            return Bracketed(step.source, step.words, Difference("quantity", value.told, right.told, SURE))
    return None


def _is_case(each: Quantity, point: Quantity, text: str) -> bool:
    """Tell whether a value is one beside the point of a step, which it is not itself."""
    alike = each.dimension == point.dimension and each.unit == point.unit and not each.rate
    return (
        alike
        and not close(each.value, point.value)
        and (_CASE.search(text, 0, each.start) is not None or each.bound == "after")
    )


def _is_value(each: Quantity, step: _Step) -> bool:
    return same_kind(each, step.first) and each.unit == step.first.unit and each.unit != step.point.unit


def _steps(context: Context) -> tuple[_Step, ...]:
    """Return the steps that the sentences of a context tell."""
    found: list[_Step] = []
    for index, source in enumerate(context.sources):
        if source.record is None:
            for each in islice(source.sentences, MOST_SENTENCES):
                words = each.words[:LONGEST]
                if each.kind != "question" and not _RISING.isdisjoint(glance(words)):
                    found += _steps_in(index, words)
    return tuple(found)


_RISING = word_set(
    "rising rises rise increasing increases increase growing grows grow going goes climbing climbs up plus then falling"
    " falls fall dropping drops drop decreasing decreases decrease reduced raised increased lowered becomes become"
)


def _steps_in(index: int, words: str) -> Iterator[_Step]:
    read: Sequence[Quantity] = quantities_in(words, "en")
    for (first, second), point in zip(pairwise(read), read[2:], strict=False):
        if (
            same_kind(first, second)
            and first.unit == second.unit != point.unit
            and point.dimension == "time"
            and not same_value(first, second)
            and _STEP.fullmatch(words, second.end, point.start)
        ):
            yield _Step(index, words, first, second, point)
