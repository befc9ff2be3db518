"""How each value of a text is written and what stands beside it: what is known of it whatever is asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.caching import cached_by_text
from scorers.disagreement.figures import CURRENCIES
from scorers.disagreement.lexicon import POPULATION
from scorers.disagreement.values import MAX_READ, StatedValue, ValueKind, reading_of
from scorers.models.arrays import Floats, Integers

_LEADS = (
    frozenset({"in", "at", "near", "from", "within", "to"}),
    frozenset({"by"}),
    frozenset({","}),
    frozenset({"("}),
    frozenset({"is", "was", "are", "were"}),
    frozenset({"of"}),
    frozenset({"and", "&"}),
    frozenset({"-", "\u2013", "\u2014"}),
    frozenset({":", "=", "|"}),
    frozenset({"as", "for", "with"}),
    frozenset({"on", "since", "until"}),
)
_FOLLOWS = (
    frozenset({"("}),
    frozenset({","}),
    frozenset({"."}),
    frozenset({"in", "at"}),
    frozenset({"is", "was", "are", "were"}),
)
WRITTEN = (
    "name", "word", "number", "year", "month", "day", "unit", "percent", "money", "population", "spelled", "large",
    "small", "one_word", "two_words", "three_words", "long_name", "first", "opening", "early", "origin", "capitals",
    "like_a_year", "title", "in_", "by_", "comma_", "open_", "is_", "of_", "and_", "dash_", "colon_", "as_", "on_",
    "_open", "_comma", "_stop", "_in", "_is",
)  # fmt: skip
"""How a value is written and what stands beside it (``in_``: a word like "in" before it)."""

AT = {name: index for index, name in enumerate(WRITTEN)}
_LARGE, _SMALL, _LONG, _HEAD = 100, 10, 4, 6
_YEARS = (1000, 2100)


@dataclass(frozen=True, slots=True)
class Written:
    """What is known of a text's values whatever is asked: `WRITTEN`, the rows of each kind, keys, words, places."""

    table: Floats
    kinds: Mapping[ValueKind, tuple[int, ...]]
    keys: tuple[Hashable, ...]
    words: tuple[frozenset[str], ...]
    starts: Integers
    ends: Integers
    sentences: Integers


def written(text: str, *, words: bool = False) -> Written:
    """Return what is known of the values of ``text``, its own words among them if ``words``.

    >>> written("Ann Roe paid 9 EUR.").table[:, AT["number"]].tolist()
    [0.0, 1.0]
    """
    return (_with_words if words else _alone)(text[:MAX_READ])


# What does not depend on the question is worked out once a passage.
@cached_by_text(cost=12)
def _alone(text: str) -> Written:
    return _written(reading_of(text).values())


@cached_by_text(cost=28)
def _with_words(text: str) -> Written:
    return _written(reading_of(text).values(words=True))


def _written(values: Sequence[StatedValue]) -> Written:
    kinds: dict[ValueKind, tuple[int, ...]] = {
        kind: tuple(row for row, value in enumerate(values) if value.kind == kind)
        for kind in ("date", "number", "name", "word")
    }
    places = np.array([(v.start, v.end, v.sentence) for v in values], dtype=np.int64).reshape(len(values), 3)
    return Written(
        table=np.array([_row(value) for value in values], dtype=np.float64).reshape(len(values), len(WRITTEN)),
        kinds=kinds,
        keys=tuple(value.key for value in values),
        words=tuple(value.words for value in values),
        starts=places[:, 0],
        ends=places[:, 1],
        sentences=places[:, 2],
    )


def _row(value: StatedValue) -> tuple[float, ...]:
    name, number = value.kind == "name", value.kind == "number"
    words = len(value.words)
    money = value.unit in CURRENCIES
    return (
        name,
        value.kind == "word",
        number,
        *map(bool, value.date),
        number and bool(value.unit),
        value.unit == "percent",
        money,
        value.unit == POPULATION,
        number and not money and not value.text[:1].isdigit(),
        number and value.number >= _LARGE,
        number and value.number < _SMALL,
        name and words == 1,
        words == 2,  # noqa: PLR2004 - named two_words
        words == 3,  # noqa: PLR2004 - named three_words
        words >= _LONG,
        value.first,
        value.sentence == 0,
        1 / (1 + value.sentence),
        name and words == 1 and value.text.endswith(("an", "ese", "ish", "ic", "nch", "man")),
        name and value.text.isupper(),
        number and _YEARS[0] <= value.number < _YEARS[1] and not value.unit,
        name and value.start < _HEAD,
        *(value.lead in words for words in _LEADS),
        *(value.follow in words for words in _FOLLOWS),
    )
