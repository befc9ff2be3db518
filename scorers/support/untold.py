"""Parts of a claim over prose whose end its context has no word of: "the travel desk is closed on Fridays"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import islice

from scorers.statements.words import relation, word_of
from scorers.support.alignment import SEEN, Alignment
from scorers.text.normalize import behind_particle, terms, word_set
from scorers.text.stemming import stem

LEAST = 2
"""Words at the end of a part that the context has not: a single one may be another word for the same."""

DOUBT, CROWD, LENGTH = 1.7, 0.8, 0.5
"""What such a part adds to the log-odds that a claim is unsupported, and what takes off of it the logarithm of the
claims of its answer, and that of the length of its context over `SHORT`.

Of claims over prose that are supported otherwise (RAGTruth), 2.7 % of those that people left unmarked have such a part,
and 6.9 % of those that they marked; of many claims of an answer one has it by chance."""

SHORT = 100
"""Words with content of a context up to which it is short."""

_PART = re.compile(
    r"[;:()\u2014]|\s[-\u2013]\s|,?\s(?:and|but|while|whereas|although|though|so)\s|,\s(?:who|which|where|whose)\s"
    r"|\s(?:because|if|when|unless)\s",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r"[^,]{1,60},\s")
"""What stands before the first comma: "based on the given passages, ..."."""
LONGEST = 1_200
"""Characters of a claim that are read."""

_LIGHT = frozenset(
    map(
        stem,
        word_set(
            "get receive have give given take make provide provided include need require must may might can use apply"
            " offer available possible people person customer employee staff user member guest visitor company"
            " additional additionally also certain various different same other new following such so based passage"
            " according article text context document source information note noting worth important mention state"
            " suggest specify specific specifically report however therefore overall later typically generally usually"
            " often about depend process step answer question want like know let come go able well further first second"
            " third"
        ),
    )
)
"""Words that say little of what is told, and words of the evidence itself."""


def untold_doubt(a: Alignment, *, joined: bool = False) -> float:
    """Return what the parts of a claim that the context has no word of add to the log-odds that it is unsupported."""
    if not has_untold_part(a, joined=joined):
        return 0.0
    crowd, length = math.log(max(1, a.claim.total)), math.log(max(1.0, a.context.length / SHORT))
    return max(0.0, DOUBT - CROWD * crowd - LENGTH * length)


def has_untold_part(a: Alignment, *, joined: bool = False) -> bool:
    """Return whether a claim has a part that ends in words that neither its context nor the question has.

    What stands before them may be there: of whom, or of what, something is said. Of what is ``joined`` to a claim only
    the parts behind the first one count.
    """
    missing = {
        term
        for term, share in a.match.items()
        if share < SEEN and term[0] != "#" and term not in _LIGHT and term not in a.claim.question
    }
    if len(missing) < LEAST:
        return False
    words = a.claim.sentence.words[:LONGEST]
    words = words[behind_particle(words) :].lstrip()
    first = int(joined and _LEAD_IN.match(words) is None)
    return any(_ends_untold(part, missing, a) for part in islice(_parts(words), first, None))


def _parts(words: str) -> Iterator[str]:
    lead = _LEAD_IN.match(words)
    at = lead.end() if lead is not None else 0
    for found in _PART.finditer(words, at):
        yield words[at : found.start()]
        at = found.end()
    yield words[at:]


def _ends_untold(part: str, missing: set[str], a: Alignment) -> bool:
    """Return whether the words of a part, from the first that is missing on, are all missing, and enough of them."""
    told = [term for term in dict.fromkeys(terms(part).items) if term not in _LIGHT and term[0] != "#"]
    first = next((at for at, term in enumerate(told) if term in missing), len(told))
    tail = told[first:]
    if len(tail) < LEAST or not missing.issuperset(tail):
        return False
    spelled = {stem(word): word for word in terms(part).words}
    near = [word_of(word) for word in frozenset().union(*[read.words for read in a.near_reads])]
    return not any(relation(word_of(spelled.get(term, term)), other) for term in tail for other in near)
