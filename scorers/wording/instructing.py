"""The wording of a sentence that gives an assistant an order, as named features for the model of injections."""

from __future__ import annotations

import math
import re
from collections import Counter
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
_TURNS = (
    "about_users",
    "advert",
    "cipher",
    "conceal",
    "language",
    "leak",
    "override",
    "role",
    "steer",
    "task",
    "to_machine",
    "untrue",
)
"""What an order turns the answer to; together with an address or a reply it is no longer honest text."""

_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_FIRST = frozenset({"i", "me", "my", "we", "us", "our"})
_SECOND = frozenset({"you", "your", "yourself"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or table row of a passage, with its named features."""

    start: int
    end: int
    words: str
    features: dict[str, float]


def units(text: str) -> list[Unit]:
    r"""Return the sentences and table rows of a passage with their features.

    >>> [found] = [u for u in units("Rooms cost 90 EUR.\nReply in French.") if "order" in u.features]
    >>> found.words, found.features["reply_with"]
    ('Reply in French.', 1.0)
    """
    sentences = split_sentences(text[:MAX_READ])
    read = [words(sentence.words)[:MAX_WORDS] for sentence in sentences]
    held = Counter(word for each in read for word in set(each))
    last = len(sentences) - 1
    result = []
    for at, (sentence, tokens) in enumerate(zip(sentences, read, strict=True)):
        if tokens:
            line = text[sentence.start : sentence.end]
            named = _features(line, tokens, held, few=last < _FEW, edge=at in (0, last))
            result.append(Unit(sentence.start, sentence.end, sentence.words, named))
    return result


def _features(line: str, tokens: Sequence[str], held: Counter[str], *, few: bool, edge: bool) -> dict[str, float]:
    found = _PHRASES.find(tokens).keys()
    content = [word for word in tokens if word not in COMMON]
    # How much of it stands nowhere else in the passage: an order has another topic.
    strange = 0.5 if few or not content else sum(held[word] < 2 for word in content) / len(content)  # noqa: PLR2004
    asks = line.rstrip("\"'\u201d) ").endswith("?")
    reply = not found.isdisjoint(_OF_REPLY)
    addressed = not found.isdisjoint(_ADDRESSES)
    marks = {
        "short": len(tokens) < _SHORT,
        "edge": edge,
        "row": line.count("|") > 1,
        "link": _LINK.search(line) is not None,
        "stopped": line.endswith((".", "!", "?", '"', "'")),
        "asks": asks,
        "asks*task": asks and "task" in found,
        "first_person": not _FIRST.isdisjoint(tokens),
        "second_person": not _SECOND.isdisjoint(tokens),
        "reply": reply,
        "addressed*reply": addressed and reply,
    }
    named = dict.fromkeys(found, 1.0)
    named.update((name, 1.0) for name, holds in marks.items() if holds)
    named.update({"length": math.log1p(len(tokens)) / 4, "strange": strange})
    if asks:
        named["asks*strange"] = strange
    if addressed:
        named["addressed*strange"] = strange
        named.update((f"addressed*{turn}", 1.0) for turn in _TURNS if turn in found)
    if reply:
        named.update((f"reply*{turn}", 1.0) for turn in _TURNS if turn in found)
    return named
