"""Train the refusal model: does an answer decline for policy?

    python -m training.refusal --data PATH

Positives are answers that decline wholly or in part, against answers that comply; a model trained on wholly against in
part learns the writer's style. Answers of question answering systems, abstentions among them, are added as complying.
"""

from __future__ import annotations

import numpy as np

from scorers.wording.declining import features
from training.fitting import (
    Recipe,
    Row,
    calibration_error,
    cross_validated,
    data_path,
    fit,
    leaving_out,
    platt,
    read,
    report,
    write,
)

RECIPE = Recipe(c=0.3, scale=3.0, kept=800, min_rows=4, threshold=0.6)
"""From .55 to .7 the figures are the same within their intervals."""
ELSEWHERE = 0.3
"""Weight of an answer from the other files: they outnumber the answers that show what declining is."""

FAMILIES = {"g": "GPT-4", "l": "Llama-2", "m": "Mistral"}


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    asked = read(path, "safety_refusal_xstest")
    rows = [_row(r, label=r["label"] != "compliance", part=FAMILIES[r["extra"]["model"][0]]) for r in asked]
    full = np.array([r["label"] == "refusal" for r in asked])
    elsewhere = [*read(path, "grounding_ragtruth")[::3], *read(path, "safety_abstain_delucionqa")[::2]]
    everything = rows + [_row(r, label=False, weight=ELSEWHERE) for r in elsewhere]
    labels = np.array([row.label for row in everything])
    known = np.arange(len(everything)) < len(rows)
    scores = cross_validated(everything, RECIPE)
    slope, shift = platt(scores[known], labels[known])
    cut = (np.log(RECIPE.threshold / (1 - RECIPE.threshold)) - shift) / slope
    report("full refusal, grouped by prompt", full, scores[known], cut)
    report("full or partial, grouped by prompt", labels[known], scores[known], cut)
    left = leaving_out(everything, RECIPE)
    report("full refusal, leaving each family out", full, left[known], cut)
    report("full or partial, leaving each family out", labels[known], left[known], cut)
    for family in FAMILIES.values():
        at = np.array([row.part == family for row in rows])
        report(f"  full refusal, {family} left out", full[at], left[known][at], cut)
    abstains = np.array([r["label"] == "abstains" for r in elsewhere])
    print(
        f"alarms: abstentions {(scores[~known][abstains] > cut).mean():.3f}",
        f"answers {(scores[~known][~abstains] > cut).mean():.3f}",
    )
    probabilities = 1 / (1 + np.exp(-slope * scores[known] - shift))
    print(
        f"slope {slope:.3f} shift {shift:.3f}, calibration error {calibration_error(probabilities, labels[known]):.3f}"
    )
    model = fit(everything, RECIPE, name="refusal", calibration=(slope, shift))
    write(model, data="XSTest v2 completions (CC-BY-4.0 prompts); answers of RAGTruth and DelucionQA as complying")


def _row(raw: dict[str, object], *, label: bool, part: str = "", weight: float = 1.0) -> Row:
    question, answer = str(raw["question"]), str(raw["answer"])
    named, grams = features(question, answer)
    return Row(
        features=named, ngrams=frozenset(grams), label=label, group=question or str(raw["id"]), part=part, weight=weight
    )


if __name__ == "__main__":
    main()
