"""Frames crossed: the same statement once right and once wrong, by what the document says.

Who writes right and wrong statements gives them a different ring, which a model would learn instead of reading the
document. So values are changed in the document rather than in the statement, and what was a wrong statement becomes the
document.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from scorers.models.terms import TermWeights, rarity
from scorers.support.context import Context
from scorers.text.source import source_of
from training.encoderexample import CONTRADICTED, SUPPORTED, Example
from training.encoderpairs import REPLY, changed_spans, example_of, premise_for
from training.pairs.frames import Frame
from training.pairs.pair import edits
from training.pairs.slots import fill, filled, shared_values
from training.pairs.ways import HARMLESS

VALUES = frozenset({"number", "date", "year", "entity", "unit"})
"""Kinds of wrong statements that are right where the document has the other value."""

AGAINST = frozenset({"negation", "antonym", "opposite", "role", "order", "number", "unit", "entity", "date", "year"})
"""Kinds that contradict the right statements as these contradict them."""

_SLOT = re.compile(r"\{([A-Za-z_]+2?)\}")
_FIXED = frozenset({"hour", "hour2", "days"})
_NUMBERS = ("n", "m", "n2", "m2")
_TWO_CLAUSES = re.compile(r";|, (?:and|but|while|except|unless)\b")
_ASKED, _EVEN, _REWORDED = 0.6, 0.5, 0.7
_MOST = 3


def of_crossed(frames: Sequence[Frame], fillings: int, seed: int) -> Iterator[Example]:
    """Yield crossed statements of frames, filled so many times each."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    weights = rarity()
    for number, frame in enumerate(frames):
        for _ in range(fillings):
            values = filled(rng, frame.slots)
            made = [*_valued(frame, values, rng), *_substituted(frame, values, rng), *_turned(frame, values, rng)]
            for told, text, wrong, kind, twin in made:
                premise = _premise(told, text, frames, weights, rng)
                spans = changed_spans(twin, text) if wrong and twin else None if wrong else ()
                replies = bool(frame.question) and (bool(REPLY.match(text)) or rng.random() < _ASKED)
                question = fill(frame.question[0], values) if replies else None
                label = CONTRADICTED if wrong else SUPPORTED
                yield example_of(premise, text, question, label, spans, "crossed", kind, f"frame {number}")


_Made = tuple[str, str, bool, str, str]
"""What the document says, a statement, whether it is wrong, its kind, and the right statement next to it, if any."""


def _valued(frame: Frame, values: Mapping[str, str], rng: random.Random) -> Iterator[_Made]:
    """Yield right statements over a document with one other value, and over one with theirs."""
    for line in rng.sample([*frame.same, *frame.told], min(_MOST, len(frame.same) + len(frame.told))):
        told = rng.choice(frame.told)
        common = sorted((_slots(told) & _slots(line)) - _FIXED)
        if not common or told == line:
            continue
        name = rng.choice(common)
        other = dict(values)
        pair = name[:-1] if name.endswith("2") else f"{name}2"
        if pair in _slots(told):
            other[name], other[pair] = values[pair], values[name]
        else:
            other[name] = _another(name, frame, {values[each] for each in (name, pair) if each in values}, rng)
        text, twin = fill(line, values), fill(line, other)
        if text != twin:
            yield fill(told, other), text, True, "value", twin
            own, said = (values, text) if rng.random() < _EVEN else (other, twin)
            yield fill(told, own), said, False, "value", ""


def _substituted(frame: Frame, values: Mapping[str, str], rng: random.Random) -> Iterator[_Made]:
    """Yield wrong statements that have another value over a document that has it, too: there they are right."""
    for kind, line in frame.wrong:
        told = rng.choice(frame.told)
        others = [name for name in _slots(line) if name.endswith("2") and name not in _slots(told)]
        if kind not in VALUES or len(others) != 1:
            continue
        name = others[0][:-1]
        if name in _FIXED or name not in _slots(told) or name in _slots(line):
            continue
        swapped = {**values, name: values[f"{name}2"], f"{name}2": values[name]}
        yield fill(told, swapped), fill(line, values), False, f"{kind} right", ""


def _turned(frame: Frame, values: Mapping[str, str], rng: random.Random) -> Iterator[_Made]:
    """Yield statements over a document that says what is wrong elsewhere."""
    usable = [(kind, line) for kind, line in frame.wrong if not REPLY.match(line) and kind != "invention"]
    for kind, line in rng.sample(usable, min(_MOST, len(usable))):
        told = fill(line, values)
        reworded = list(edits(HARMLESS, told, told, rng))
        yield (
            told,
            rng.choice(reworded).text if reworded and rng.random() < _REWORDED else told,
            False,
            f"{kind} told",
            "",
        )
        if kind in AGAINST:
            right = rng.choice(frame.told)
            if not _TWO_CLAUSES.search(right) and frame.same and rng.random() < _ASKED:
                right = rng.choice(frame.same)
            if not REPLY.match(right):
                yield told, fill(right, values), True, f"{kind} turned", ""


def _slots(line: str) -> set[str]:
    return {name.lower() for name in _SLOT.findall(line)}


def _another(name: str, frame: Frame, known: set[str], rng: random.Random) -> str:
    plain = name.removesuffix("2")
    every = [str(each) for each in range(2, 31)] if name in _NUMBERS else []
    listed = every or list(frame.slots.get(plain) or shared_values()[plain])
    return rng.choice([each for each in listed if each not in known] or listed)


def _premise(told: str, text: str, frames: Sequence[Frame], weights: TermWeights, rng: random.Random) -> str:
    others = rng.sample(frames, min(len(frames), rng.choice((0, 0, 1, 2, 3))))
    document = [told, *(fill(rng.choice(other.told), filled(rng, other.slots)) for other in others)]
    rng.shuffle(document)
    return told if len(document) == 1 else premise_for(text, Context([source_of(" ".join(document))]), weights)
