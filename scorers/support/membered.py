"""A value of a list that stands with what a claim names, and a cell of a row: "90 days on Pro, 7 days on Free".

Whether what a value is of stands before or behind it differs from list to list; where the part of a list that has the
value of a claim has what the claim names, and no later part does, the claim takes the value of its own thing.
"""

from __future__ import annotations

import re
from collections import Counter

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.context import Context
from scorers.support.contraries.reading import content, keys_in, marks_of, negations
from scorers.text.normalize import behind_particle

_PARTS = re.compile(r"(?:[,;]\s(?:and|but|or|while)?|\s(?:and|but|or|while|whereas)\s)")
LEAST, MOST = 2, 12
"""Parts of a sentence with values that make a list."""


def of_own_member(claimed: str, claim: str, told: str) -> bool:
    """Tell whether the value that a claim has wrong stands in a list, in a part with a word of the claim's own.

    >>> rule = "Backups are kept for 90 days on Pro and 7 days on Free."
    >>> [of_own_member(f"{days} days", f"Free: kept for {days} days.", rule) for days in (7, 90)]
    [True, False]
    """
    parts = [part for part in _PARTS.split(told[:LONGEST]) if part and any(map(str.isdigit, part))]
    if not LEAST <= len(parts) <= MOST:
        return False
    stated = claim[behind_particle(claim) :][:LONGEST]
    values = quantities_in(stated, "en")
    value = next((each for each in values if _digits(each.written) == _digits(claimed) != ""), None)
    if value is None:
        return False
    if any(each is not value and same_kind(each, value) for each in values):
        # "15 km/h in the hall and 10 in the yard": each value has its own part.
        stated = next((part for part in _PARTS.split(stated) if value.written in part), "")
    own = {at for at, part in enumerate(parts) if any(_same(value, each) for each in quantities_in(part, "en"))}
    if len(own) != 1 or negations(marks_of(parts[min(own)])) != negations(marks_of(stated)):
        return False
    keys = [keys_in(content(marks_of(part))) for part in parts]
    told_by = Counter(key for each in keys for key in each)
    named = keys_in(
        content([m for m in marks_of(stated) if not m.text[0].isdigit() and m.text not in value.written.lower()])
    )
    hits = {at for at, each in enumerate(keys) if any(told_by[key] == 1 for key in each & named)}
    # The first part has the words of all: "are kept for 90 days on Pro".
    return 0 not in own and own <= hits <= own | {0}


def _same(one: Quantity, other: Quantity) -> bool:
    return same_kind(one, other) and same_value(one, other) and one.bound[:1] == other.bound[:1]


def _digits(words: str) -> str:
    return "".join(filter(str.isdigit, words))


def of_row(words: str, context: Context) -> bool:
    """Tell whether what is told is a row of a table: its cells state things of their own, a header says "need"."""
    if _CELLS.match(words) is None:
        return False
    if any(each.words == words for source in context.sources for each in source.sentences[:MOST_SENTENCES]):
        return False
    last = words.rpartition(", ")[2].split()[-1]
    return any("|" in source.text and last in source.text for source in context.sources)


_CELLS = re.compile(r"[^,]{1,60}(?:, [^,]{1,80}){1,16}$")
MOST_SENTENCES = 400
"""Sentences of a source that are looked through."""
