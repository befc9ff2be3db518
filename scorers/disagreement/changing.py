"""What one sentence changes in another that is worded alike, and whether both can hold.

What differs before the verb says what a sentence is about, and what differs behind it what is said of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.disagreement.asking import Expected
from scorers.disagreement.cases import bounded, is_limited_by, is_time
from scorers.disagreement.polarity import SUREST
from scorers.statements.base import ComparisonOutcome
from scorers.statements.comparison import examine
from scorers.statements.lexicon.functions import NUMERALS
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import excludes, is_verb, relation, word_of
from scorers.support.contraries.reading import NEGATING, RuleWord, marks_of, words_read
from scorers.text.normalize import word_set

UNSURE = 0.65
"""How sure it is that another word says another thing, where neither is known to."""

LONGEST_CHANGE = 3
"""Words with content of a change that is taken for another thing, where none of them is known to be one."""

_SHORTEST_NAME = 3
_DIGITS = 6
"""Digits behind the point to which amounts are compared."""


class CopiedSentence(NamedTuple):
    """A sentence, and its words as they are told from those of another: without signs, in their ground form.

    ``opens`` and ``closes`` tell that a part of a text begins or ends with it, in its midst.
    """

    words: str
    spelled: tuple[WordKey, ...]
    heading: bool = False
    opens: bool = False
    closes: bool = False


class SentenceChange(NamedTuple):
    """Where two sentences differ: the words with content of each.

    ``topic`` tells that it stands before what is said of something, and ``kind`` that it says which of several a word
    behind it means: "retail stocks", "mining stocks".
    """

    mine: tuple[RuleWord, ...]
    its: tuple[RuleWord, ...]
    topic: bool
    kind: bool


def copied_sentence(words: str, *, heading: bool = False, first: bool = False, last: bool = False) -> CopiedSentence:
    """Return a sentence as it is laid beside others; it is the ``first`` or ``last`` of its passage."""
    # A passage is asked for its words alone, and for where they stand only beside one of its wording.
    read = [(text, keys) for text, keys in words_read(words) if _counts(text)]
    spelled = [_ORDINALS.get(text) or (keys[0] if keys else text) for text, keys in read]
    opens = first and (words[0].islower() or words[0] in ",;)")
    closes = last and words[-1] not in _STOPS
    return CopiedSentence(words, tuple(spelled), heading, opens, closes)


def marks_copied(sentence: str) -> tuple[RuleWord, ...]:
    """Return the words of a sentence, and the signs that part it."""
    return tuple([mark for mark in marks_of(sentence) if _counts(mark.text)])


def _counts(text: str) -> bool:
    return text[0].isalnum() or text in ":,"


def alike(one: CopiedSentence, other: CopiedSentence) -> SequenceMatcher[WordKey]:
    """Return what tells which words two sentences share, in one order."""
    return SequenceMatcher(None, one.spelled, other.spelled, autojunk=False)


def changes(one: CopiedSentence, other: CopiedSentence, expected: Expected) -> Iterator[SentenceChange]:
    """Yield where two sentences differ. Of who does it, where that is asked, the one who does is no topic."""
    ours, theirs = marks_copied(one.words), marks_copied(other.words)
    here, there = _said_from(ours), _said_from(theirs)
    for i, j, k, m in _places(one, other, here, there):
        mine, its = _content(ours[i:j]), _content(theirs[k:m])
        opens = not (i or k) and (one.opens or other.opens)
        closes = (j, m) == (len(ours), len(theirs)) and (one.closes or other.closes)
        if (opens or closes) and not (mine and its):
            continue
        if not (mine or its) or (not i and not k and all(mark.text.isdigit() for mark in (*mine, *its))):
            continue  # nothing, or the number of a step
        behind = ours[j : j + 1]
        does = expected == "who" and (j == here or _BEHIND_NAMES.issuperset([mark.text for mark in behind]))
        kind = bool(behind and behind[0].keys) and not _begins(ours, j)
        yield SentenceChange(mine, its, topic=j <= here and m <= there and not (does and _only_one(ours)), kind=kind)


def _places(one: CopiedSentence, other: CopiedSentence, here: int, there: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield from where to where two sentences differ, parted where what is said begins in both."""
    for operation, i, j, k, m in alike(one, other).get_opcodes():
        if operation == "equal":
            continue
        if i < here < j and k < there < m:
            yield i, here, k, there
            yield here, j, there, m
        else:
            yield i, j, k, m


def _only_one(marks: Sequence[RuleWord]) -> bool:
    """Tell whether a sentence says who does something, and not who may."""
    return _MAY.isdisjoint([mark.text for mark in marks]) or not _ALONE.isdisjoint([mark.text for mark in marks])


def _said_from(marks: Sequence[RuleWord]) -> int:
    """Return where what is said of something begins: at a verb or behind a colon; 0 where there is none."""
    return next((at for at, mark in enumerate(marks) if _begins(marks, at)), 0)


def _begins(marks: Sequence[RuleWord], at: int) -> bool:
    text = marks[at].text
    behind = marks[at + 1] if at + 1 < len(marks) else None
    acting = behind is not None and behind.text in _OBJECTS and not behind.keys
    if text in _STATING or text == ":":
        return True
    if not at:
        return acting and is_verb(text)  # an order
    if text.endswith("ed"):
        return behind is not None and behind.text == "that"  # "orders placed before noon are sent at once"
    if marks[at - 1].text in _DETERMINERS:
        return False
    # "The guard decides the case" has a verb where "expert calls on stocks" has none.
    labelled = marks[at - 1].text[0].isdigit()  # "version 3 supports Linux"
    return is_verb(text) if labelled or not text.endswith("s") else acting and not text.endswith("ss")


def _content(marks: Sequence[RuleWord]) -> tuple[RuleWord, ...]:
    return tuple([mark for mark in marks if mark.text not in _EMPTY and _tells(mark)])


def _tells(mark: RuleWord) -> bool:
    text = mark.text
    return text in _TURNS or text in NUMERALS or (text[0].isalnum() and bool(mark.keys or text[0].isdigit()))


def names_topic(change: SentenceChange, told: Sequence[SentenceChange], sentence: str, expected: Expected) -> bool:
    """Tell whether a change names another thing that a ``sentence`` is about; ``told`` are all changes of it.

    Where a date is asked, a date names none.
    """
    return (
        change.topic
        and is_other(change, told)
        and not _turned(change)
        and not (expected == "date" and _figures(change.mine))
        and not (len(told) == 1 and _measured(change, sentence))
    )


def is_other(change: SentenceChange, told: Sequence[SentenceChange]) -> bool:
    """Tell whether a change puts one thing in place of another; ``told`` are all changes of the sentence."""
    return bool(change.mine and change.its) and not _same(change) and not _exchanged(change, told)


def is_name(marks: Sequence[RuleWord], sentence: str) -> bool:
    """Tell whether a name is among words: one in capitals alone may be a unit or a department."""
    return any(
        mark.start
        and mark.end - mark.start >= _SHORTEST_NAME
        and sentence[mark.start].isupper()
        and sentence[mark.start + 1 : mark.end].islower()
        and not is_time(mark.text)
        for mark in marks
    )


def otherwise(one: str, other: str, changed: Sequence[SentenceChange], expected: Expected) -> float | None:
    """Return how surely two sentences cannot both hold, 0 to `SUREST`; 0 for two cases, ``None`` for the same.

    >>> one, other = "Logs are kept for 30 days.", "Logs are kept for 90 days."
    >>> changed = changes(*[copied_sentence(each) for each in (one, other)], "number")
    >>> otherwise(one, other, list(changed), "number")
    0.9
    """
    told = [change for change in changed if not _same(change)]
    if any(_exchanged(change, told) for change in told):
        return SUREST
    if _of_two_cases(told, one, other, expected):
        return 0.0
    figures = [change for change in told if _figures(change.mine) and _figures(change.its)]
    if figures:
        mine, its = (quantities_in(each[:LONGEST], "en") for each in (one, other))
        if mine and _amounts(mine) == _amounts(its):
            told = [change for change in told if change not in figures]
            figures = []
        elif len(told) > 1 and any(is_limited_by(one, _figures(change.mine)) for change in figures):
            return 0.0  # "over 5 kg for 3 EUR", "over 10 kg for 5 EUR"
    outcome, strength = _compared(one, other)
    if _reordered(told) or (outcome == "agrees" and not figures):
        return None
    surely = max([strength, *map(_surely, told)])
    return surely if told or surely else None


def _of_two_cases(told: Sequence[SentenceChange], one: str, two: str, expected: Expected) -> bool:
    moved = len(told) == 1 and _measured(told[0], one)
    other = [change for change in told if change.mine and change.its]
    if not moved and any(change.topic and not _turned(change) for change in other):
        return True
    if len(other) > 1 and any(_specifies(change, one) for change in other):
        return True  # "retail stocks for 18 hours", "mining stocks for 54 hours"
    if len(told) > 1 and bounded(one) != bounded(two):
        return True  # "travel over 5,000 EUR"
    return expected != "date" and any(_times(change.mine) and _times(change.its) for change in told)


def _specifies(change: SentenceChange, sentence: str) -> bool:
    """Tell whether a change says which of several is meant: by a name, or by a word before what they all are."""
    named = is_name(change.mine, sentence)
    return named or (change.kind and not _turned(change) and not _figures(change.mine))


@cached_by_text(cost=1)
def _compared(one: str, other: str) -> tuple[ComparisonOutcome, float]:
    """Return what two sentences are as statements, whichever is the claim, and how surely they contradict."""
    found = [examine(claim, (source,)).comparison for claim, source in ((one, other), (other, one))]
    strengths = [each.difference.strength for each in found if each.difference and each.outcome == "contradicts"]
    if strengths:
        return "contradicts", min(SUREST, max(strengths))
    return ("agrees" if all(each.outcome == "agrees" for each in found) else "undecided"), 0.0


def _reordered(told: Sequence[SentenceChange]) -> bool:
    """Tell whether two sentences have the same words in another order."""
    mine = sorted([mark.text for change in told for mark in change.mine])
    return bool(mine) and mine == sorted([mark.text for change in told for mark in change.its])


def _exchanged(change: SentenceChange, told: Sequence[SentenceChange]) -> bool:
    """Tell whether two sentences have exchanged what they say of two things: "women in the morning, men at noon"."""
    mine, its = ([mark.text for mark in marks] for marks in (change.mine, change.its))
    return bool(mine and its) and any(
        [mark.text for mark in each.mine] == its and [mark.text for mark in each.its] == mine for each in told
    )


def _measured(change: SentenceChange, sentence: str) -> bool:
    """Tell whether a change puts another amount of something: it is a limit that was moved, and no name of a case."""
    figures = _figures(change.mine)
    return len(change.mine) == len(change.its) == len(figures) == len(_figures(change.its)) and any(
        quantity.dimension not in _UNMEASURED and any(figure in quantity.written.lower() for figure in figures)
        for quantity in quantities_in(sentence[:LONGEST], "en")
    )


_UNMEASURED = frozenset({"count", "date", "ordinal", "reference", "version"})


def _surely(change: SentenceChange) -> float:
    """Return how surely a change says something else."""
    if _turned(change):
        return SUREST
    if not (change.mine and change.its):
        return 0.0  # one tells more
    if _figures(change.mine) and _figures(change.its):
        return SUREST
    pairs = [(word_of(mine.text), word_of(its.text)) for mine in change.mine for its in change.its]
    if any(relation(*pair) > 0 for pair in pairs):
        return 0.0
    if any(relation(*pair) < 0 or excludes(*pair) for pair in pairs):
        return SUREST
    return UNSURE if max(len(change.mine), len(change.its)) <= LONGEST_CHANGE else 0.0


def _turned(change: SentenceChange) -> bool:
    """Tell whether one has a word that turns a statement, and the other has it not: "not", "only", "some" for "all"."""
    if not (change.mine and change.its) and len(change.mine) + len(change.its) > LONGEST_CHANGE:
        return False  # one goes on where the other ends
    mine, its = (
        frozenset([_TURNS[mark.text] for mark in marks if mark.text in _TURNS]) for marks in (change.mine, change.its)
    )
    return mine != its and bool((mine | its) - {"all"})


def _same(change: SentenceChange) -> bool:
    """Tell whether each word of one is one of the other, or one for it."""
    return all(
        any(mark.text == each.text or not frozenset(mark.keys).isdisjoint(each.keys) for each in theirs)
        for ours, theirs in ((change.mine, change.its), (change.its, change.mine))
        for mark in ours
    )


def _times(marks: Sequence[RuleWord]) -> bool:
    """Tell whether words name a time that comes again, and no date."""
    return any(is_time(mark.text) for mark in marks) and not _figures(marks)


def _figures(marks: Sequence[RuleWord]) -> frozenset[str]:
    return frozenset([mark.text for mark in marks if mark.text[0].isdigit() or mark.text in NUMERALS])


def _amounts(quantities: Sequence[Quantity]) -> list[tuple[str, float, str]]:
    return sorted([(each.dimension, round(each.value, _DIGITS), _kind_of(each)) for each in quantities])


def _kind_of(quantity: Quantity) -> str:
    """Return what tells a quantity from another of the same value: a date by its words, money by its currency."""
    if quantity.dimension == "date":
        return quantity.written.lower()
    return quantity.unit if quantity.dimension == "money" else ""


_STATING = word_set(
    "is are was were be has have had do does did can cannot can't may must shall should will won't would need needs"
    " isn't aren't don't doesn't mustn't needn't cost costs includes include weighs weigh holds hold lasts last"
)
_TURNS: Mapping[str, str] = {
    word: turn
    for turn, words in (
        ("not", NEGATING - {"without"}),
        ("only", word_set("only solely exclusively alone")),
        ("except", word_set("except unless excluding without")),
        ("even", word_set("even including")),
        ("all", word_set("all every each any both always everyone everybody")),
        ("some", word_set("some few half most sometimes several")),
    )
    for word in words
}
"""Words that turn what is said, and what each is another word for."""
_OBJECTS = word_set("the a an it you your us we them their his her our all any no whether that")
"""What follows a verb rather than the noun of a thing."""
_DETERMINERS = word_set("the a an our your this these their his her its all any no every each of in for")
_BEHIND_NAMES = word_set("who which , or and")
_ORDINALS: Mapping[str, str] = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
    "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th", "twelfth": "12th",
}  # fmt: skip
_MAY = word_set("may can could")
_ALONE = word_set("only alone solely exclusively nobody none")
_STOPS = ".!?:;\u2026\u3002\"')]\u201d"
_EMPTY = word_set("is are was were be been being has have had do does did")
