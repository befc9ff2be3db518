"""Names and things of the source in another's place, and roles exchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,20}(?: [A-Z][a-z]{2,20})?\b|^[A-Z][a-z]{2,20} [A-Z][a-z]{2,20}\b")
_LINKED = re.compile(
    r"\b(?P<one>[A-Z][\w-]+(?: [A-Z][\w-]+)*)(?P<mid> (?:\w+ ){1,6}?)(?P<two>[A-Z][\w-]+(?: [A-Z][\w-]+)*)\b"
)
_FROM_TO = re.compile(r"\bfrom (?P<one>[\w' -]{2,40}?) to (?P<two>[\w'-]+(?: [A-Z][\w'-]+)?)")
_BY = re.compile(
    r"^(?:The |A |An )?(?P<one>[a-z]+(?: [a-z]+)?) (?P<mid>(?:is|are|was|were|must be|may be|can be) \w+ by )"
    r"(?P<det>the |a |an )?(?P<two>[a-z]+(?: [a-z]+)?)\b",
    re.IGNORECASE,
)
_DUAL = re.compile(
    r"\b(?P<one>the [a-z]+|[a-z]+s) (?P<mid>(?:must|may|can|should|will|have to|need to)?(?: not)? ?"
    r"(?:pay|tell|inform|notify|notifie|reimburse|supervise|report|train|contact|ask|refund|approve)s?(?: to)? )"
    r"(?P<two>the [a-z]+|[a-z]+s)\b",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:the|a|an|of|for|from|in) (?P<noun>[a-z]{5,14}(?: (?:card|team|desk|office|plan|account|order|leave|fee"
    r"|period|policy|pass|form|room|day|centre|center|department|manager|bonus|allowance|ticket|device|laptop|contract"
    r"|insurance|visit))?)\b"
)


def entity(text: str, source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a name replaced by another name of the source."""
    found = list(_NAME.finditer(text))
    others = sorted({match[0] for match in _NAME.finditer(source)} - {match[0] for match in found})
    others = [name for name in others if name not in text]
    if found and others:
        match = rng.choice(found)
        alike = [name for name in others if name.count(" ") == match[0].count(" ")] or others
        yield text[: match.start()] + rng.choice(alike) + text[match.end() :]


def thing(text: str, source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a thing that it names replaced by another of the source."""
    found = list(_THING.finditer(text))
    others = sorted({match["noun"] for match in _THING.finditer(source)})
    others = [noun for noun in others if noun not in text.lower()]
    if found and others:
        match = rng.choice(found)
        yield text[: match.start("noun")] + rng.choice(others) + text[match.end("noun") :]


def roles(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with two who take part exchanged."""
    found = [match for pattern in (_FROM_TO, _DUAL, _BY) if (match := pattern.search(text))]
    found += [match for match in _LINKED.finditer(text) if " and " not in match["mid"] and " or " not in match["mid"]]
    found = [match for match in found if match["one"].lower() != match["two"].lower()]
    if found:
        match = rng.choice(found)
        one, two = match["one"], match["two"]
        start, end = match.span("one")
        if one[:1].isupper() and start == 0 and two[:1].islower():
            one, two = one[:1].lower() + one[1:], two[:1].upper() + two[1:]
        yield text[:start] + two + text[end : match.start("two")] + one + text[match.end("two") :]
