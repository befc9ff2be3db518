"""A value that is asked about and granted past the one limit that the rules set: "can I travel for 90 days?" "Yes"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bracketing import Bracketed
from scorers.support.context import Context
from scorers.support.contraries.reading import content, hits, keys_in, marks_of

SURE = 0.8
"""How sure it is that a claim is wrong that grants more than the rules allow."""
MOST_SENTENCES = 400
"""Sentences of a context whose values are looked at."""

_GRANTS = re.compile(
    r"\W{0,3}(?:yes|yeah|sure|of course|certainly)\b"
    r"|\b(?:can|may|could|allowed|permitted|possible|covered|accepted|fine)\b",
    re.IGNORECASE,
)
_LIMITING = frozenset({"<=", "<"})
_UNTIL = frozenset({"within", "until", "till", "before", "by"})
"""Bounds of a time at which something ends, which periods and deadlines are read by."""
_PRICED = re.compile(
    r"\b(?:free|gratis|charge[sd]?|fees?|costs?|discount\w*|refund\w*|reimburs\w*|includ\w*|paid|pays?|bonus\w*|reduc\w*"
    r"|without|only)\b",
    re.IGNORECASE,
)
"""What has a limit of its own: more is allowed, and costs."""


class _Limit(NamedTuple):
    """A value of a context, with its source and its sentence."""

    quantity: Quantity
    source: int
    words: str


def overstepped(a: Alignment) -> Bracketed | None:
    """Return the limit that a claim grants more than, where the context tells no value as large."""
    words, question = a.claim.sentence.words[:LONGEST], a.claim.asked[:LONGEST]
    if a.context.structured or a.claim.terms.negators or _GRANTS.search(words) is None:
        return None
    asked = quantities_in(question, "en")
    cases = [
        each
        for each in quantities_in(words, "en")
        if each.bound == "=" and each.upper is None and any(same_kind(each, q) and same_value(each, q) for q in asked)
    ]
    if len(cases) != 1 or cases[0].dimension in _NO_LIMIT:
        return None
    (case,) = cases
    told = [each for each in a.context.once(_values) if same_kind(each.quantity, case)]
    if any(max(each.quantity.value, each.quantity.upper or 0.0) >= case.value for each in told):
        return None
    if not told or any(each.quantity.bound not in _LIMITING for each in told):
        return None
    if any(_LARGER.search(source.text) for source in a.context.sources):
        return None
    spoken = keys_in(content(marks_of(f"{words} {question}")))
    for each in told:
        own = content(marks_of(each.words))
        if each.quantity.bound_word.lower() not in _UNTIL and not _PRICED.search(each.words) and hits(own, spoken):
            shown = Difference("quantity", case.written, each.quantity.told, SURE)
            return Bracketed(each.source, each.words, shown)
    return None


_LARGER = re.compile(
    r"\b(?:longer|larger|bigger|heavier|higher|greater|further|additional|beyond|above|over|exceed\w*|extend\w*|extension"
    r"|more than (?:that|this)|in excess|else|otherwise|exceptions?)\b",
    re.IGNORECASE,
)
"""What rules say of more than their limit, without a value: "for longer stays call us"."""
_NO_LIMIT = frozenset({"date", "clock", "ordinal", "reference", "version"})


def _values(context: Context) -> tuple[_Limit, ...]:
    return tuple(_read(context))


def _read(context: Context) -> Iterator[_Limit]:
    for index, source in enumerate(context.sources):
        for each in islice(source.sentences, MOST_SENTENCES):
            if each.kind != "question":
                for quantity in quantities_in(each.words[:LONGEST], "en"):
                    yield _Limit(quantity, index, each.words)
