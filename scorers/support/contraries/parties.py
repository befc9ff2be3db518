"""Who pays and who provides: the house ("we", the company, the landlord) or people ("you", employees, tenants).

A clause is read for who bears a cost or gives a thing, in either voice, with what it is: "the postage is paid by us".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from adapters.caching import cached_by_text
from scorers.support.contraries.reading import NEGATING, RuleWord, clauses_of, marks_of
from scorers.text.glance import glance
from scorers.text.normalize import word_set

Bears = Literal["pays", "gives"]

GENERIC = word_set("we us our ours ourselves company firm organisation organization provider house management business")
"""The house by no name of its own."""
HOUSE = GENERIC | word_set(
    "employer employers organiser organisers organizer organizers shop store seller retailer vendor landlord landlords"
    " lessor bank insurer insurance airline hotel hospital clinic school kindergarten nursery university"
    " college library gym club association council city municipality state government authority manufacturer carrier"
    " operator host studio museum theatre agency supplier centre center foundation charity trust institute"
    " institution universities lodge hostel campsite resort society union lender federation fund department departments"
)
PEOPLE = word_set(
    "you your yourself yourselves employee employees staff worker workers customer customers client clients tenant"
    " tenants guest guests visitor visitors member members passenger passengers traveller travellers traveler travelers"
    " policyholder policyholders patient patients student students pupil pupils parent parents family families"
    " participant participants attendee attendees speaker speakers buyer buyers purchaser user users subscriber"
    " subscribers applicant applicants resident residents renter renters lessee borrower borrowers reader"
    " readers driver drivers volunteer volunteers exhibitor exhibitors intern interns trainee trainees hirer hirers"
    " delegate delegates player players swimmer swimmers camper campers"
)
_PAYS = word_set("pay pays bear bears fund funds finance finances foot foots")
_COVERS = word_set("cover covers meet meets carry carries assume assumes absorb absorbs")
_GIVES = word_set("provide provides supply supplies bring brings buy buys purchase purchases furnish furnishes")
_PAID = word_set("paid borne funded financed")
_COVERED = word_set("covered met carried assumed absorbed")
_GIVEN = word_set("provided supplied brought bought purchased furnished")
_COSTS = word_set(
    "cost costs expense expenses fee fees charge charges postage fare fares price bill bills rent repair repairs"
)
_EXPENSE = word_set("expense cost")
_LIGHT = word_set("cost costs expense expenses price bill bills own themselves home needed")
_BETWEEN = word_set(
    "will would must has have to need needs always also can may should shall usually normally themselves yourself only"
    " do does not never don't doesn't won't cannot can't needn't required expected are is be still then"
    " generally obliged ourselves himself herself"
)
_INSERTS = word_set("in of to with from on under who over at without")
_OPENS = word_set("if unless when where until except before after whether")
_ENDS = (
    frozenset(",;:.!?()\u2014") | _OPENS | word_set("and but while whereas which who up above below over under from")
)
_WEARS = word_set("wear use put take with")
_HINTS = _PAYS | _COVERS | _GIVES | _PAID | _COVERED | _GIVEN | _EXPENSE
_NEXT, _LONGEST, _FURTHEST = 4, 8, 10


class Borne(NamedTuple):
    """Who bears a cost or gives a thing: the word for it, whether that is denied, and the words of the thing."""

    kind: Bears
    who: str
    denied: bool
    things: tuple[tuple[RuleWord, ...], ...]
    start: int
    end: int
    """``things`` are the words of each of a list; ``start`` and ``end`` are where all of it stands."""

    @property
    def words(self) -> tuple[RuleWord, ...]:
        """The words of all things."""
        return tuple([word for thing in self.things for word in thing])

    @property
    def side(self) -> int:
        """1 where it is the house's in the end, -1 where it is people's: what one does not pay, the other pays."""
        house = self.who in HOUSE
        return 1 if house is not self.denied else -1


@cached_by_text(cost=20)
def borne_in(text: str) -> tuple[Borne, ...]:
    """Return what a text says of who pays and who provides.

    >>> [(each.kind, each.who) for each in borne_in("Vests are supplied by us; guests pay the postage.")]
    [('gives', 'us'), ('pays', 'guests')]
    """
    if _HINTS.isdisjoint(glance(text)):
        return ()
    return tuple([each for marks in clauses_of(marks_of(text)) for each in _borne(marks)])


def _borne(marks: Sequence[RuleWord]) -> Iterator[Borne]:
    texts = [mark.text for mark in marks]
    for at, text in enumerate(texts):
        if text not in _HINTS or _conditioned(texts, at):
            continue
        if text in _EXPENSE:
            found = _at_expense(marks, texts, at)
        elif text in _PAID or text in _COVERED or text in _GIVEN:
            found = _passive(marks, texts, at)
        else:
            found = _active(marks, texts, at)
        if found is not None and found.things:
            yield found


def _conditioned(texts: Sequence[str], at: int) -> bool:
    """Tell whether a word stands in a condition: "if we pay the postage"."""
    start = max((place for place in range(at) if texts[place] == ","), default=-1)
    return any(text in _OPENS for text in texts[start + 1 : at])


def _active(marks: Sequence[RuleWord], texts: Sequence[str], at: int) -> Borne | None:
    """Return who does what behind a verb: "guests in tents pay the fee"."""
    if texts[at] in _COVERS and _COSTS.isdisjoint(texts[at + 1 : at + 1 + _NEXT]):
        return None
    place = at - 1
    while place >= 0 and texts[place] in _BETWEEN:
        place -= 1
    who = next((each for each in range(place, max(-1, place - _FURTHEST), -1) if texts[each] in _PARTIES), None)
    if who is None or (who < place and texts[who + 1] not in _INSERTS):
        return None
    denied = any(text in NEGATING for text in texts[place + 1 : at])
    if texts[at] in ("pay", "pays") and at + 1 < len(texts) and texts[at + 1][0].isdigit():
        return None
    behind = _behind(marks, texts, at + 1)
    end = behind[-1].end if behind else marks[at].end
    kind: Bears = "gives" if texts[at] in _GIVES else "pays"
    return Borne(kind, texts[who], denied, _listed(behind), marks[who].start, end)


def _behind(marks: Sequence[RuleWord], texts: Sequence[str], start: int) -> Sequence[RuleWord]:
    """Return the marks of what begins somewhere: up to a sign, a condition, or the next who does something."""
    told = False
    for at in range(start, min(len(texts), start + _LONGEST)):
        listed = texts[at] == "and" and not _PARTIES.intersection(texts[at + 1 : at + 3])
        if (texts[at] in _ENDS and not listed) or (texts[at] == "for" and told):
            return marks[start:at]
        told = told or _tells(marks[at])
    return marks[start : start + _LONGEST]


def _listed(marks: Sequence[RuleWord]) -> tuple[tuple[RuleWord, ...], ...]:
    """Return the words of each thing of a list."""
    found: list[list[RuleWord]] = [[]]
    for mark in marks:
        if mark.text in _JOINS:
            found.append([])
        elif _tells(mark) and mark.text not in _ENDS:
            found[-1].append(mark)
    return tuple([tuple(each) for each in found if each])


_JOINS = frozenset({"and", "or", ","})


def _tells(mark: RuleWord) -> bool:
    return bool(mark.keys) and mark.text not in _LIGHT and mark.text not in _BETWEEN


def _passive(marks: Sequence[RuleWord], texts: Sequence[str], at: int) -> Borne | None:
    """Return by whom something is paid or given, or that things are those provided: "wear the apron provided"."""
    kind: Bears = "gives" if texts[at] in _GIVEN else "pays"
    start = max((place + 1 for place in range(at) if texts[place] in _SIGNS), default=0)
    ahead = texts[start:at]
    if "by" in texts[at + 1 : at + 3]:
        if texts[at] in _COVERED and _COSTS.isdisjoint(ahead):
            return None
        by = texts.index("by", at + 1)
        behind = marks[by + 1 : by + 1 + _NEXT]
        who = next((mark for mark in behind if mark.text in _PARTIES or mark.text in _SIGNS), None)
        if who is None or who.text not in _PARTIES:
            return None
        denied = any(text in NEGATING for text in ahead)
        return Borne(kind, who.text, denied, _listed(marks[start:at]), marks[start].start, who.end)
    if kind == "gives" and "the" in ahead and not _BE.intersection(ahead):
        the = len(ahead) - 1 - ahead[::-1].index("the")
        if the and ahead[the - 1] in _WEARS:
            things, begin = _listed(marks[start + the : at]), marks[start + the].start
            return Borne(kind, "we", denied=False, things=things, start=begin, end=marks[at].end)
    return None


_BE = word_set("is are was were be been being")
_SIGNS = frozenset(",;:.!?()\u2014")
_PARTIES = HOUSE | PEOPLE


def _at_expense(marks: Sequence[RuleWord], texts: Sequence[str], at: int) -> Borne | None:
    """Return at whose expense something is: "we send a courier, at our expense"."""
    lead = max((place for place in range(max(0, at - _NEXT), at) if texts[place] == "at"), default=-1)
    if lead < 0:
        return None
    whose = [text.removesuffix("'s") for text in texts[lead + 1 : at]]
    who = next((text for text in whose if text in _PARTIES), "")
    if not who:
        return None
    thing = tuple([mark for mark in marks[:lead] if _tells(mark) and mark.text not in _PARTIES and mark.text != ","])
    things = (thing[-_LONGEST:],) if thing else ()
    return Borne("pays", who, denied=False, things=things, start=marks[lead].start, end=marks[at].end)
