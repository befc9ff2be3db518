"""Examples that the encoder learns from: frames filled in, and sentences of public texts changed or reworded."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from scorers.models.terms import TermWeights, rarity
from scorers.support.alignment import align
from scorers.support.claims import read_claims
from scorers.support.context import Context
from scorers.support.premise import hypothesis_of, premise_of
from scorers.text.sentences import Sentence
from scorers.text.source import source_of
from training.encoderexample import CONTRADICTED, OPEN, SUPPORTED, Example, Span
from training.pairs.frames import Frame
from training.pairs.pair import edits
from training.pairs.slots import fill, filled
from training.pairs.ways import HARMLESS, WRONG


def premise_for(claim: str, context: Context, weights: TermWeights) -> str:
    """Return what the product shows a model of the context beside ``claim``; its beginning where no word is shared."""
    claims = read_claims((Sentence(0, len(claim), claim, "claim"),), claim, None)
    found = premise_of(align(claims[0], context, weights)) if claims else ""
    return found or (context.sources[0].text[:_BEGINNING] if context.sources else "")


_BEGINNING = 300


def changed_spans(before: str, after: str) -> tuple[Span, ...]:
    """Return where ``after`` has other words than ``before``; the word after a gap where words are only missing.

    >>> changed_spans("paid within 5 days", "paid within 7 days")
    ((12, 13),)
    """
    one, other = [list(_WORD.finditer(text)) for text in (before, after)]
    same = SequenceMatcher(None, [m[0].lower() for m in one], [m[0].lower() for m in other], autojunk=False)
    found: list[Span] = []
    for tag, _, _, start, end in same.get_opcodes():
        if tag != "equal" and other:
            words = other[start:end] or other[min(start, len(other) - 1) :][:1]
            found.append((words[0].start(), words[-1].end()))
    return tuple(found)


_WORD = re.compile(r"\w+(?:[.,:]\d+)*|[^\w\s]")


def of_frames(frames: Sequence[Frame], fillings: int, seed: int) -> Iterator[Example]:
    """Yield the statements of frames over documents that hold them, filled so many times each."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    weights = rarity()
    for number, frame in enumerate(frames):
        for _ in range(fillings):
            yield from _of_frame(frame, frames, f"frame {number}", weights, rng)


def _of_frame(
    frame: Frame, frames: Sequence[Frame], group: str, weights: TermWeights, rng: random.Random
) -> Iterator[Example]:
    values = filled(rng, frame.slots)
    told = fill(rng.choice(frame.told), values)
    document = [told, *(fill(each, values) for each in frame.beside if rng.random() < _BESIDE)]
    foreign = [other for other in rng.sample(frames, min(len(frames), rng.choice(_OTHERS))) if other is not frame]
    document += [fill(rng.choice(other.told), filled(rng, other.slots)) for other in foreign]
    rng.shuffle(document)
    context = Context([source_of("\n".join(document) if rng.random() < _LISTED else " ".join(document))])
    right = [fill(each, values) for each in (*frame.told, *frame.same)]
    question = fill(frame.question[0], values) if frame.question else None
    made = [("same", fill(each, values), SUPPORTED, ()) for each in frame.same]
    made.append(("copy", fill(rng.choice(frame.told), values), SUPPORTED, ()))
    for kind, each in frame.wrong:
        text = fill(each, values)
        made.append((kind, text, OPEN if kind == "invention" else CONTRADICTED, _differs(right, text)))
    made += [("open", fill(each, values), OPEN, None) for each in frame.open]
    base = rng.choice(right)
    made += [(kind, text, SUPPORTED, ()) for kind, text in _some(edits(HARMLESS, base, told, rng), 2, rng)]
    for kind, text in _some(edits(WRONG, told, " ".join(document), rng), 2, rng):
        made.append((f"edit {kind}", text, CONTRADICTED, changed_spans(told, text)))
    if foreign:
        far = foreign[0]
        text = fill(rng.choice(far.same or far.told), filled(rng, far.slots))
        made.append(("unrelated", text, OPEN, None))
    for kind, text, label, spans in made:
        premise = told if rng.random() < _ALONE else premise_for(text, context, weights)
        replies = bool(question) and (bool(REPLY.match(text)) or rng.random() < _ASKED)
        yield example_of(premise, text, question if replies else None, label, spans, "frames", kind, group)


_BESIDE, _LISTED, _ALONE, _ASKED = 0.6, 0.3, 0.15, 0.5
_OTHERS = (0, 1, 2, 3, 4, 6)
REPLY = re.compile(r"(?:Yes|No|Sorry|Yep|Nope|Sure|Right|Correct|Unfortunately)\b", re.IGNORECASE)


def _differs(right: Sequence[str], text: str) -> tuple[Span, ...] | None:
    """Return where a wrong statement differs from the right one that it is nearly a copy of, if it is of one."""
    near = max(right, key=lambda each: SequenceMatcher(None, each.split(), text.split(), autojunk=False).ratio())
    alike = SequenceMatcher(None, near.split(), text.split(), autojunk=False).ratio()
    return changed_spans(near, text) if alike >= _NEARLY else None


_NEARLY = 0.7


def example_of(
    premise: str,
    text: str,
    question: str | None,
    label: int,
    spans: Sequence[Span] | None,
    part: str,
    kind: str,
    group: str,
) -> Example:
    """Return an example of ``text``, after the question that it replies to; ``spans`` are places in the text."""
    hypothesis = hypothesis_of(text, question, first=question is not None)
    shift = len(hypothesis) - len(text)
    moved = None if spans is None else tuple((start + shift, end + shift) for start, end in spans)
    return Example(premise, hypothesis, label, moved, part, kind, group)


def _some(found: Iterator[tuple[str, str]], most: int, rng: random.Random) -> list[tuple[str, str]]:
    every = list(found)
    return rng.sample(every, min(most, len(every)))


def of_sentences(passages: Mapping[str, Sequence[Sequence[str]]], seed: int) -> Iterator[Example]:
    """Yield sentences of passages (by group) as they are, reworded, changed, or beside another passage."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    groups = list(passages)
    for group in groups:
        for sentences in passages[group]:
            at = rng.randrange(len(sentences))
            near = sentences[max(0, at - rng.randint(0, 2)) : at + 1 + rng.randint(0, 2)]
            far = rng.choice(rng.choice(passages[rng.choice(groups)]))
            if _SHORTEST < len(sentences[at]) < _LONGEST and sum(map(len, near)) <= _WHOLE:
                for premise, text, label, spans, kind in _around(sentences[at], near, far, " ".join(sentences), rng):
                    yield example_of(premise, text, None, label, spans, "sentences", kind, group)


_Changed = tuple[str, str, int, Sequence[Span], str]


def _around(text: str, near: Sequence[str], far: str, source: str, rng: random.Random) -> Iterator[_Changed]:
    premise = " ".join(near)
    for kind, changed in _rare_first(edits(WRONG, text, source, rng), rng):
        yield premise, changed, CONTRADICTED, changed_spans(text, changed), kind
        if rng.random() < _TURNED:  # the other way round: what sounds odd is the document
            turned = " ".join([changed if each == text else each for each in near])
            yield turned, text, CONTRADICTED, changed_spans(changed, text), f"{kind} turned"
            yield turned, changed, SUPPORTED, (), f"{kind} told"
    for kind, reworded in _some(edits(HARMLESS, text, source, rng), 2, rng):
        yield premise, reworded, SUPPORTED, (), kind
        for wrong, changed in _some(edits(WRONG, reworded, source, rng), 1, rng):
            yield premise, changed, CONTRADICTED, changed_spans(reworded, changed), wrong
    if rng.random() < _FAR:
        yield premise, text, SUPPORTED, (), "copy"
        yield premise, far, OPEN, ((0, len(far)),), "unrelated"
    elif len(far) < _LONGEST:
        joined = re.sub(r"\.\s*$", "", text) + rng.choice((", and ", "; ", ", while ")) + far
        yield premise, joined, OPEN, ((len(joined) - len(far), len(joined)),), "added"


_SHORTEST, _LONGEST, _WHOLE, _FAR, _TURNED = 25, 260, 600, 0.5, 0.6
_COMMON = ("number", "negation", "entity")


def _rare_first(found: Iterator[tuple[str, str]], rng: random.Random) -> list[tuple[str, str]]:
    every = list(found)
    rng.shuffle(every)
    return sorted(every, key=lambda edit: edit[0] in _COMMON)[:3]
