"""Statements of a sentence that lists values, each told in full: "books cost 5 EUR and maps 8 EUR" is two of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from adapters.caching import cached_by_text
from scorers.statements.lexicon.functions import MEASURES
from scorers.statements.lexicon.verbs import FINITE
from scorers.statements.parallels import DETERMINERS
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.elided import with_elided
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import family
from scorers.statements.words import is_verb
from scorers.text.normalize import word_set

LONGEST = 600
"""Characters of a sentence that are read."""
MOST = 8
"""Values of one list; a longer one is a table."""
MOST_WORDS = 7
"""Words that name what one value is of."""

_JOINED = re.compile(r"[,;]\s{1,3}(?:(?:and|or|but|while|whereas)\s{1,3})?|\s{1,3}(?:and|or|but|while|whereas)\s{1,3}")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_BOUNDING = word_set(
    "at for within of in to up only by from over under about after before until least most than more less exactly just"
    " a an the per with on maximum minimum another around roughly"
)
"""Words before a value that say how it stands there and not of what it is."""
_RATE = re.compile(r"\s(?:per|an?|each|every)\s[a-z]{3,12}$", re.IGNORECASE)
_CLOSED = re.compile(r"[;:!?]|\.(?!\d)|\s\(|$")
_LISTED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "percent", "count",
                     "points", "clock", "temperature"})  # fmt: skip
_APART = word_set("not no never without except unless if instead rather then which who that each respectively total")
"""Words by which parts of a sentence depend on each other: they are not told apart."""


@cached_by_text(cost=24)
def spelled_out(text: str) -> tuple[str, ...]:
    """Return a statement for each value of a sentence that lists some; none where it lists none, or it cannot be told.

    What a value is of stands behind it or before it, and what the list leaves out is taken from its first part.

    >>> spelled_out("The limit is 500 EUR for basic accounts and 2,000 EUR for premium accounts.")
    ('The limit is 500 EUR for basic accounts.', 'The limit is 2,000 EUR for premium accounts.')
    >>> spelled_out("Suppliers must respond within 48 hours, contractors within 24 hours.")
    ('Suppliers must respond within 48 hours.', 'contractors must respond within 24 hours.')
    >>> spelled_out("We grant nurses 3 days and doctors 8 days of study leave.")
    ('We grant nurses 3 days of study leave.', 'We grant doctors 8 days of study leave.')
    >>> spelled_out("Guests pay 5 EUR and wait two days.")
    ()
    """
    text = text[:LONGEST].rstrip()
    values = [each for each in with_elided(text, quantities_in(text, "en")) if each.upper is None]
    for listed in _lists(values):
        told = _told(text, listed)
        if told:
            return told
    return ()


def values_told(text: str) -> int:
    """Return how many values a text has that a list may have.

    >>> [values_told(text) for text in ("The daily limit is 500 EUR.", "Maps are 5 EUR and books 8 EUR.")]
    [1, 2]
    """
    return sum(each.dimension in _LISTED for each in quantities_in(text[:LONGEST], "en"))


def _lists(values: Sequence[Quantity]) -> list[list[Quantity]]:
    """Return the values of each kind of which a sentence has several."""
    kinds: dict[tuple[str, str], list[Quantity]] = {}
    for each in values:
        if each.dimension in _LISTED:
            unit = each.unit if each.dimension == "count" else ""
            kinds.setdefault((family(each), unit), []).append(each)
    # What comes last is told of the rest: "parcels up to 2 kg cost 5 EUR, parcels up to 5 kg 7 EUR".
    return sorted((found for found in kinds.values() if 1 < len(found) <= MOST), key=lambda each: -each[-1].end)


def _told(text: str, listed: Sequence[Quantity]) -> tuple[str, ...]:
    """Return the statements of a list of values of one kind."""
    closed = _CLOSED.search(text, listed[-1].end)
    end = closed.start() if closed else len(text)
    between = [text[one.end : other.start] for one, other in pairwise(listed)]
    joined = [list(_JOINED.finditer(each)) for each in between]
    if not all(joined):
        return ()
    parted = [(each[: found[-1].start()], each[found[-1].end() :]) for each, found in zip(between, joined, strict=True)]
    if any(_words(part) & _APART for pair in parted for part in pair):
        return ()
    head, tail = text[: listed[0].start], text[listed[-1].end : end]
    values = [text[each.start : each.end] for each in listed]
    rate = _RATE.search(values[-1])
    if rate and not any(each.rate for each in listed[:-1]):
        # "200 EUR, 300 EUR and 150 EUR a month": each of them is.
        values = [*(f"{each}{rate.group()}" for each in values[:-1]), values[-1]]
    rate = _RATE.search(values[0])
    if rate and not any(each.rate for each in listed[1:]):
        # "900 EUR a month, in their second year 1,100 EUR"
        values = [values[0], *(f"{each}{rate.group()}" for each in values[1:])]
    if all(_words(lead) <= _BOUNDING for _, lead in parted):
        return _behind(head, values, [*(behind for behind, _ in parted), tail])
    return _before(head, values, parted, tail)


def _behind(head: str, values: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """Return the statements of a list that says behind each value what it is of."""
    if not all(0 < len(_WORD.findall(each)) <= MOST_WORDS for each in named):
        return ()
    return tuple(f"{head}{value}{each}." for value, each in zip(values, named, strict=True))


def _before(head: str, values: Sequence[str], parted: Sequence[tuple[str, str]], tail: str) -> tuple[str, ...]:
    """Return the statements of a list that says before each value what it is of."""
    named, leads = zip(*(_of_lead(lead) for _, lead in parted), strict=True)
    if not all(0 < len(_WORD.findall(each)) <= MOST_WORDS for each in named):
        return ()
    # "26 days of rest, the other 6 days", "3 days and doctors 8 days of leave": what is told behind one goes for all.
    same = tail or parted[0][0]
    behind = [*(each or same for each, _ in parted), same]
    if any(_has_verb(each) for each in named):
        if not all(_has_verb(each) for each in named):
            return ()
        others = [f"{name}{lead}" for name, lead in zip(named, leads, strict=True)]
        own = [*(each for each, _ in parted), tail]
        return tuple(f"{each}{value}{rest}." for each, value, rest in zip([head, *others], values, own, strict=True))
    first, bounding = _of_lead(head)
    tokens = list(_WORD.finditer(first))
    if not tokens:
        return ()
    words = [each.group().lower() for each in tokens]
    verbs = _verbs(words)
    if verbs and (verbs[-1] == len(tokens) - 1 or _of_subjects(words, verbs, named, bounding)):
        # "Students may borrow 10 books and staff 20": what is left out is all but the first subject.
        said = f"{first[tokens[verbs[0] - 1].end() :]}{bounding}"
        others = [f"{_kept(first, name)}{_ONE.sub('', name)}{said}" for name in named]
    else:
        kept = first[: tokens[verbs[-1]].end() if verbs else first.find(":") + 1]
        others = [f"{kept} {name}{bounding}".lstrip() for name in named]
    heads = [head, *others]
    return tuple(f"{each}{value}{rest}." for each, value, rest in zip(heads, values, behind, strict=True))


def _of_subjects(words: Sequence[str], verbs: Sequence[int], named: Sequence[str], bounding: str) -> bool:
    """Tell whether values are of those who do something, and not of those to whom it is done.

    "Members have a limit of 5 EUR and guests 2 EUR", and not "the fund pays nurses 5 EUR and drivers 2 EUR".
    """
    if words[verbs[-1] + 1] in _ARTICLES or bounding.split()[:1] == ["of"] or all(_ONE.search(each) for each in named):
        return True
    return all(_WORD.findall(each)[-1].lower() == words[verbs[0] - 1] for each in named)


def _kept(first: str, name: str) -> str:
    """Return what of a first part goes for a later one: "trainees in their first year" of "in their second year"."""
    word, *behind = name.split(maxsplit=1)
    at = first.find(f" {word} ") if behind and word in _FRAMING else -1
    return first[: at + 1] if at > 0 else ""


_FRAMING = word_set("in on at during for from with after before")
_ARTICLES = word_set("a an the no")
_ONE = re.compile(r"\s{1,3}(?:one|those)$")


def _of_lead(lead: str) -> tuple[str, str]:
    """Part what stands before a value into what the value is of and how it stands there: "DVDs" and " for "."""
    tokens = list(_WORD.finditer(lead))
    while tokens and tokens[-1].group().lower() in _BOUNDING:
        tokens.pop()
    at = tokens[-1].end() if tokens else 0
    return lead[:at], lead[at:]


def _has_verb(words: str) -> bool:
    return bool(_verbs([each.lower() for each in _WORD.findall(words)]))


def _verbs(words: Sequence[str]) -> list[int]:
    """Return the places of verbs, of which the first word is none: of "lends books" the second is a noun."""
    found: list[int] = []
    for at, word in enumerate(words):
        follows = bool(found) and found[-1] == at - 1
        if not at or word in MEASURES or word in DETERMINERS or (follows and words[at - 1] not in _AUXILIARY):
            continue
        done = words[at - 1] in _MODAL or (words[at - 1] in _AUXILIARY and word.endswith(("ed", "en")))
        if (
            word in FINITE
            or word in _AUXILIARY
            or word in _COSTING
            or is_verb(word)
            or (done and word not in _BOUNDING)
        ):
            found.append(at)
    return found


_MODAL = word_set("may must can cannot shall will should could would")
_COSTING = word_set("cost spend last weigh earn pay get charge charges")
_AUXILIARY = _MODAL | word_set("is are was were be been has have had do does need needs to")


def _words(text: str) -> set[str]:
    return {each.lower() for each in _WORD.findall(text)}
