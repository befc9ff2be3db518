"""Passages of a sibling of what is asked about: another plan, ward or version under a heading of the same form.

A retriever returns them because they are alike. What they say is true of the sibling, and of nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from scorers.text.normalize import terms
from scorers.text.sentences import is_title
from scorers.text.source import SourceText

ALIKE, LIKE = 0.5, 0.4
"""Shares of the words of the shorter of two headings, and of what is said under it, that siblings have in common.

Of passages returned together, those under "Using your card abroad" and "Lost or stolen cards" share a tenth of their
words, those on two plans, wards or kinds of permit two fifths and more.
"""
LONGEST_ASKED = 4_000
LONGEST_HEADING, MOST_HEADINGS = 200, 60
"""Characters of a heading, and headings that are held against each other, the first ones."""


_BEYOND = re.compile(
    r"\b(?:others?|another|elsewhere|else|instead|compar(?:ed?|ing|ison)|differen(?:ce|t)|versus|vs|alternatives?"
    r"|switch(?:ing)?|upgrad(?:e|ing)|downgrad(?:e|ing)|cheaper|better"
    r"|andere[nmrs]?|stattdessen|wechsel\w{0,3}|vergleich\w{0,3}|unterschied\w{0,3}|autres?|otr[oa]s?|altr[oaie]|outr[oa]s?"
    r"|inn(?:y|a|e|ego|ych)|\u0434\u0440\u0443\u0433(?:\u0438|\u0430|\u043e)?)\b",
    re.IGNORECASE,
)
"""What asks for more than the thing that a question names: "what does it cost on the other one?"."""


def of_others(sources: Sequence[SourceText], asked: str, answer: str) -> frozenset[int]:
    r"""Return which sources are of a sibling alone: neither question nor answer names what is particular to them.

    Of two headings that are alike one must be named by a word that the other lacks, and the other must not. None is of
    a sibling alone where the question is about others as well.

    >>> from scorers.text.source import source_of
    >>> plans = ("Basic", 5), ("Gold", 0)
    >>> told = [source_of(f"# {plan} plan\n\nThe card costs {fee} EUR.") for plan, fee in plans]
    >>> of_others(told, "What does the card of the Basic plan cost?", "It is free.")
    frozenset({1})
    >>> of_others(told, "What does the card cost?", "It is free."), of_others(told, "Basic or Gold?", "Gold.")
    (frozenset(), frozenset())
    """
    if _BEYOND.search(asked[:LONGEST_ASKED]) is not None:
        return frozenset()
    told = ((at, heading) for at, source in enumerate(sources) if (heading := _heading(source)))
    headings = dict(islice(told, MOST_HEADINGS))
    if len(headings) <= 1:
        return frozenset()
    named = frozenset(terms(asked).items) | frozenset(terms(answer).items)
    pairs = [
        (at, beside)
        for at, own in headings.items()
        for beside, other in headings.items()
        if (other - own) & named and own - other and not (own - other) & named and _alike(own, other, ALIKE)
    ]
    bodies = {at: _body(sources[at]) for pair in pairs for at in pair}
    return frozenset(at for at, beside in pairs if _alike(bodies[at], bodies[beside], LIKE))


def _alike(own: frozenset[str], other: frozenset[str], least: float) -> bool:
    """Tell whether the shorter of two sets has so much in common with the other."""
    return bool(shared := own & other) and len(shared) >= least * min(len(own), len(other))


def _body(source: SourceText) -> frozenset[str]:
    """Return the terms of a source behind its first sentence, figures left out."""
    return frozenset(term for read in source.sets[1:] for term in read if term[0] != "#")


def _heading(source: SourceText) -> frozenset[str]:
    """Return the terms of the heading that a source begins with; none where it begins with prose."""
    if source.record is not None or not source.sentences:
        return frozenset()
    first = source.sentences[0]
    if first.kind != "heading" and not is_title(source.text, first):
        return frozenset()
    end = source.text.find("\n", first.start)
    line = len(source.text) if end < 0 else end
    here = [read for each, read in zip(source.sentences, source.sets, strict=True) if each.start < line]
    return frozenset().union(*here) if line - first.start <= LONGEST_HEADING else frozenset()
