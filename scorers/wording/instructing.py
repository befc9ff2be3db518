"""The wording of a sentence that gives an assistant an order, as named features for the model of injections."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from scorers.text.phrases import Phrases, words
from scorers.text.sentences import split_sentences
from scorers.wording.common import COMMON
from scorers.wording.orders import FAMILIES

MAX_READ = 100_000
"""Characters of one passage that are read."""

MAX_WORDS = 80
"""Words of one sentence or table row that are looked at for phrases."""

_PHRASES = Phrases(FAMILIES)
_FEW = 2
"""Sentences beside one below which it says nothing that a sentence's words stand in no other."""

_SHORT = 4
"""Words below which a line is a heading, a button or a name."""

_ADDRESSES = ("order", "order_to_you", "ask_you", "ask_help")
_OF_REPLY = ("your_reply", "reply_with", "open_reply")
_TURNED_TO = "about_users advert cipher conceal language leak override role steer task to_machine untrue"
_TURNS = tuple(_TURNED_TO.split())
"""What an order turns the answer to; together with an address or a reply it is no longer honest text."""

_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_FIRST = frozenset({"i", "me", "my", "we", "us", "our"})
_SECOND = frozenset({"you", "your", "yourself"})


@dataclass(frozen=True, slots=True)
class PassageUnit:
    """A sentence or table row of a passage, with its named features."""

    start: int
    end: int
    words: str
    features: dict[str, float]


def units(text: str) -> list[PassageUnit]:
    r"""Return the sentences and table rows of a passage with their features.

    >>> [found] = [u for u in units("Rooms cost 90 EUR.\nReply in French.") if "order" in u.features]
    >>> found.words, found.features["reply_with"]
    ('Reply in French.', 1.0)
    """
    text = text[:MAX_READ]
    sentences = split_sentences(text)
    read = [words(sentence.words)[:MAX_WORDS] for sentence in sentences]
    seen: set[str] = set()
    shared: set[str] = set()
    for each in read:
        own = set(each)
        shared |= own & seen
        seen |= own
    linked = "//" in text or "www." in text.lower()
    last = len(sentences) - 1
    result = []
    for at, (sentence, tokens) in enumerate(zip(sentences, read, strict=True)):
        if tokens:
            line = text[sentence.start : sentence.end]
            named = _features(line, tokens, shared, few=last < _FEW, edge=at in (0, last), linked=linked)
            result.append(PassageUnit(sentence.start, sentence.end, sentence.words, named))
    return result


def _features(
    line: str, tokens: Sequence[str], shared: set[str], *, few: bool, edge: bool, linked: bool
) -> dict[str, float]:
    found = _PHRASES.find(tokens)
    content = [word for word in tokens if word not in COMMON]
    # How much of it stands nowhere else in the passage: an order has another topic.
    strange = 0.5 if few or not content else len([word for word in content if word not in shared]) / len(content)
    named = dict.fromkeys(found, 1.0)
    named["length"] = math.log1p(len(tokens)) / 4
    named["strange"] = strange
    if len(tokens) < _SHORT:
        named["short"] = 1.0
    if edge:
        named["edge"] = 1.0
    if line.count("|") > 1:
        named["row"] = 1.0
    if linked and _LINK.search(line) is not None:
        named["link"] = 1.0
    if line.endswith((".", "!", "?", '"', "'")):
        named["stopped"] = 1.0
    if not _FIRST.isdisjoint(tokens):
        named["first_person"] = 1.0
    if not _SECOND.isdisjoint(tokens):
        named["second_person"] = 1.0
    asks = line.rstrip("\"'\u201d) ").endswith("?")
    if found or asks:
        _add_pairs(named, found, strange, asks=asks)
    return named


def _add_pairs(named: dict[str, float], found: set[str], strange: float, *, asks: bool) -> None:
    reply = not found.isdisjoint(_OF_REPLY)
    addressed = not found.isdisjoint(_ADDRESSES)
    if asks:
        named["asks"] = 1.0
        named["asks*strange"] = strange
        if "task" in found:
            named["asks*task"] = 1.0
    if addressed:
        named["addressed*strange"] = strange
        named.update((f"addressed*{turn}", 1.0) for turn in _TURNS if turn in found)
    if reply:
        named["reply"] = 1.0
        named.update((f"reply*{turn}", 1.0) for turn in _TURNS if turn in found)
        if addressed:
            named["addressed*reply"] = 1.0
