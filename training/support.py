"""Train the models of support: is a claim supported, or contradicted, and is every claim of an answer supported?

    python -m training.support --data PATH

Reads ``grounding_ragtruth``, ``grounding_ragtruth_qa_train`` and ``grounding_wice`` (trained on), ``grounding_begin``
and ``grounding_faithbench`` (only measured on), from PATH or its folders ``labelled`` and ``training``. A claim is
unsupported where it shares three characters with a span that a person marked, contradicted where the span is marked as
a conflict; of WiCE, where the label says so. Each kind of context has a forest of its own: to records belong claims of
``grounding_infotabs``, and tables are learned from ``grounding_tabfact`` and ``grounding_quintd``. Small slips are
learned from minimal pairs. Prints figures cross-validated by source, and writes support, contradiction, slip, rarity
and absence to scorers/models. With
``--cache PATH`` the rows of features are kept there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorers.support.features import NAMES
from scorers.support.model import CONTRADICTION_OF, KINDS
from training.absence import write_absence
from training.forest import Forest, logits, write_trees
from training.supportdata import Answers, both_answers, replaced, worst_of, write_rarity
from training.supportfigures import elsewhere, floors, print_figures, print_pairs
from training.supportpoints import Scored, combined, points_of, slip_lines
from training.supportsets import (
    ANSWERS,
    DOCUMENTS,
    POLICIES,
    RECORDS,
    SINGLE,
    TABLES,
    Folder,
    Sets,
    fold_of,
    folder,
    sets_of,
)

FOLDS = 5
FOREST = Forest(count=80, leaves=100, smallest=5)
SMALL = Forest(count=40, leaves=64)
SURE = Forest(count=60, leaves=128, tried=0.6)
"""Of slips: the more features a split may choose from, the surer is a tree of what few of them tell."""

OVER_TABLES = Forest(
    count=40,
    leaves=100,
    smallest=5,
    tried=0.4,
    columns=tuple(at for at, name in enumerate(NAMES) if name.startswith("table_")),
)
"""Of tables: only what comparing with them tells holds for tables of other matters."""

LEARNED: Mapping[str, tuple[str, ...]] = {
    "structured": ("structured",),
    "tables": ("tables",),
    "passages": ("passages", "text"),
    "text": ("structured", "passages", "text"),
    "prose": ("passages", "text"),
}
"""The kinds of context that each forest is learned over."""

WITH_MORE = frozenset({"passages", "prose"})
"""Forests that the further answers are learned in: they are to questions, and change what is doubted in one text."""

WITH_DOCUMENTS = frozenset({"passages", "text"})

OTHERS = ("begin", "faithbench")
"""Files that are only measured on."""

DOCUMENTED = (0.7, 0.17)
"""What a supported and an unsupported claim of a document weigh beside claims of answers: two in three of WiCE's are
unsupported, one in ten of those of answers."""

OF_RECORDS = (0.04, 0.02)
"""What a supported and another claim of InfoTabS weigh: they are of one sentence each, and two in three are wrong."""

OF_TABLES = 0.5
"""What a claim of TabFact weighs beside a sentence of an answer over a series."""

CLEAN, RIGHT = 2.0, 2.0
"""What clean claims of answers, and what rewordings all together weigh against claims made wrong: a slip is rare."""

THINNED = 3
"""One in as many clean claims of the further answers is learned as no slip."""


@dataclass(frozen=True, kw_only=True)
class Split:
    """One fold, or everything: which claims of answers and documents, and which changed ones, are trained on."""

    answers: np.ndarray
    documents: np.ndarray
    records: np.ndarray
    swaps: np.ndarray


class Trainer:
    """Fits each forest on a split, and gives log-odds of claims by forests that did not see their source.

    ``answers`` are those of people and those over tables, whose claims come last.
    """

    def __init__(self, sets: Sets) -> None:
        self.sets = sets
        self.answers = both_answers(sets.answers, sets.tables)
        self.people = len(sets.answers.rows)
        self._fold = np.zeros(len(self.answers.rows), int)
        for number, (_, test) in enumerate(sets.answers.folds(FOLDS)):
            self._fold[test] = number
        self._fold[self.people :] = fold_of(sets.tables.groups[sets.tables.owner], FOLDS)
        self._documented = np.zeros(len(sets.documents.rows), int)
        for number, (_, test) in enumerate(sets.documents.folds(FOLDS)):
            self._documented[test] = number
        self._recorded = fold_of(sets.records.groups[sets.records.owner], FOLDS)
        groups = self.answers.groups[self.answers.owner]
        by_group = dict(zip(groups.tolist(), self._fold.tolist(), strict=True))
        swaps = sets.swaps
        other = fold_of(swaps.groups, FOLDS)
        self._swapped = np.array([by_group.get(g, f) for g, f in zip(swaps.groups.tolist(), other, strict=True)])

    def split(self, fold: int | None) -> Split:
        """Return what is trained on where ``fold`` is held out; everything for None."""
        out = -1 if fold is None else fold
        return Split(
            answers=np.flatnonzero(self._fold != out),
            documents=self._documented != out,
            records=self._recorded != out,
            swaps=self._swapped != out,
        )

    def rows(self, answers: Answers, split: Split) -> np.ndarray:
        """Return rows whose absent words are known from the split alone."""
        return answers.rows_by(self.sets.answers.counts, split.answers[split.answers < self.people])

    def swap_rows(self, split: Split) -> np.ndarray:
        """Return the same of changed claims."""
        swaps, train = self.sets.swaps, split.answers[split.answers < self.people]
        return replaced(swaps.rows, self.sets.answers.counts.column(train, swaps.absent, swaps.groups))

    def marked(self, name: str, split: Split, *, contradicted: bool) -> dict[str, Any]:
        """Fit what people mark, in the kinds of context of the forest ``name``."""
        sets, answers = self.sets, self.answers
        rows, target, weights = [], [], []

        def learn(of: Answers, at: np.ndarray, truth: np.ndarray, weight: np.ndarray) -> None:
            rows.append(self.rows(of, split)[at])
            target.append(truth[at])
            weights.append(weight[at])

        own = split.answers[np.isin(answers.claim_kinds[split.answers], LEARNED[name])]
        single = np.where(answers.tasks[answers.owner] == SINGLE, OF_TABLES, 1.0)
        learn(answers, own, answers.contradicted if contradicted else answers.marked, single)
        if name in WITH_MORE:
            of = sets.more
            learn(of, np.arange(len(of.rows)), of.contradicted if contradicted else of.marked, np.ones(len(of.rows)))
        if name in WITH_DOCUMENTS and not contradicted:
            of = sets.documents
            learn(of, split.documents, of.doubted, np.take(DOCUMENTED, of.doubted.astype(int)))
        if name == "structured" and not contradicted:
            of = sets.records
            learn(of, split.records, of.doubted, np.take(OF_RECORDS, of.doubted.astype(int)))
        forest = OVER_TABLES if name == "tables" else SMALL if contradicted else FOREST
        return forest.fit(np.vstack(rows), np.concatenate(target), np.concatenate(weights))

    def slip(self, split: Split) -> dict[str, Any]:
        """Fit changed claims against rewordings and clean claims."""
        answers, more, documents, swaps = self.sets.answers, self.sets.more, self.sets.documents, self.sets.swaps
        own = split.answers[split.answers < self.people]
        own = own[~answers.marked[own]]
        told = split.documents & ~documents.doubted
        clean = [
            self.rows(answers, split)[own],
            self.rows(documents, split)[told],
            self.rows(more, split)[~more.marked][::THINNED],
        ]
        rows = np.vstack([*clean, self.swap_rows(split)[split.swaps]])
        wrong, count = swaps.wrong[split.swaps], len(rows) - split.swaps.sum()
        right = RIGHT * swaps.wrong.sum() / (~swaps.wrong).sum()
        weights = swaps.weights[split.swaps] * np.where(wrong, 1.0, right)
        target = np.concatenate([np.zeros(count, bool), wrong])
        return SURE.fit(rows, target, np.concatenate([np.full(count, CLEAN), weights]))

    def by_kind(self, split: Split) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the forests of the unsupported and of the contradicted, by kind of context."""
        against = {
            name: self.marked(name, split, contradicted=True) for name in dict.fromkeys(CONTRADICTION_OF.values())
        }
        return (
            {kind: self.marked(kind, split, contradicted=False) for kind in KINDS},
            {kind: against[CONTRADICTION_OF[kind]] for kind in KINDS},
        )


@dataclass(frozen=True, kw_only=True)
class Held:
    """Log-odds of claims of answers, of documents, of records and changed ones, by forests that did not see them."""

    answers: np.ndarray
    documents: np.ndarray
    records: np.ndarray
    swaps: np.ndarray


def held_out(trainer: Trainer) -> tuple[Held, Held, Held]:
    """Return log-odds out of fold: unsupported, contradicted, slip."""
    sets, answers = trainer.sets, trainer.answers
    kinds = [answers.claim_kinds, sets.documents.claim_kinds, sets.records.claim_kinds, sets.swaps.kinds]
    found = [[np.zeros(len(kind)) for kind in kinds] for _ in range(3)]
    for fold in range(FOLDS):
        split = trainer.split(fold)
        tested = np.ones(len(kinds[0]), bool)
        tested[split.answers] = False
        held = [tested, ~split.documents, ~split.records, ~split.swaps]
        rows = [trainer.rows(each, split) for each in (answers, sets.documents, sets.records)]
        rows.append(trainer.swap_rows(split))
        models = [*trainer.by_kind(split), dict.fromkeys(KINDS, trainer.slip(split))]
        for values, by_kind in zip(found, models, strict=True):
            for kind, model in by_kind.items():
                for value, of, table, at in zip(values, kinds, rows, held, strict=True):
                    if (chosen := at & (of == kind)).any():
                        value[chosen] = logits(model, table[chosen])
    unsupported, contradicted, slip = (Held(answers=a, documents=b, records=c, swaps=d) for a, b, c, d in found)
    return unsupported, contradicted, slip


def main() -> None:
    """Train, cross-validate, print, write."""
    files = folder(__doc__ or "")
    sets = sets_of(files)
    documents, records, swaps = sets.documents, sets.records, sets.swaps
    trainer = Trainer(sets)
    answers = trainer.answers
    print(
        f"{len(answers.labels)} answers, {len(answers.rows)} claims, {int(answers.marked.sum())} marked; "
        f"{len(sets.more.rows)} claims of further answers, {len(swaps.rows)} changed ones; {len(NAMES)} features"
    )
    unsupported, contradicted, slip = held_out(trainer)
    slips = slip_lines(slip, answers, swaps)
    told = worst_of(documents.owner, documents.asserts, unsupported.documents, len(documents.labels))
    points = {
        "support": points_of(Scored.of(answers, unsupported.answers, answers.marked, answers.labels),
                             slips, slip.answers, {"text": [(told, documents.labels)]}),
        "contradiction": points_of(Scored.of(answers, contradicted.answers, answers.contradicted, answers.conflicts),
                                   slips, slip.answers, {}),
    }  # fmt: skip
    doubt = combined(answers.claim_kinds, unsupported.answers, slip.answers, answers.rows, points["support"], slips)
    against = combined(
        answers.claim_kinds, contradicted.answers, slip.answers, answers.rows, points["contradiction"], slips
    )
    print(f"\nsupport, cross-validated by source in {FOLDS} folds")
    print_figures(answers, answers.labels, doubt, points["support"])
    of_documents = combined(
        documents.claim_kinds, unsupported.documents, slip.documents, documents.rows, points["support"], slips
    )
    elsewhere("wice", documents, of_documents, points["support"])
    of_records = combined(
        records.claim_kinds, unsupported.records, slip.records, records.rows, points["support"], slips
    )
    elsewhere("infotabs", records, of_records, points["support"])
    print("\ncontradiction")
    print_figures(answers, answers.conflicts, np.minimum(doubt, against), points["contradiction"])
    print_pairs(swaps, combined(swaps.kinds, unsupported.swaps, slip.swaps, swaps.rows, points["support"], slips))
    write(trainer, files, points, slips)
    floors(sets.answers)


def write(trainer: Trainer, files: Folder, points: dict[str, Any], slips: dict[str, Any]) -> None:
    """Fit everything on everything, print figures of files never trained on, and write."""
    sets, whole = trainer.sets, trainer.split(None)
    slip = trainer.slip(whole)
    write_trees("slip", slip, f"{ANSWERS}; {DOCUMENTS}; {POLICIES}", points=slips)
    doubts, against = trainer.by_kind(whole)
    data = {"structured": f"{ANSWERS}; {RECORDS}", "tables": TABLES}
    for kind in KINDS:
        told = data.get(kind, f"{ANSWERS}; {DOCUMENTS}")
        write_trees(f"support_{kind}", doubts[kind], told, points={kind: points["support"][kind]})
    for name in dict.fromkeys(CONTRADICTION_OF.values()):
        kinds = [kind for kind in KINDS if CONTRADICTION_OF[kind] == name]
        told = TABLES if name == "tables" else ANSWERS
        lines = {kind: points["contradiction"][kind] for kind in kinds}
        write_trees(f"contradiction_{name}", against[kinds[0]], told, points=lines)
    for other in OTHERS:
        answers = files.answers(other, sets.rarity)
        rows, doubt = trainer.rows(answers, whole), np.zeros(len(answers.rows))
        for kind in KINDS:
            if (at := answers.claim_kinds == kind).any():
                doubt[at] = logits(doubts[kind], rows[at])
        doubt = combined(answers.claim_kinds, doubt, logits(slip, rows), rows, points["support"], slips)
        elsewhere(other, answers, doubt, points["support"])
    write_rarity(sets.rarity, sets.raw)
    write_absence(sets.answers.counts)


if __name__ == "__main__":
    main()
