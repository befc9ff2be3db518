"""What a model of pairs reads beside a claim: the few sentences of the context that hold most of it."""

from __future__ import annotations

from collections.abc import Sequence

from scorers.support.alignment import Alignment
from scorers.support.context import Context

MOST = 3
"""Sentences that are read beside a claim at any length: two neighbours that hold most of it, and the next best one."""

ROOM = 600
"""Characters up to which sentences that hold less of a claim are read as well: what is reworded shares few words."""

LEAST = 0.15
"""The share of a claim, weighted by rarity, that a further sentence must hold to be read as well."""

LONGEST = 900
"""Characters of a premise that are kept: more than a model of 160 tokens reads beside a short claim."""

LONGEST_QUESTION = 200
"""Characters up to which a question is read with the claim that replies to it."""


def premise_of(aligned: Alignment) -> str:
    """Return the sentences nearest to a claim, in their order in the context; empty where none shares a word with it.

    The two adjacent sentences that hold most of it, so that "it" and "this" keep what they stand for, up to one more
    that holds enough, and what else there is room for: what holds most first, then what stands nearest.
    """
    context = aligned.context
    if not aligned.window_weight:
        return ""
    near = [at for at in (aligned.window, aligned.window + 1) if context.read(at) is not None]
    held = sorted(near, key=lambda at: (-aligned.covered[at], at))
    chosen = held[:1] if aligned.covered[held[-1]] < LEAST * aligned.total else held
    others = (at for at in range(context.sentences) if at not in chosen and context.read(at) is not None)
    further = sorted(others, key=lambda at: (-aligned.covered[at], abs(at - aligned.window), at))
    room = ROOM - sum(len(_words(context, at)) for at in chosen)
    for at in further[:_TRIED]:
        length = len(_words(context, at))
        if (len(chosen) < MOST and aligned.covered[at] >= LEAST * aligned.total) or length <= room:
            chosen.append(at)
            room -= length
    return _joined([_words(context, at) for at in sorted(chosen)])


_TRIED = 12
"""Sentences of which it is looked whether there is room for them."""


def hypothesis_of(words: str, question: str | None, *, first: bool) -> str:
    """Return a claim as a model of pairs reads it: the first of an answer after the question that it replies to.

    >>> hypothesis_of("No, it is not.", "Is leave paid?", first=True)
    'Is leave paid? No, it is not.'
    """
    asked = (question or "").strip()
    return f"{asked} {words}" if first and asked.endswith("?") and len(asked) <= LONGEST_QUESTION else words


def _words(context: Context, at: int) -> str:
    source = context.source_of(at)
    return context.sources[source].sentences[at - context.sentence_base[source]].words


def _joined(sentences: Sequence[str]) -> str:
    text = sentences[0]
    for sentence in sentences[1:]:
        text += (" " if text[-1:] in ".!?:;" else ". ") + sentence
    return text[:LONGEST]
