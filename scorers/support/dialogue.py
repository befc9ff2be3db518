"""Sentences of an answer that claim nothing: it declines, abstains, refers elsewhere, asks, greets, or tells of itself.

A sentence is cut into clauses, and claims nothing only where none of its clauses does: "Sorry, I can't help with that"
declines, "Sorry, but leave is 20 weeks" claims. What a company says of itself ("we cannot refund gift cards") and what
it demands ("please contact HR before you travel") are claims.

Source: the kinds are dialogue acts (Stolcke et al. 2000, Dialogue Act Modeling for Automatic Tagging and Recognition of
Conversational Speech): reject, hedge, conventional opening and closing, thanking, offers, action directives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adapters.caching import cached
from scorers.support.acts import ACTS, ASIDES, REASONS
from scorers.text.normalize import word_set
from scorers.text.phrases import Phrases, words
from scorers.text.sentences import Sentence, SentenceKind

LONGEST = 420
"""Characters of a sentence that is looked at; a longer one tells something."""

_ORDER: tuple[SentenceKind, ...] = ("abstention", "refusal", "referral", "request", "meta", "courtesy")
"""The kinds by what a sentence is called that does several of them: the first."""
_BREAK = re.compile(
    r"[,;:!?.(){}\[\]\"/\u2013\u2014]+(?:\s|$)|\s[\u2013\u2014-]\s|[\u2600-\u27bf\U0001f300-\U0001faff]+"
    r"|\b(?:but|however|because|since|although|though|so|while)\b"
    r"|\band (?=(?:i|we|you|your|they|it|the|this|that|please|let|will|can|am)\b)",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d|@|://|www\.")
_FILLERS = word_set(
    "unfortunately sorry regrettably regretfully sadly alas apologies but and so also well however though because "
    "since as or then therefore thus although yes no okay ok sure certainly absolutely currently hi hello hey "
    "again just honestly actually afraid perhaps maybe alternatively otherwise instead additionally still besides "
    "meanwhile"
)
_SPEAKERS, _ARE, _REGRETS = ("i", "we"), (["am"], ["are"]), (["sorry"], ["afraid"])
_OF = (["to"], ["about"], ["for"], ["if"], ["of"])
"""What opens a clause like a filler does: "I'm afraid that"."""
_SET_OFF = word_set("about for on regarding with in from at such like including or and of concerning to by")
"""What a part begins with that only says what the clause before it is about."""
_TELLING = word_set(
    "is are was were has must shall not no never only unless except before after within until always allowed "
    "permitted prohibited forbidden required mandatory optional free paid unpaid covered excluded included "
    "eligible entitled applies apply costs receive receives get gets expires lasts"
)
_BINDING = word_set("must shall only unless except before after within until always never required minimum maximum")
"""A referral with one of these is a rule: "contact HR before you travel"."""
_DIRECTS = frozenset({"referral", "request"})
_NO_ANSWER = frozenset({"abstention", "refusal"})
_GROUNDS = frozenset({"because", "since"})
"""What introduces why a clause before it gives no answer."""
_LISTED, _JOINS = 5, frozenset({"and", "or"})
"""Words of the end of a list: "expenses and visas"."""
_SHORT = 2
"""Words of a part that needs no verb to be harmless: "meals", "and hotels"."""
_ASKED_FOR = Phrases(
    {
        "whom": (
            (
                "who|whom|where|how|which|what ~6 contact|contacting|ask|reach|turn|call|email|speak|talk|notify"
                "|inform|consult"
            ),
            "who|whom ~4 responsible|charge|handles|approves|decides|help|helps|know|knows",
            "contact|phone|email|telephone ~2 person|number|address|details|information|point|for|of",
            "where ~4 report|go|complain|help|find|apply|submit|register",
        )
    }
)
"""A question that one of these asks is answered by a referral."""


def with_acts(sentences: Sequence[Sentence], question: str | None) -> tuple[Sentence, ...]:
    """Return the sentences of an answer with those told apart that claim nothing.

    Where ``question`` asks whom or where to turn to, a referral is the answer and a claim. What gives reasons for a
    refusal belongs to it.

    >>> said = ("I can't share that.", "It is important to respect privacy.", "Please contact HR.", "Leave is paid.")
    >>> read = [Sentence(0, 1, words, "claim") for words in said]
    >>> [each.kind for each in with_acts(read, None)]
    ['refusal', 'refusal', 'referral', 'claim']
    >>> [each.kind for each in with_acts(read[2:3], "Whom do I ask?")]
    ['claim']
    """
    found: list[Sentence] = []
    declined = False
    for each in sentences:
        kind = act_of(each.words) if each.kind == "claim" else each.kind
        if kind == "claim" and declined and _gives_reasons(each.words):
            kind = "refusal"
        if kind == "referral" and question is not None and _asks_whom(question):
            kind = "claim"
        declined = declined or kind == "refusal"
        said = stated_part(each.words) if kind == "claim" else each.words
        found.append(each if (kind, said) == (each.kind, each.words) else replace(each, kind=kind, words=said))
    return tuple(found)


@cached(maxsize=2_048, longest=LONGEST)
def stated_part(claim: str) -> str:
    """Return a claim without the courtesies before it, and without those, offers and referrals behind it.

    >>> stated_part("Unfortunately, gift cards are non-returnable, but feel free to contact the shop.")
    'gift cards are non-returnable'
    >>> stated_part("I'm afraid that leave is unpaid."), stated_part("Gift cards expire, so contact HR before you pay.")
    ('leave is unpaid.', 'Gift cards expire, so contact HR before you pay.')
    """
    if len(claim) > LONGEST:
        return claim
    start = _regret_ends(claim)
    end = len(claim)
    for break_ in reversed([*_BREAK.finditer(claim, start)]):
        tokens = words(claim[break_.end() : end])
        if tokens:
            found = _clause(tokens, claim[break_.end() : end], told=False)
            if not found or not found <= _CLOSING:
                break
            end = break_.start()
        elif break_.end() < len(claim.rstrip()):
            end = break_.start()
    said = claim[start:end].strip()
    return said if len(words(said)) >= _STATES else claim


def _regret_ends(claim: str) -> int:
    """Return where what is said begins behind "unfortunately," or "I'm sorry, but I'm afraid"."""
    at = 0
    while (found := _REGRET.match(claim, at)) is not None:
        at = found.end()
    return at


_REGRET = re.compile(
    r"(?:unfortunately|regrettably|regretfully|sadly|alas|sorry|apologies|thanks for asking|good question"
    r"|great question"
    r"|(?:i'?m|i am|we'?re|we are) (?:very |so )?(?:sorry|afraid)(?: to say)?)"
    r"(?:,? (?:but|that)\b|,)?\s{1,3}(?!about|for|to |not\b)|(?:tl;?\s?dr|in short|in brief)\s?:\s{1,3}",
    re.IGNORECASE,
)
_CLOSING = frozenset({"courtesy", "referral", "request"})
_STATES = 2
"""Words of a statement, at least."""


# Assistants repeat what they say of themselves, word by word.
@cached(maxsize=2_048, longest=LONGEST)
def act_of(sentence: str) -> SentenceKind:
    """Return what ``sentence`` does where it claims nothing, else ``claim``.

    >>> act_of("Sorry, I can't help with that, as I don't have access to payroll data.")
    'abstention'
    >>> act_of("Sorry, I can't tell, but leave is 20 weeks."), act_of("We cannot accept returns of gift cards.")
    ('claim', 'claim')
    """
    first = _FIRST.search(sentence)
    if first is None:
        return "courtesy"  # a smile, a row of stars
    if len(sentence) > LONGEST or not _may_begin(first.group().lower()):
        return "claim"
    kinds: set[str] = set()
    start, because = 0, False
    for break_ in (*_BREAK.finditer(sentence), None):
        clause = sentence[start : len(sentence) if break_ is None else break_.start()]
        tokens = words(clause)
        if tokens:
            found = _clause(tokens, clause, told=bool(kinds))
            if found is None and because and kinds & _NO_ANSWER and _DIGIT.search(clause) is None:
                found = set()  # why it gives no answer
            if found is None:
                return "claim"
            kinds |= found
        if break_ is not None:
            start, because = break_.end(), break_.group().lower() in _GROUNDS
    return next((kind for kind in _ORDER if kind in kinds), "claim")


def _clause(tokens: list[str], clause: str, *, told: bool) -> set[str] | None:
    """Return what a clause does, nothing where it goes with others that do; ``None`` where it claims."""
    rest = tokens
    while rest:
        if rest[0] in _FILLERS:
            rest = rest[1:]
        elif rest[0] in _SPEAKERS and rest[1:2] in _ARE and rest[2:3] in _REGRETS and rest[3:4] not in _OF:
            rest = rest[4 if rest[3:4] == ["that"] else 3 :]
        else:
            break
    if not rest:
        return {"courtesy"} if tokens[0] not in ("yes", "no") else set()
    said = set(rest)
    figures = _DIGIT.search(clause) is not None
    for way in (tokens, rest) if len(rest) < len(tokens) else (tokens,):
        found = ACTS.find(way)
        if not found:
            continue
        if found & {"abstention", "refusal"}:
            return found
        binds = found <= _DIRECTS and not _BINDING.isdisjoint(said)
        return None if figures or binds else found
    if figures:
        return None
    if ASIDES.find(tokens) or ASIDES.find(rest):
        return set()
    listed = len(rest) <= _LISTED and not _JOINS.isdisjoint(said)
    harmless = len(rest) <= _SHORT or listed or tokens[0] in _SET_OFF
    return set() if told and harmless and _TELLING.isdisjoint(said) else None


def _gives_reasons(sentence: str) -> bool:
    return len(sentence) <= LONGEST and _DIGIT.search(sentence) is None and bool(REASONS.find(words(sentence)))


@cached(maxsize=64)
def _asks_whom(question: str) -> bool:
    return bool(_ASKED_FOR.find(words(question[:_QUESTION])))


_QUESTION = 1_000


def _may_begin(word: str) -> bool:
    return word in _FILLERS or ACTS.begins(word) or ASIDES.begins(word)
