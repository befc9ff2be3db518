"""Train the models of support: is a claim supported, or contradicted, and is every claim of an answer supported?

    python -m training.support --data PATH

Reads ``grounding_ragtruth``, ``grounding_ragtruth_qa_train`` and ``grounding_wice`` (trained on), ``grounding_begin``
and ``grounding_faithbench`` (only measured on), from PATH or its folders ``labelled`` and ``training``. A claim is
unsupported where it shares three characters with a span that a person marked, contradicted where the span is marked as
a conflict; of WiCE, where the label says so. What separates claims from records is learned apart from what separates
them from prose. Small slips are learned from minimal pairs. Prints figures cross-validated by source, and writes
support, contradiction (of structured contexts and of prose each), slip, rarity and absence to scorers/models. With
``--cache PATH`` the rows of features are kept there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scorers.support.features import NAMES
from scorers.support.model import FOREST_OF, KINDS
from training.absence import write_absence
from training.forest import Forest, logits, write_trees
from training.supportdata import Answers, replaced, worst_of, write_rarity
from training.supportfigures import elsewhere, floors, print_figures, print_pairs
from training.supportpoints import Scored, combined, points_of, slip_lines
from training.supportsets import ANSWERS, DOCUMENTS, POLICIES, Folder, Sets, fold_of, folder, sets_of

FOLDS = 5
FOREST = Forest(count=80, leaves=144)
SMALL = Forest(count=40, leaves=64)
SURE = Forest(count=60, leaves=128, tried=0.6)
"""Of slips: the more features a split may choose from, the surer is a tree of what few of them tell."""

OTHERS = ("begin", "faithbench")
"""Files that are only measured on."""

DOCUMENTED = (0.7, 0.17)
"""What a supported and an unsupported claim of a document weigh beside claims of answers: two in three of WiCE's are
unsupported, one in ten of those of answers."""

CLEAN, RIGHT = 2.0, 2.0
"""What clean claims of answers, and what rewordings all together weigh against claims made wrong: a slip is rare."""

THINNED = 3
"""One in as many clean claims of the further answers is learned as no slip."""


@dataclass(frozen=True, kw_only=True)
class Split:
    """One fold, or everything: which claims of answers and documents, and which changed ones, are trained on."""

    answers: np.ndarray
    documents: np.ndarray
    swaps: np.ndarray


class Trainer:
    """Fits each forest on a split, and gives log-odds of claims by forests that did not see their source."""

    def __init__(self, sets: Sets) -> None:
        self.sets = sets
        answers, documents, swaps = sets.answers, sets.documents, sets.swaps
        self._fold = np.zeros(len(answers.rows), int)
        for number, (_, test) in enumerate(answers.folds(FOLDS)):
            self._fold[test] = number
        self._documented = np.zeros(len(documents.rows), int)
        for number, (_, test) in enumerate(documents.folds(FOLDS)):
            self._documented[test] = number
        by_group = dict(zip(answers.groups[answers.owner].tolist(), self._fold.tolist(), strict=True))
        other = fold_of(swaps.groups, FOLDS)
        self._swapped = np.array([by_group.get(g, f) for g, f in zip(swaps.groups.tolist(), other, strict=True)])

    def split(self, fold: int | None) -> Split:
        """Return what is trained on where ``fold`` is held out; everything for None."""
        return Split(
            answers=np.flatnonzero(self._fold != fold) if fold is not None else np.arange(len(self._fold)),
            documents=self._documented != (-1 if fold is None else fold),
            swaps=self._swapped != (-1 if fold is None else fold),
        )

    def rows(self, answers: Answers, split: Split) -> np.ndarray:
        """Return rows whose absent words are known from the split alone."""
        return answers.rows_by(self.sets.answers.counts, split.answers)

    def swap_rows(self, split: Split) -> np.ndarray:
        """Return the same of changed claims."""
        swaps = self.sets.swaps
        return replaced(swaps.rows, self.sets.answers.counts.column(split.answers, swaps.absent, swaps.groups))

    def marked(self, forest: Forest, name: str, split: Split, *, contradicted: bool) -> dict[str, Any]:
        """Fit what people mark, in the kinds of context of the forest ``name``."""
        answers, more, documents = self.sets.answers, self.sets.more, self.sets.documents
        own = split.answers[_of(name, answers)[split.answers]]
        rows = [self.rows(answers, split)[own]]
        target = [(answers.contradicted if contradicted else answers.marked)[own]]
        weights = [np.ones(len(own))]
        at = _of(name, more)
        rows.append(self.rows(more, split)[at])
        target.append((more.contradicted if contradicted else more.marked)[at])
        weights.append(np.ones(at.sum()))
        if not contradicted:
            at = split.documents & _of(name, documents)
            rows.append(self.rows(documents, split)[at])
            target.append(documents.doubted[at])
            weights.append(np.take(DOCUMENTED, documents.doubted[at].astype(int)))
        return forest.fit(np.vstack(rows), np.concatenate(target), np.concatenate(weights))

    def slip(self, split: Split) -> dict[str, Any]:
        """Fit changed claims against rewordings and clean claims."""
        answers, more, documents, swaps = self.sets.answers, self.sets.more, self.sets.documents, self.sets.swaps
        own = split.answers[~answers.marked[split.answers]]
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


def _of(name: str, answers: Answers) -> np.ndarray:
    return np.array([FOREST_OF[kind] == name for kind in answers.claim_kinds])


NAMED = tuple(dict.fromkeys(FOREST_OF.values()))


@dataclass(frozen=True, kw_only=True)
class Held:
    """Log-odds of claims of answers, of documents and of changed claims, by forests that did not see their source."""

    answers: np.ndarray
    documents: np.ndarray
    swaps: np.ndarray


def held_out(trainer: Trainer) -> tuple[Held, Held, Held]:
    """Return log-odds out of fold: unsupported, contradicted, slip."""
    sets = trainer.sets
    kinds = [sets.answers.claim_kinds, sets.documents.claim_kinds, sets.swaps.kinds]
    found = [[np.zeros(len(kind)) for kind in kinds] for _ in range(3)]
    for fold in range(FOLDS):
        split = trainer.split(fold)
        tested = np.ones(len(kinds[0]), bool)
        tested[split.answers] = False
        held = [tested, ~split.documents, ~split.swaps]
        rows = [trainer.rows(sets.answers, split), trainer.rows(sets.documents, split), trainer.swap_rows(split)]
        models = [
            {name: trainer.marked(FOREST, name, split, contradicted=False) for name in NAMED},
            {name: trainer.marked(SMALL, name, split, contradicted=True) for name in NAMED},
            dict.fromkeys(NAMED, trainer.slip(split)),
        ]
        for values, by_name in zip(found, models, strict=True):
            for name, model in by_name.items():
                for value, kind, table, at in zip(values, kinds, rows, held, strict=True):
                    chosen = at & np.array([FOREST_OF[each] == name for each in kind])
                    value[chosen] = logits(model, table[chosen])
    unsupported, contradicted, slip = (Held(answers=a, documents=b, swaps=c) for a, b, c in found)
    return unsupported, contradicted, slip


def main() -> None:
    """Train, cross-validate, print, write."""
    files = folder(__doc__ or "")
    sets = sets_of(files)
    answers, documents, swaps = sets.answers, sets.documents, sets.swaps
    print(
        f"{len(answers.labels)} answers, {len(answers.rows)} claims, {int(answers.marked.sum())} marked; "
        f"{len(sets.more.rows)} claims of further answers, {len(swaps.rows)} changed ones; {len(NAMES)} features"
    )
    trainer = Trainer(sets)
    unsupported, contradicted, slip = held_out(trainer)
    slips = slip_lines(slip, answers, swaps)
    told = worst_of(documents.owner, documents.asserts, unsupported.documents, len(documents.labels))
    points = {
        "support": points_of(_scored(answers, unsupported.answers, answers.marked, answers.labels),
                             slips, slip.answers, {"text": [(told, documents.labels)]}),
        "contradiction": points_of(_scored(answers, contradicted.answers, answers.contradicted, answers.conflicts),
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
    print("\ncontradiction")
    print_figures(answers, answers.conflicts, np.minimum(doubt, against), points["contradiction"])
    print_pairs(swaps, combined(swaps.kinds, unsupported.swaps, slip.swaps, swaps.rows, points["support"], slips))
    write(trainer, files, points, slips)
    floors(answers)


def _scored(answers: Answers, claims: np.ndarray, marked: np.ndarray, labels: np.ndarray) -> Scored:
    return Scored(
        kinds=answers.claim_kinds,
        claims=claims,
        marked=marked,
        owner=answers.owner,
        asserts=answers.asserts,
        answer_kinds=answers.kinds,
        labels=labels,
        rows=answers.rows,
    )


def write(trainer: Trainer, files: Folder, points: dict[str, Any], slips: dict[str, Any]) -> None:
    """Fit everything on everything, print figures of files never trained on, and write."""
    sets, whole = trainer.sets, trainer.split(None)
    slip = trainer.slip(whole)
    write_trees("slip", slip, f"{ANSWERS}; {DOCUMENTS}; {POLICIES}", points=slips)
    models = {}
    for name in NAMED:
        kinds = [kind for kind in KINDS if FOREST_OF[kind] == name]
        for task, forest, data in (("support", FOREST, f"{ANSWERS}; {DOCUMENTS}"), ("contradiction", SMALL, ANSWERS)):
            model = trainer.marked(forest, name, whole, contradicted=task == "contradiction")
            write_trees(f"{task}_{name}", model, data, points={kind: points[task][kind] for kind in kinds})
            models[task, name] = model
    for other in OTHERS:
        answers = files.answers(other, sets.rarity)
        rows, doubt = trainer.rows(answers, whole), np.zeros(len(answers.rows))
        for name in NAMED:
            at = _of(name, answers)
            doubt[at] = logits(models["support", name], rows[at])
        doubt = combined(answers.claim_kinds, doubt, logits(slip, rows), rows, points["support"], slips)
        elsewhere(other, answers, doubt, points["support"])
    write_rarity(sets.rarity, sets.raw)
    write_absence(sets.answers.counts)


if __name__ == "__main__":
    main()
