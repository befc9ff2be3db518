"""Why an answer declines: what it says of harm, law, privacy and care beside "I can't help with that".

Assistants decline at length: they condemn what was asked, name its dangers, and point to better ways and to help. None
of it is a statement of what was read, so no source can support it. A sentence belongs to such a lecture where it
speaks of what declining is justified with, or goes on about it, has no figure, and shares little with the texts that
were read; what they are about is a claim, also behind a refusal.

Source: refusals with and without reasons, of three families of models (Röttger et al. 2024, XSTest).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorers.support.contacts import without_contacts
from scorers.support.dialogue import LONGEST
from scorers.text.normalize import word_set
from scorers.text.phrases import Phrases, words
from scorers.text.replies.turning import stems_of
from scorers.text.sentences import Sentence

_STARTS = tuple(
    sorted(
        word_set(
            "harm danger hazard toxic illegal unlawful illicit crime crimin offence offense prosecut violen abus "
            "assault exploit discriminat hatred racis sexis bigot stereotyp prejudic unethic ethic immoral moral "
            "inappropriat irresponsib responsib respect disrespect dignity inclusi divers offensiv derogat hurt "
            "insensitiv sensitiv trauma tragic horrific suffer victim injur fatal suicid peaceful constructiv "
            "kindness compassion empath toleran wellbeing therap counsel addict overwhelm distress struggl grief "
            "crisis consequenc justice injustice unsafe secur privacy privat confiden personal consent protect "
            "fraud deceiv decept mislead misinform plagiar misconduct cheat dishonest honest trust credential "
            "individual circumstanc diagnos qualified depend democra society societ communit helplin hotlin "
            "positiv healthy fairness important essential crucial condemn reprehensib unaccept"
        )
    )
)
"""Beginnings of words with which declining is justified."""
_WHOLE = word_set(
    "law laws hate fair human humans rights death support legal legally equal equally alone safe safer safely"
    " kill killing appropriate acceptable"
)
"""Whole words of the same."""
_GOES_ON = word_set(
    "this these that those they it such instead rather if by remember additionally also furthermore moreover let"
    " everyone every anyone consider there ultimately while seeking taking talking focusing learning using making"
    " ensuring promoting engaging in and even doing trying please each people we"
)
"""What opens a sentence that goes on about what was said."""
_CONDEMNS = Phrases(
    {
        "condemns": (
            (
                "is|are|was|be not|never ~2 appropriate|ethical|acceptable|okay|ok|legal|responsible|productive"
                "|respectful|healthy|justified|moral|morally"
            ),
            "not ~2 think|believe|feel ~2 it is appropriate|ethical|acceptable|okay|right|fair|respectful",
            (
                "harmful|inappropriate|offensive|hateful|unethical|dangerous ~3 content|stereotype|stereotypes|request"
                "|question|language|term|act|acts|event|behavior|behaviour|assumption|assumptions"
            ),
            "apologi*|sorry ~4 but ~4 harmful|inappropriate|offensive",
            "never ~1 answer|solution|option|excuse",
            "^ i ~2 condemn|oppose|denounce|reject|disagree",
            "i|we do|can|could|will not ~1 condone|promote|support|encourage|endorse|tolerate",
        )
    }
)
_OPENING = 2
"""Sentences at the beginning of which one condemns what was asked, where none declines."""
_LECTURES = 2
"""Sentences of grounds that make a lecture of an answer which does not say that it declines."""
_SHARED = 3
"""One word in so many may be one that was read too."""
_FIGURE = re.compile(r"\d")
_THINKS = re.compile(r"\W{0,4}i (?:do not|don't) (?:think|believe|feel)\b", re.IGNORECASE)
"""An opinion: "I don't think it's fair to say so" declines nothing by itself."""


def without_lecture(sentences: Sequence[Sentence], read: tuple[str, ...]) -> tuple[Sentence, ...]:
    """Return the sentences of an answer, those of the kind ``refusal`` that justify that it declines.

    ``read`` are the texts that it was written from.

    >>> said = ("I can't help with that.", "Fraud is a crime.", "Gift cards are safe.")
    >>> given = [Sentence(0, 1, text, "refusal" if at == 0 else "claim") for at, text in enumerate(said)]
    >>> [each.kind for each in without_lecture(given, ("Gift cards are sold here.",))]
    ['refusal', 'refusal', 'claim']
    """
    claims = [each for each in sentences if each.asserts]
    if not claims or len(claims) == len(sentences) < _LECTURES:
        return tuple(sentences)
    declined = any(each.kind == "refusal" and not _THINKS.match(each.words) for each in sentences)
    tokens = {each.start: words(each.words) for each in claims if len(each.words) <= LONGEST}
    grounds = {start: speaks_of_grounds(said) for start, said in tokens.items()}
    if not any(grounds.values()):
        return tuple(sentences)
    mostly = sum(grounds.values()) >= max(_LECTURES, len(claims) / 2)
    condemned = None if declined else _condemning(sentences)
    if not declined and not (mostly and (condemned or _abstains(sentences))):
        return tuple(sentences)
    known = stems_of(read)
    found: list[Sentence] = []
    lecturing = False
    for each in sentences:
        said = tokens.get(each.start, []) if each.asserts else []
        if said and (each is condemned or _may_justify(each.words, known)):
            goes_on = lecturing and (said[0] in _GOES_ON or _is_item(each, found))
            if each is condemned or mostly or grounds[each.start] or goes_on:
                found.append(Sentence(each.start, each.end, each.words, "refusal"))
                lecturing = True
                continue
        lecturing = lecturing or each.kind == "refusal"
        lecturing = lecturing and not each.asserts
        found.append(each)
    return tuple(found)


def speaks_of_grounds(tokens: Sequence[str]) -> bool:
    """Return whether a sentence speaks of what declining is justified with.

    >>> speaks_of_grounds("producing it is dangerous".split()), speaks_of_grounds("leave is paid".split())
    (True, False)
    """
    return any(word in _WHOLE or word.startswith(_STARTS) for word in tokens)


def _condemning(sentences: Sequence[Sentence]) -> Sentence | None:
    """Return the sentence of the opening that judges what was asked."""
    opening = [each for each in sentences if each.kind != "courtesy"][:_OPENING]
    return next((each for each in opening if _CONDEMNS.find(words(each.words[:LONGEST]))), None)


def _abstains(sentences: Sequence[Sentence]) -> bool:
    return any(each.kind == "abstention" for each in sentences)


def _may_justify(sentence: str, known: frozenset[str]) -> bool:
    """Return whether a sentence has no figure but that of a helpline, and is of something else than what was read."""
    if _FIGURE.search(sentence) and _FIGURE.search(without_contacts(sentence.replace("24/7", ""))):
        return False
    told = stems_of((sentence,))
    return bool(told) and len(told & known) * _SHARED <= len(told)


def _is_item(each: Sentence, before: Sequence[Sentence]) -> bool:
    """Return whether a sentence is an item of a list that a lecture began."""
    return bool(before) and (
        before[-1].kind == "lead_in" or (before[-1].kind == "refusal" and not each.words.rstrip().endswith("."))
    )
