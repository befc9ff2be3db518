"""Claims made wrong on purpose, from claims that people left unmarked: what a small slip looks like.

People mark few transposed numbers and turned negations, because writers make few. A monitor must see them all the same.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scorers.models.terms import TermWeights
from scorers.support.absence import absent
from scorers.support.alignment import align
from scorers.support.claims import read_claims
from scorers.support.context import Context
from scorers.support.features import rows
from scorers.text.sentences import Sentence, split_statements
from scorers.text.source import source_of
from training.supportdata import overlaps

_NUMBER = re.compile(r"(?<![\w.,:])\d{1,3}(?:,\d{3})+(?![\w:])|(?<![\w.,:])\d{1,6}(?:\.\d{1,2})?(?![\w,:]|\.\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,20}\b")
_TURNED = re.compile(r"\b(is|are|was|were|can|could|will|would|has|have|had|should)\b(?! not)")
_NOT = re.compile(r"\b(?:not|never)\s")


def swapped(claim: str, source: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield each way to make the claim wrong, by numbers, names of the source or a negation, and the claim made so."""
    numbers = list(_NUMBER.finditer(claim))
    if numbers:
        match = rng.choice(numbers)
        yield "number", claim[: match.start()] + _other_number(match[0], source, rng) + claim[match.end() :]
    different = [match for match in numbers if match[0] != numbers[0][0]]
    if different:
        one, other = numbers[0], different[0]
        changed = claim[: one.start()] + other[0] + claim[one.end() : other.start()] + one[0] + claim[other.end() :]
        yield "exchange", changed
    names = list(_NAME.finditer(claim))
    others = sorted({name for name in _NAME.findall(source) if name not in claim})
    if names and others:
        match = rng.choice(names)
        yield "name", claim[: match.start()] + rng.choice(others) + claim[match.end() :]
    negation = _NOT.search(claim)
    verb = _TURNED.search(claim)
    if negation:
        yield "negation", claim[: negation.start()] + claim[negation.end() :]
    elif verb:
        yield "negation", f"{claim[: verb.end()]} not{claim[verb.end() :]}"


def _other_number(number: str, source: str, rng: random.Random) -> str:
    found = sorted({match[0] for match in _NUMBER.finditer(source)} - {number})
    if found and rng.random() < 0.5:  # noqa: PLR2004 - half of them stand elsewhere in the source
        return rng.choice(found)
    digits = list(number)
    at = [i for i, digit in enumerate(digits) if digit.isdigit()]
    if len(at) > 1 and digits[at[0]] != digits[at[1]] and digits[at[1]] != "0":
        digits[at[0]], digits[at[1]] = digits[at[1]], digits[at[0]]
    else:
        digits[at[0]] = str(int(digits[at[0]]) % 9 + 1)
    return "".join(digits)


@dataclass(frozen=True, kw_only=True)
class Swaps:
    """Rows of claims made ``wrong`` (in which of ``ways``) and of sentences copied, each of the answer ``owner``."""

    rows: np.ndarray
    absent: tuple[tuple[str, ...], ...]
    wrong: np.ndarray
    ways: np.ndarray
    owner: np.ndarray

    @property
    def weights(self) -> np.ndarray:
        """Return a weight for each row, so that rare ways of being wrong count more and all together as before.

        A way counts by the root of how often it is, in between as often as it is and as much as any other.
        """
        counts = Counter(self.ways[self.wrong])
        scale = self.wrong.sum() / sum(math.sqrt(count) for count in counts.values())
        each = {way: scale / math.sqrt(count) for way, count in counts.items()}
        return np.array([each.get(way, 1.0) for way in self.ways])


COPIED = 3
"""Sentences of the context that are put into each answer."""

PAIRED = 4
"""Sentences of the context with two numbers that are put in, too, so that these are seen to change places."""

CHANGED = 3
"""Unmarked claims of each answer that are made wrong."""


def swaps_of(raw: Sequence[dict[str, Any]], rarity: TermWeights) -> Swaps:
    """Make unmarked claims, and sentences copied from the context, wrong in each way that they allow."""
    table: list[list[float]] = []
    missing: list[tuple[str, ...]] = []
    ways: list[str] = []
    owner: list[int] = []
    for number, row in enumerate(raw):
        rng = random.Random(number)  # noqa: S311 - no secret
        context = Context([source_of(passage["text"]) for passage in row["passages"]])
        for sentences, at, way in _changed(row, context, rng):
            claims = read_claims(sentences, row["answer"], row["question"])
            aligned = [align(claim, context, rarity) for claim in claims]
            table.append(rows(aligned)[at])
            missing.append(absent(aligned[at]))
            ways.append(way)
            owner.append(number)
    return Swaps(
        rows=np.array(table),
        absent=tuple(missing),
        wrong=np.array(ways) != "",
        ways=np.array(ways),
        owner=np.array(owner),
    )


def _changed(
    row: dict[str, Any], context: Context, rng: random.Random
) -> Iterator[tuple[tuple[Sentence, ...], int, str]]:
    """Yield the claims of an answer with one of them changed, which one, and in what way that is wrong, if it is."""
    source = " ".join(passage["text"] for passage in row["passages"])
    sentences = split_statements(row["answer"])
    clean = [i for i, each in enumerate(sentences) if not any(overlaps(each, span) for span in row["claims"])]
    rng.shuffle(clean)
    for at in clean[:CHANGED]:
        for way, text in swapped(sentences[at].words, source, rng):
            yield (*sentences[:at], replace(sentences[at], words=text), *sentences[at + 1 :]), at, way
    told = [s.words for each in context.sources if each.record is None for s in each.sentences if s.asserts]
    told = [words for words in told if _SHORTEST < len(words) < _LONGEST]
    if not sentences or not told:
        return
    negated = [words for words in told if _NOT.search(words)]
    paired = [words for words in told if len(set(_NUMBER.findall(words))) > 1]
    copied = (
        *rng.sample(told, min(COPIED, len(told))),
        *rng.sample(negated, min(1, len(negated))),
        *rng.sample(paired, min(PAIRED, len(paired))),
    )
    for words in copied:
        at = rng.randrange(len(sentences))
        yield (*sentences[:at], replace(sentences[at], words=words), *sentences[at + 1 :]), at, ""
        for way, text in swapped(words, source, rng):
            yield (*sentences[:at], replace(sentences[at], words=text), *sentences[at + 1 :]), at, way


_SHORTEST, _LONGEST = 20, 300
