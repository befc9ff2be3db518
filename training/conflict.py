"""Train the models of conflict: which of a passage's values answers, and do two passages give different answers?

    python -m training.conflict --data PATH

Reads ``conflict_ramdocs``: documents retrieved for a question, each with the answer it gives or none. First weights of
values are learned, so that the softmax over a document's values puts its mass on the answer; then a logistic model over
pairs of documents of one question. No fold splits a question; the pairs that the second model learns from are ranked
by weights that saw none of their questions. Prints cross-validated figures of pairs in which both documents answer, of
all pairs, then of the written models ``conflict_qacc`` by row, how often ordinary passages are called a conflict, and
how often opposite statements are labelled so. Writes scorers/models/answering.json, conflict.json and both_answer.json.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize
from sklearn.model_selection import GroupKFold

from adapters.caching import forget
from scorers.disagreement.asking import EXPECTED
from scorers.disagreement.disagreement import ALIKE as ALIKE_VALUES
from scorers.disagreement.disagreement import differing
from scorers.disagreement.odds import log_odds
from scorers.disagreement.pairs import BOTH, DIFFER, agreements
from scorers.disagreement.pairs import NAMES as NAMES_OF_PAIR
from scorers.disagreement.pairs import features as pair_features
from scorers.disagreement.placing import NAMES
from scorers.disagreement.ranking import Candidates, gathered
from scorers.disagreement.values import StatedValue, reading_of
from scorers.models.linear import LinearModel
from training.conflictdata import NO_ANSWER, Document, Pairs, documents_of, pairs_of, strangers_of
from training.conflictfigures import print_opposites, print_pairs, print_rows
from training.fitting import (
    DIGITS,
    MODELS,
    Recipe,
    Row,
    data_path,
    fit,
    platt,
    read,
    write,
)

FOLDS, INNER = 8, 3
SHARED, OWN = 1.0, 2.0
"""Penalties of the weights that all kinds of answers share, and of what one kind adds to them."""

ANSWERED, SILENT = 1.0, 0.9
"""Weights of a pair in which both documents answer, and of one in which a document does not."""

NOTHING = -25.0
"""Log-odds of a conflict between documents that have no two values to hold against each other."""

FOREIGN = 0.3
"""Weight of a pair of an answering document and a stranger."""

COMMAND = "python -m training.conflict --data PATH"
COMPARED = "compared"
RECIPE = Recipe(c=0.3, kept=0, threshold=0.5)
DATA = "RAMDocs (MIT): documents of ambiguous questions, some with an answer replaced"


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    raw = read(path, "conflict_ramdocs")
    strangers = strangers_of(raw)
    documents = [document for row in enumerate(raw) for document in documents_of(*row, strangers)]
    pairs = pairs_of(documents)
    groups = np.array([raw[document.row]["question"].lower() for document in documents])
    scores = np.zeros(len(pairs.places))
    for train, test in GroupKFold(FOLDS).split(documents, groups=groups):
        inner = _out_of_fold(documents, train, groups)
        ranked = {**inner, **_ranked(documents, test, _weights([documents[i] for i in train]))}
        rows = _rows(documents, pairs, ranked)
        of_test = set(test.tolist())
        held = np.array([first in of_test for first, _ in pairs.places])
        differ, both = _fitted([rows[i] for i in np.flatnonzero(~held)])
        scores[held] = log_odds(_table(rows, held), differ, both)
        scores[[i for i in np.flatnonzero(held) if rows[i].part != COMPARED]] = NOTHING
    compared = scores > NOTHING
    weights_of = np.where(pairs.stranger, FOREIGN, 1.0)
    slope, shift = platt(scores[compared], pairs.differ[compared], weights_of[compared])
    print_pairs(documents, pairs, scores, slope, shift)
    weights = _weights(documents)
    _write_weights(weights)
    rows = _rows(documents, pairs, _out_of_fold(documents, np.arange(len(documents)), groups))
    differ, both = _fitted(rows, calibration=(slope, shift))
    write(differ, data=DATA)
    write(both, data=DATA, command=COMMAND)
    forget()
    print_rows(path)
    print_opposites(path)


def _fitted(rows: Sequence[Row], calibration: tuple[float, float] = (1, 0)) -> tuple[LinearModel, LinearModel]:
    """Return the models of whether two answers differ, learned from pairs that answer, and of whether both answer."""
    answering = [_reading(row, DIFFER) for row in rows if row.part == COMPARED and row.weight == ANSWERED]
    every = [replace(_reading(row, BOTH), label=row.weight == ANSWERED) for row in rows if row.part == COMPARED]
    return (
        fit(answering, RECIPE, name="conflict", calibration=calibration),
        fit(every, RECIPE, name="both_answer"),
    )


def _reading(row: Row, names: Sequence[str]) -> Row:
    return replace(row, features={name: row.features[name] for name in names})


def _table(rows: Sequence[Row], at: np.ndarray) -> np.ndarray:
    return np.array([[rows[i].features[name] for name in NAMES_OF_PAIR] for i in np.flatnonzero(at)])


def _weights(documents: Sequence[Document]) -> np.ndarray:
    """Return weights by expected kind that make the answer likely: maximum likelihood with a quadratic penalty."""
    used = [document for document in documents if document.right.any() and not document.right.all()]
    table = np.vstack([document.table.columns for document in used])
    sizes = [len(document.right) for document in used]
    of = np.repeat(np.arange(len(used)), sizes)
    starts = np.cumsum([0, *sizes[:-1]])
    right = np.concatenate([document.right for document in used])
    kind = np.array([document.expected for document in used])[of]
    shape = (len(EXPECTED) + 1, table.shape[1])
    penalty = np.array([[SHARED]] + [[OWN]] * len(EXPECTED))

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        parts = flat.reshape(shape)
        scores = (table * (parts[0] + parts[1:])[kind]).sum(axis=1)
        mass = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        total, good = np.add.reduceat(mass, starts), np.add.reduceat(mass * right, starts) + 1e-12
        slope = table * (mass / total[of] - mass * right / good[of])[:, None]
        gradient = np.vstack([slope.sum(axis=0), *(slope[kind == k].sum(axis=0) for k in range(len(EXPECTED)))])
        value = float(np.log(total / good).sum() + 0.5 * (penalty * parts**2).sum())
        return value, (gradient + penalty * parts).ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    parts = found.x.reshape(shape)
    return np.round(parts[0] + parts[1:], DIGITS)


def _ranked(documents: Sequence[Document], places: np.ndarray, weights: np.ndarray) -> dict[int, Candidates]:
    return {int(place): _candidates(documents[place], weights) for place in places}


def _candidates(document: Document, weights: np.ndarray) -> Candidates:
    (found,) = gathered(document.question, document.table, document.table.columns @ weights[document.expected])
    return found


def _out_of_fold(documents: Sequence[Document], places: np.ndarray, groups: np.ndarray) -> dict[int, Candidates]:
    result: dict[int, Candidates] = {}
    for train, test in GroupKFold(INNER).split(places, groups=groups[places]):
        result |= _ranked(documents, places[test], _weights([documents[i] for i in places[train]]))
    return result


def _own(
    found: Sequence[Candidates], alone: np.ndarray, one: int, other: int
) -> tuple[list[StatedValue], list[StatedValue]]:
    """Return the values that only one of two documents states, of each."""
    return (
        [value for value, own in zip(found[one].values, alone[one, other], strict=False) if own],
        [value for value, own in zip(found[other].values, alone[other, one], strict=False) if own],
    )


def _rows(documents: Sequence[Document], pairs: Pairs, ranked: dict[int, Candidates]) -> list[Row]:
    """Return the features of each pair, and among them what only evaluation reads: whether two values can differ."""
    rows = []
    for row in sorted(set(pairs.row.tolist())):
        places = [place for place, document in enumerate(documents) if document.row == row]
        found = [ranked[place] for place in places]
        question = documents[places[0]].question
        readings = [reading_of(documents[place].text) for place in places]
        agree = agreements(found)
        alone = (agree.max(axis=3) < ALIKE_VALUES).transpose(0, 2, 1)
        within, table = pair_features(question, readings, found, agree)
        kept = {pair for pair in pairs.places if documents[pair[0]].row == row}
        for (one, other), values in zip(within, table.tolist(), strict=True):
            if (places[one], places[other]) not in kept:
                continue
            answered = NO_ANSWER not in (documents[places[one]].answer, documents[places[other]].answer)
            rows.append(
                Row(
                    features=dict(zip(NAMES_OF_PAIR, values, strict=True)),
                    ngrams=frozenset(),
                    label=answered and documents[places[one]].answer != documents[places[other]].answer,
                    group="",
                    part="" if differing(*_own(found, alone, one, other)) is None else COMPARED,
                    weight=ANSWERED if answered else FOREIGN if documents[places[other]].stranger else SILENT,
                )
            )
    return rows


def _write_weights(weights: np.ndarray) -> None:
    columns = {
        name: {kind: float(row[at]) for kind, row in zip(EXPECTED, weights, strict=True) if row[at]}
        for at, name in enumerate(NAMES)
    }
    content = {
        "kind": "softmax",
        "name": "answering",
        "version": "1",
        "data": DATA,
        "command": COMMAND,
        "expected": list(EXPECTED),
        "features": {name: found for name, found in columns.items() if found},
    }
    target = MODELS / "answering.json"
    target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(content['features'])} features, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
