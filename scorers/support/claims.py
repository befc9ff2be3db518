"""The claims of an answer, read for comparison."""

from __future__ import annotations

from collections.abc import Sequence

from scorers.support.alignment import Claim
from scorers.text.normalize import terms
from scorers.text.sentences import Sentence

_BULLETS = "-*+\u2022\u2023\u25e6"


def read_claims(claims: Sequence[Sentence], text: str, question: str | None) -> tuple[Claim, ...]:
    """Read the claims of an answer ``text``; ``question`` is what was asked, where it is known."""
    asked = frozenset(terms(question[:_QUESTION]).items) if question else frozenset()
    read = [terms(claim.words) for claim in claims]
    length = sum(len(found.items) for found in read)
    return tuple(
        Claim(claim, found, index, len(read), length, asked, _bullet(claim, text))
        for index, (claim, found) in enumerate(zip(claims, read, strict=True))
    )


_QUESTION = 4_000
"""Characters of a question that are read."""


def _bullet(claim: Sentence, text: str) -> bool:
    line = text.rfind("\n", max(0, claim.start - 12), claim.start) + 1
    head = text[line : claim.start].strip() if claim.start - line <= 12 else ""  # noqa: PLR2004 - an item's mark is short
    return (head[:1] in _BULLETS and bool(head)) or (head[:-1].isdigit() and head[-1:] in ".)")
