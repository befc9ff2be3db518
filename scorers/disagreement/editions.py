"""Two passages of one wording: editions of a text of which one was changed, or texts of one form about two things.

A page and its former edition, both in the index, are the commonest conflict of a corpus: they agree word for word but
for what was changed. The pages of two plans agree word for word, too, and contradict each other in nothing. The
sentences of both are laid beside each other; which of the two they are is told by what the passages begin with, and by
names in place of each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

from adapters.caching import cached_by_text
from scorers.disagreement.asking import Expected
from scorers.disagreement.changing import (
    CopiedSentence,
    SentenceChange,
    alike,
    changes,
    copied_sentence,
    is_name,
    is_other,
    names_topic,
    otherwise,
)
from scorers.disagreement.clashing import share_asked
from scorers.statements.ties import WordKey
from scorers.support.contraries.reading import keys_of_text, words_read
from scorers.text.sentences import split_sentences

COPIED = 0.5
"""Share of the neighbouring words of the shorter passage that stand side by side in the other as well.

So it is in nineteen of twenty pairs of editions, and in none of 160 pairs that two authors wrote of one matter."""

ALIKE = 0.55
"""Share of the words of two sentences that are the same and in the same order, of those laid beside each other."""

BESIDE = 0.5
"""Share of what the best sentence holds of a question that a changed one holds to bear on it."""

ABOUT = 0.3
"""Share of a question below which no sentence bears on it more than another."""

MAX_SENTENCES = 24
"""Sentences of a passage that are looked at."""

LONGEST_TITLE = 80
"""Characters of a title."""

SHORT = 12
"""Words of a beginning that says what a passage is about."""

MOST_LAID = 10
"""Sentences of a passage that are laid beside those of the other."""


class CopiedPassage(NamedTuple):
    """The sentences of a passage, what tells them from others, checksums of words side by side, and its ``title``."""

    sentences: tuple[CopiedSentence, ...]
    spelled: frozenset[tuple[WordKey, ...]]
    neighbours: frozenset[int]
    title: str = ""


class ChangedSentence(NamedTuple):
    """How surely a sentence of one edition and the one that the other has in its place cannot both hold."""

    probability: float
    first: str
    second: str

    def turned(self) -> ChangedSentence:
        """Return the same with the other edition named first."""
        return ChangedSentence(self.probability, self.second, self.first)


class OneWording(NamedTuple):
    """What two passages of one wording are: about two things, ``apart``, or editions with what was changed in them.

    ``same`` are the sentences of both that the other passage has in other words.
    """

    apart: bool
    changed: tuple[ChangedSentence, ...] = ()
    same: frozenset[str] = frozenset()


def one_wording(one: str, other: str, expected: Expected) -> OneWording | None:
    """Return what two passages of one wording are; ``None`` for passages that are worded by themselves.

    ``expected`` is what is asked: of who does it the one who does is the answer.

    >>> text = "Rent is due on the {} of the month. Pay by standing order. Late payment costs 10 EUR."
    >>> one_wording(text.format("first"), text.format("fifth"), "date").changed[0].second
    'Rent is due on the fifth of the month.'
    >>> text = "The {} plan includes {} users. Support answers within {} hours. It can be cancelled at any time."
    >>> one_wording(text.format("Gold", 50, 4), text.format("Silver", 5, 24), "number").apart
    True
    """
    mine, its = copied_passage(one), copied_passage(other)
    fewest = min(len(mine.neighbours), len(its.neighbours))
    if not fewest or len(mine.neighbours & its.neighbours) < COPIED * fewest:
        return None
    # Which of the two is named first makes no difference.
    if other < one:
        found = _beside(its, mine, expected)
        return found and found._replace(changed=tuple([each.turned() for each in found.changed]))
    return _beside(mine, its, expected)


def changed_about(question: str, one: str, other: str, wording: OneWording) -> ChangedSentence | None:
    """Return what editions tell otherwise about a question: the surest, and of these what holds most of it.

    A question that hardly shares a word with the passages is about all that they tell.
    """
    sentences = [each for text in (one, other) for each in copied_passage(text).sentences if not each.heading]
    best = max([share_asked(question, keys_of_text(each.words)) for each in sentences], default=0.0)
    least = BESIDE * best if best >= ABOUT else 0.0
    bearing = [
        (each.probability, share, each)
        for each in wording.changed
        if (share := share_asked(question, keys_of_text(each.first), keys_of_text(each.second))) >= least
    ]
    return max(bearing, key=lambda each: each[:2])[2] if bearing else None


def titled_apart(question: str, one: str, other: str) -> bool:
    r"""Tell whether a question names what one passage is titled after, and the other is titled after another thing.

    >>> one, other = "# Support staff\n\nLeave is 26 days.", "# Academic staff\n\nLeave is 35 days."
    >>> [titled_apart(f"How long is leave{whose}?", one, other) for whose in (" of support staff", "")]
    [True, False]
    """
    titles = copied_passage(one).title, copied_passage(other).title
    if not all(titles):
        return False
    asked, (mine, its) = keys_of_text(question), map(keys_of_text, titles)
    here, there = _keys(one), _keys(other)
    # One has a word that is asked and is nowhere in the other, whose title has another word in its place.
    return any(
        title & asked - beyond and theirs - asked - within
        for title, beyond, theirs, within in ((mine, there, its, here), (its, here, mine, there))
    )


def _keys(text: str) -> frozenset[WordKey]:
    return frozenset().union(*[keys_of_text(each.words) for each in copied_passage(text).sentences])


def told_by_both(one: str, other: str) -> frozenset[str]:
    """Return the sentences of two passages that stand in both, but for their signs, as each writes them.

    >>> sorted(told_by_both("**Pets** are welcome. Stairs are steep.", "Pets are welcome! Mind the gap."))
    ['Pets are welcome!', 'Pets are welcome.']
    """
    mine, its = copied_passage(one), copied_passage(other)
    both = mine.spelled & its.spelled
    return frozenset([each.words for each in (*mine.sentences, *its.sentences) if each.spelled in both])


# A sum of words side by side is small beside the words: passages recur, and are held against many others.
@cached_by_text(cost=24)
def copied_passage(text: str) -> CopiedPassage:
    """Return a passage as it is laid beside others."""
    split = split_sentences(text)[:MAX_SENTENCES]
    sentences = tuple([
        copied_sentence(each.words, heading=each.kind == "heading", first=not at, last=at == len(split) - 1)
        for at, each in enumerate(split)
    ])  # fmt: skip
    words = [text for each in split for text, _ in words_read(each.words) if text[0].isalnum()]
    neighbours = frozenset([crc32(f"{one} {other}".encode()) for one, other in pairwise(words)])
    return CopiedPassage(sentences, frozenset([each.spelled for each in sentences]), neighbours, _title(text))


def _title(text: str) -> str:
    """Return the first line of a text where it is a title: short, alone, and no sentence, item or row."""
    line, _, rest = text.lstrip().partition("\n")
    bare = line.strip("#*_ \t\r")
    if not rest.strip() or not 0 < len(bare) <= LONGEST_TITLE or bare[-1] in _ENDS or line[0] in _BEGINS:
        return ""
    return bare


_ENDS = ".!?;:,"
_BEGINS = "-|>\u2022+"


def _beside(mine: CopiedPassage, its: CopiedPassage, expected: Expected) -> OneWording | None:
    laid = list(_laid(mine, its))
    if not laid and mine.spelled.isdisjoint(its.spelled):
        return None
    changed = [tuple(changes(first, second, expected)) for first, second in laid]
    if _of_two_things(mine, its, laid, changed, expected):
        return OneWording(apart=True)
    found = []
    same: set[str] = set()
    for (first, second), told in zip(laid, changed, strict=True):
        probability = otherwise(first.words, second.words, told, expected)
        if probability is None:
            same.update((first.words, second.words))
        elif probability:
            found.append(ChangedSentence(probability, first.words, second.words))
    return OneWording(False, tuple(found), frozenset(same))


def _laid(mine: CopiedPassage, its: CopiedPassage) -> Iterator[tuple[CopiedSentence, CopiedSentence]]:
    """Yield the sentences of one passage that the other has not, each with the one of the other that is most alike."""
    own = [each for each in mine.sentences if each.spelled not in its.spelled][:MOST_LAID]
    left = [each for each in its.sentences if each.spelled not in mine.spelled][:MOST_LAID]
    for sentence in own:
        near = max(left, key=lambda each: _shared(sentence, each), default=None)
        if near is not None and alike(sentence, near).ratio() >= ALIKE:
            left.remove(near)
            yield sentence, near


def _shared(one: CopiedSentence, other: CopiedSentence) -> float:
    own, theirs = frozenset(one.spelled), frozenset(other.spelled)
    return len(own & theirs) / max(1, len(own | theirs))


def _of_two_things(
    mine: CopiedPassage,
    its: CopiedPassage,
    laid: Sequence[tuple[CopiedSentence, CopiedSentence]],
    changed: Sequence[Sequence[SentenceChange]],
    expected: Expected,
) -> bool:
    """Tell whether two passages are about two things: by what they begin with, or by names in place of each other."""
    begins = mine.sentences[0], its.sentences[0]
    led = [first is begins[0] or second is begins[1] for first, second in laid]
    if not any(led) and begins[0].spelled not in its.spelled and begins[1].spelled not in mine.spelled:
        if mine.title and its.title:
            return _of_one_form(*begins)
        # A long one may be the rest of what a part of the text was cut from.
        return max([len(each.spelled) for each in begins]) <= SHORT
    titled = bool(mine.title and its.title)
    named = 0
    for (first, second), told, leads in zip(laid, changed, led, strict=True):
        for change in told:
            if leads and (names_topic(change, told, first.words, expected) or (titled and is_other(change, told))):
                return True
            names = is_name(change.mine, first.words) and is_name(change.its, second.words)
            if names and expected not in _NAMED and is_other(change, told):
                # One name behind the beginning may be of somebody who does something else now.
                if leads or named:
                    return True
                named += 1
    return False


def _of_one_form(one: CopiedSentence, other: CopiedSentence) -> bool:
    """Tell whether two titles name two things of one kind: "Team plan" and "Business plan"."""
    mine, its = one.spelled, other.spelled
    return bool(mine and its) and (mine[-1] == its[-1] or (mine[0] == its[0] and len(mine) == len(its)))


_NAMED: frozenset[Expected] = frozenset({"who", "where", "what"})
"""What a name may be the answer to."""
