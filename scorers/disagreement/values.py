"""The values a text states: dates, numbers with their units, names, and words of its own, each with its place.

A value is what could answer a question. Two texts agree where they state the same value in other words: "1 March 2024"
and "March 2024", "1,200 km" and "1200", "Ann Roe" and "Roe".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from adapters.caching import cached_by_text
from scorers.disagreement.figures import DIMENSIONS, NUMERALS, Day, date_at, number_at
from scorers.disagreement.tokens import Token, tokens
from scorers.text.normalize import MONTHS, STOP_WORDS, word_set
from scorers.text.sentences import split_sentences

ValueKind = Literal["date", "number", "name", "word"]

MAX_READ = 8_000
"""Characters of a passage whose values are read."""

MAX_VALUES = 400
"""Values of a passage that are kept, so that a table of figures costs no more than a page."""

CLOSE = 0.01
"""Numbers that differ by at most this share of the larger are the same, rounded."""

OTHER_UNIT = 0.7
"""How well equal numbers of different units agree: the word after a number need not be its unit."""

_INSIDE = word_set("of the de la le du di da von van der den del al bin ibn y e")
"""Small words that a name may have inside."""

_MOST_INSIDE = 3
_NOT_NAMES = STOP_WORDS | word_set(
    "also however although since following according categories retrieved edit main page"
)
_ARTICLES = frozenset({"the", "a", "an"})


class StatedValue(NamedTuple):
    """What a text states at tokens ``start`` to ``end``, in sentence number ``sentence``.

    ``words`` are the stems of a name or a word. ``lead`` and ``follow`` are the tokens before (articles passed over)
    and after; ``first`` says that it opens its sentence.
    """

    kind: ValueKind
    start: int
    end: int
    sentence: int
    text: str
    lead: str
    follow: str
    first: bool
    date: Day = (0, 0, 0)
    number: float = 0.0
    unit: str = ""
    words: frozenset[str] = frozenset()

    @property
    def key(self) -> Hashable:
        """What tells one value from another: two mentions of the same have the same key."""
        if self.kind == "date":
            return self.date
        return (self.number, self.unit) if self.kind == "number" else self.words


class ValueReading(NamedTuple):
    """A text as conflict sees it: its sentences and their tokens, where each sentence begins, where each stem stands.

    Places are those of tokens among all. What it states is read when it is asked for.
    """

    text: str
    sentences: tuple[str, ...]
    tokens: tuple[tuple[Token, ...], ...]
    starts: tuple[int, ...]
    postings: Mapping[str, tuple[int, ...]]

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence in which a token stands."""
        return bisect_right(self.starts, place) - 1

    def stems(self, sentence: int) -> frozenset[str]:
        """Return the distinct stems of a sentence."""
        return frozenset([token.stem for token in self.tokens[sentence] if token.stem])

    def values(self, *, words: bool = False) -> tuple[StatedValue, ...]:
        """Return what the text states, with ``words`` its own words too: they can be some other thing that is asked."""
        return _with_words(self.text) if words else _stated(self.text).values

    @property
    def numbers(self) -> frozenset[float]:
        """The numbers it states."""
        return _stated(self.text).numbers

    @property
    def dates(self) -> frozenset[Day]:
        """The dates it states."""
        return _stated(self.text).dates


class _Stated(NamedTuple):
    values: tuple[StatedValue, ...]
    numbers: frozenset[float]
    dates: frozenset[Day]


@cached_by_text(cost=17)
def _stated(text: str) -> _Stated:
    values = _values_of(text, words=False)
    numbers = frozenset([value.number for value in values if value.kind == "number"])
    return _Stated(values, numbers, frozenset([value.date for value in values if value.kind == "date"]))


# Any word can be what is asked, and is then a value, which takes far more than the few others.
@cached_by_text(cost=36)
def _with_words(text: str) -> tuple[StatedValue, ...]:
    return _values_of(text, words=True)


def _values_of(text: str, *, words: bool) -> tuple[StatedValue, ...]:
    found: list[StatedValue] = []
    reading = reading_of(text)
    for number, read in enumerate(reading.tokens):
        if len(found) >= MAX_VALUES:
            break
        found.extend(_values(read, reading.starts[number], number, words=words))
    return tuple(found[:MAX_VALUES])


def read_text(text: str) -> ValueReading:
    """Read the first `MAX_READ` characters of a text. Linear in its length; never raises.

    >>> [(value.kind, value.text) for value in read_text("Ann Roe paid 1,200 EUR in March 2024.").values()]
    [('name', 'Ann Roe'), ('number', '1,200 EUR'), ('date', 'March 2024')]
    """
    text = text[:MAX_READ]
    sentences = tuple([sentence.words for sentence in split_sentences(text)])
    every: list[tuple[Token, ...]] = []
    starts: list[int] = []
    postings: dict[str, list[int]] = {}
    place = 0
    for sentence in sentences:
        read = tuple(tokens(sentence))
        every.append(read)
        starts.append(place)
        for token in read:
            if token.stem:
                postings.setdefault(token.stem, []).append(place)
            place += 1
    found = {stem: tuple(places) for stem, places in postings.items()}
    return ValueReading(text, sentences, tuple(every), tuple(starts), found)


def reading_of(text: str) -> ValueReading:
    """Return what `read_text` does, from a memo."""
    return _memo(text[:MAX_READ])


# The same passages are retrieved again and again.
_memo = cached_by_text(cost=22)(read_text)


def same(one: StatedValue, other: StatedValue) -> float:
    """Return how well two values agree: 1 they are the same, 0 they are not.

    >>> a, b, c = read_text("On 3 May 2024. In May 2024. In June 2024.").values()
    >>> same(a, b), same(a, c)
    (1.0, 0.0)
    """
    if one.kind == other.kind == "date":
        said = [(mine, theirs) for mine, theirs in zip(one.date, other.date, strict=True) if mine and theirs]
        return float(bool(said) and all(mine == theirs for mine, theirs in said))
    if one.kind == other.kind == "number":
        if one.unit and other.unit and one.unit != other.unit:
            return OTHER_UNIT if one.number == other.number else 0.0
        return float(abs(one.number - other.number) <= CLOSE * max(abs(one.number), abs(other.number)))
    if not one.words or not other.words:
        return 0.0
    shared = len(one.words & other.words)
    return shared / min(len(one.words), len(other.words)) if one.kind == other.kind else float(shared > 0)


def comparable(one: StatedValue, other: StatedValue) -> bool:
    """Tell whether two values can be answers to one question: not an amount of money and a share, nor days and metres.

    >>> a, b, c = read_text("20 EUR, or 25 USD, or 3 percent.").values()
    >>> comparable(a, b), comparable(a, c)
    (True, False)
    """
    if one.kind == other.kind == "number":
        mine, theirs = DIMENSIONS.get(one.unit), DIMENSIONS.get(other.unit)
        return mine is None or theirs is None or mine == theirs
    return one.kind == other.kind or {one.kind, other.kind} == {"name", "word"}


def _values(read: Sequence[Token], offset: int, sentence: int, *, words: bool) -> Iterator[StatedValue]:
    at = 0
    while at < len(read):
        token = read[at]
        found: dict[str, Any] = {}
        end = at + 1
        if token.kind in ("iso", "number") or token.lower in MONTHS:
            day = date_at(read, at)
            if day is not None:
                end, found = day[0], {"kind": "date", "date": day[1]}
        if not found and (token.kind in ("number", "money", "code") or token.lower in NUMERALS):
            measured = number_at(read, at)
            if measured is not None:
                end, found = measured[0], {"kind": "number", "number": measured[1], "unit": measured[2]}
        elif not found and token.kind == "word" and token.capital and token.lower not in _NOT_NAMES:
            end = _name_end(read, at)
            found = {
                "kind": "name",
                "words": frozenset(t.stem or t.lower for t in read[at:end] if t.stem or _letter(t)),
            }
        elif words and not found and token.kind == "word" and token.stem:
            found = {"kind": "word", "words": frozenset((token.stem,))}
        if found:
            before = at - 1
            while before >= 0 and read[before].lower in _ARTICLES:
                before -= 1
            yield StatedValue(
                start=offset + at,
                end=offset + end,
                sentence=sentence,
                text=" ".join(t.text for t in read[at:end]),
                lead=read[before].lower if before >= 0 else "",
                follow=read[end].lower if end < len(read) else "",
                first=before < 0,
                **found,
            )
        at = end


def _name_end(read: Sequence[Token], at: int) -> int:
    """Return where the run of capitalized words that begins at a token ends."""
    end = at + 1
    while end < len(read):
        token = read[end]
        further = end
        while further < len(read) and read[further].lower in _INSIDE and further - end < _MOST_INSIDE:
            further += 1
        if _of_name(read, further):
            end = further + 1
        elif token.text == "." and len(read[end - 1].text) == 1 and _of_name(read, end + 1):
            end += 2
        else:
            break
    return end


def _of_name(read: Sequence[Token], at: int) -> bool:
    if at >= len(read) or read[at].kind != "word" or not read[at].capital:
        return False
    return read[at].lower not in _NOT_NAMES or _letter(read[at])


def _letter(token: Token) -> bool:
    """Tell whether a token is a letter that a name ends with ("Building A")."""
    return token.capital and len(token.text) == 1
