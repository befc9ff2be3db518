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
from typing import Literal

from adapters.caching import cached, cached_by_text
from scorers.support.acts import ABOUT, ACTS, ASIDES, REASONS, SECRETS
from scorers.support.discourse import only_talks
from scorers.text.language import LanguageCode
from scorers.text.leads import bare, uncapitalised
from scorers.text.normalize import word_set
from scorers.text.phrases import Phrases, words
from scorers.text.replies.clauses import reply_act
from scorers.text.replies.english import CUES, NO_ANSWER
from scorers.text.replies.reading import TABLES, Act
from scorers.text.sentences import Sentence, SentenceKind

LONGEST = 420
"""Characters of a sentence that is looked at; a longer one tells something."""

_ORDER: tuple[SentenceKind, ...] = ("abstention", "refusal", "referral", "request", "meta", "courtesy")
"""The kinds by what a sentence is called that does several of them: the first."""
_BREAK = re.compile(
    r"(?<![,;:!?.(){}\[\]\"/\u2013\u2014])[,;:!?.(){}\[\]\"/\u2013\u2014]+(?:\s|$)|\s[\u2013\u2014-]\s"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]+"
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
    "meanwhile nope nah ha regrettably truthfully frankly generally simply"
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
_OWN = frozenset({"courtesy", "meta"})
_OF_THIS = word_set("this you it your i we")
_ORDERING = frozenset({"before", "after", "always"})
"""Of those, what goes with a referral in place of an answer: "ask the doctor before you take it"."""
_DIRECTS = frozenset({"referral", "request"})
_NO_ANSWER = frozenset({"abstention", "refusal"})
_GOES_ON = re.compile(r"\b(?:but|however|although|though|while|and)\b|;", re.IGNORECASE)
"""What an abstention with a claim behind it has."""
_CUE = re.compile(
    r"n['\u2019]t\b|\b(?:not|no|nothing|none|neither|nowhere|never|cannot|outside|beyond|off|missing|absent|silent|open"
    r"|unclear|unknown|unanswered|unspecified|un(?:stated|mentioned|certain)|impossible|insufficient|irresponsible"
    r"|remains?|leaves?|left|only|else|right|best|better|glad|happy|pleased|help|tell|know|clarify)\b",
    re.IGNORECASE,
)
"""Without one of these, only its beginning can tell that a sentence claims nothing."""
_LEADS = word_set(
    "for with from as at in based given after out due because if while to about on regarding concerning without "
    "rather instead since unless before when whatever though although which that and sadly"
)
"""What opens a clause that only leads to what is said."""
_LED = 10
_TOPICS = word_set("for regarding concerning about as on with")
"""What opens a clause that says what the following one is about."""
_IS = re.compile(r"\b(that|this|there|here|what|who|where|how|it)['\u2019]s\b", re.IGNORECASE)
_STATING = word_set("is are was were has must shall applies apply costs receive receives get gets expires lasts")
_SAID = word_set("said announced believes believed claimed admitted warned reported added argues argued declared")
_REPORTS = word_set("that say says state states stipulate stipulates require requires allow allows permit permits must")
"""What the documents say, rather than what they are about."""
_ALONE = word_set("only exclusively solely just merely limited unrelated nothing")
_GROUNDS = frozenset({"because", "since"})
"""What introduces why a clause before it gives no answer."""
_LISTED, _JOINS = 8, frozenset({"and", "or"})
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


def with_acts(
    sentences: Sequence[Sentence], question: str | None, language: LanguageCode = "en"
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
    found: list[Sentence] = []
    declined = False
    sentences = [_without_leads(each) for each in sentences]
    acts = [_act(each) for each in sentences]
    unanswered = not _NO_ANSWER.isdisjoint(acts) or acts[-1:] == ["question"]
    referred = "referral" in acts
    for each, act in zip(sentences, acts, strict=True):
        kind = _in_answer(act, unanswered=unanswered, referred=referred)
        if kind == "claim" and declined and _gives_reasons(each.words):
            kind = "refusal"
        if kind == "referral" and question is not None and _asks_whom(question):
            kind = "claim"
        declined = declined or kind == "refusal"
        said = stated_part(each.words) if kind == "claim" else each.words
        found.append(each if (kind, said) == (each.kind, each.words) else replace(each, kind=kind, words=said))
    return tuple(found)


def _without_leads(sentence: Sentence) -> Sentence:
    said = bare(sentence.words) if sentence.kind == "claim" else sentence.words
    return sentence if said == sentence.words else replace(sentence, words=said)


def _in_small_letters(sentence: Sentence) -> Sentence:
    said = uncapitalised(sentence.words) if sentence.words.isupper() else sentence.words
    return sentence if said == sentence.words else replace(sentence, words=said)


@cached_by_text(cost=1)
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
    return said if said != claim and len(words(said)) >= _STATES else claim


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
    if sentence.kind == "abstention" and _GOES_ON.search(sentence.words):
        return act_of(sentence.words)
    return sentence.kind


def _in_answer(act: SentenceKind | Aside, *, unanswered: bool, referred: bool) -> SentenceKind:
    """Return what a sentence does in an answer, which gives none to the question where it is ``unanswered``."""
    if act == "about":
        return "meta" if unanswered or referred else "claim"
    if act == "rule":
        return "referral" if unanswered else "claim"
    return act


Aside = Literal["about", "rule"]
"""What claims nothing only beside a refusal: what the documents are about, and whom to turn to before one goes on."""


# Assistants repeat what they say of themselves, word by word.
@cached_by_text(cost=1)
def act_of(sentence: str) -> SentenceKind | Aside:
    """Return what ``sentence`` does where it claims nothing, or nothing beside a refusal, else ``claim``.

    >>> act_of("Sorry, I can't help with that, as I don't have access to payroll data.")
    'abstention'
    >>> act_of("Sorry, I can't tell, but leave is 20 weeks."), act_of("We cannot accept returns of gift cards.")
    ('claim', 'claim')
    """
    first = _FIRST.search(sentence)
    if first is None:
        return "courtesy"  # a smile, a row of stars
    if only_talks(sentence):
        return "courtesy"
    if len(sentence) > LONGEST or not (_may_begin(first.group().lower()) or _CUE.search(sentence)):
        return "claim"
    act = _act_of(sentence)
    if act == "claim" and (spelled := _IS.sub(r"\1 is", sentence)) != sentence:
        return _act_of(spelled)
    return act


def _act_of(sentence: str) -> SentenceKind | Aside:
    kinds: set[str] = set()
    start, because = 0, False
    for break_ in (*_BREAK.finditer(sentence), None):
        clause = sentence[start : len(sentence) if break_ is None else break_.start()]
        tokens = words(clause)
        if tokens:
            found = _clause(tokens, clause, told=bool(kinds))
            reason = because or bool(SECRETS.find(tokens))
            if found is None and reason and kinds & _NO_ANSWER and _DIGIT.search(clause) is None:
                found = set()  # why it gives no answer
            if found is None:
                return "claim"
            kinds |= found
        if break_ is not None:
            start, because = break_.end(), break_.group().lower() in _GROUNDS
    if not kinds & _NO_ANSWER:
        if "rule" in kinds and "referral" not in kinds:
            return "rule"
        if "about" in kinds and "referral" not in kinds:
            return "about"
    return next((kind for kind in _ORDER if kind in kinds), "claim")


def _clause(tokens: list[str], clause: str, *, told: bool) -> set[str] | None:
    """Return what a clause does, nothing where it goes with others that do; ``None`` where it claims."""
    rest = _unled(tokens)
    if not rest:
        return {"courtesy"} if tokens[0] not in ("yes", "no") else set()
    figures = _DIGIT.search(clause) is not None
    spoken = _spoken(rest)
    ways = (tokens, rest, spoken) if len(spoken) < len(rest) < len(tokens) else (tokens, spoken)
    for way in ways:
        if found := ACTS.find(way):
            return _allowed(found, way, figures=figures)
    if not CUES.isdisjoint(tokens) and not _states_first(tokens):
        found = NO_ANSWER.find(spoken) or NO_ANSWER.find(tokens)
        if found:
            return found
    return None if figures else _beside(tokens, rest, told=told)


def _unled(tokens: list[str]) -> list[str]:
    """Return the words behind the fillers at the beginning."""
    rest = tokens
    while rest:
        if rest[0] in _FILLERS:
            rest = rest[1:]
        elif rest[0] in _SPEAKERS and rest[1:2] in _ARE and rest[2:3] in _REGRETS and rest[3:4] not in _OF:
            rest = rest[4 if rest[3:4] == ["that"] else 3 :]
        else:
            break
    return rest


def _allowed(found: set[str], tokens: list[str], *, figures: bool) -> set[str] | None:
    """Return what a clause that opens with ``found`` does; ``None`` where it is a rule, or tells something."""
    if found & _NO_ANSWER:
        return found
    if figures or (found <= _OWN and _tells(tokens)):
        return None
    binding = _BINDING.intersection(tokens) if found <= _DIRECTS else ()
    if not binding:
        return found
    return {"rule"} if _ORDERING.issuperset(binding) else None


def _beside(tokens: list[str], rest: list[str], *, told: bool) -> set[str] | None:
    """Return what a clause does that claims nothing beside others: what was read, for whom, about what."""
    found = ABOUT.find(rest)
    if found and _REPORTS.isdisjoint(rest[1:]):
        return {"meta"} if not _ALONE.isdisjoint(rest) else found
    if ASIDES.find(tokens) or ASIDES.find(rest):
        return set()
    listed = len(rest) <= _LISTED and not _JOINS.isdisjoint(rest)
    harmless = len(rest) <= _SHORT or listed or tokens[0] in _SET_OFF
    return set() if (told or tokens[0] in _TOPICS) and harmless and _TELLING.isdisjoint(rest) else None


def _spoken(tokens: list[str]) -> list[str]:
    """Return the words from the speaker on, where what stands before only says why, how or about what he speaks.

    >>> _spoken("for security reasons i can not say".split())
    ['i', 'can', 'not', 'say']
    """
    at = next((at for at, word in enumerate(tokens[:_LED]) if word in _SPEAKERS), 0)
    led = at and tokens[0] in _LEADS and _TELLING.isdisjoint(tokens[:at])
    return tokens[at:] if led else tokens


def _tells(tokens: list[str]) -> bool:
    """Return whether someone says that something holds: "I am glad to say that returns are free"."""
    at = tokens.index("that") + 1 if "that" in tokens[1:] else len(tokens)
    return _OF_THIS.isdisjoint(tokens[at : at + 1]) and not _TELLING.isdisjoint(tokens[at:])


def _states_first(tokens: list[str]) -> bool:
    """Return whether something is stated before it is said that something else is missing, or someone says it.

    >>> _states_first("leave is paid and notice is not mentioned".split()), _states_first("it is not said".split())
    (True, False)
    """
    cue = next((at for at, word in enumerate(tokens) if word in CUES), 0)
    if not _SAID.isdisjoint(tokens[:cue]):
        return True
    both = tokens.index("and") if "and" in tokens[1:cue] else 0
    return not _STATING.isdisjoint(tokens[:both])


def _gives_reasons(sentence: str) -> bool:
    return len(sentence) <= LONGEST and _DIGIT.search(sentence) is None and bool(REASONS.find(words(sentence)))


@cached(maxsize=64)
def _asks_whom(question: str) -> bool:
    return bool(_ASKED_FOR.find(words(question[:_QUESTION])))


_QUESTION = 1_000


def _may_begin(word: str) -> bool:
    return word in _FILLERS or ACTS.begins(word) or ASIDES.begins(word)
