"""What a speaker tells of his own life: "I love pizza, I was in Naples last year". No document can hold it.

An assistant has none, so it is an invention even where every word of it stands in a passage about pizza. What a
company says of itself as "we", and what an assistant says of its reading, is no such thing. Nor is what stands behind
such a clause: "I'm a big fan of free returns: you have 30 days" is judged as any claim.

Source: disclosure is a mode of response of its own (Stiles 1992, Describing Talk: A Taxonomy of Verbal Response Modes).
"""

from __future__ import annotations

import re

from adapters.caching import cached_by_text
from scorers.support.alignment import Alignment
from scorers.support.breaks import clauses_of
from scorers.text.glance import glance
from scorers.text.normalize import word_set
from scorers.text.phrases import Phrases, words

DISCLOSED = 0.85
"""The probability that a claim of the speaker's own life is unsupported."""
LONGEST = 420
"""Characters of a claim that are looked at."""

_KIN = (
    "wife|husband|mom|mum|mother|dad|father|parents|son|daughter|sister|brother|kid|kids|child|children|grandma|grandpa"
    "|grandmother|grandfather|granddad|boyfriend|girlfriend|dog|cat|pet|pets|friend|friends|family"
)
_OFTEN = "?also|really|just|actually|always|often|usually|still|even|never|personally|truly|absolutely|sometimes|do|do"
_OWN = Phrases(
    {
        "own": (
            f"i {_OFTEN} {_OFTEN} love|loved|adore|adored|enjoy|enjoyed|hate|hated",
            "i ~1 grew up",
            "i am|was ~2 fan of",
            "i am|was ~1 born|raised|from",
            "i ~1 used to",
            f"i {_OFTEN} live|lived|own|owned in|on|near|with|a|an|two|my",
            f"i {_OFTEN} went|traveled|travelled|flew|moved to",
            "i have ~2 been to|in",
            f"i {_OFTEN} watched|played|bought|ate|drank|wore|cooked|collected|visited",
            f"i have ~1 a|an|two|three|several ~1 {_KIN}",
            f"my ~1 {_KIN}",
            "my ~2 favorite|favourite",
        )
    }
)
_TALK = word_set(
    "help helping helped assist assisting question questions answer answers chat chatting you your information details"
    " policy policies rule rules page pages document documents documentation handbook guide guideline guidelines"
    " section sections source sources article articles file files record records database team department desk"
)
"""Words of the talk itself and of what was read for it: "I love to help", "I went to the policy"."""
_SPEAKER = frozenset({"i", "my"})
_MAY = re.compile(r"\b(?:i|my)\b", re.IGNORECASE)
_DRAFTS = re.compile(
    r"\b(?:writ|draft|compos|letter|e-?mail|message|pretend|imagin|persona|speech|story|essay|diary)", re.IGNORECASE
)
"""A question for a text of somebody's: whoever speaks there is not the assistant."""


@cached_by_text(cost=1)
def discloses(claim: str) -> bool:
    """Return whether a clause of ``claim`` tells something of the speaker's own life.

    >>> discloses("I was born in Naples."), discloses("I found that pizza was invented in Naples.")
    (True, False)
    """
    return any(_disclosing(claim))


def only_disclosed(a: Alignment) -> bool:
    """Return whether all that a claim says is of its speaker's own life, and no source speaks of its own."""
    told = _disclosing(a.claim.sentence.words)
    if not told or not all(told) or _DRAFTS.search(a.claim.asked[:LONGEST]):
        return False
    return not any(_MAY.search(source.text) for source in a.context.sources)


def _disclosing(claim: str) -> list[bool]:
    """Return of each clause whether it is of the speaker's own life; nothing where none can be."""
    if len(claim) > LONGEST or (claim.isascii() and _SPEAKER.isdisjoint(glance(claim))) or _MAY.search(claim) is None:
        return []
    said = [words(claim[clause.start : clause.end]) for clause in clauses_of(claim)]
    return [_TALK.isdisjoint(each) and bool(_OWN.find(each)) for each in said]
