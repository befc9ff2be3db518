"""Orders of steps that sentences state: what is to be done before what."""

from __future__ import annotations

import re
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.text.normalize import word_set
from scorers.text.plain import plain
from scorers.text.sentences import split_sentences

MAX_SENTENCES = 400
LONGEST = 400
"""Sentences of a text that are read, and characters of a sentence."""
MAX_ORDERS = 20
MAX_WORDS = 14
"""Words of a step, those next to the word that orders it."""

_BEFORE = re.compile(r"\b(?:before|prior\sto)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:only\s)?(?:after|once)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|unless)\b", re.IGNORECASE)
_THEN = re.compile(r"[,;]?\s(?:and\s)?then\s", re.IGNORECASE)
_PREREQUISITE = re.compile(r"\bprerequisite\s(?:for|of|to)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|cannot|can't|mustn't|don't|no)\b", re.IGNORECASE)
_FORBIDS = re.compile(r"(?:please\s)?(?:do\snot|don't|never)\b", re.IGNORECASE)
_OBLIGES = re.compile(
    r"\b(?:must|shall|required|requires?|needs?\sto|have\sto|has\sto|only\s(?:after|once)|mandatory|do\snot|don't|never)\b",
    re.IGNORECASE,
)
# Verbs with which a source tells its reader what to do first.
_COMMANDS = word_set(
    "install apply update upgrade downgrade uninstall restart reboot reset stop start drain back save export import "
    "copy archive pay settle verify check confirm ensure validate inspect test disconnect unplug detach remove delete "
    "disable enable unmount mount turn switch shut close open log sign run flush clear clean empty lock unlock revoke "
    "notify inform tell ask obtain get request submit send file register record fill complete schedule contact call "
    "read review wait make take create configure set replace charge discharge release lower raise secure"
)
_DURATION = word_set("second minute hour day night week month quarter year working business calendar")
_IDLE = word_set(
    "must shall require required needs need first always only never mandatory then begin start starting beginning "
    "please"
)


class Ordered(NamedTuple):
    """A step that comes before another one, in words; whether it is an obligation, and the sentence that says so."""

    first: str
    then: str
    obliges: bool
    sentence: str


@cached_by_text(cost=1)
def orders_of(text: str) -> tuple[Ordered, ...]:
    """Return the orders of steps that the sentences of ``text`` state, the first ones.

    How long before something is to be done ("14 days before") is a time limit, and no order.

    >>> [found] = orders_of("Version 2.14 must be installed before applying the firmware patch.")
    >>> found.first, found.then, found.obliges
    ('Version 2.14 must be installed', 'applying the firmware patch', True)
    >>> [each[:2] for each in orders_of("First drain the queue, then stop the server. Apply 14 days before birth.")]
    [('drain the queue', 'stop the server')]
    """
    text = plain(text)
    if not _may_order(text):
        return ()
    found: list[Ordered] = []
    for sentence in split_sentences(text)[:MAX_SENTENCES]:
        said = sentence.words[:LONGEST]
        pair = _pair(said) if _may_order(said) else None
        if pair:
            first, then = (_step(part) for part in pair)
            if first and then:
                found.append(Ordered(first, then, _obliges(said, first), said))
        if len(found) == MAX_ORDERS:
            break
    return tuple(found)


_ORDERS = re.compile(r"\b(?:before|prior\sto|after|once|until|unless|then|prerequisite)\b", re.IGNORECASE)
_CUES = ("before", "prior", "after", "once", "until", "unless", "then", "prerequisite")


def _may_order(text: str) -> bool:
    """Tell whether one of the words that order stands in a text; most sentences have not even the letters of one."""
    if text.isascii():
        folded = text.lower()
        if not any(cue in folded for cue in _CUES):
            return False
    return _ORDERS.search(text) is not None


def _pair(said: str) -> tuple[str, str] | None:
    """Return what comes first and what then, as the sentence words them."""
    if match := _BEFORE.search(said):
        return _before(*_sides(said, match))
    if match := _PREREQUISITE.search(said) or _THEN.search(said):
        left, right = _sides(said, match)
        return left, _until_stop(right)
    if match := _UNTIL.search(said):
        left, right = _sides(said, match)
        return (_until_stop(right), left) if left and _NEGATED.search(left) else None
    match = _AFTER.search(said)
    return None if match is None else _after(*_sides(said, match))


def _before(left: str, right: str) -> tuple[str, str] | None:
    if not left:
        then, first = _parted(right)
        return (first, then) if first else None
    if _FORBIDS.match(left):
        return _until_stop(right), left
    return None if _limits(left) else (left, _until_stop(right))


def _after(left: str, right: str) -> tuple[str, str] | None:
    if not left:
        first, then = _parted(right)
        return (first, then) if then else None
    return None if _limits(left) else (_until_stop(right), left)


def _obliges(said: str, first: str) -> bool:
    """Return whether a sentence obliges to its first step: by a word, or by "install it before you start" as a command.

    Of "open the app, then close the account" either step may go without saying.
    """
    opens = first.split(maxsplit=1)[0].casefold()
    return _OBLIGES.search(said) is not None or (opens in _COMMANDS and _BEFORE.search(said) is not None)


def _sides(said: str, match: re.Match[str]) -> tuple[str, str]:
    """Return what stands before the word that orders, what it is said of aside ("Printers: ..."), and behind it."""
    return re.split(r"[:;]\s", said[: match.start()])[-1].strip(" ,;:"), said[match.end() :]


def _parted(text: str) -> tuple[str, str]:
    """Return the clause up to the first comma, and what follows; nothing follows where there is no comma."""
    head, _, rest = text.partition(",")
    return head, rest


def _until_stop(text: str) -> str:
    return re.split(r"[,;.](?:\s|$)", text, maxsplit=1)[0]


def _limits(left: str) -> bool:
    """Return whether what stands before the word is a time limit: "14 days", "within two weeks"."""
    last = left.split()[-1:]
    return bool(last) and not _DURATION.isdisjoint({last[0].casefold().strip(".,"), last[0].casefold().rstrip("s.,")})


def _step(text: str) -> str:
    """Return the words of a step, those that say only that it comes first aside at its ends."""
    parts = text.strip(" .,;:").split()
    while parts and parts[0].casefold().strip(",") in _IDLE:
        parts = parts[1:]
    return " ".join(parts[:MAX_WORDS])
