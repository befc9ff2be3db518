"""Two sentences that say the opposite of one thing: one negated, one with the opposite word, one yes and one no."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.caching import cached
from scorers.support.polarity import OPPOSITES
from scorers.text.normalize import terms
from scorers.text.plain import plain

SUREST = 0.9
"""The most that a rule without training claims."""

_MAX_SENTENCE = 1_000
_LEAST_SHARED = 2
"""Words that two sentences share at least, or they do not speak of the same thing."""


@dataclass(frozen=True, slots=True)
class Stance:
    """The words of a sentence, those it negates, and the opposites of its words."""

    words: frozenset[str]
    negated: frozenset[str]
    opposites: frozenset[str]


def opposed(one: str, other: str) -> float:
    """Return how surely two sentences say the opposite: the share of the shorter one's words that both have, or 0.

    A word that only one of the two negates turns the statement round, and so does an opposite ("allowed", "banned")
    unless just one of the two is negated ("not allowed", "banned"). At most `SUREST`; a rule, not a trained figure.

    >>> opposed("Smoking is allowed in the lobby.", "Smoking is not allowed in the lobby.")
    0.9
    >>> opposed("Smoking is not allowed in the lobby.", "Smoking is forbidden in the lobby.")
    0.0
    """
    return against(stance(one), stance(other))


def against(a: Stance, b: Stance) -> float:
    """Return what `opposed` does, of sentences that were read."""
    if a.negated == b.negated and a.opposites.isdisjoint(b.words):
        return 0.0
    first, second = a.words, b.words
    shared = first & second
    swaps = [(word, turn) for word in first - second for turn in OPPOSITES.get(word, frozenset()) & (second - first)]
    if swaps:
        turned = any((word in a.negated) == (turn in b.negated) for word, turn in swaps)
    else:
        # What is negated must be said by both, or the two need not speak of the same thing.
        alone = a.negated ^ b.negated
        turned = bool(alone) and not any(word not in shared and not word.startswith("#") for word in alone)
    if not turned or len(shared) < _LEAST_SHARED:
        return 0.0
    return SUREST * min(1.0, (len(shared) + len(swaps)) / min(len(first), len(second)))


def yes_and_no(one: str, other: str) -> bool:
    """Tell whether one text opens with yes and the other with no.

    >>> yes_and_no("Yes, after the trial period.", "No. It is never possible.")
    True
    """
    return {opening(one), opening(other)} == {"yes", "no"}


def opening(text: str) -> str:
    """Return the first word of a text, in lower case."""
    word = plain(text[:40]).strip().split(" ", 1)[0]
    return word.strip(",.;:!").lower()


# A sentence is compared with those of every other passage.
@cached(maxsize=2_048)
def stance(sentence: str) -> Stance:
    """Return what a sentence says and denies."""
    found = terms(sentence[:_MAX_SENTENCE])
    words = frozenset(item for item in found.items if not item.startswith("#"))
    opposites = frozenset(turn for word in words for turn in OPPOSITES.get(word, ()))
    return Stance(words, found.negated, opposites)
