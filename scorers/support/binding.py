"""The values of a claim bound to what they are of: whether another value of the context is tied to it better."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import (
    ValueAnswer,
    answers,
    brackets,
    falls,
    form,
    same_kind,
    same_value,
    vague,
)
from scorers.statements.quantities.arithmetic import derivable
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import same_paid, same_rate
from scorers.statements.ties import LONGEST, TiedSentence, TiedValue, read_ties
from scorers.statements.words import Word
from scorers.support.alignment import Alignment
from scorers.support.tying import (
    SHORTEST,
    AskedTies,
    Tie,
    ValueMention,
    asked_of,
    has_figures,
    mentions_of,
    places_of,
    rarity_of,
    tie,
)
from scorers.text.normalize import NEGATORS

NAMES = ("bound_margin", "bound_gain", "bound_loss", "bound_nowhere", "bound_unit", "bound_strength")
"""By how much another value is tied better to what a claim says than the claim's, how well both are, how well a value
is tied of the same dimension of which the context has none like the claim's, the same of the same number in another
unit, and how sure it is that the claim is wrong."""


class Bound(NamedTuple):
    """What the values of a context say of those of a claim: the difference, its source and sentence; and `NAMES`."""

    values: tuple[float, ...]
    difference: Difference | None = None
    source: int | None = None
    words: str = ""

    @property
    def strength(self) -> float:
        """How sure it is that a value of the claim is another's; 0 where none is."""
        return 0.0 if self.difference is None else self.difference.strength


UNBOUND = Bound((0.0,) * len(NAMES))
"""What is said of a claim without values."""


def bind(a: Alignment, question: str | None) -> Bound:
    """Return what the values of the context say of those of a claim."""
    if not has_figures(a.claim.terms):
        return UNBOUND
    if len(a.unique) > SHORTEST and max(a.covered[a.window : a.window + 2]) >= COPY * a.total:
        return UNBOUND
    claimed = [each for each in quantities_in(a.claim.sentence.words[:LONGEST], "en") if _bindable(each)]
    places = list(places_of(a)) if claimed else []
    # Where one value recurs, one of it is enough.
    told = {each._replace(written="", start=0, end=0) for place in places for each in place.quantities}
    if not any(_open(each, told) for each in claimed):
        return UNBOUND
    claim = read_ties(a.claim.sentence.words)
    words = a.claim.sentence.words
    values_ = [v for v in claim.values if _bindable(v.quantity) and not _RULED_OUT.search(words[: v.quantity.start])]
    mentions = list(mentions_of(a, places))
    asked = read_ties(question) if question else None
    denied = a.claim.terms.negators > 0
    found = [each for value in values_ if (each := _bound(value, claim, asked, mentions, denied=denied)) is not None]
    if not found:
        return UNBOUND
    worst = max(found, key=lambda each: (each.strength, each.values))
    values = tuple(max(column) for column in zip(*(each.values for each in found), strict=True))
    return worst._replace(values=values)


_RULED_OUT = re.compile(
    r"(?:\b(?:no|not|never|without|rather than|instead of|unlike)|n't)\s(?:an?\s|the\s)?$", re.IGNORECASE
)
"""What stands before a value that a claim does not have: "no 5 GHz"."""

COPY = 0.8
"""Share of a claim, weighed by rarity, from which on one sentence has it nearly as a copy: statements compare these."""


def _bound(
    value: TiedValue,
    claim: TiedSentence,
    asked: TiedSentence | None,
    mentions: Sequence[ValueMention],
    *,
    denied: bool,
) -> Bound | None:
    claimed = value.quantity
    given = [] if asked is None else [each.quantity for each in asked.values]
    if any(same_kind(claimed, each) and same_value(claimed, each) for each in given):
        return None
    by: dict[ValueAnswer, list[ValueMention]] = {"own": [], "rival": [], "unit": [], "": []}
    for mention in mentions:
        by[answers(claimed, mention.value.quantity)].append(mention)
    if by["own"] and all(_otherwise(claimed, each.value.quantity) for each in by["own"]):
        return None if denied else _bound_otherwise(value, claim, asked, by["own"])
    if not by["rival"] and (by["own"] or not by["unit"]):
        return None
    if not by["own"] and (vague(claimed) or derivable(claimed, [each.value.quantity for each in mentions], given)):
        return None
    wanted = asked_of(value, claim, asked)
    rarity = rarity_of(wanted, mentions)
    own, rivals, units = (
        [tie(each, wanted, rarity, form(claimed, each.value.quantity)) for each in by[kind]] for kind in _ANSWERS
    )
    if own:
        others = [each.quantity for each in claim.values if each is not value]
        return _contested(claimed, own, rivals, wanted, others)
    if units:
        nearest = max(units, key=_total)
        total = nearest.total
        ahead = max([each.total for each in rivals], default=0.0) - total
        certain = _of_unit(total, ahead, claimed)
        return _said((0.0, 0.0, 0.0, 0.0, total), certain, claimed, nearest, "unit")
    nearest = max(rivals, key=_total)
    total = nearest.total
    other = nearest.mention.value.quantity
    alone = all(each.mention is nearest.mention or each.total < total - CLEAR for each in rivals)
    # "Up to 180 EUR" does not speak against 150.
    sure = alone and other.unit == claimed.unit and not (brackets(other) and falls(claimed, other))
    certain = _of_absence(total) if sure else min(LITTLE, _of_absence(total))
    return _said((0.0, 0.0, 0.0, total, 0.0), certain, claimed, nearest, _kind(claimed, there=False))


def _otherwise(claimed: Quantity, told: Quantity) -> DifferenceKind | None:
    """Tell in what the same value differs: at least against at most, or the same amount for another time or measure."""
    if claimed.dimension in _NEVER_OTHERWISE or answers(claimed, told) != "own":
        return None
    # "Above 20 m2" beside "below 20 m2" are two cases of one rule.
    if {claimed.bound, told.bound} == {"<=", ">="}:
        return "bound"
    timed = claimed.rate in SECONDS and told.rate in SECONDS and claimed.dimension == told.dimension
    return "unit" if timed and not same_rate(claimed, told) and not same_paid(claimed, told) else None


_NEVER_OTHERWISE = frozenset({"date", "clock", "ordinal"})


def _bound_otherwise(
    value: TiedValue, claim: TiedSentence, asked: TiedSentence | None, own: Sequence[ValueMention]
) -> Bound | None:
    """Return that the one value like the claim's bounds otherwise, where enough else of the claim is tied to it."""
    wanted = asked_of(value, claim, asked)
    rarity = rarity_of(wanted, own)
    nearest = max([tie(each, wanted, rarity, 0.0) for each in own], key=_total)
    told = nearest.mention.value.quantity
    kind = _otherwise(value.quantity, told)
    if kind is None or nearest.total < TIED or not NEGATORS.isdisjoint(nearest.mention.words.lower().split()):
        return None
    return _said((0.0, 0.0, 0.0, 0.0, 0.0), OTHERWISE, value.quantity, nearest, kind)


TIED, OTHERWISE = 0.5, 0.75
"""How well else a value must be tied, and how sure it then is that a claim is wrong that has it otherwise bound."""


CLEAR, LITTLE = 0.15, 0.5
"""By how much the nearest of several values must be tied better than the others, and what is certain if not."""
_ANSWERS: tuple[ValueAnswer, ...] = ("own", "rival", "unit")
_UNBOUND = frozenset({"reference", "version", "ordinal"})


def _open(claimed: Quantity, told: Collection[Quantity]) -> bool:
    """Tell whether a context has another value of the kind, none but in another unit, or the same otherwise bound."""
    found: set[ValueAnswer] = set()
    for each in told:
        answer = answers(claimed, each)
        if answer == "rival" or (answer == "own" and _otherwise(claimed, each)):
            return True
        found.add(answer)
    return "unit" in found and "own" not in found


def _bindable(claimed: Quantity) -> bool:
    """Tell whether a quantity is of something: a number alone is not."""
    return claimed.dimension not in _UNBOUND and (claimed.dimension != "count" or claimed.unit != "")


def _contested(
    claimed: Quantity, own: Sequence[Tie], rivals: Sequence[Tie], wanted: AskedTies, others: Sequence[Quantity]
) -> Bound:
    """Return what speaks for another value against all that is tied to the claim's own."""
    best: _Balance | None = None
    unlike = _unlike(rivals)
    for mine in _unlike(own):
        against = max((_balance(mine, rival, wanted) for rival in unlike), key=_margin)
        if best is None or against.margin < best.margin:
            best = against
    assert best is not None
    told = best.rival.mention.value.quantity
    certain = _of_margin(best)
    if (
        vague(claimed)
        or (claimed.unit != told.unit and not (claimed.dimension == "money" and best.near >= ELSEWHERE))
        or (claimed.bound != "=" and claimed.bound == best.own.mention.value.quantity.bound != told.bound)
        or any(same_kind(each, told) and same_value(each, told) for each in others)
        or _of_a_period(claimed, best)
    ):
        certain = min(LITTLE, certain)
    return _said((best.margin, best.gain, best.loss, 0.0, 0.0), certain, claimed, best.rival, _kind(claimed))


def _of_a_period(claimed: Quantity, best: _Balance) -> bool:
    """Tell whether one sentence has a claim's value, and the other one for a period: 100 each, 250 a year."""
    own, rival = best.own.mention, best.rival.mention
    return (
        own.words == rival.words
        and rival.value.quantity.rate in SECONDS
        and claimed.rate not in SECONDS
        and own.value.quantity.rate not in SECONDS
    )


def _unlike(ties: Sequence[Tie]) -> Collection[Tie]:
    """Return the ties without those that weigh what an earlier one does: a list repeats them."""
    found: dict[tuple[object, ...], Tie] = {}
    for each in ties:
        found.setdefault((each.words, each.cases, each.form), each)
    return found.values()


class _Balance(NamedTuple):
    """What ties another value better, what ties the claim's own better, and how much of the first stands beside it.

    ``telling`` are the words beside the claim's value that are tied to the other one alone.
    """

    own: Tie
    rival: Tie
    gain: float
    loss: float
    near: float
    cases: float
    telling: tuple[Word, ...]

    @property
    def margin(self) -> float:
        """What speaks for the other value in the end."""
        return self.gain - LOST * self.loss


def _balance(own: Tie, rival: Tie, wanted: AskedTies) -> _Balance:
    pairs = [theirs - mine for mine, theirs in zip(own.words, rival.words, strict=True)]
    near = [(pairs[at], wanted.words[at][0]) for at in wanted.near if pairs[at] > TELLING]
    pairs += [rival.cases - own.cases, rival.form - own.form]
    gain = sum([each for each in pairs if each > 0], 0.0)
    loss = sum([-each for each in pairs if each < 0], 0.0)
    beside = sum([each for each, _ in near], 0.0) + max(0.0, rival.cases - own.cases)
    return _Balance(own, rival, gain, loss, beside, rival.cases - own.cases, tuple([word for _, word in near]))


ELSEWHERE = 0.5
"""From where on what stands beside a sum tells that it is another's, in whichever currency that is."""
LOST = 1.5
BRACKETED = 1.0
"""From where on a case falls into the bracket beside one value, and not into that beside the other."""
"""What a word counts that ties the claim's own value, beside one that ties the other."""
TELLING = 0.08


def _margin(balance: _Balance) -> float:
    return balance.margin


def _total(tie: Tie) -> float:
    return tie.total


def _of_margin(balance: _Balance) -> float:
    """Return how sure it is that a value is another's: words beside it tie the other one, and none its own."""
    margin = min(balance.margin, balance.near - LOST * balance.loss)
    if margin <= 0:
        return 0.0
    certain = min(0.9, 0.4 + margin * 0.7)
    telling = len(balance.telling) > 1 or any(word.members for word in balance.telling) or balance.cases >= BRACKETED
    return certain if telling else min(certain, LITTLE)


def _of_unit(total: float, ahead: float, claimed: Quantity) -> float:
    """Return how sure another unit of one number is: the surer the less likely the number is the same by chance."""
    chance = 0.0 if claimed.amount > FEW or claimed.amount != int(claimed.amount) else 0.2
    return max(0.0, min(0.9, 0.6 + 0.4 * total - 0.3 * max(0.0, ahead) - chance))


FEW = 9
"""Numbers up to which are often the same by chance."""


def _of_absence(tie: float) -> float:
    return max(0.0, min(0.9, 0.2 + 0.5 * tie))


def _kind(claimed: Quantity, *, there: bool = True) -> DifferenceKind:
    if claimed.dimension == "date":
        return "date"
    return "entity" if there else "quantity"


def _said(
    values: tuple[float, ...],
    strength: float,
    claimed: Quantity,
    other: Tie,
    kind: DifferenceKind,
) -> Bound:
    strength = round(strength, 3)
    if strength <= 0:
        return Bound((*values, 0.0))
    mention = other.mention
    difference = Difference(kind, claimed.told, mention.value.quantity.told, strength)
    return Bound((*values, strength), difference, mention.source, mention.words)
