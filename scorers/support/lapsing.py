"""What one tells of a span of time and the other of what lies beyond it: kept for 7 days, deleted when older than that.

Neither speaks against the other: how long the span is, figures tell.
"""

from __future__ import annotations

import re

from scorers.statements.quantities.answering import same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.text.normalize import behind_particle

_KEPT = re.compile(
    r"\b(?:kept|keep[s]?|retain(?:ed|s)?|retention|stor(?:ed?|es)|saved|preserved|held|stays?|remains?|available|valid|lasts?"
    r"|live[sd]?|active)\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:deleted?|deletes|remov(?:ed?|es)|purged?|purges|eras(?:ed?|es)|drop(?:ped|s)?|discard(?:ed|s)?|wip(?:ed?|es)|lost"
    r"|expir(?:ed?|es)|clos(?:ed?|es)|disabled?|evict(?:ed|s)?|archived|revoked|invalid|ends?)\b",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r"\b(?:(?:older|longer|later|more) than|after|afterwards|beyond|past|exceed(?:s|ed|ing)?|once|when)\b",
    re.IGNORECASE,
)
_SPAN = re.compile(r"\b(?:for|up to|until|within|during|lasts?|is|of|=)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|cannot|no longer)\b|n't\b", re.IGNORECASE)


def kept_until_gone(claim: str, told: str) -> bool:
    """Tell whether one says for how long a thing is kept, and the other what becomes of it beyond some time."""
    ours, theirs = claim[behind_particle(claim) :], told[:LONGEST]
    return any(_lasts(one) and _lapses(other) for one, other in ((ours, theirs), (theirs, ours)))


def _lasts(text: str) -> bool:
    timed = any(each.dimension == "time" for each in quantities_in(text, "en"))
    return timed and bool(_KEPT.search(text) and _SPAN.search(text)) and not _DENIED.search(text)


def _lapses(text: str) -> bool:
    beyond = _BEYOND.search(text)
    return beyond is not None and _GONE.search(text) is not None and not _DENIED.search(text)


def not_by_then(claim: str, told: str) -> bool:
    """Tell whether both say what has not happened by one time: "no change after", "does not fall within 10 min"."""
    ours, theirs = claim[behind_particle(claim) :], told[:LONGEST]
    if not (_NOT_YET.search(ours) and _NOT_YET.search(theirs)):
        return False
    mine, its = quantities_in(ours, "en"), quantities_in(theirs, "en")
    times = [each for each in mine if each.dimension == "time"]
    return bool(times) and all(any(same_value(one, two) for two in its) for one in times)


_NOT_YET = re.compile(
    r"(?:\b(?:not|no|never|still|without|fails? to)\b|n't\b)[^,;:.]{1,60}?\b(?:within|in|after|by|for)\b", re.IGNORECASE
)


def waived_there(claim: str, told: str) -> bool:
    """Tell whether one has something done "unless" what the other lets it be skipped "if"."""
    ours, theirs = claim.lower(), told[:LONGEST].lower()
    return any(
        (at := _UNLESS.search(one)) is not None
        and not _SKIPS.search(one, 0, at.start())  # "waived unless" is the opposite of "waived if"
        and _UNLESS.search(other) is None
        and _SKIPPED.search(other) is not None
        for one, other in ((ours, theirs), (theirs, ours))
    )


_UNLESS = re.compile(r"\b(?:unless|except (?:if|when|where))\b")
_SKIPS = re.compile(r"\b(?:skip|waive|omit|bypass|without|left out|leave out|free|exempt|not|no|never)")
_SKIPPED = re.compile(
    r"\b(?:skip(?:ped|s)?|waive[ds]?|omit(?:ted|s)?|bypass(?:ed|es)?|do without|left out|leave out"
    r"|not (?:needed|required))\b[^;.]{0,80}?\b(?:if|when|where|as long as|provided)\b"
)
