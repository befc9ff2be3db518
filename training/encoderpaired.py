"""Examples of paired passages: each statement beside either passage, alone or among sentences of others."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from scorers.models.terms import TermWeights, rarity
from scorers.support.context import Context
from scorers.support.premise import LONGEST
from scorers.text.sentences import split_sentences
from scorers.text.source import source_of
from training.encoderexample import CONTRADICTED, OPEN, SUPPORTED, Example
from training.encoderpairs import REPLY, example_of, premise_for
from training.pairs.paired import Item

LABELS = {"e": SUPPORTED, "n": OPEN, "c": CONTRADICTED}

_CHOSEN, _AMONG = 0.5, 0.5
"""Shares of premises that are what the product would choose, and of the rest, that stand among other sentences."""

_MOST_OTHERS = 6
_ASKED, _UNRELATED = 0.5, 0.04


def of_paired(items: Sequence[Item], times: int, seed: int) -> Iterator[Example]:
    """Yield the statements of items beside both passages, so many times each, in other surroundings each time."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    weights = rarity()
    parts = [[sentence.words for text in item.passages for sentence in split_sentences(text)] for item in items]
    for at, item in enumerate(items):
        for place, passage in enumerate(item.passages):
            for letters, text in item.statements:
                for _ in range(times):
                    others = _others(parts, at, rng)
                    yield from _beside(item, passage, LABELS[letters[place]], text, others, weights, rng)


def _beside(
    item: Item, passage: str, label: int, text: str, others: Sequence[str], weights: TermWeights, rng: random.Random
) -> Iterator[Example]:
    premise = _premise(passage, text, others, weights, rng)
    replies = bool(REPLY.match(text))
    question = item.question if replies or rng.random() < _ASKED else None
    spans = () if label == SUPPORTED else None
    yield example_of(premise, text, question, label, spans, "paired", "paired", item.group)
    sentences = [each.words for each in split_sentences(text) if each.asserts]
    if label == SUPPORTED and len(sentences) > 1 and rng.random() < _ASKED:
        at = rng.randrange(len(sentences))
        question = item.question if replies and at == 0 else None
        yield example_of(premise, sentences[at], question, label, spans, "paired", "sentence", item.group)
    if others and rng.random() < _UNRELATED:
        yield example_of(" ".join(others)[:LONGEST], text, None, OPEN, None, "paired", "unrelated", item.group)


def _premise(passage: str, text: str, others: Sequence[str], weights: TermWeights, rng: random.Random) -> str:
    before = rng.randint(0, len(others))
    around = " ".join([*others[:before], passage, *others[before:]])
    if rng.random() < _CHOSEN:
        return premise_for(text, Context([source_of(around)]), weights)
    return around if rng.random() < _AMONG and len(around) <= LONGEST else passage[:LONGEST]


def _others(parts: Sequence[Sequence[str]], at: int, rng: random.Random) -> list[str]:
    """Return some sentences in a row of other items, mostly of the same file, as a search finds them."""
    found: list[str] = []
    for _ in range(rng.randint(0, 2)):
        other = rng.choice((max(0, at - rng.randint(1, 9)), rng.randrange(len(parts))))
        if other != at:
            start = rng.randrange(len(parts[other]))
            found += parts[other][start : start + rng.randint(1, _MOST_OTHERS // 2)]
    return found
