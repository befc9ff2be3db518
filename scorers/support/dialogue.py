"""Sentences of an answer that claim nothing: it declines, abstains, refers elsewhere, asks, greets, or tells of itself.

A sentence is cut into clauses, and claims nothing only where none of its clauses does: "Sorry, I can't help with that"
declines, "Sorry, but leave is 20 weeks" claims. What a company says of itself ("we cannot refund gift cards") and what
it demands ("please contact HR before you travel") are claims.

Source: the kinds are dialogue acts (Stolcke et al. 2000, Dialogue Act Modeling for Automatic Tagging and Recognition of
Conversational Speech): reject, hedge, conventional opening and closing, thanking, offers, action directives.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from adapters.caching import cached_by_text
from scorers.support.acts import ABOUT, ACTS, ASIDES, SECRETS
from scorers.support.breaks import FIRST, ReplyClause, clauses_of
from scorers.support.disclosing import discloses
from scorers.support.discourse import only_talks
from scorers.text.glance import glance
from scorers.text.normalize import word_set
from scorers.text.phrases import words
from scorers.text.plain import for_ascii
from scorers.text.replies.english import CUES, NO_ANSWER
from scorers.text.replies.silence import ASKED, PLACED, PREDICATES, silence_of
from scorers.text.replies.topics import topic_subject
from scorers.text.replies.turning import OPENS, only_turns, turns_away
from scorers.text.sentences import SentenceKind

LONGEST = 420
"""Characters of a sentence that is looked at; a longer one tells something."""

_ORDER: tuple[SentenceKind, ...] = ("abstention", "refusal", "referral", "request", "meta", "courtesy")
"""The kinds by what a sentence is called that does several of them: the first."""
_DIGIT = re.compile(r"\d|@|://|www\.")
_WEEKLY = word_set(
    "monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday"
    " sundays weekday weekdays weekend weekends daily"
)
"""Days on which somebody is reached, which are a claim as hours are."""
_FILLERS = word_set(
    "unfortunately sorry regrettably regretfully sadly alas apologies but and so also well however though because "
    "since as or then therefore thus although yes no okay ok sure certainly absolutely currently hi hello hey "
    "again just honestly actually afraid perhaps maybe alternatively otherwise instead additionally still besides "
    "meanwhile nope nah ha regrettably truthfully frankly generally simply oh wow yeah yep yup ah aw haha lol hmm hm "
    "oops"
)
_PARTICLES = word_set("yes no yeah yep yup nope nah")
_SPEAKERS, _ARE, _REGRETS = ("i", "we"), (["am"], ["are"]), (["sorry"], ["afraid"])
_OF = (["to"], ["about"], ["for"], ["if"], ["of"])
"""What opens a clause like a filler does: "I'm afraid that"."""
_SET_OFF = word_set(
    "about for on regarding with in from at such like including or and of concerning to by anything whether what how "
    "when"
)
"""What a part begins with that only says what the clause before it is about."""
RULING = word_set(
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
NO_ANSWER_KINDS = frozenset({"abstention", "refusal"})
GOES_ON = re.compile(r"\b(?:but|however|although|though|while|and)\b|;", re.IGNORECASE)
"""What an abstention with a claim behind it has."""
_CUE = re.compile(
    r"n['\u2019]t\b|\b(?:not|no|nothing|none|neither|nowhere|never|cannot|outside|beyond|off|missing|absent|silent|open"
    r"|unclear|unknown|unanswered|unspecified|un(?:stated|mentioned|certain)|impossible|insufficient|irresponsible"
    r"|remains?|leaves?|left|lacks?|guess(?:ing)?|speculat\w{1,4}|little|only|else|right|best|better|glad|happy|pleased|help|tell|know|clarify)\b",
    re.IGNORECASE,
)
"""Without one of these, only its beginning can tell that a sentence claims nothing."""
_CUE_ASCII = for_ascii(_CUE)
_CUE_WORDS = word_set(
    "t not no nothing none neither nowhere never cannot outside beyond off missing absent silent open unclear unknown"
    " unanswered unspecified unstated unmentioned uncertain impossible insufficient irresponsible remain remains leave"
    " leaves left lack lacks guess guessing little only else right best better glad happy pleased help tell know"
    " clarify"
)
"""The words of these, in small letters, but for those that begin with "speculat"; "t" is that of "isn't"."""
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
    first = FIRST.search(sentence)
    if first is None:
        return "courtesy"  # a smile, a row of stars
    if only_talks(sentence):
        return "courtesy"
    if discloses(sentence):
        return "claim"
    if len(sentence) > LONGEST or not (_may_begin(first.group().lower()) or may_lack(sentence)):
        return "claim"
    act = _act_of(sentence)
    if act == "claim" and (spelled := _spelled(sentence)) != sentence:
        return _act_of(spelled)
    return act


def _spelled(sentence: str) -> str:
    """Return a sentence with "it is" for "it's" and the like."""
    return _IS.sub(r"\1 is", sentence) if "'" in sentence or "\u2019" in sentence else sentence


def _act_of(sentence: str) -> SentenceKind | Aside:
    found = clause_kinds(sentence)
    if found is None:
        return "claim"
    if not found & NO_ANSWER_KINDS:
        if "rule" in found and "referral" not in found:
            return "rule"
        if "about" in found and "referral" not in found:
            return "about"
    return next((kind for kind in _ORDER if kind in found), "claim")


def may_lack(sentence: str) -> bool:
    """Return whether a sentence has a word without which it does not say that there is no answer.

    >>> may_lack("Rooms are paid."), may_lack("It is not mentioned.")
    (False, True)
    """
    if not sentence.isascii():
        return _CUE.search(sentence) is not None
    if _CUE_WORDS.isdisjoint(glance(sentence)) and "speculat" not in sentence.lower():
        return False
    return _CUE_ASCII.search(sentence) is not None


def clause_kinds(sentence: str, asked: frozenset[str] | None = None) -> set[str] | None:
    """Return what the clauses of ``sentence`` do, ``None`` where one of them claims.

    With the words that were ``asked``, it stands beside an answer that gives none: what only sends elsewhere or speaks
    of the talk claims nothing then.

    >>> clause_kinds("It is not mentioned"), clause_kinds("It is not mentioned, but leave is paid")
    ({'abstention'}, None)
    """
    if asked is None:
        alone = _kinds_alone(sentence)
        return None if alone is None else set(alone)
    return _kinds(sentence, asked)


# What closes a sentence is asked for by itself, too.
@cached_by_text(cost=1)
def _kinds_alone(sentence: str) -> frozenset[str] | None:
    found = _kinds(sentence, None)
    return None if found is None else frozenset(found)


def _kinds(sentence: str, asked: frozenset[str] | None) -> set[str] | None:
    clauses = [(each, words(sentence[each.start : each.end])) for each in clauses_of(sentence)]
    kinds: set[str] = set()
    at = 0
    while at < len(clauses):
        clause, tokens = clauses[at]
        text = sentence[clause.start : clause.end]
        found = _clause(tokens, text, told=bool(kinds))
        if found is None and _is_ground(clauses[at : at + 2], sentence, kinds):
            found = set()  # why it gives no answer
        if _is_silent(found, clauses, at):
            found = {"abstention"}
        if found is None and (taken := _silent_from(sentence, clauses, at)):
            found, at = {"abstention"}, at + taken - 1
        if found is None and _expects(clauses[at : at + 2]):
            found, at = set(), at + 1
        if found is None and _labels(clauses[at : at + 2], sentence):
            found = set()
        if found is None and asked is not None and tokens[0] in _SETS and _DIGIT.search(text) is None:
            found = None if not RULING.isdisjoint(tokens[1:]) else set()
        if found is None and (turns_away(tokens) or (asked is not None and only_turns(tokens, asked))):
            found = {"referral"}
        if found is None:
            return None
        kinds |= found
        at += 1
    return kinds


def _is_ground(clauses: list[tuple[ReplyClause, list[str]]], sentence: str, kinds: set[str]) -> bool:
    """Return whether the first clause says why there is no answer, before or behind saying so."""
    (clause, tokens), *behind = clauses
    led = clause.led_by in _GROUNDS or (tokens[0] == "as" and clause.led_by == ",")
    if not kinds:
        return led and _gives_none(behind, sentence)
    reason = bool(kinds & NO_ANSWER_KINDS) and (led or bool(SECRETS.find(tokens)))
    return reason and _DIGIT.search(sentence, clause.start, clause.end) is None


def _gives_none(clauses: list[tuple[ReplyClause, list[str]]], sentence: str) -> bool:
    """Return whether a clause says that there is no answer."""
    found = [_clause(tokens, sentence[each.start : each.end], told=False) for each, tokens in clauses]
    return any(kinds is not None and not NO_ANSWER_KINDS.isdisjoint(kinds) for kinds in found)


def _silent_from(sentence: str, clauses: list[tuple[ReplyClause, list[str]]], at: int) -> int:
    """Return how many clauses from ``at`` on say together that there is no answer; 0 where they do not.

    What is inserted or listed between a subject and its verb is read with them: "gifts, however, are not discussed".
    """
    first, tokens = clauses[at]
    said = sentence[first.start : first.end]
    spelled = _spelled(said)
    if silence_of(tokens) or (spelled != said and silence_of(words(spelled))):
        return 1
    opens = tokens[0] in ASKED
    for size in range(2, min(_TOGETHER, len(clauses) - at) + 1):
        last, behind = clauses[at + size - 1]
        if last.led_by != "," or (behind[0] not in PREDICATES and not opens):
            continue
        if silence_of(words(sentence[first.start : last.end])):
            return size
    return 0


def _is_silent(found: set[str] | None, clauses: list[tuple[ReplyClause, list[str]]], at: int) -> bool:
    """Return whether a clause that tells of the reading, or of what a text is about, says that an answer is missing."""
    tokens = clauses[at][1]
    if found == {"meta"}:
        return silence_of(tokens) is not None or _goes_on_silent(tokens)
    return found in (None, {"about"}) and _silent_too(clauses, at)


def _goes_on_silent(tokens: list[str]) -> bool:
    """Return whether behind an "and" it is said that there is no answer: "i looked and there is no mention of it"."""
    at = next((at for at, word in enumerate(tokens) if word in ("and", "but")), 0)
    rest = tokens[at + 1 :] if at else []
    if not rest:
        return False
    return not NO_ANSWER_KINDS.isdisjoint(ACTS.find(rest) | NO_ANSWER.find(rest)) or silence_of(rest) is not None


def _silent_too(clauses: list[tuple[ReplyClause, list[str]]], at: int) -> bool:
    """Return whether a text that is about one thing is said to lack another: "... but says nothing about pay"."""
    clause, tokens = clauses[at]
    if clause.led_by in ("but", "though", "although") and at:
        subject = topic_subject(clauses[at - 1][1])
        return bool(subject) and silence_of([*subject, *tokens]) is not None
    joint = tokens.index("and") if "and" in tokens[1:] else 0
    subject = topic_subject(tokens[:joint]) if joint else []
    return bool(subject) and silence_of([*subject, *tokens[joint + 1 :]]) is not None


def _labels(clauses: list[tuple[ReplyClause, list[str]]], sentence: str) -> bool:
    """Return whether a clause is only a name for what stands behind its colon: "room number: not provided"."""
    if len(clauses) < 2 or clauses[1][0].led_by != ":":  # noqa: PLR2004 - a label and what it labels
        return False
    (clause, tokens), _ = clauses
    return len(tokens) <= _LABEL and RULING.isdisjoint(tokens) and not _DIGIT.search(sentence, clause.start, clause.end)


_SETS = word_set("before if when once to for as after in until")
"""What opens a clause that says for when a referral is meant."""
_LABEL = 4
"""Words of a label, at most."""


def _expects(clauses: list[tuple[ReplyClause, list[str]]]) -> bool:
    """Return whether it is only said where something would stand: "if there were a plan, I would expect it there"."""
    if len(clauses) < 2 or clauses[0][1][0] != "if":  # noqa: PLR2004 - a condition and what follows
        return False
    said = clauses[1][1]
    return said[0] in _SPEAKERS and said[1] == "would" and not PLACED.isdisjoint(said)


_TOGETHER = 5
"""Clauses that are read together, at most."""


def _clause(tokens: list[str], clause: str, *, told: bool) -> set[str] | None:
    """Return what a clause does, nothing where it goes with others that do; ``None`` where it claims."""
    rest = _unled(tokens)
    if not rest:
        return set() if tokens[0] in _PARTICLES else {"courtesy"}
    figures = _DIGIT.search(clause) is not None
    spoken = _spoken(rest)
    ways = (tokens, rest, spoken) if len(spoken) < len(rest) < len(tokens) else (tokens, spoken)
    for way in ways:
        if found := ACTS.find(way):
            return None if found == {"referral"} and _spares(tokens) else _allowed(found, way, figures=figures)
    if not CUES.isdisjoint(tokens) and not _states_first(tokens):
        found = NO_ANSWER.find(spoken) or NO_ANSWER.find(tokens)
        if found:
            return found
    return None if figures else _beside(tokens, rest, told=told)


def _spares(tokens: list[str]) -> bool:
    """Return whether a clause says that nobody need be asked: "you can sublet without asking the landlord"."""
    return any(word == "without" and behind in _ASKING for word, behind in pairwise(tokens))


_ASKING = word_set("asking contacting consulting telling informing calling notifying")


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
    if found & NO_ANSWER_KINDS:
        return found
    dated = "referral" in found and not _WEEKLY.isdisjoint(tokens)
    if figures or dated or (found <= _OWN and _tells(tokens)):
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
    if topic_subject(rest):
        return {"about"}
    if ASIDES.find(tokens) or ASIDES.find(rest):
        return set()
    listed = len(rest) <= _LISTED and not _JOINS.isdisjoint(rest)
    harmless = len(rest) <= _SHORT or listed or tokens[0] in _SET_OFF
    return set() if (told or tokens[0] in _TOPICS) and harmless and RULING.isdisjoint(rest) else None


def _spoken(tokens: list[str]) -> list[str]:
    """Return the words from the speaker on, where what stands before only says why, how or about what he speaks.

    >>> _spoken("for security reasons i can not say".split())
    ['i', 'can', 'not', 'say']
    """
    at = next((at for at, word in enumerate(tokens[:_LED]) if word in _SPEAKERS), 0)
    led = at and tokens[0] in _LEADS and RULING.isdisjoint(tokens[:at])
    return tokens[at:] if led else tokens


def _tells(tokens: list[str]) -> bool:
    """Return whether someone says that something holds: "I am glad to say that returns are free"."""
    at = tokens.index("that") + 1 if "that" in tokens[1:] else len(tokens)
    return _OF_THIS.isdisjoint(tokens[at : at + 1]) and not RULING.isdisjoint(tokens[at:])


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


def _may_begin(word: str) -> bool:
    return word in _FILLERS or word in OPENS or ACTS.begins(word) or ASIDES.begins(word)
