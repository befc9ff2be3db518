"""Train the models of conflict: which of a passage's values answers, and do two passages give different answers?

    python -m training.conflict --data PATH

Reads ``conflict_ramdocs``: documents retrieved for a question, each with the answer it gives or none. First weights of
values are learned, so that the softmax over a document's values puts its mass on the answer; then a logistic model over
pairs of documents of one question. No fold splits a question; the pairs that the second model learns from are ranked
by weights that saw none of their questions. Prints cross-validated figures of pairs in which both documents answer, of
all pairs, and of ``conflict_qacc`` by row, and writes scorers/models/answering.json and conflict.json.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from scorers.conflict.asking import EXPECTED, Asked, asked
from scorers.conflict.disagreement import ALIKE as ALIKE_VALUES
from scorers.conflict.disagreement import differing
from scorers.conflict.pairs import NAMES as NAMES_OF_PAIR
from scorers.conflict.pairs import agreements
from scorers.conflict.pairs import features as pair_features
from scorers.conflict.placing import NAMES, Table, features
from scorers.conflict.ranking import Candidates, gathered
from scorers.conflict.values import Value, same, values_of
from training.fitting import (
    DIGITS,
    MODELS,
    Recipe,
    Row,
    calibration_error,
    data_path,
    fit,
    logits,
    platt,
    read,
    report,
    write,
)

FOLDS, INNER = 8, 3
SHARED, OWN = 1.0, 2.0
"""Penalties of the weights that all kinds of answers share, and of what one kind adds to them."""

SILENT = 0.3
"""Weight of a pair in which a document does not answer: what is asked for is telling answers apart."""

NOTHING = -8.0
"""Log-odds of a conflict between documents that have no two values to hold against each other."""

COMPARED = "compared"
ALIKE = 0.9
RECIPE = Recipe(c=0.3, kept=0, threshold=0.5)
NO_ANSWER = "unknown"
DATA = "RAMDocs (MIT): documents of ambiguous questions, some with an answer replaced"


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document of a question: its values as features, and which of them are the answer it was labelled with."""

    row: int
    question: Asked
    text: str
    answer: str
    expected: int
    table: Table
    right: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs of documents of one question: their places, labels, and whether both documents answer."""

    places: list[tuple[int, int]]
    differ: np.ndarray
    answer: np.ndarray
    row: np.ndarray


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    raw = read(path, "conflict_ramdocs")
    documents = [document for row in enumerate(raw) for document in _documents(*row)]
    pairs = _pairs(documents)
    groups = np.array([raw[document.row]["question"].lower() for document in documents])
    scores = np.zeros(len(pairs.places))
    for train, test in GroupKFold(FOLDS).split(documents, groups=groups):
        inner = _out_of_fold(documents, train, groups)
        ranked = {**inner, **_ranked(documents, test, _weights([documents[i] for i in train]))}
        rows = _rows(documents, pairs, ranked)
        of_test = set(test.tolist())
        held = np.array([first in of_test for first, _ in pairs.places])
        model = fit([rows[i] for i in np.flatnonzero(~held)], RECIPE)
        scores[held] = logits(model, [rows[i] for i in np.flatnonzero(held)])
        scores[[i for i in np.flatnonzero(held) if rows[i].part != COMPARED]] = NOTHING
    slope, shift = platt(scores, pairs.differ)
    _print(documents, pairs, scores, slope, shift)
    weights = _weights(documents)
    _write_weights(weights)
    rows = _rows(documents, pairs, _out_of_fold(documents, np.arange(len(documents)), groups))
    write(fit(rows, RECIPE, name="conflict", calibration=(slope, shift)), data=DATA)


def _documents(number: int, raw: dict[str, Any]) -> list[Document]:
    question = asked(raw["question"])
    result = []
    for passage, answer in zip(raw["passages"], raw["extra"]["doc_answers"], strict=True):
        reading = values_of(passage["text"])
        table = features(question, [passage["text"]])
        gold = values_of(answer).values if answer != NO_ANSWER else ()
        expected = "number" if question.expected == "open" else question.expected
        result.append(
            Document(
                row=number,
                question=question,
                text=passage["text"],
                answer=answer.strip().lower(),
                expected=EXPECTED.index(expected),
                table=table,
                right=np.array(
                    [any(same(reading.values[i], g) > ALIKE for g in gold) for i in table.rows[0]], dtype=bool
                ),
            )
        )
    return result


def _pairs(documents: Sequence[Document]) -> Pairs:
    by_row: dict[int, list[int]] = {}
    for place, document in enumerate(documents):
        by_row.setdefault(document.row, []).append(place)
    places = [pair for of_row in by_row.values() for pair in combinations(of_row, 2)]
    answer = np.array([NO_ANSWER not in (documents[a].answer, documents[b].answer) for a, b in places])
    differ = np.array([documents[a].answer != documents[b].answer for a, b in places]) & answer
    return Pairs(places=places, differ=differ, answer=answer, row=np.array([documents[a].row for a, _ in places]))


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
    (found,) = gathered(document.table, document.table.columns @ weights[document.expected])
    return found


def _out_of_fold(documents: Sequence[Document], places: np.ndarray, groups: np.ndarray) -> dict[int, Candidates]:
    result: dict[int, Candidates] = {}
    for train, test in GroupKFold(INNER).split(places, groups=groups[places]):
        result |= _ranked(documents, places[test], _weights([documents[i] for i in places[train]]))
    return result


def _own(found: Sequence[Candidates], alone: np.ndarray, one: int, other: int) -> tuple[list[Value], list[Value]]:
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
        readings = [values_of(documents[place].text) for place in places]
        agree = agreements(found)
        alone = (agree.max(axis=3) < ALIKE_VALUES).transpose(0, 2, 1)
        within, table = pair_features(documents[places[0]].question, readings, found, agree)
        for (one, other), values in zip(within, table.tolist(), strict=True):
            answered = NO_ANSWER not in (documents[places[one]].answer, documents[places[other]].answer)
            rows.append(
                Row(
                    features=dict(zip(NAMES_OF_PAIR, values, strict=True)),
                    ngrams=frozenset(),
                    label=answered and documents[places[one]].answer != documents[places[other]].answer,
                    group="",
                    part="" if differing(*_own(found, alone, one, other)) is None else COMPARED,
                    weight=1.0 if answered else SILENT,
                )
            )
    return rows


def _print(documents: Sequence[Document], pairs: Pairs, scores: np.ndarray, slope: float, shift: float) -> None:
    cut = -shift / slope
    report("pairs in which both answer", pairs.differ[pairs.answer], scores[pairs.answer], cut)
    report("all pairs", pairs.differ, scores, cut)
    within = [
        roc_auc_score(pairs.differ[at], scores[at])
        for row in sorted(set(pairs.row.tolist()))
        if 0 < pairs.differ[at := (pairs.row == row) & pairs.answer].sum() < at.sum()
    ]
    print(f"  within one question: mean AUROC {np.mean(within):.3f} over {len(within)}")
    for number, name in enumerate(EXPECTED):
        at = np.array([documents[a].expected == number for a, _ in pairs.places]) & pairs.answer
        report(f"  both answer: {name}", pairs.differ[at], scores[at], cut)
    probabilities = 1 / (1 + np.exp(-slope * scores - shift))
    print(f"calibration error {calibration_error(probabilities, pairs.differ):.3f} (all pairs)")
    for cut_at in (0.36, 0.5, 0.7, 0.8, 0.9):
        flagged = probabilities >= cut_at
        print(
            f"  all pairs at {cut_at}: precision {pairs.differ[flagged].mean():.3f},"
            f" recall {flagged[pairs.differ].mean():.3f}"
        )


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
        "command": "python -m training.conflict --data PATH",
        "expected": list(EXPECTED),
        "features": {name: found for name, found in columns.items() if found},
    }
    target = MODELS / "answering.json"
    target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(content['features'])} features, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
