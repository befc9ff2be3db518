"""The quantities of a claim compared with those of the source sentence it comes from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from scorers.statements.base import Difference
from scorers.statements.clauses import FIGURE_WEIGHT, Clause, read_clauses
from scorers.statements.entities import acts, subject
from scorers.statements.quantities import Quantity, QuantityMatch, compare_quantities
from scorers.statements.quantities.elided import with_elided
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import same_rate, worth

Matches = tuple[QuantityMatch, ...]

LONGEST = 600
"""Characters of a sentence of which quantities are read."""


def _quantities(text: str, language: str) -> tuple[Quantity, ...]:
    read = quantities_in(text[:LONGEST], language)
    return with_elided(text[:LONGEST], read) if language == "en" else read


def matches(
    claim: tuple[str, Clause], source: tuple[str, Clause], question: str | None = None, language: str = "en"
) -> Matches:
    """Return each quantity of a clause of a claim with what a clause of a source says of it.

    A clause goes with the text it is of. Where the clause of the source has no such quantity, its sentence may.

    >>> one, other = "It takes 2 weeks.", "It takes 14 days."
    >>> clauses = (one, read_clauses(one)[0]), (other, read_clauses(other)[0])
    >>> [match.outcome for match in matches(*clauses)]
    ['agrees']
    """
    claimed = _inside(*claim, language)
    if not claimed:
        return ()
    given = () if question is None else _quantities(question, language)
    found = compare_quantities(claimed, _inside(*source, language), given)
    if all(match.outcome == "agrees" for match in found):
        return found
    whole = compare_quantities(claimed, _quantities(source[0], language), given)
    return tuple(one if one.told is not None else other for one, other in zip(found, whole, strict=True))


def _inside(text: str, clause: Clause, language: str) -> tuple[Quantity, ...]:
    aside = [found.span() for found in _REGARDLESS.finditer(text[:LONGEST])] if language == "en" else []
    return tuple(
        q
        for q in _quantities(text, language)
        if any(start <= q.start < end for start, end in clause.spans)
        and not any(start <= q.start < end for start, end in aside)
    )


_REGARDLESS = re.compile(r"\beven (?:if|when|though)\b[^,;:]{0,80}", re.IGNORECASE)
"""What a statement holds regardless of: its values bound nothing."""


def belongs(claim: Clause, source: str, found: Matches, language: str = "en") -> Matches:
    """Return the matches, judged by what each quantity of a source stands beside where it lists several.

    Of "180 EUR in Germany and 220 EUR in Switzerland" a claim about Switzerland takes the second, whichever is nearer.
    """
    if not found:
        return ()
    told = _quantities(source, language)
    judged = []
    for match in found:
        rivals = [each for each in told if _alike(each, match.claimed)]
        if all(worth(each, rivals[0]) == "same" for each in rivals):
            rivals = []  # bounds of one value: "under 5 EUR none, from 5 EUR on one"
        if match.outcome == "agrees" and _bounded_alone(match, rivals):
            rivals = []  # "50 by default and at most 200"
        if sum(other.claimed.dimension == match.claimed.dimension for other in found) > 1:
            rivals = []
        owner = _owner(claim, source, rivals, language) if 1 < len(rivals) <= MOST_LISTED else None
        if owner is None:
            judged.append(match)
            continue
        alone = compare_quantities((match.claimed,), (owner,))[0]
        others = [compare_quantities((match.claimed,), (each,))[0] for each in rivals if each is not owner]
        if alone.outcome == "agrees":
            judged.append(alone)
        elif any(other.outcome == "agrees" for other in others):
            beside = _owner(claim, source, rivals, language, other=True)
            sure = OF_ANOTHER if beside is owner else PERHAPS_OF_ANOTHER
            judged.append(alone._replace(told=owner, outcome="disagrees", kind="entity", certainty=sure))
        else:
            judged.append(match)
    return tuple(judged)


def _bounded_alone(match: QuantityMatch, rivals: Sequence[Quantity]) -> bool:
    """Tell whether a claim bounds a value as the source does that one of several."""
    bound = match.claimed.bound
    return bound != "=" and [each for each in rivals if each.bound == bound] == [match.told]


MOST_LISTED = 8
OF_ANOTHER, PERHAPS_OF_ANOTHER = 0.9, 0.88
"""How sure it is that a value is wrong that a source gives to another one of a list.

What a value is of may stand before it or behind it; the second applies where that makes a difference."""


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension != "clock" and (one.dimension != "count" or one.unit == other.unit)


def _owner(
    claim: Clause, source: str, rivals: Sequence[Quantity], language: str, *, other: bool = False
) -> Quantity | None:
    """Return the one of a list of quantities that stands beside what the claim names, where only one does.

    ``other``: what a value is of is looked for on the other side of it than where the list seems to have it.
    """
    behind = source[rivals[-1].end :].strip(" .;,!")
    behind = "" if source[: rivals[0].start].rstrip().endswith(("(", ":")) or _AHEAD.fullmatch(behind) else behind
    behind = behind if not other else ("" if behind else "?")
    ends = [each.end + _own(source[each.end :]) for each in rivals]
    edges = [*(each.start for each in rivals), len(source)] if behind else [0, *ends]
    pieces = [source[start:end] for start, end in pairwise(edges)]
    roots = [
        {i.word.root for clause in read_clauses(piece, language) for i in clause.items if i.weight > FIGURE_WEIGHT}
        for piece in pieces
    ]
    named = [{i.word.root for i in claim.items if i.word.root in own} for own in roots]
    named = [mine | others for mine, others in zip(named, _others_named(claim, pieces), strict=True)]
    own = [mine - set().union(*(other for other in named if other is not mine)) for mine in named]
    found = [rival for rival, mine in zip(rivals, own, strict=True) if mine]
    if len(found) > 1:
        # What follows in a list leaves out the verb: "invoices are kept ten years and documents six months".
        verbs = {item.word.root for item in claim.items if acts(item)}
        ends = [0, *(each.end for each in rivals)]
        told = [source[start:end] for start, end in pairwise(ends)]
        listed = [i for piece in told[1:] for clause in read_clauses(piece, language) for i in clause.items]
        if any(acts(item) for item in listed):
            return None
        found = [rival for rival, mine in zip(rivals, own, strict=True) if mine - verbs]
        who = subject(claim)
        if len(found) > 1 and who and not behind:
            # So are the words behind it, which go for all: "one is entitled to 26 weeks of paid leave, the other to 6".
            shared = {item.word.root for item in claim.items if item.place not in who}
            found = [rival for rival, mine in zip(rivals, own, strict=True) if mine - shared]
    return found[0] if len(found) == 1 else None


_AHEAD = re.compile(
    r"(?:ahead|in advance|beforehand|before|earlier|later|long|old|each|or more|or less)", re.IGNORECASE
)
"""What goes with a value and is nothing that it could be of."""


def _others_named(claim: Clause, pieces: Sequence[str]) -> list[set[str]]:
    """Return for each piece "other" where a claim names one by it: "the birth parent 26 weeks, the other one 6"."""
    if not any(item.lead in _OTHER for item in claim.items):
        return [set() for _ in pieces]
    return [{"other"} if _OTHER_NAMED.search(piece) else set() for piece in pieces]


_OTHER = frozenset({"other", "others"})
_OTHER_NAMED = re.compile(r"\bothers?\b", re.IGNORECASE)


def _own(behind: str) -> int:
    """Return how many characters behind a quantity say of what it is: "within six months of the birth"."""
    found = _OF.match(behind)
    return 0 if found is None else found.end()


_OF = re.compile(r"\s(?:of|after|before|from|following)\s[^,;:.()]{1,40}?(?=\s(?:and|or|but|may|must|can)\b|[,;:.()])")


def _within(match: QuantityMatch) -> bool:
    """Tell whether the source writes all that the claim does: "at no cost up to 24 hours"."""
    told = match.told
    if told is None or not same_rate(match.claimed, told):
        return False
    return f" {told.told.lower()}".endswith(f" {match.claimed.told.lower()}")


def differences(found: Matches) -> list[Difference]:
    """Return what disagrees among quantities, each as sure as the rule that found it.

    >>> found = compare_quantities(*(quantities_in(f"It takes {time}.") for time in ("3 weeks", "14 days")))
    >>> differences(found)[0].kind
    'quantity'
    """
    return [
        Difference(match.kind or "quantity", *_shown(match), match.certainty)
        for match in found
        if match.outcome == "disagrees" and not _within(match)
    ]


def _shown(match: QuantityMatch) -> tuple[str, str]:
    """Return what two quantities say, with the times that they are for where one leaves its own to another place.

    "40 EUR ... per month" against "40 EUR per day": the first says nothing else than the second begins with.
    """
    claimed, told = match.claimed, match.told
    if told is None:
        return claimed.told, ""
    ours, theirs = claimed.told, told.told
    timed = bool(claimed.rate and told.rate)
    return (
        f"{ours} per {claimed.rate}" if timed and theirs.lower().startswith(ours.lower()) else ours,
        f"{theirs} per {told.rate}" if timed and ours.lower().startswith(theirs.lower()) else theirs,
    )
