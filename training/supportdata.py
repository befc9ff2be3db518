"""Labelled answers as rows of the product's own features."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold

from scorers.models.terms import TermWeights
from scorers.support.absence import absent
from scorers.support.alignment import Alignment, align
from scorers.support.claims import read_claims, read_statements
from scorers.support.context import Context
from scorers.support.features import NAMES, rows
from scorers.support.model import TOGETHER, kind_of, together
from scorers.support.stated import NOTHING, Stated, stated
from scorers.text.everyday import LIGHT, LIGHTEST
from scorers.text.normalize import terms
from scorers.text.sentences import Sentence
from scorers.text.source import source_of
from training.absence import Counts
from training.fitting import MODELS

OVERLAP = 3
"""Characters that a claim shares with a marked span, from which on it counts as marked."""

SUPPORTED = frozenset({"supported", "Fully attributable"})
LEFT_OUT = frozenset({"Generic"})
"""BEGIN's label of answers that claim nothing."""

NO_CLAIM = -12.0
"""Log-odds of an answer without a claim: nothing in it is unsupported."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """Claims as ``rows`` (of the answer ``owner``), ``marked`` unsupported or ``contradicted``; answers with labels.

    ``absent`` are the words of each claim that its context lacks, ``counts`` how often these are marked.
    """

    rows: np.ndarray
    absent: tuple[tuple[str, ...], ...]
    marked: np.ndarray
    counts: Counts
    contradicted: np.ndarray
    owner: np.ndarray
    labels: np.ndarray
    conflicts: np.ndarray
    kinds: np.ndarray
    tasks: np.ndarray
    writers: np.ndarray
    groups: np.ndarray
    lengths: np.ndarray
    asserts: np.ndarray

    @property
    def claim_kinds(self) -> np.ndarray:
        """Return the kind of context of each claim."""
        return self.kinds[self.owner]

    @property
    def doubted(self) -> np.ndarray:
        """Return of each claim whether its answer is labelled as bad: what is known where nothing is marked in it."""
        return np.asarray(self.labels[self.owner])

    def folds(self, count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield rows to train on and to test on, no source on both sides."""
        for train, test in GroupKFold(count).split(self.labels, groups=self.groups):
            yield np.flatnonzero(np.isin(self.owner, train)), np.flatnonzero(np.isin(self.owner, test))

    def rows_by(self, counts: Counts, train: np.ndarray) -> np.ndarray:
        """Return the rows where what is known of absent words comes from ``train`` claims of other sources alone."""
        return replaced(self.rows, counts.column(train, self.absent, self.groups[self.owner]))

    def column(self, name: str) -> np.ndarray:
        """Return for each answer the largest value of a feature over its claims."""
        result = np.zeros(len(self.labels))
        np.maximum.at(result, self.owner, self.rows[:, NAMES.index(name)])
        return result


def replaced(rows: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """Return rows with another column of absent words."""
    found = rows.copy()
    found[:, NAMES.index("absent")] = absent
    return found


def answers_of(raw: Sequence[dict[str, Any]], rarity: TermWeights) -> Answers:
    """Read labelled answers."""
    raw = [row for row in raw if row["label"] not in LEFT_OUT]
    table: list[list[float]] = []
    missing: list[tuple[str, ...]] = []
    missed: list[frozenset[str]] = []
    marked: list[bool] = []
    contradicted: list[bool] = []
    owner: list[int] = []
    kinds: list[str] = []
    asserts: list[bool] = []
    for number, row in enumerate(raw):
        context = Context([source_of(passage["text"]) for passage in row["passages"]])
        kinds.append(kind_of(context))
        claims = read_claims(read_statements(row["answer"], question=row["question"]), row["answer"], row["question"])
        aligned = [align(claim, context, rarity) for claim in claims]
        table.extend(rows(aligned, [_stated(each, row["question"]) for each in aligned]))
        missing.extend(map(absent, aligned))
        spans = [span for span in row.get("claims") or () if "end" in span]
        for claim in claims:
            marks = [span["label"] for span in spans if overlaps(claim.sentence, span)]
            missed.append(frozenset(_within(row["answer"], claim.sentence, spans)))
            marked.append(bool(marks))
            contradicted.append(any("Conflict" in str(mark) for mark in marks))
            owner.append(number)
            asserts.append(claim.sentence.asserts)
    groups = np.array([str(row["extra"].get("source_id", row["id"])) for row in raw])
    return Answers(
        rows=np.array(table),
        absent=tuple(missing),
        counts=Counts(missing, missed, groups[owner]),
        marked=np.array(marked),
        contradicted=np.array(contradicted),
        owner=np.array(owner),
        labels=np.array([row["label"] not in SUPPORTED for row in raw]),
        conflicts=np.array([any("Conflict" in str(span["label"]) for span in row.get("claims") or ()) for row in raw]),
        kinds=np.array(kinds),
        tasks=np.array([row["extra"].get("task", "") for row in raw]),
        writers=np.array([row["extra"].get("model", "") for row in raw]),
        groups=groups,
        lengths=np.array([len(row["answer"]) for row in raw]),
        asserts=np.array(asserts),
    )


def both_answers(one: Answers, other: Answers) -> Answers:
    """Return the answers of both; what is known of absent words is of the first."""
    joined = {
        field.name: np.concatenate([getattr(one, field.name), getattr(other, field.name)])
        for field in fields(Answers)
        if field.name not in ("owner", "absent", "counts")
    }
    owner = np.concatenate([one.owner, other.owner + len(one.labels)])
    return Answers(owner=owner, absent=(*one.absent, *other.absent), counts=one.counts, **joined)


def _stated(aligned: Alignment, question: str | None) -> Stated:
    return stated(aligned, question) if aligned.claim.sentence.asserts else NOTHING


def worst_of(owner: np.ndarray, asserts: np.ndarray, claims: np.ndarray, answers: int) -> np.ndarray:
    """Return the largest log-odds of the claims of each answer that assert something; `NO_CLAIM` where none does."""
    worst = np.full(answers, NO_CLAIM)
    np.maximum.at(worst, owner[asserts], claims[asserts])
    return worst


def whole_of(owner: np.ndarray, asserts: np.ndarray, claims: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return the log-odds of each answer, as the product puts those of its claims together; the sign is the worst's.

    ``kinds`` are those of the contexts of answers.
    """
    worst = worst_of(owner, asserts, claims, len(kinds))
    doubts = np.zeros(len(kinds))
    np.add.at(doubts, owner[asserts], np.log1p(np.exp(np.clip(claims[asserts], -_FAR, _FAR))))
    for at in np.flatnonzero(np.isin(kinds, list(TOGETHER)) & (worst > NO_CLAIM)):
        worst[at] = together(float(worst[at]), float(doubts[at]))
    return worst


_FAR = 30.0


def _within(answer: str, sentence: Sentence, spans: Sequence[dict[str, Any]]) -> Iterator[str]:
    for span in spans:
        if overlaps(sentence, span):
            start, end = max(sentence.start, int(span["start"])), min(sentence.end, int(span["end"]))
            yield from terms(answer[start:end]).items


def overlaps(sentence: Sentence, span: dict[str, Any]) -> bool:
    """Return whether a sentence and a marked span share enough characters."""
    return min(sentence.end, int(span["end"])) - max(sentence.start, int(span["start"])) >= OVERLAP


def rarity_of(raw: Sequence[dict[str, Any]]) -> TermWeights:
    """Return the rarity of terms over distinct passages and answers: words that writers add are common, too."""
    texts = dict.fromkeys(passage["text"] for row in raw for passage in row["passages"])
    counts = Counter(term for text in texts for term in source_of(text).at)
    counts.update(term for row in raw for term in source_of(row["answer"]).at)
    total = len(texts) + len(raw)
    known = {
        term: round(math.log((total + 1) / (count + 1)) + 0.5, 1) for term, count in counts.items() if count >= _KNOWN
    }
    return lightened(known, round(math.log(total + 1) + 0.5, 1))


_KNOWN = 3
"""Texts that hold a term from which on it is in the table: rarer ones would only swell it."""


def lightened(weights: dict[str, float], unknown: float) -> TermWeights:
    """Return rarities with those of words that only frame what is told kept small."""
    light = {term: min(LIGHTEST, weights.get(term, unknown)) for term in LIGHT}
    return TermWeights({**weights, **light}, unknown)


def write_rarity(rarity: TermWeights, raw: Sequence[dict[str, Any]]) -> None:
    """Write the table of rarities, terms by weight."""
    by_weight: dict[str, list[str]] = {}
    for term, weight in sorted(rarity.weights.items()):
        by_weight.setdefault(str(weight), []).append(term)
    content = {
        "kind": "rarity",
        "name": "rarity",
        "version": "1",
        "data": f"RAGTruth (MIT annotations), passages and answers of {len(raw)} rows",
        "command": "python -m training.support --data PATH",
        "unknown": rarity.unknown,
        "terms": {weight: " ".join(by_weight[weight]) for weight in sorted(by_weight, key=float)},
    }
    target = MODELS / "rarity.json"
    target.write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(rarity.weights)} terms, {target.stat().st_size} bytes")
