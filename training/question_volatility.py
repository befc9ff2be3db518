"""Train the volatility model: does the right answer to a question change with time?

    python -m training.question_volatility --data PATH

Questions that occur in several files count once, with the label of the first of them, and no fold splits a question.
Questions with a false premise are left out: nothing in them shows it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorers.text.phrases import words
from scorers.wording.changing import features
from training.fitting import Recipe, Row, calibration_error, cross_validated, data_path, fit, platt, read, report, write

RECIPE = Recipe(c=0.5, scale=5.0, kept=2500, min_rows=2)
STATIC = {
    "freshness_situatedqa_id": "static",
    "freshness_freshqa": "never-changing",
    "freshness_recencyqa": "Never",
}
"""The label of a question whose answer stays, by file."""

WEIGHTS = {"freshness_recencyqa": 0.3}
"""Nine in ten of its questions change, so that all of its weight would teach the style of its writers."""


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    rows = _rows({name: read(path, name) for name in STATIC})
    labels = np.array([row.label for row in rows])
    part = np.array([row.part for row in rows])
    scores = cross_validated(rows, RECIPE)
    situated = part == "freshness_situatedqa_id"
    slope, shift = platt(scores[situated], labels[situated])
    for name in STATIC:
        report(name, labels[part == name], scores[part == name], -shift / slope)
    only = [row for row in rows if row.part == "freshness_situatedqa_id"]
    report("  trained on that file alone", labels[situated], cross_validated(only, RECIPE), -shift / slope)
    wording = cross_validated(only, Recipe(c=1.0, kept=0))
    report("  named features alone", labels[situated], wording)
    probabilities = 1 / (1 + np.exp(-slope * scores[situated] - shift))
    error = calibration_error(probabilities, labels[situated])
    print(f"slope {slope:.3f} shift {shift:.3f}, calibration error {error:.3f}")
    model = fit(rows, RECIPE, name="question_volatility", calibration=(slope, shift))
    write(model, data="questions of SituatedQA (no licence stated), FreshQA (Apache-2.0) and RecencyQA (MIT)")


def _rows(files: dict[str, list[dict[str, Any]]]) -> list[Row]:
    result: dict[str, Row] = {}
    for name, raws in files.items():
        for raw in raws:
            group = " ".join(words(raw["question"]))
            if group in result or raw["extra"].get("false_premise"):
                continue
            named, grams = features(raw["question"])
            result[group] = Row(
                features=named,
                ngrams=frozenset(grams),
                label=raw["label"] != STATIC[name],
                group=group,
                part=name,
                weight=WEIGHTS.get(name, 1.0),
            )
    return list(result.values())


if __name__ == "__main__":
    main()
