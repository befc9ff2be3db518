"""The parts of a sentence that tell of days and times, put together where they tell of the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from scorers.statements.words import is_verb
from scorers.support.contraries.reading import NEGATING, RuleWord, marks_of
from scorers.support.timetables.values import BEFORE, DaysOrTimes, values_in
from scorers.text.normalize import word_set

MOST_WORDS = 100
"""Words of a sentence that are read."""

_FROM = re.compile(r"\b(?:from|as of|starting(?: at)?)\s$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|to|up to|through)\s$", re.IGNORECASE)
_DEADLINE = re.compile(r"\b(?:before|by|after|later than|earlier than|within|about|around|past)\s$", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?:except|excluding|apart from|other than|(?P<not>not))(?: on| for)?(?: the)?\s$", re.IGNORECASE
)
_EXCEPTED = re.compile(r"\s(?:excepted|excluded)\b", re.IGNORECASE)

STARTING = word_set("open opens opening opened start starts begin begins beginning unlocked unlocks")
ENDING = word_set("close closes closing end ends finish finishes shut shuts locked locks")
CLOSED = word_set("closed unavailable inaccessible shut closure closures")
CHANGING = STARTING | ENDING | CLOSED
"""Words for something that opens or closes."""
OPENING = CHANGING | word_set(
    "hours hour available availability accessible reach reached reachable served serves visit visits runs operates"
    " staffed"
)
"""Words of a sentence that speaks of when something is open."""
_EMPTY = OPENING | word_set(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays"
    " saturdays sundays mon tue tues wed thu thur thurs fri sat sun weekday weekdays weekend weekends working"
    " business public bank national holiday holidays day days week weeks weekly month months year years daily time"
    " times today night nights evening morning afternoon noon midnight clock o'clock am pm a.m p.m hrs h every each"
    " first second third fourth last seven twice once one again same except excepted excluded able can possible"
    " allowed permitted usable welcome use used uses using make made makes take taken takes come comes go goes get"
    " gets stay stays remain remains offer offered held done place places round"
)
"""Words that name nothing that is open."""
_CONDITIONAL = word_set("if unless when whenever provided unlike instead usually normally other others else remaining")
_DENYING = NEGATING - {"without"}
_AUXILIARY = word_set("is are was were can may must shall should will would could be been have has had do does did")
_ONLY = frozenset({"only", "solely", "exclusively"})
_PRONOUNS = frozenset({"it", "they"})
_FRAMING = word_set("during in for at with after on")
_DETERMINING = word_set("the a an our your their its this these all each")
_JOINTS = (
    {word: word for word in ("and", "or", ",", ":")}
    | dict.fromkeys((".", "!", "?", ";", "but", "while", "whereas"), ";")
    | dict.fromkeys("()", ",")
)
"""What parts a sentence, and as what: a clause is parted by ";"."""
_LISTING = frozenset({"and", "or", ","})
_OPEN = frozenset({"", ";"})
"""Joints at which a clause begins."""


class HoursPart:
    """A part of a sentence between two joints.

    ``head`` are the words that name something before its first day or time, ``tail`` those behind; ``subject`` those of
    the head before a verb. ``reach`` is where its days and times stand.
    """

    def __init__(self, joint: str, head: list[RuleWord]) -> None:
        self.joint = joint
        self.days: set[int] = set()
        self.excepted: set[int] = set()
        self.opens: float | None = None
        self.closes: float | None = None
        self.which: frozenset[str] = frozenset()
        self.head = head
        self.tail: list[RuleWord] = []
        self.subject: list[RuleWord] = []
        self.denied = False
        self.closed = False
        self.only = False
        self.vague = False
        self.weekly = False
        self.opening = False
        self.verbal = False
        self.refers = False
        self.framed = False
        self.reach: tuple[int, int] | None = None

    def timed(self) -> bool:
        """Tell whether the part has a time."""
        return self.opens is not None or self.closes is not None

    def valued(self) -> bool:
        """Tell whether the part has days or a time."""
        return self.reach is not None

    def lone(self) -> bool:
        """Tell whether the part has days and nothing else."""
        return bool(self.days) and not (self.timed() or self.head or self.tail or self.excepted or self.closed)

    def takes(self, other: HoursPart) -> None:
        """Take the days and times of another part; the part's own times stay."""
        self.days |= other.days
        self.excepted |= other.excepted
        self.opens = other.opens if self.opens is None else self.opens
        self.closes = other.closes if self.closes is None else self.closes
        self.which = self.which or other.which
        self.vague |= other.vague
        self.weekly |= other.weekly
        self.opening |= other.opening
        self.only |= other.only
        if other.reach is not None:
            self.reaches(*other.reach)

    def reaches(self, start: int, end: int) -> None:
        """Note where days or times of the part stand."""
        first, last = self.reach or (start, end)
        self.reach = (min(first, start), max(last, end))


def names(mark: RuleWord) -> bool:
    """Tell whether a word names something beside days, times and that it is open."""
    return bool(mark.keys) and mark.text not in _EMPTY and mark.text not in NEGATING


def parts_of(text: str) -> list[HoursPart]:
    """Return the parts of a sentence, those put together that tell of the same."""
    return _together(_with_lists([part for part in _parts(text) if part.valued() or part.head or part.opening]))


def _parts(text: str) -> Iterator[HoursPart]:
    """Yield the parts of a sentence between its joints."""
    values = values_in(text)
    part, side, at = HoursPart("", []), "", 0
    for mark in islice(marks_of(text), MOST_WORDS):
        while at < len(values) and values[at].start <= mark.start:
            _take(part, values[at], text, side)
            at += 1
        if at and mark.start < values[at - 1].end:
            continue  # a word of a day or of a time
        joint = _JOINTS.get(mark.text)
        if joint is not None:
            head: list[RuleWord] = []
            if joint == ":" and part.valued():
                head, part.tail = part.tail, []  # "Phone: until 8 pm Chat: daily"
            yield part
            part = HoursPart(joint, head)
            continue
        side = "opens" if mark.text in STARTING else "closes" if mark.text in ENDING else side
        _say(part, mark)
    yield part


def _take(part: HoursPart, value: DaysOrTimes, text: str, side: str) -> None:
    """Add days or times to a part; ``side`` is whether the last verb of the sentence opens or closes."""
    before = text[max(0, value.start - BEFORE) : value.start]
    if value.single and _DEADLINE.search(before):
        return
    part.reaches(value.start, value.end)
    part.weekly |= value.weekly
    part.vague |= value.dated
    part.which = part.which or value.which
    excepting = _EXCEPT.search(before)
    if value.days and (excepting or _EXCEPTED.match(text, value.end)):
        part.excepted |= value.days
        part.denied = part.denied and not (excepting and excepting["not"])
        return
    part.days |= value.days
    opens: float | None = value.opens
    closes: float | None = value.closes
    if value.single and (_UNTIL.search(before) or (side == "closes" and not _FROM.search(before))):
        closes = opens
        opens = None
    part.vague |= (part.opens is not None and opens is not None) or (part.closes is not None and closes is not None)
    part.opens = opens if part.opens is None else part.opens
    part.closes = closes if part.closes is None else part.closes


def _say(part: HoursPart, mark: RuleWord) -> None:
    """Note what a word says of its part."""
    word = mark.text
    part.opening |= word in OPENING
    part.closed |= word in CLOSED
    part.denied |= word in _DENYING
    part.only |= word in _ONLY
    part.vague |= word in _CONDITIONAL
    part.refers |= word in _PRONOUNS
    part.verbal |= is_verb(word) or word in _AUXILIARY
    if names(mark):
        (part.tail if part.valued() else part.head).append(mark)
        if not part.verbal:
            part.subject.append(mark)
    elif word in _DETERMINING and part.framed and not part.verbal:
        part.subject, part.framed = [], False  # "during term | the lab"
    elif word in _FRAMING and not part.head and not part.verbal:
        part.framed = True


def _with_lists(parts: Sequence[HoursPart]) -> list[HoursPart]:
    """Return the parts with days put to those behind that tell their time: "on Fridays | and Saturdays at 3 am"."""
    found: list[HoursPart] = []
    for part in reversed(parts):
        behind = found[-1] if found else None
        if behind is not None and part.lone() and behind.joint in _LISTING and _timed_list(behind):
            behind.takes(part)
            behind.denied |= part.denied
            behind.joint = part.joint
        else:
            found.append(part)
    return found[::-1]


def _timed_list(part: HoursPart) -> bool:
    return bool(part.days) and part.timed() and not part.head and not part.excepted


def _together(parts: Sequence[HoursPart]) -> list[HoursPart]:
    """Return the parts with those put together that tell of the same: "opens at 9 | and closes at 5"."""
    found: list[HoursPart] = []
    for part in parts:
        last = found[-1] if found else None
        if last is None:
            found.append(part)
        elif last.valued() and part.valued() and not part.head and _goes_on(last, part):
            last.takes(part)
            last.tail += part.tail
        elif _fronts(last, part):
            part.takes(last)
            part.joint = last.joint
            found[-1] = part
        elif last.valued() and part.closed and part.joint == ":" and not (part.valued() or part.head):
            last.closed = True  # "Sunday: closed"
        elif not last.valued() and part.valued() and not part.head and part.joint != ";":
            part.takes(last)
            part.head, part.denied = last.head, part.denied or last.denied
            found[-1] = part
        else:
            found.append(part)
    return found


def _fronts(last: HoursPart, part: HoursPart) -> bool:
    """Tell whether a part stands in front of the next that it belongs to: "On Saturdays, the desk closes at noon"."""
    if not last.valued() or last.head or last.tail or last.verbal or last.excepted or last.joint not in _OPEN:
        return False
    both = (last.days and part.days) or (last.timed() and part.timed())
    return part.joint == "," and part.verbal and not both


def _goes_on(last: HoursPart, part: HoursPart) -> bool:
    """Tell whether a part goes on with the days or the times of the last."""
    if part.excepted:
        return part.joint in _LISTING and not part.days and not part.timed()
    denies = (part.denied and not last.denied) or (part.closed and not last.closed)
    if denies or part.joint == ";" or (last.tail and part.joint != ":"):
        return part.timed() and not part.days and not last.timed() and not denies and part.joint != ";"
    one_sided = (part.opens is None or last.opens is None) and (part.closes is None or last.closes is None)
    if part.timed() and part.days:
        return not last.timed() or (part.joint == "and" and one_sided and not last.days)
    if part.days:
        return not last.timed() or bool(last.days) or last.joint in _OPEN
    return one_sided
