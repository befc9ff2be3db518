"""Claims made wrong on purpose, and claims reworded without harm: what a small slip looks like, and what does not.

People mark few transposed numbers and turned negations, because writers make few. A monitor must see them all the same.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from scorers.models.terms import TermWeights
from scorers.support.absence import absent
from scorers.support.alignment import Claim, align
from scorers.support.claims import read_claims
from scorers.support.context import Context
from scorers.support.features import beside_others, own_values
from scorers.support.model import kind_of
from scorers.support.stated import stated
from scorers.text.sentences import Sentence, split_statements
from scorers.text.source import source_of
from training.pairs.pair import Way, edits
from training.pairs.policies import Statement, policies
from training.pairs.ways import HARMLESS, WRONG
from training.supportdata import overlaps


@dataclass(frozen=True, kw_only=True)
class Swaps:
    """Rows of claims made ``wrong`` or left right, in which of ``ways``, each over the source ``group``.

    A ``policy`` stands in a document of our own, the others among claims of labelled answers.
    """

    rows: np.ndarray
    absent: tuple[tuple[str, ...], ...]
    wrong: np.ndarray
    ways: np.ndarray
    groups: np.ndarray
    kinds: np.ndarray
    policy: np.ndarray

    @property
    def weights(self) -> np.ndarray:
        """Return a weight for each row, so that rare ways count more and all together as before.

        A way counts by the root of how often it is, in between as often as it is and as much as any other.
        """
        result = np.ones(len(self.wrong))
        for side in (True, False):
            at = self.wrong == side
            counts = Counter(self.ways[at])
            scale = at.sum() / sum(math.sqrt(count) for count in counts.values()) if counts else 0.0
            result[at] = [scale / math.sqrt(counts[way]) for way in self.ways[at]]
        return result


class Made(NamedTuple):
    """One changed claim: its row, the words its context lacks, and how it was made."""

    row: list[float]
    absent: tuple[str, ...]
    way: str
    wrong: bool


COPIED = 3
"""Sentences of the context that are put into each answer."""

CHANGED = 2
"""Unmarked claims of each answer that are changed."""

WAYS = 4
"""Kinds of change that are made of one sentence, those that few sentences allow first."""

REWORDED = 2
"""Kinds of rewording that are made of one sentence."""

_SHORTEST, _LONGEST = 20, 300
_RARE_FIRST = (
    "role", "exception", "bound", "order", "modality", "condition", "unit", "exchange", "year", "scope", "opposite",
    "entity", "number", "negation",
)  # fmt: skip


def swaps_of(raw: Sequence[Mapping[str, Any]], rarity: TermWeights) -> Swaps:
    """Change unmarked claims of answers, and sentences copied from their contexts, in the ways that they allow."""
    found: list[tuple[Made, str, str]] = []
    for number, row in enumerate(raw):
        context = Context([source_of(passage["text"]) for passage in row["passages"]])
        group = str(row["extra"].get("source_id", row["id"]))
        rng = random.Random(number)  # noqa: S311 - no secret
        found += [(made, group, kind_of(context)) for made in _of_answer(row, context, rarity, rng)]
    return _swaps(found, policy=False)


def policy_swaps(count: int, seed: int, rarity: TermWeights) -> Swaps:
    """Change and reword statements over ``count`` documents of our own, each an answer of one claim."""
    found: list[tuple[Made, str, str]] = []
    for number, policy in enumerate(policies(count, seed)):
        context = Context([source_of(text) for text in policy.passages])
        read = (_alone(statement, context, rarity) for statement in policy.statements)
        found += [(made, f"policy {number}", kind_of(context)) for made in read if made is not None]
    return _swaps(found, policy=True)


def _swaps(found: Sequence[tuple[Made, str, str]], *, policy: bool) -> Swaps:
    return Swaps(
        rows=np.array([made.row for made, _, _ in found]),
        absent=tuple(made.absent for made, _, _ in found),
        wrong=np.array([made.wrong for made, _, _ in found]),
        ways=np.array([made.way for made, _, _ in found]),
        groups=np.array([group for _, group, _ in found]),
        kinds=np.array([kind for _, _, kind in found]),
        policy=np.full(len(found), policy),
    )


def both_swaps(one: Swaps, other: Swaps) -> Swaps:
    """Return the swaps of both."""
    return Swaps(
        rows=np.vstack([one.rows, other.rows]),
        absent=(*one.absent, *other.absent),
        wrong=np.concatenate([one.wrong, other.wrong]),
        ways=np.concatenate([one.ways, other.ways]),
        groups=np.concatenate([one.groups, other.groups]),
        kinds=np.concatenate([one.kinds, other.kinds]),
        policy=np.concatenate([one.policy, other.policy]),
    )


def _alone(statement: Statement, context: Context, rarity: TermWeights) -> Made | None:
    claims = read_claims(split_statements(statement.text), statement.text, None)
    if not claims:
        return None
    aligned = [align(claim, context, rarity) for claim in claims]
    # Of a lead-in and a statement the last is the statement.
    row = beside_others([own_values(each, stated(each, None)) for each in aligned])[-1]
    return Made(row, absent(aligned[-1]), statement.kind, statement.wrong)


def _of_answer(row: Mapping[str, Any], context: Context, rarity: TermWeights, rng: random.Random) -> Iterator[Made]:
    sentences = split_statements(row["answer"])
    if not sentences:
        return
    source = " ".join(passage["text"] for passage in row["passages"])
    claims = read_claims(sentences, row["answer"], row["question"])
    own = [own_values(each, stated(each, None)) for each in (align(claim, context, rarity) for claim in claims)]

    def made(sentence: Sentence, at: int, way: str, *, wrong: bool, alone: bool) -> Made:
        around = () if alone else claims
        aligned = align(_read(sentence, row, around, at), context, rarity)
        values = own_values(aligned, stated(aligned, None))
        rows = beside_others([values] if alone else [*own[:at], values, *own[at + 1 :]])
        return Made(rows[0 if alone else at], absent(aligned), way, wrong)

    clean = [i for i, each in enumerate(sentences) if not any(overlaps(each, span) for span in row["claims"])]
    rng.shuffle(clean)
    for at in clean[:CHANGED]:
        for way, text, wrong in changed(sentences[at].words, source, rng):
            yield made(replace(sentences[at], words=text), at, way, wrong=wrong, alone=False)
    told = [s.words for each in context.sources if each.record is None for s in each.sentences if s.asserts]
    told = [words for words in told if _SHORTEST < len(words) < _LONGEST]
    for words in rng.sample(told, min(COPIED, len(told))):
        at, alone = rng.randrange(len(sentences)), rng.random() < _ALONE
        yield made(replace(sentences[at], words=words), at, "copy", wrong=False, alone=alone)
        for way, text, wrong in changed(words, source, rng):
            yield made(replace(sentences[at], words=text), at, way, wrong=wrong, alone=alone)


_ALONE = 0.5
"""The share of sentences put in as an answer of their own."""


def _read(sentence: Sentence, row: Mapping[str, Any], around: Sequence[Claim], at: int) -> Claim:
    (claim,) = read_claims((sentence,), row["answer"], row["question"])
    if not around:
        return claim
    there = around[at]
    length = there.answer_terms - len(there.terms.items) + len(claim.terms.items)
    return replace(claim, index=at, total=there.total, answer_terms=length)


def changed(text: str, source: str, rng: random.Random) -> Iterator[tuple[str, str, bool]]:
    """Yield kind and text of some changes of a sentence, and whether it is wrong by them."""
    wrong = {edit.kind: edit.text for edit in edits(WRONG, text, source, rng)}
    for kind in [kind for kind in _RARE_FIRST if kind in wrong][:WAYS]:
        yield kind, wrong[kind], True
    right = list(edits(_some(HARMLESS, rng), text, source, rng))
    for kind, reworded in right[:REWORDED]:
        yield kind, reworded, False


def _some(ways: Mapping[str, Sequence[Way]], rng: random.Random) -> dict[str, Sequence[Way]]:
    return {kind: ways[kind] for kind in rng.sample(list(ways), len(ways))}
