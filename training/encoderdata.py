"""Writes the examples that the encoder learns from, and those that it is watched by.

    python -m training.encoderdata --data PATH --out FOLDER [--fillings 12]

``PATH`` holds labelled files (`*.jsonl.gz`) of sets whose licence lets parameters be learned from them. Written are
``paired``, ``frames``, ``crossed``, ``sentences``, ``public``, and those of them that are kept aside, as JSON lines.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorers.models.terms import rarity
from scorers.support.claims import read_statements
from scorers.support.context import Context
from scorers.support.premise import hypothesis_of
from scorers.text.sentences import Sentence, split_sentences
from scorers.text.source import source_of
from training.encodercrossed import of_crossed
from training.encoderexample import CONTRADICTED, OPEN, SUPPORTED, Example, write
from training.encoderpaired import of_paired
from training.encoderpairs import of_frames, of_sentences, premise_for
from training.pairs.frames import frames
from training.pairs.paired import items
from training.supportdata import overlaps
from training.supportsets import Folder

SETS: Mapping[str, int] = {
    "fm2": 2,
    "attributionbench": 3,
    "fib": 1,
    "cliff": 3,
    "bump": 3,
    "summedits": 2,
    "ragtruth_qa_train": 2,
    "faithdial_audit": 3,
    "infotabs": 1,
}
"""Sets whose claims are read, with the most claims of one answer. What a model is measured on is not among them."""

ONE_IN: Mapping[str, int] = {"infotabs": 4, "fib": 2}
"""Of some sets, one row in as many."""

PROSE = ("fm2", "attributionbench", "fib", "cliff", "bump", "summedits", "ragtruth_qa_train")
"""Sets whose passages' sentences are changed and reworded."""

ASIDE = 5
"""Percent of the sources that are kept aside."""

PASSAGES = 2
"""Sentences of each passage that are changed."""

_AGAINST = ("Conflict", "edit:", "ntrinsic", "Contradict")


def of_answers(name: str, rows: Sequence[Mapping[str, Any]], seed: int) -> Iterator[Example]:
    """Yield claims of labelled answers, those marked first."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    weights = rarity()
    for row in rows[:: ONE_IN.get(name, 1)]:
        if row["label"] == "Generic":
            continue
        spans = [span for span in row["claims"] if "end" in span]
        bad = row["label"] != "supported"
        claims = [each for each in read_statements(row["answer"]) if each.asserts]
        if not claims or (bad and not spans and len(claims) > 1):
            continue
        marks = [[span for span in spans if overlaps(each, span)] for each in claims]
        order = sorted(range(len(claims)), key=lambda at: (not marks[at], rng.random()))[: SETS[name]]
        context = Context([source_of(passage["text"]) for passage in row["passages"]])
        for at in order:
            claim, marked = claims[at], marks[at]
            wrong = bool(marked) or (bad and not spans)
            against = any(word in str(span["label"]) for span in marked for word in _AGAINST)
            label = CONTRADICTED if wrong and against else OPEN if wrong else SUPPORTED
            if row["extra"].get("nli") == "C":
                label = CONTRADICTED
            premise = premise_for(claim.words, context, weights)
            question = row["question"] if name in ("attributionbench", "ragtruth_qa_train") and at == 0 else None
            hypothesis = hypothesis_of(claim.words, question, first=question is not None)
            places = _places(hypothesis, claim, marked) if wrong else ()
            yield Example(premise, hypothesis, label, places, "public", name, _group(name, row))


def _places(
    hypothesis: str, claim: Sentence, marked: Sequence[Mapping[str, Any]]
) -> tuple[tuple[int, int], ...] | None:
    """Return where the marked words stand in what is read of a claim; ``None`` for a mark of all of it."""
    found = []
    for span in marked:
        text = str(span["text"]).strip()
        at = hypothesis.find(text)
        if at < 0 or len(text) > _MOST * len(claim.words):
            return None
        found.append((at, at + len(text)))
    return tuple(found) or None


_MOST = 0.8


def _group(name: str, row: Mapping[str, Any]) -> str:
    return f"{name} {row['extra'].get('source_id', row['id'])}"


def aside(group: str) -> bool:
    """Return whether a source is kept aside."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % 100 < ASIDE


def passages_of(name: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[list[str]]]:
    """Return the sentences of passages of prose, by group, each passage once."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    seen: set[str] = set()
    for row in rows:
        for passage in row["passages"]:
            text = passage["text"]
            if text in seen or text.lstrip()[:1] in "{[":
                continue
            seen.add(text)
            sentences = [each.words for each in split_sentences(text) if each.asserts]
            if len(sentences) > 1:
                found[_group(name, row)] += [sentences] * min(PASSAGES, len(sentences) // 2)
    return found


def main() -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the labelled files (*.jsonl.gz); else our own alone")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--fillings", type=int, default=12, help="times that each frame is filled in")
    parser.add_argument("--times", type=int, default=4, help="surroundings of each statement of paired passages")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    told = list(items())
    kept = [each for each in told if aside(each.group)]
    learned = [each for each in told if not aside(each.group)]
    write(given.out / "paired.jsonl", of_paired(learned, given.times, given.seed))
    write(given.out / "paired-aside.jsonl", of_paired(kept, 1, given.seed))
    every = list(frames())
    of, beside = [each for each in every if not each.aside], [each for each in every if each.aside]
    write(given.out / "frames.jsonl", of_frames(of, given.fillings, given.seed))
    write(given.out / "frames-aside.jsonl", of_frames(beside, 2, given.seed))
    write(given.out / "crossed.jsonl", of_crossed(of, given.fillings, given.seed))
    write(given.out / "crossed-aside.jsonl", of_crossed(beside, 2, given.seed))
    if given.data is None:
        return
    folder = Folder(data=given.data, cache=None)
    raw = {name: folder.read(name) for name in SETS}
    public = {name: [row for row in rows if not aside(_group(name, row))] for name, rows in raw.items()}
    rest = {name: [row for row in rows if aside(_group(name, row))] for name, rows in raw.items()}
    passages = {group: found for name in PROSE for group, found in passages_of(name, public[name]).items()}
    write(given.out / "sentences.jsonl", of_sentences(passages, given.seed))
    for part, rows_of in (("public-aside", rest), ("public", public)):
        found = (example for name, rows in rows_of.items() for example in of_answers(name, rows, given.seed))
        write(given.out / f"{part}.jsonl", found)


if __name__ == "__main__":
    main()
