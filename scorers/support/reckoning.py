"""Values of a claim that a reader reckons from rules: an hour before closing, three hours at 4 EUR an hour.

Both come to one value alone where the context names the step itself, a time before or after something or a price for
one of what the claim counts, so little is reckoned by chance. A time may be the asker's own: "my visit is at 2 pm".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    """Return those values of a claim that follow from a time and a step, or from a price and how many it counts.

    With them come the numbers that a price is taken times. Nothing is reckoned that the context has itself.
    """
    if a.context.length > SHORT:
        return ()
    claimed = quantities_in(a.claim.sentence.words[:LONGEST], "en")
    open_ = [each for each in claimed if each.dimension in ("clock", "money")]
    if not open_:
        return ()
    told, steps = a.context.once(_values)
    missing = [each for each in open_ if not any(_one(each, other) for other in told)]
    if not missing:
        return ()
    asked = quantities_in(a.claim.asked[:LONGEST], "en")
    counted, of_day = (*claimed, *asked), (*told, *(each for each in asked if each.dimension == "clock"))
    found = (by for each in missing for value, by in _results(each, of_day, steps, counted) if close(each.value, value))
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def _results(
    wanted: Quantity, told: Sequence[Quantity], steps: Sequence[Quantity], counted: Sequence[Quantity]
) -> Iterator[tuple[float, tuple[Quantity, ...]]]:
    """Yield what a value may come to, and the values of a claim that are founded if it does."""
    if wanted.dimension == "clock":
        for clock in told:
            if clock.dimension == "clock":
                for step in steps:
                    yield clock.value - step.value / _MINUTE, (wanted,)
                    yield clock.value + step.value / _MINUTE, (wanted,)
        return
    for price in told:
        if price.dimension == "money" and price.unit == wanted.unit and price.rate:
            yield from ((price.value * each.amount, (wanted, each)) for each in counted if each.unit == price.rate)


def _values(context: Context) -> tuple[tuple[Quantity, ...], tuple[Quantity, ...]]:
    """Return the times of day and sums of money of a context, and the times that stand before or after something."""
    sentences = islice((each.words for source in context.sources for each in source.sentences), MOST_SENTENCES)
    read = [(words[:LONGEST], quantities_in(words[:LONGEST], "en")) for words in sentences]
    every = chain.from_iterable(values for _, values in read)
    told = tuple(islice((each for each in every if each.dimension in ("clock", "money")), MOST_VALUES))
    steps = (
        each
        for words, values in read
        for each in values
        if each.dimension == "time" and each.value <= _LONGEST_STEP and _ASIDE.match(words, each.end + 1)
    )
    return told, tuple(islice(steps, MOST_VALUES))


def _one(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension and close(one.value, other.value)
