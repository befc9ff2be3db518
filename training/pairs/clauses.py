"""Conditions and exceptions dropped, added, weakened or turned."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.pairs.pair import Table, placed

_TRAILING = re.compile(
    r",? (?P<word>(?<!asked )(?<!ask )(?<!know )(?<!see )(?<!wonder )(?<!check )(?<!even )(?<!as )if|unless|only if"
    r"|provided that|as long as|except for|except when|except|with the exception of|subject to)"
    r" (?P<what>[^.;:?!]{4,90}?)(?=[.;]|$)"
)
_LEADING = re.compile(
    r"^(?P<word>If|Unless|Only if|Provided that|As long as|Except for|Subject to) [^.;:?!,]{4,90}, (?=\w)"
)

TURNED = Table(
    {
        "if": ("unless", "even if"), "unless": ("if", "even if"), "only if": ("even if", "unless"),
        "provided that": ("unless", "even if"), "as long as": ("unless", "even if"), "except": ("including",),
        "except for": ("including", "only for"), "with the exception of": "including", "excluding": "including",
        "with": ("without",), "without": ("with",), "even if": ("only if", "unless"), "except when": "only when",
        "regardless of": "depending on", "apart from": "including", "other than": "including", "and": "or",
        "whether or not": "only if",
    }
)  # fmt: skip
_ADDED = (
    "if a manager agrees", "unless the office objects", "provided that a fee is paid", "if they ask in writing",
    "only if the form is signed", "except on weekends", "unless it is a public holiday", "if at least a week is left",
    "except for first orders", "provided that the request is made in person", "only during the first year",
    "unless the order is above 200 euros", "if they have been registered for two years", "except in December",
    "only with a written confirmation", "subject to approval by the head of department",
)  # fmt: skip
_REGARDLESS = (
    "in every case", "without exception", "regardless of the circumstances", "under all conditions",
    "no matter what the reason is",
)  # fmt: skip
_NEGATED = re.compile(r"\b(?:not|no|never|nobody|none|cannot)\b|n't\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:may|can|must|should|will|is|are|shall|cannot|need)\b")
_WEAK = Table(
    {
        "and": "or", "both": "either", "written": "verbal", "in writing": "by phone", "prior": "later",
        "with approval": "without approval", "requires approval": "needs no approval", "signed": "unsigned",
        "requires": ("does not require", "needs no"), "require": ("do not require", "need no"),
    }
)  # fmt: skip


def dropped(text: str, _source: str, _rng: random.Random) -> Iterator[str]:
    """Yield the text without its condition or exception, unless it forbids: to forbid more is no permission."""
    if match := _TRAILING.search(text):
        bare = text[: match.start()] + text[match.end() :]
    elif match := _LEADING.match(text):
        bare = text[match.end() :]
        bare = bare[:1].upper() + bare[1:]
    else:
        return
    if not _NEGATED.search(bare):
        yield bare


def overridden(text: str, source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text that denies its condition."""
    for bare in dropped(text, source, rng):
        yield f"{bare.rstrip('.; ')} {rng.choice(_REGARDLESS)}."


def turned(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with its condition turned, weakened or made of no account."""
    found = _TRAILING.search(text) or _LEADING.match(text)
    if found:
        start, end = found.span("word")
        for words in TURNED.turned(text[start:end], rng):
            yield text[:start] + words + text[end:]


def weakened(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with part of what it asks for made weaker."""
    if _VERB.search(text):
        yield from _WEAK.turned(text, rng)


def added(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a condition or an exception that no source tells."""
    if _VERB.search(text) and not _TRAILING.search(text) and not _LEADING.match(text):
        yield f"{text.rstrip('.; ')} {rng.choice(_ADDED)}."


def exception_taken_in(text: str, _source: str, _rng: random.Random) -> Iterator[str]:
    """Yield the text that says of the exception what is said of the rest."""
    match = _TRAILING.search(text)
    if match and match["word"].startswith(("except", "with the exc")):
        yield placed(text, match, f", including {match['what']}")
