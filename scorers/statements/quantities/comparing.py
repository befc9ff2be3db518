"""Which quantity of a claim corresponds to which of a source sentence, and whether they agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from scorers.statements.quantities.arithmetic import follows
from scorers.statements.quantities.quantity import Quantity
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.worth import (
    ABOUT,
    close,
    family,
    in_working_time,
    one_unit,
    same_paid,
    same_rate,
    worth,
)
from scorers.text.normalize import word_set

MOST = 40
"""Quantities of a claim and of a source sentence that are compared: a table has more, and no sentence."""

MatchOutcome = Literal["agrees", "disagrees", "undecided"]
MismatchKind = Literal["quantity", "unit", "bound", "date", "entity"]


class QuantityMatch(NamedTuple):
    """A quantity of a claim with the one of the source that answers to it, and how they compare.

    ``words`` tells a disagreement or what could not be decided to people; ``certainty`` is how sure a disagreement is,
    0 to 1, by the rule that found it.
    """

    claimed: Quantity
    told: Quantity | None
    outcome: MatchOutcome
    kind: MismatchKind | None = None
    words: str = ""
    certainty: float = 0.0


def compare_quantities(
    claim: Sequence[Quantity], source: Sequence[Quantity], given: Sequence[Quantity] = ()
) -> tuple[QuantityMatch, ...]:
    """Compare each quantity of a claim with the one of a source sentence that answers to it.

    ``given`` are quantities that the claim may take up without the source, those of the question: of "Can I return it
    after 20 days?" the 20 days are an instance of "within 30 days". A claim's quantity that follows from a few of the
    source by arithmetic agrees. Quadratic in at most `MOST` quantities; a comparison with itself never disagrees.

    >>> from scorers.statements.quantities import read_quantities
    >>> def compared(claim, source):
    ...     found = compare_quantities(read_quantities(claim), read_quantities(source))
    ...     return [(match.outcome, match.kind, match.words) for match in found]
    >>> compared("You have 14 days.", "You have 30 days.")
    [('disagrees', 'quantity', '14 days against 30 days')]
    >>> compared("It takes one hour.", "It takes 60 minutes.")
    [('agrees', None, '')]
    >>> compared("At most 5 guests.", "At least 5 guests.")
    [('disagrees', 'bound', 'At most 5 guests against At least 5 guests')]
    """
    claim, source = claim[:MOST], source[:MOST]
    taken = _paired(claim, source)
    return tuple(_match(each, source, given, taken.get(at)) for at, each in enumerate(claim))


def agrees(claimed: Quantity, told: Quantity) -> bool:
    """Tell whether a quantity agrees with one other, as `compare_quantities` says of the two alone.

    >>> from scorers.statements.quantities import read_quantities
    >>> [agrees(read_quantities("one hour")[0], read_quantities(text)[0]) for text in ("60 minutes", "90 minutes")]
    [True, False]
    """
    if family(claimed) != family(told):
        # Of one value alone nothing of another kind follows; a number without its unit may be of any.
        equal = bool(told.amount) and close(claimed.amount, told.amount)
        return equal and (_is_bare(claimed) or _is_bare(told) or {claimed.unit, told.unit} == _POUNDS)
    if not _comparable(claimed, told):
        return _without(claimed, (told,), ()).outcome == "agrees"
    found = _judged(claimed, told, ())
    return found.outcome == "agrees" or (
        found.outcome == "disagrees" and found.kind in ("quantity", "unit") and follows(claimed, (told,))
    )


def _paired(claim: Sequence[Quantity], source: Sequence[Quantity]) -> dict[int, int]:
    """Return which quantity of the source answers to which of the claim: the pairs most alike first, each once."""
    scored = sorted(
        (-_likeness(mine, theirs), abs(at - place), at, place)
        for at, mine in enumerate(claim)
        for place, theirs in enumerate(source)
        if _comparable(mine, theirs)
    )
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for _, _, at, place in scored:
        if at not in pairs and place not in used:
            pairs[at] = place
            used.add(place)
    return pairs


def _comparable(one: Quantity, other: Quantity) -> bool:
    if family(one) != family(other):
        return False
    if one.dimension == "date":
        return any(mine and theirs for mine, theirs in zip(one.days[0], other.days[0], strict=True))
    if one.dimension in ("count", "ordinal"):
        return not one.unit or not other.unit or one.unit == other.unit
    return one.dimension != "reference" or one.unit == other.unit


def _likeness(one: Quantity, other: Quantity) -> float:
    found = worth(one, other)
    alike = {"same": 2.0, "about": 1.8, "unit": 0.6, "other": 0.0}[found]
    if one.about and other.about:
        shared = len(set(one.about) & set(other.about))
        alike += 2.0 * shared / min(len(set(one.about)), len(set(other.about)))
    alike += 0.5 * (one.unit == other.unit) + 0.5 * (one.rate == other.rate) + 0.3 * (_side(one) == _side(other))
    alike += 0.5 * (one.dimension == other.dimension) + 0.3 * ((one.upper is None) == (other.upper is None))
    return alike


def _match(
    claimed: Quantity, source: Sequence[Quantity], given: Sequence[Quantity], place: int | None
) -> QuantityMatch:
    if place is None:
        return _without(claimed, source, given)
    told = source[place]
    match = _judged(claimed, told, given)
    if match.outcome == "agrees":
        return _of_other(claimed, told, source) or match
    if match.outcome == "disagrees":
        others = [other for other in source if _comparable(claimed, other)]
        agreeing = [other for other in others if _judged(claimed, other, given).outcome == "agrees"]
        if agreeing:
            swapped = _of_other(claimed, agreeing[0], source)
            return swapped or QuantityMatch(
                claimed, told, "undecided", words=f"{claimed.told} is stated for something else as well"
            )
        if match.kind in ("quantity", "unit") and not _of_one_thing(claimed, told) and follows(claimed, source, given):
            return QuantityMatch(claimed, told, "agrees")
    return match


def _of_one_thing(claimed: Quantity, told: Quantity) -> bool:
    """Tell whether nothing is said of a claim's value but what is said of the other: no sum is that of one thing."""
    return bool(claimed.about) and set(claimed.about) <= set(told.about)


def _without(claimed: Quantity, source: Sequence[Quantity], given: Sequence[Quantity]) -> QuantityMatch:
    """Judge a quantity to which none of its family answers."""
    for other in (*source, *given):
        if _comparable(claimed, other) and worth(claimed, other) in ("same", "about") and same_rate(claimed, other):
            return QuantityMatch(claimed, other, "agrees")
    for other in source:
        if other.amount and close(claimed.amount, other.amount):
            if _is_bare(claimed) or _is_bare(other) or {claimed.unit, other.unit} == _POUNDS:
                return QuantityMatch(claimed, other, "agrees")
            kin = any(family(each) == family(claimed) for each in source)
            if not kin and claimed.dimension in _MEASURED and other.dimension in _MEASURED:
                return QuantityMatch(claimed, other, "disagrees", "unit", _against(claimed, other), 0.7)
    if follows(claimed, source, given):
        return QuantityMatch(claimed, None, "agrees")
    return QuantityMatch(claimed, None, "undecided", words=f"the source states nothing like {claimed.told}")


def _is_bare(quantity: Quantity) -> bool:
    """Tell whether a quantity is a number alone."""
    return quantity.dimension == "count" and not quantity.unit


_POUNDS = frozenset({"lb", "GBP"})
_MEASURED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "temperature", "data",
                       "percent", "points"})  # fmt: skip


def _of_other(claimed: Quantity, told: Quantity, source: Sequence[Quantity]) -> QuantityMatch | None:
    """Return a disagreement where the value is that of another member of a list: "Germany 180, Switzerland 220"."""
    rivals = [
        other for other in source
        if other is not told and _comparable(claimed, other) and worth(claimed, other) == "other"
        and other.dimension == told.dimension and same_rate(other, told) and 0 < len(other.about) <= _SHORT
    ]  # fmt: skip
    if not rivals or not 0 < len(told.about) <= _SHORT:
        return None
    said = set(claimed.about)
    like = [other for other in source if _comparable(claimed, other) and worth(claimed, other) != "other"]
    if any(said & _own(other, source) for other in like):
        return None
    # The first of a list has what all are of before it: "the limit is 180 for A and 240 for B" tells them apart behind.
    behind = bool(_own(told, source) & _side_words(told, behind=True))
    for rival in rivals:
        own = _own(rival, source) & _side_words(rival, behind=behind)
        if own and own <= said:
            return QuantityMatch(claimed, rival, "disagrees", "entity", _against(claimed, rival), 0.75)
    return None


def _own(member: Quantity, source: Sequence[Quantity]) -> set[str]:
    """Return the words that stand beside one quantity of a list and beside no other."""
    return set(member.about).difference(*(other.about for other in source if other is not member))


def _side_words(quantity: Quantity, *, behind: bool) -> set[str]:
    return set(quantity.about[quantity.lead :] if behind else quantity.about[: quantity.lead])


_SHORT = 5
"""Words of a member of a list; a longer one is a clause of its own."""


def _judged(claimed: Quantity, told: Quantity, given: Sequence[Quantity]) -> QuantityMatch:  # noqa: PLR0911 - in order
    found = worth(claimed, told)
    if claimed.dimension == "date":
        return _dates(claimed, told, same=found == "same")
    if claimed.dimension != "frequency" and not same_rate(claimed, told):
        return _paid(claimed, told, same=found in ("same", "about"))
    if found == "unit":
        return QuantityMatch(claimed, told, "disagrees", "unit", _against(claimed, told), 0.9)
    if not (one_unit(claimed, told) or in_working_time(claimed, told)):
        certainty = 0.7 if claimed.dimension != told.dimension else 0.4
        return QuantityMatch(claimed, told, "disagrees", "quantity", _against(claimed, told), certainty)
    if claimed.upper is not None or told.upper is not None:
        return _ranges(claimed, told)
    if found == "other" and claimed.dimension in ("count", "ordinal") and not _of_one(claimed, told):
        return QuantityMatch(claimed, told, "undecided", words=f"{_against(claimed, told)}: it is not stated of what")
    if found in ("same", "about"):
        if _opposed(claimed, told):
            return QuantityMatch(claimed, told, "disagrees", "bound", _against(claimed, told), 0.9)
        return QuantityMatch(claimed, told, "agrees")
    taken_up = any(worth(claimed, other) == "same" for other in given if family(other) == family(claimed))
    if taken_up and _within(claimed.value, told):
        return QuantityMatch(claimed, told, "agrees")
    return _differing(claimed, told)


def _of_one(one: Quantity, other: Quantity) -> bool:
    """Tell whether two numbers count the same: the same noun, or without any something named beside both."""
    return one.unit == other.unit and (bool(one.unit) or bool(set(one.about) & set(other.about)))


def _paid(claimed: Quantity, told: Quantity, *, same: bool) -> QuantityMatch:
    """Judge two quantities that are for something else each."""
    if same_paid(claimed, told):
        return QuantityMatch(claimed, told, "agrees")
    if same:
        return QuantityMatch(claimed, told, "disagrees", "unit", _against(claimed, told), 0.8)
    if claimed.rate in SECONDS and told.rate in SECONDS and one_unit(claimed, told) and claimed.upper == told.upper:
        return QuantityMatch(claimed, told, "disagrees", "quantity", _against(claimed, told), 0.75)
    return QuantityMatch(claimed, told, "undecided", words=f"{_against(claimed, told)}: rates differ")


def _differing(claimed: Quantity, told: Quantity) -> QuantityMatch:
    """Judge two quantities of different worth by their bounds."""
    mine, theirs = _side(claimed), _side(told)
    certainty = 0.9 if mine == theirs else 0.8
    if claimed.dimension == "count" and mine == theirs and _next_whole(claimed, told):
        return QuantityMatch(claimed, told, "agrees")
    if mine and theirs and mine != theirs and (_inside(claimed, told) or {mine, theirs} & {"after", "before"}):
        return QuantityMatch(claimed, told, "undecided", words=f"{_against(claimed, told)}: bounds of two kinds")
    if not mine and theirs and theirs not in ("after", "before") and _within(claimed.value, told):
        return QuantityMatch(claimed, told, "undecided", words=f"{claimed.told} is within {told.told}")
    if mine == "lower" and not theirs and _within(told.value, claimed):
        return QuantityMatch(claimed, told, "agrees")
    if mine == "upper" and not theirs and _within(told.value, claimed):
        return QuantityMatch(claimed, told, "undecided", words=f"{told.told} is within {claimed.told}")
    return QuantityMatch(claimed, told, "disagrees", "quantity", _against(claimed, told), certainty)


def _next_whole(one: Quantity, other: Quantity) -> bool:
    """Tell whether two bounds of whole numbers are the same: "under 12" and "up to 11"."""
    strict, loose = (one, other) if one.bound in ("<", ">") else (other, one)
    step = {"<": -1.0, ">": 1.0}.get(strict.bound, 0.0)
    return loose.bound in ("<=", ">=") and step != 0.0 and strict.value + step == loose.value


def _ranges(claimed: Quantity, told: Quantity) -> QuantityMatch:
    """Judge quantities of which one at least is a range."""
    agreed = QuantityMatch(claimed, told, "agrees")
    differs = QuantityMatch(claimed, told, "disagrees", "quantity", _against(claimed, told), 0.85)
    if claimed.upper is not None and told.upper is not None:
        return agreed if close(claimed.value, told.value) and close(claimed.upper, told.upper) else differs
    span, single = (claimed, told) if claimed.upper is not None else (told, claimed)
    upper = span.upper if span.upper is not None else span.value
    side = _side(single)
    if side in ("upper", "before"):
        if close(single.value, upper):
            return agreed
        if close(single.value, span.value):
            return differs._replace(kind="bound")
        return differs
    if side in ("lower", "after"):
        if close(single.value, span.value):
            return agreed
        return differs._replace(kind="bound") if close(single.value, upper) else differs
    slack = ABOUT * upper if single.bound == "~" else 0.0
    if span.value - slack <= single.value <= upper + slack:
        return QuantityMatch(claimed, told, "undecided", words=f"{single.told} is within {span.told}")
    return differs


def _dates(claimed: Quantity, told: Quantity, *, same: bool) -> QuantityMatch:
    if same:
        if _opposed(claimed, told):
            return QuantityMatch(claimed, told, "disagrees", "bound", _against(claimed, told), 0.85)
        return QuantityMatch(claimed, told, "agrees")
    if {_side(claimed), _side(told)} == {"after", "before"}:
        return QuantityMatch(claimed, told, "undecided", words=f"{_against(claimed, told)}: a beginning and an end")
    return QuantityMatch(claimed, told, "disagrees", "date", _against(claimed, told), 0.85)


def _side(quantity: Quantity) -> str:
    return _SIDES.get(quantity.bound, "")


_SIDES = {">=": "lower", ">": "lower", "<=": "upper", "<": "upper", "after": "after", "before": "before"}


def _opposed(one: Quantity, other: Quantity) -> bool:
    """Tell whether two bounds of one value run in opposite directions: "at least" and "at most", "after" and "within".

    A point in time is no length: "after 7 days" can be said beside "no longer than 7 days", not beside "within 7 days".
    """
    sides = {_side(one), _side(other)}
    if sides == {"lower", "upper"} and any(each.bound_word.lower() in _LATEST for each in (one, other)):
        return False  # two weeks before at the latest are at least two weeks before
    if sides in ({"lower", "upper"}, {"after", "before"}):
        return True
    if sides == {"after", "upper"} and one.dimension not in _IN_TIME:
        return True
    words = {one.bound_word.lower().split(" ")[0], other.bound_word.lower().split(" ")[0]}
    return sides == {"after", "upper"} and not words.isdisjoint(_DEADLINES)


_LATEST = frozenset({"sp\u00e4testens", "au plus tard", "a m\u00e1s tardar", "uiterlijk", "nicht sp\u00e4ter als"})
_IN_TIME = frozenset({"time", "working time", "clock", "date", "count", "ordinal", "reference", "version"})
_DEADLINES = word_set("within innerhalb binnen entro dentro dans inside")


def _within(value: float, bounded: Quantity) -> bool:
    return {
        ">=": value >= bounded.value, ">": value > bounded.value, "<=": value <= bounded.value,
        "<": value < bounded.value,
    }.get(bounded.bound, False)  # fmt: skip


def _inside(one: Quantity, other: Quantity) -> bool:
    """Tell whether something satisfies both of two opposite bounds."""
    return _within(one.value, other) and _within(other.value, one)


def _against(claimed: Quantity, told: Quantity) -> str:
    return f"{claimed.told} against {told.told}"
