"""Passages of a sibling of what is asked about: another plan, ward or version under a heading of the same form.

A retriever returns them because they are alike. What they say is true of the sibling, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorers.text.normalize import terms
from scorers.text.sentences import is_title
from scorers.text.source import SourceText

ALIKE, LIKE = 0.5, 0.4
"""Shares of the words of the shorter of two headings, and of what is said under it, that siblings have in common.

Of passages returned together, those under "Using your card abroad" and "Lost or stolen cards" share a tenth of their
words, those on two plans, wards or kinds of permit two fifths and more.
"""
LONGEST_HEADING = 200


def of_others(sources: Sequence[SourceText], asked: str, answer: str) -> frozenset[int]:
    r"""Return which sources are of a sibling alone: neither question nor answer names what is particular to them.

    Of two headings that are alike one must be named by a word that the other lacks, and the other must not.

    >>> from scorers.text.source import source_of
    >>> plans = ("Basic", 5), ("Gold", 0)
    >>> told = [source_of(f"# {plan} plan\n\nThe card costs {fee} EUR.") for plan, fee in plans]
    >>> of_others(told, "What does the card of the Basic plan cost?", "It is free.")
    frozenset({1})
    >>> of_others(told, "What does the card cost?", "It is free."), of_others(told, "Basic or Gold?", "Gold.")
    (frozenset(), frozenset())
    """
    headings = [_heading(source) for source in sources]
    if sum(map(bool, headings)) <= 1:
        return frozenset()
    named = frozenset(terms(asked).items) | frozenset(terms(answer).items)
    return frozenset(
        at
        for at, own in enumerate(headings)
        if any(
            (other - own) & named
            and own - other
            and not (own - other) & named
            and _alike(own, other, ALIKE)
            and _alike(_body(sources[at]), _body(sources[beside]), LIKE)
            for beside, other in enumerate(headings)
        )
    )


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
