"""Times of day of a claim that a reader reckons from rules: "an hour before closing", where it closes at 6 pm.

The context names the step itself, a time before or after something, so little is reckoned by chance. A time may be the
asker's own: "my visit is at 2 pm".
"""

from __future__ import annotations

import re
from itertools import chain, islice

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.context import Context

SHORT = 600
"""Words with content of a context up to which it is short."""
MOST_SENTENCES, MOST_VALUES = 60, 24
"""Sentences of a context that are read, and values of each kind."""
_MINUTE = 60.0
_LONGEST_STEP = 12 * 60 * _MINUTE
_ASIDE = re.compile(r"\b(?:before|after|prior to|earlier|later|ahead of)\b", re.IGNORECASE)


def reckoned(a: Alignment) -> tuple[Quantity, ...]:
    """Return those times of day of a claim that follow from one and a step; none that the context has itself."""
    if a.context.length > SHORT:
        return ()
    claimed = [each for each in quantities_in(a.claim.sentence.words[:LONGEST], "en") if each.dimension == "clock"]
    if not claimed:
        return ()
    told, steps = a.context.once(_values)
    asked = [each for each in quantities_in(a.claim.asked[:LONGEST], "en") if each.dimension == "clock"]
    reached = [
        clock.value + sign * step.value / _MINUTE for clock in (*told, *asked) for step in steps for sign in (-1, 1)
    ]
    return tuple(
        each
        for each in claimed
        if not any(close(each.value, other.value) for other in told)
        and any(close(each.value, value) for value in reached)
    )


def _values(context: Context) -> tuple[tuple[Quantity, ...], tuple[Quantity, ...]]:
    """Return the times of day of a context, and the times that stand before or after something."""
    sentences = islice((each.words for source in context.sources for each in source.sentences), MOST_SENTENCES)
    read = [(words[:LONGEST], quantities_in(words[:LONGEST], "en")) for words in sentences]
    every = chain.from_iterable(values for _, values in read)
    told = tuple(islice((each for each in every if each.dimension == "clock"), MOST_VALUES))
    steps = (
        each
        for words, values in read
        for each in values
        if each.dimension == "time" and each.value <= _LONGEST_STEP and _ASIDE.match(words, each.end + 1)
    )
    return told, tuple(islice(steps, MOST_VALUES))
