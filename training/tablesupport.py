"""Train the two models of claims over tables alone, and leave those of other contexts as they are.

    python -m training.tablesupport --data PATH

Reads ``grounding_quintd`` and ``grounding_tabfact`` as `training.support` does. The shipped forest of slips, which
learned from no table, stays. Prints figures cross-validated by source, and with each schema of quintd-1 left out
wholly, and writes support_tables and contradiction_tables to scorers/models.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorers.models.loading import read_model
from scorers.models.terms import rarity
from scorers.support.context import Context
from scorers.support.model import kind_of
from scorers.text.source import source_of
from training.forest import Forest, logits, write_trees
from training.support import OF_TABLES, OVER_TABLES
from training.supportdata import Answers, answers_of
from training.supportfigures import print_figures
from training.supportpoints import Scored, combined, points_of
from training.supportsets import SERIES, SINGLE, TABLES, fold_of, folder, on_tables

FOLDS = 5
KIND = "tables"


def fit(answers: Answers, at: np.ndarray, truth: np.ndarray, forest: Forest = OVER_TABLES) -> dict[str, Any]:
    """Return a forest over the claims ``at``; a single claim weighs less than a sentence of an answer."""
    weights = np.where(answers.tasks[answers.owner] == SINGLE, OF_TABLES, 1.0)
    return forest.fit(answers.rows[at], truth[at], weights[at])


def held_out(answers: Answers, truth: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Return log-odds of claims by forests that saw no claim of the same part."""
    found = np.zeros(len(answers.rows))
    for part in sorted(set(parts.tolist())):
        out = parts == part
        found[out] = logits(fit(answers, np.flatnonzero(~out), truth), answers.rows[out])
    return found


def main() -> None:
    """Train, cross-validate, print, write."""
    files = folder(__doc__ or "")
    raw = [row for row in on_tables(files) if _over_table(row)]
    answers = files.kept("tables-alone", lambda: answers_of(raw, rarity()))
    shipped = read_model("slip")
    slips, slip = {KIND: shipped["points"][KIND]}, logits(shipped, answers.rows)
    by_source = fold_of(answers.groups[answers.owner], FOLDS)
    schemas = [row["source"] if row["source"] in SERIES else str(row["id"]) for row in raw]
    by_schema = np.where(
        np.isin(schemas, sorted(SERIES))[answers.owner], np.array(schemas)[answers.owner], by_source.astype(str)
    )
    points: dict[str, Any] = {}
    for name, truth, labels in (
        ("support", answers.marked, answers.labels),
        ("contradiction", answers.contradicted, answers.conflicts),
    ):
        claims = held_out(answers, truth, by_source)
        points[name] = points_of(Scored.of(answers, claims, truth, labels), slips, slip, {}, (KIND,))
        for how, held in (("by source", claims), ("by schema", held_out(answers, truth, by_schema))):
            print(f"\n{name}, cross-validated {how}")
            doubt = combined(answers.claim_kinds, held, slip, answers.rows, points[name], slips)
            print_figures(answers, labels, doubt, points[name])
        write_trees(f"{name}_{KIND}", fit(answers, np.arange(len(truth)), truth), TABLES, points=points[name])


def _over_table(row: dict[str, Any]) -> bool:
    """Tell whether the context of a row is read as a table."""
    return kind_of(Context([source_of(passage["text"]) for passage in row["passages"]])) == KIND


if __name__ == "__main__":
    main()
