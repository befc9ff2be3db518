"""Sentences that only speak of the answer itself: "You have a couple of options", "Hope you find it!"."""

from __future__ import annotations

import re

from scorers.text.glance import glance
from scorers.text.normalize import word_set

LONGEST = 120
"""Characters of such a sentence; a longer one tells something."""

_TALK = word_set(
    "option options way ways answer answers question questions possibility possibilities solution solutions choice"
    " choices alternative alternatives easy simple simpler quick short long story summary overview point points thing"
    " things detail details rule rules step steps case cases situation situations scenario scenarios topic good bad"
    " great news note notes mind remember know important main key basic basics following below next quickly briefly"
    " depends depending rundown breakdown recap tip tips explanation straightforward tricky"
)
_AROUND = word_set(
    "a an the this that these those it its there here you your i we my our us me they them is are was be been s re ve"
    " ll m has have had got do does can could would should will may might let lets to of in on for with about from by"
    " at as and or so but if then what how which who some any several few couple number various different two three"
    " four five all both each one more most other also very quite really pretty fairly keep bear give want need look"
)
_WISH = re.compile(
    r"\W{0,4}(?:(?:i|we) (?:really )?hope|hope|hopefully|best of luck|good luck|all the best|fingers crossed)\b"
    r"[^.!?\d]{0,80}[.!]?\W{0,4}",
    re.IGNORECASE,
)
_NEEDED = _TALK | word_set("hope hopefully luck best crossed")
"""Words of which such a sentence has one."""
_FIRST_WORD = re.compile(r"[^\W\d_]{1,30}")
_PARTICLE = re.compile(
    r"\W{0,4}(?P<particle>yes|no|sure|of course|certainly)\b[\s,:!.\u2013\u2014-]{1,4}", re.IGNORECASE
)


def only_talks(words: str) -> bool:
    """Tell whether a sentence says nothing but of the answer, or wishes something.

    >>> [only_talks(words) for words in ("You have two options.", "Hope you like it!", "You have two days.")]
    [True, True, False]
    """
    if len(words) > LONGEST or (words.isascii() and _NEEDED.isdisjoint(glance(words))):
        return False
    if _WISH.fullmatch(words) is not None:
        return True
    found = _FIRST_WORD.findall(words.lower().replace("\u2019", "'"))
    told = [word for word in found if word not in _AROUND]
    return bool(told) and not any(map(str.isdigit, words)) and _TALK.issuperset(told)


def yes_or_no_alone(words: str) -> str:
    """Return a yes or no without the talk behind it.

    >>> yes_or_no_alone("Yes, there's an easy option."), yes_or_no_alone("Yes, there is a fee.")
    ('Yes.', 'Yes, there is a fee.')
    """
    found = _PARTICLE.match(words)
    if found is None or not only_talks(words[found.end() :]):
        return words
    return "No." if found["particle"].lower() == "no" else "Yes."
