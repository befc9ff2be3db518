"""The date of a passage: what its metadata says, else what its text says of itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from adapters.caching import cached_by_text
from adapters.schema import Passage
from scorers.catalog.document import Document, parse_instant
from scorers.disagreement.figures import date_at
from scorers.disagreement.tokens import Token, spellings, token_of, tokens
from scorers.text.normalize import MONTHS, word_set
from scorers.text.plain import plain

MAX_READ = 4_000
"""Characters at the head of a text, and as many at its end, in which it dates itself."""

_KEYS = ("date", "published", "published_at", "publication_date", "last_modified", "modified", "updated", "updated_at")
_CUES = word_set("effective updated revised published dated modified issued amended reviewed")
_AS_OF = "as"
_DATING = _CUES | {_AS_OF}
# Without one of these nothing is looked for: most texts do not date themselves.
_AS_OF_CUE = re.compile(r"as(?:'s)?[\s_]+of")
_WITHIN = 4
"""Tokens after "last updated" within which the date stands."""
_LONGEST = 8
"""Tokens that a date is read from, at most, and one behind it."""


def dated(passage: Passage, document: Document | None = None) -> datetime | None:
    """Return when a passage was written or came into force; ``None`` where nothing says so.

    What the catalog's entry ``document`` says first, then the passage's own window, its date of publication, the usual
    keys of its metadata, and at last its text: "last updated 3 May 2024", "as of 2024".

    >>> dated(Passage(id="p", text="Travel policy, effective 1 March 2024. Hotels up to 150 EUR.")).isoformat()
    '2024-03-01T00:00:00+00:00'
    """
    if document is not None and document.effective_from is not None:
        return document.effective_from
    told = passage.effective_from or passage.published_at
    if told is not None:
        return told
    for key in _KEYS:
        value = (passage.metadata or {}).get(key)
        found = _parsed(value) if isinstance(value, str) else None
        if found is not None:
            return found
    return _stated(passage.text[:MAX_READ], passage.text[-MAX_READ:]) if passage.text else None


def _parsed(value: str) -> datetime | None:
    try:
        return parse_instant(value[:40], end=False)
    except ValueError:
        return _date(tokens(value[:40]), 0, 1)


# The same passages are retrieved again and again.
@cached_by_text(cost=1)
def _stated(head: str, tail: str) -> datetime | None:
    found = [day for part in dict.fromkeys((head, tail)) for day in _all_stated(part)]
    return max(found, default=None)


def _all_stated(text: str) -> list[datetime]:
    folded = plain(text).casefold()
    if not any(cue in folded for cue in _CUES) and not _AS_OF_CUE.search(folded):
        return []
    written = spellings(text)
    # A text has few different words beside the many that it has.
    lower = {word: told for word in set(written) if (told := word.casefold().removesuffix("'s")) in _DATING}
    result = []
    for at, word in enumerate(written if lower else ()):
        if word not in lower:
            continue
        as_of = lower[word] == _AS_OF and at + 1 < len(written) and token_of(written[at + 1]).lower == "of"
        if lower[word] in _CUES or as_of:
            # Only what may be its date is read of the tokens behind: most texts have many.
            day = _date(list(map(token_of, written[at + 1 : at + 1 + _WITHIN + _LONGEST])), 0, _WITHIN)
            if day is not None:
                result.append(day)
    return result


def _date(read: list[Token], start: int, end: int) -> datetime | None:
    """Return the first date with a year that begins there; a month or day that is not said is the first."""
    for at in range(start, min(end, len(read))):
        if read[at].kind in ("iso", "number") or read[at].lower in MONTHS:
            found = date_at(read, at)
            if found is not None and found[1][0]:
                year, month, day = found[1]
                try:
                    return datetime(year, month or 1, day or 1, tzinfo=UTC)
                except ValueError:
                    return None
    return None
