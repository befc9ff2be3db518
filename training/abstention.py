"""Train the abstention model: does an answer say that the evidence does not hold the answer?

    python -m training.abstention --data PATH

Named features only: the labels were mostly made by a rule over words, and n-grams would learn that rule.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scorers.wording.abstaining import features
from training.fitting import Recipe, Row, calibration_error, cross_validated, data_path, fit, platt, read, report, write

EXAMPLES = Path(__file__).parent / "abstention.txt"
"""Sentences of our own, ``+`` abstains and ``-`` answers: the labelled ones are of one assistant for one manual."""

OWN = 2.0
"""Weight of one of them."""

RECIPE = Recipe(c=1.0, kept=0)
"""No n-grams."""

COMPLIES = ("safety_refusal_xstest", "grounding_ragtruth")
"""Files whose answers, refusals for policy among them, count as answering: the two do not transfer."""


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    asked = read(path, "safety_abstain_delucionqa")
    rows = [_row(r, label=r["label"] == "abstains", weight=1.0) for r in asked]
    elsewhere = [raw for name in COMPLIES for raw in read(path, name)[::3]]
    written = [(line[0] == "+", line[2:]) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
    own = [
        Row(features=features(text), ngrams=frozenset(), label=label, group=text, weight=OWN) for label, text in written
    ]
    everything = rows + own + [_row(r, label=False, weight=0.3) for r in elsewhere]
    labels = np.array([row.label for row in everything])
    known = np.arange(len(everything)) < len(rows)
    ours = (np.arange(len(everything)) < len(rows) + len(own)) & ~known
    other = ~known & ~ours
    scores = cross_validated(everything, RECIPE)
    slope, shift = platt(scores[known], labels[known])
    cut = -shift / slope
    report("DelucionQA, grouped by question", labels[known], scores[known], cut)
    plain = np.array([not raw["extra"]["selected_by_rule"] for raw in asked])
    report("  rows that no rule selected", labels[known][plain], scores[known][plain], cut)
    report("our own sentences", labels[ours], scores[ours], cut)
    for name in ("safety_refusal_xstest", "grounding_ragtruth"):
        source = {"safety_refusal_xstest": "xstest", "grounding_ragtruth": "ragtruth"}[name]
        at = np.array([raw["source"] == source for raw in elsewhere])
        print(f"alarms on {name}: {(scores[other][at] > cut).mean():.4f}")
    probabilities = 1 / (1 + np.exp(-slope * scores[known] - shift))
    print(
        f"slope {slope:.3f} shift {shift:.3f}, calibration error {calibration_error(probabilities, labels[known]):.3f}"
    )
    model = fit(everything, RECIPE, name="abstention", calibration=(slope, shift))
    write(model, data="DelucionQA answers (CC-BY-4.0); answers of RAGTruth and XSTest as answering")


def _row(raw: dict[str, object], *, label: bool, weight: float) -> Row:
    group = str(raw["question"]) or str(raw["id"])
    return Row(features=features(str(raw["answer"])), ngrams=frozenset(), label=label, group=group, weight=weight)


if __name__ == "__main__":
    main()
