"""By which way something is done: by letter, by phone, online, in person, in writing. The ways are a closed set.

Read are phrases ("by phone", "call us", "in the portal"), so that a phone on a desk and a letter of advice are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.ties import LONGEST
from scorers.support.contraries.reading import NEGATING, RuleWord, clauses_of, marks_of
from scorers.text.glance import glance
from scorers.text.normalize import word_set

_A = r"(?:(?:the|our|your|their|its|an?|any|one of (?:the|our)) )?"
_OF = r"(?:[a-z][a-z'-]{1,18} ){0,2}?"
_BY = r"(?:by|via|per|through)"
_IN = r"(?:by|via|through|using|with|in|on|from)"
_TRADE = r"(?:orders?|purchases?|shops?|stores?|bookings?|tickets?|payments?|courses?|classes|meetings?|banking)"
_DESK = r"(?:counter|(?:front|ticket|help|reception|info|information) ?desk|ticket office|service point)"
_WAYS: Mapping[str, str] = {
    "letter": rf"{_BY} {_A}(?:registered |recorded |regular |ordinary |normal |postal )?(?:post|letter|postal mail"
    r"|mail)|(?:by|in) (?:the )?(?:post|mail)|on paper|paper (?:forms?|applications?|copies|copy)|posted to",
    "phone": rf"{_BY} {_A}(?:tele)?phone(?: call)?|over the (?:tele)?phone|by calling|(?:tele)?phone (?:us|me|the"
    r"|our)|(?:calls?|calling|ring|ringing|phoning) (?:us|the|our|reception|customer|in)|phone calls?|by call"
    rf"|(?:by|via|through|on|using|call) {_A}{_OF}hotline",
    "email": rf"{_BY} {_A}e-?mails?|e-?mail (?:us|me|the|our|to)|(?:send|sending|write|writing|drop) (?:us )?an e-?mail"
    r"|e-?mailed to",
    "app": rf"{_IN} {_A}{_OF}app|the {_OF}app(?= (?:can|may|must|has|is))",
    "online": rf"online(?! {_TRADE})|{_IN} {_A}{_OF}(?:portal|website|web site|web ?page|platform|intranet|web form"
    rf"|internet)|(?:in|through|via|using|from) (?:your|the|their|my) {_OF}account(?! (?:at|with|of))|electronically"
    r"|digitally",
    "person": rf"in person|(?:at|in|into|to) {_A}{_OF}{_DESK}|(?:at|in|to|visit|visiting) (?:any|an?|your (?:local"
    rf"|nearest)|one of (?:our|the)) {_OF}(?:branch|store|shop|office)(?:es|s)?|face[ -]to[ -]face|in[ -](?:store"
    r"|branch)",
    "chat": rf"{_BY} {_A}(?:live |web |online )?chat",
    "text": rf"{_BY} {_A}(?:sms|text(?: message)?|whatsapp)|(?:text|message) us",
    "fax": rf"{_BY} {_A}fax|fax us",
    "writing": r"in writing|written|in text form|in written form",
    "speech": r"verbal(?:ly)?|oral(?:ly)?|by word of mouth|spoken",
}
_WAY = re.compile("|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _WAYS.items()))
_BOUGHT = re.compile(r"(?<!is )(?<!are )(?<!be )\b(?:ordered|bought|purchased|booked|paid|sold) $")
"""What tells which things are meant: "items ordered online can be returned in the shop"."""
_HINTS = word_set(
    "post letter mail paper posted phone telephone calling call calls ring ringing phoning hotline email emails e"
    " mailed emailed app online portal website web webpage platform intranet internet account electronically digitally"
    " person counter desk helpdesk office point branch branches store shop face chat sms text whatsapp message fax"
    " writing written verbal verbally oral orally mouth spoken"
)
"""Words without one of which a text tells no way."""

SAME: frozenset[frozenset[str]] = frozenset(
    {frozenset({one, other}) for one, others in {
        "writing": ("letter", "email", "app", "online", "chat", "text", "fax"),
        "online": ("app", "chat"),
        "speech": ("phone", "person"),
        "person": ("writing",),
    }.items() for other in others}
)  # fmt: skip
"""Ways of which one may be the other: a letter is in writing, and an app is online."""
_TURNING = NEGATING | {"instead", "rather"}
_NEAR_TURN = 3
_DENYING = NEGATING - {"without", "no", "none", "nothing"}
"""What denies a clause as a whole: a form that needs "no evidence" is a way all the same."""


class Way(NamedTuple):
    """A way that a clause tells: its name, its words, whether it is denied, where it stands in the text."""

    name: str
    shown: str
    denied: bool
    start: int
    end: int


class WayClause(NamedTuple):
    """A clause that tells ways: its words, the ways, and whether it keeps to them: "must", "only"."""

    marks: tuple[RuleWord, ...]
    ways: tuple[Way, ...]
    bound: bool


def compatible(one: str, other: str) -> bool:
    """Tell whether something may be done by both ways at once.

    >>> compatible("letter", "writing"), compatible("letter", "phone")
    (True, False)
    """
    return one == other or frozenset({one, other}) in SAME


@cached_by_text(cost=20)
def ways_of(text: str) -> tuple[WayClause, ...]:
    """Return the clauses of a text that tell by which way something is done.

    >>> [(way.name, way.denied) for told in ways_of("Cancel in the app, not by phone.") for way in told.ways]
    [('app', False), ('phone', True)]
    """
    if _HINTS.isdisjoint(glance(text)):
        return ()
    return tuple(_clauses(text[:LONGEST]))


def _clauses(text: str) -> Iterator[WayClause]:
    lower = text.lower().replace("\u2019", "'")
    for marks in clauses_of(marks_of(text)):
        start, end = marks[0].start, marks[-1].end
        ways = [
            Way(found.lastgroup or "", found.group(), denied, *found.span())
            for found in _WAY.finditer(lower, start, end)
            if (denied := _denied(marks, found.start(), found.end())) is not None
            and not (denied and found.group() == "written")
            and not (found.group() == "online" and _BOUGHT.search(lower, start, found.start()))
        ]
        if ways:
            yield WayClause(marks, tuple(ways), not _BINDING.isdisjoint([mark.text for mark in marks]))


_BINDING = word_set("must only solely exclusively has have required need needs")


def _denied(marks: tuple[RuleWord, ...], start: int, end: int) -> bool | None:
    """Tell whether a way is denied: by a word right before it, or by one that denies all of its clause.

    ``None`` where it stands in a condition or behind "without": "not valid without written consent" denies no writing.
    """
    before = [mark.text for mark in marks if mark.end <= start]
    behind = [mark.text for mark in marks if mark.start >= end]
    at = next((place for place in range(len(before) - 1, -1, -1) if before[place] in _ENDING), -1)
    if at >= 0 and before[at] in _SETTING:
        return None
    inside = before[at + 1 :]
    if any(text in _TURNING for text in inside[-_NEAR_TURN:]):
        return True
    nexts = [*behind[1:], ""][: len(behind)]
    # "By post and never by e-mail" denies another way.
    ends = [text in _ENDING or (text == "and" and then in NEGATING) for text, then in zip(behind, nexts, strict=True)]
    cut = ends.index(True) if True in ends else len(behind)
    # "Changes by phone are not accepted", "we do not accept cancellations by phone".
    return sum([text in _DENYING for text in inside + behind[:cut]], 0) % 2 == 1


_SETTING = word_set("if unless until without except before after when where although once whether")
PARTING = _SETTING | {",", "because", "that", "who", "which", "so"}
"""What ends a part of a clause."""
_ENDING = PARTING | {"only"}
"""What a denial does not reach beyond."""
