"""The sentences of a whole answer by what they do: whether one claims depends on whether another gives no answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from adapters.caching import cached, cached_by_text
from scorers.support.acts import REASONS
from scorers.support.breaks import ReplyClause, clauses_of
from scorers.support.contacts import names_emergency, without_contacts
from scorers.support.dialogue import (
    GOES_ON,
    LONGEST,
    NO_ANSWER_KINDS,
    RULING,
    Aside,
    act_of,
    clause_kinds,
    may_lack,
)
from scorers.support.lecturing import without_lecture
from scorers.text.language import LanguageCode
from scorers.text.leads import bare, uncapitalised
from scorers.text.phrases import Phrases, words
from scorers.text.replies.clauses import reply_act
from scorers.text.replies.reading import TABLES, Act
from scorers.text.replies.turning import is_foreign, stems_of
from scorers.text.sentences import Sentence, SentenceKind

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
            "how ~3 i|we|you|one|employees|customers ~1 report|file|complain|submit|apply|register|appeal|request",
        )
    }
)
"""A question that one of these asks is answered by a referral."""


def with_acts(
    sentences: Sequence[Sentence],
    question: str | None,
    language: LanguageCode = "en",
    read: tuple[str, ...] = (),
) -> tuple[Sentence, ...]:
    """Return the sentences of an answer with those told apart that claim nothing.

    Where ``question`` asks whom or where to turn to, a referral is the answer and a claim. What gives reasons for a
    refusal belongs to it. In a ``language`` that has a table (`scorers.text.replies`), that is looked up.

    >>> said = ("I can't share that.", "It is important to respect privacy.", "Please contact HR.", "Leave is paid.")
    >>> read = [Sentence(0, 1, words, "claim") for words in said]
    >>> [each.kind for each in with_acts(read, None)]
    ['refusal', 'refusal', 'referral', 'claim']
    >>> [each.kind for each in with_acts(read[2:3], "Whom do I ask?")]
    ['claim']
    """
    sentences = [_in_small_letters(each) for each in sentences]
    if language in TABLES:
        return tuple(_in(language, each) for each in sentences)
    sentences = [_without_leads(each) for each in sentences]
    found: list[Sentence] = []
    declined, listed = False, False
    acts = [_act(each) for each in sentences]
    parts = [
        stated_part(each.words) if act == "claim" else StatedPart(each.words)
        for each, act in zip(sentences, acts, strict=True)
    ]
    unanswered = not NO_ANSWER_KINDS.isdisjoint(acts) or acts[-1:] == ["question"] or any(part.lacks for part in parts)
    referred = "referral" in acts
    asked = frozenset(words(question[:_QUESTION])) if question and (unanswered or referred) else _NOTHING
    for each, act, part in zip(sentences, acts, parts, strict=True):
        kind = _in_answer(act, unanswered=unanswered, referred=referred)
        if kind == "claim" and declined and _gives_reasons(each.words):
            kind = "refusal"
        if kind == "claim" and (unanswered or referred) and _states_nothing(part.words, asked, listed=listed):
            kind = _kind_without_statement(part.words, asked)
        if kind == "claim" and (unanswered or referred) and _only_reaches(part.words, asked, read):
            kind = "referral"
        if kind == "referral" and question is not None and _asks_whom(question):
            kind = "claim"
        declined = declined or kind == "refusal"
        listed = unanswered and (kind == "lead_in" or (listed and kind == "meta"))
        said = part.words if kind == "claim" else each.words
        found.append(each if (kind, said) == (each.kind, each.words) else replace(each, kind=kind, words=said))
    found = list(without_lecture(found, read[:_PASSAGES]))
    silent = any(part.lacks for part in parts) or not NO_ANSWER_KINDS.isdisjoint(each.kind for each in found)
    if question and silent:
        return _without_asides(found, stems_of((question[:_QUESTION],)), read)
    return tuple(found)


def _without_leads(sentence: Sentence) -> Sentence:
    said = bare(sentence.words) if sentence.kind == "claim" else sentence.words
    return sentence if said == sentence.words else replace(sentence, words=said)


def _in_small_letters(sentence: Sentence) -> Sentence:
    said = uncapitalised(sentence.words) if sentence.words.isupper() else sentence.words
    return sentence if said == sentence.words else replace(sentence, words=said)


def _without_asides(sentences: list[Sentence], asked: frozenset[str], read: tuple[str, ...]) -> tuple[Sentence, ...]:
    """Return the sentences of an answer that gives none; what it says beside is talk where all of it is foreign."""
    claims = [_stating(each.words) for each in sentences if each.asserts and len(each.words) <= LONGEST]
    if not 0 < len(claims) <= _ASIDES or len(claims) < sum(each.asserts for each in sentences):
        return tuple(sentences)
    known = stems_of(tuple(text[:_READABLE] for text in read[:_PASSAGES]))
    if not all(is_foreign(claim, asked, known) for claim in claims):
        return tuple(sentences)
    return tuple(replace(each, kind="meta") if each.asserts else each for each in sentences)


def _stating(sentence: str) -> list[str]:
    """Return the words of the clauses that state something, all of them where no clause alone does."""
    spans = [sentence[each.start : each.end] for each in clauses_of(sentence)]
    return [word for span in spans if clause_kinds(span) is None for word in words(span)] or words(sentence)


_ASIDES = 3
"""Sentences of an answer without answer that may be asides: with more of them, it tells something."""
_READABLE, _PASSAGES = 20_000, 20
"""Characters of a passage, and passages, whose words are looked at."""
_NOTHING: frozenset[str] = frozenset()


def _states_nothing(sentence: str, asked: frozenset[str], *, listed: bool) -> bool:
    """Return whether a sentence beside no answer states nothing: it sends elsewhere, or lists what was read."""
    if len(sentence) > LONGEST:
        return False
    tokens = words(sentence)
    if (listed or _READ.match(sentence) is not None) and RULING.isdisjoint(tokens) and _FIGURE.search(sentence) is None:
        return True
    return clause_kinds(sentence, asked) is not None


def _kind_without_statement(sentence: str, asked: frozenset[str]) -> SentenceKind:
    found = clause_kinds(sentence, asked) or ()
    return next((kind for kind in _SILENT if kind in found), "meta")


_SILENT: tuple[SentenceKind, ...] = ("abstention", "refusal")


def _only_reaches(sentence: str, asked: frozenset[str], read: tuple[str, ...]) -> bool:
    """Return whether a sentence beside no answer only says how someone is reached."""
    if len(sentence) > LONGEST:
        return False
    said = without_contacts(sentence, read[:_PASSAGES])
    if said == sentence:
        return False
    if names_emergency(sentence) and _FIGURE.search(said) is None:
        return True
    return act_of(said) != "claim" or clause_kinds(said, asked) is not None


_READ = re.compile(
    r"\W{0,4}(?:what i (?:did )?(?:find|found|read|checked|have|saw|searched)"
    r"|(?:[a-z]{1,20} ){0,2}(?:checked|searched|consulted|reviewed|read|retrieved|available|looked at))\s?:",
    re.IGNORECASE,
)
"""What opens a list of what was read."""
_FIGURE = re.compile(r"\d")


class StatedPart(NamedTuple):
    """What a sentence states without what stands around it, and whether a part of it says that there is no answer."""

    words: str
    lacks: bool = False


@cached_by_text(cost=1)
def stated_part(claim: str) -> StatedPart:
    """Return a claim without courtesies and refusals around it, and without offers and referrals behind it.

    >>> stated_part("Unfortunately, gift cards are non-returnable, but feel free to contact the shop.").words
    'gift cards are non-returnable'
    >>> stated_part("I'm afraid that leave is unpaid.").words
    'leave is unpaid.'
    >>> stated_part("Leave is paid, but the handbook doesn't say by whom.")
    StatedPart(words='Leave is paid', lacks=True)
    >>> stated_part("Gift cards expire, so contact HR before you pay.").words
    'Gift cards expire, so contact HR before you pay.'
    """
    if len(claim) > LONGEST:
        return StatedPart(claim)
    start = _regret_ends(claim)
    clauses = clauses_of(claim, start)
    if not clauses:
        return StatedPart(claim)
    last, lacks = _closed(claim, clauses)
    lacks = lacks or (may_lack(claim) and any(_lacks(claim, clause) for clause in clauses))
    first = 0
    while first < last and clauses[first + 1].led_by in _TURNED and _lacks(claim, clauses[first]):
        first, lacks = first + 1, True
    said = claim[clauses[first].start : clauses[last].end].strip()
    if last == len(clauses) - 1:
        said = claim[clauses[first].start :].strip()
    if first:
        said = bare(said)  # behind "it does not say that, but"
    return StatedPart(said if said != claim and len(words(said)) >= _STATES else claim, lacks)


def _closed(claim: str, clauses: Sequence[ReplyClause]) -> tuple[int, bool]:
    """Return the last clause that states something, and whether one behind it says that there is no answer."""
    last, lacks = len(clauses) - 1, False
    while last:
        clause = clauses[last]
        said = claim[clause.start : clause.end]
        found = clause_kinds(said)
        if not found or _TELLS_MORE.match(said):
            break
        if found & NO_ANSWER_KINDS:
            if clause.led_by not in _TURNED and not (clause.led_by == "," and _CONCEDES.match(claim)):
                break
            lacks = True
        elif not found <= _CLOSING:
            break
        last -= 1
    return last, lacks


def _lacks(claim: str, clause: ReplyClause) -> bool:
    found = clause_kinds(claim[clause.start : clause.end])
    return found is not None and not NO_ANSWER_KINDS.isdisjoint(found)


_TELLS_MORE = re.compile(
    r"\W{0,4}(?:which|who|whose)\b(?!.{0,80}\b(?:find|found|reach|contact|read|see|look|check|download|access|view|ask)\b)",
    re.IGNORECASE,
)
"""What tells more of a thing, and sends nowhere: "which you can use at any time"."""
_CONCEDES = re.compile(r"\s{0,4}(?:while|although|though|even though|whereas)\b", re.IGNORECASE)
_TURNED = frozenset({"but", "however", "although", "though", "so", "while", ";", "-", "\u2013", "\u2014", ".", ""})
"""What sets a statement off from saying that there is no answer to the rest."""


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
    r"(?:,? (?:but|that)\b|,)?\s{1,3}(?!about|for|to |not\b)",
    re.IGNORECASE,
)
_CLOSING = frozenset({"courtesy", "referral", "request"})
_STATES = 2
"""Words of a statement, at least."""


def _in(language: LanguageCode, sentence: Sentence) -> Sentence:
    act = reply_act(sentence.words, language) if sentence.kind == "claim" else None
    return sentence if act is None else replace(sentence, kind=_KINDS[act])


_KINDS: dict[Act, SentenceKind] = {
    "abstains": "abstention",
    "declines": "refusal",
    "refers": "referral",
    "about": "meta",
    "courtesy": "courtesy",
}


def _act(sentence: Sentence) -> SentenceKind | Aside:
    if sentence.kind == "claim":
        return act_of(sentence.words)
    if sentence.kind == "abstention" and GOES_ON.search(sentence.words):
        return act_of(sentence.words)
    return sentence.kind


def _in_answer(act: SentenceKind | Aside, *, unanswered: bool, referred: bool) -> SentenceKind:
    """Return what a sentence does in an answer, which gives none to the question where it is ``unanswered``."""
    if act == "about":
        return "meta" if unanswered or referred else "claim"
    if act == "rule":
        return "referral" if unanswered else "claim"
    return act


def _gives_reasons(sentence: str) -> bool:
    return len(sentence) <= LONGEST and _FIGURE.search(sentence) is None and bool(REASONS.find(words(sentence)))


@cached(maxsize=64)
def _asks_whom(question: str) -> bool:
    return bool(_ASKED_FOR.find(words(question[:_QUESTION])))


_QUESTION = 1_000
