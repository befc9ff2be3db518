"""Fits the temperatures of an entailment model on labelled rows, for `scoring.entailment.calibration`.

    python -m training.entailment --model DIR --data FILE.jsonl.gz [...] --out FILE [--labels neutral entailment]

Needs the extra `models`. A row is good where its label is `supported` or `Fully attributable`; generic ones are left
out.
The temperature of answers minimizes the negative log-likelihood of the labels (Guo et al. 2017), the threshold is where
balanced accuracy is best. The temperature of claims is fitted on the answers with a single claim where there are enough
of them, else it is that of answers; contradictions share it, since they come from the same outputs.
How the model joins the trees as a second opinion is fitted as well, where there are labels enough (`training.joining`).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from adapters.base import AdaptOptions
from adapters.schema import Answer
from collector.commands.progress import Progress
from collector.commands.reading import answers
from collector.models.calibration import Fitted
from collector.models.entailment import WHERE, LocalEntailment, local_entailment
from collector.models.folder import fingerprint
from collector.models.options import EntailmentOptions
from scorers.memory import Memory
from scorers.support.entailed import asked_of
from scorers.support.model import logit_of
from training.joining import joint_of, seconded_answers, told

GOOD = frozenset({"supported", "Fully attributable"})
LEFT_OUT = frozenset({"Generic"})
AT_ONCE = 16
"""Answers whose pairs are read in common batches."""
ENOUGH = 50
"""Answers of a single claim from which on claims have a temperature of their own."""
GRID = np.exp(np.linspace(-3, 3, 601))


def rows(paths: Sequence[Path]) -> Iterator[tuple[Answer, bool]]:
    """Yield each labelled answer, and whether it is bad."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            labels = [str(json.loads(line)["label"]) for line in lines]
        found = [item for _, item in answers([path], AdaptOptions(), Progress(None))]
        for label, answer in zip(labels, found, strict=True):
            if isinstance(answer, Answer) and label not in LEFT_OUT:
                yield answer, label not in GOOD


def doubts(model: LocalEntailment, given: Sequence[tuple[Answer, bool]]) -> Iterator[tuple[float, int, bool]]:
    """Yield of each answer that can be judged the log-odds that it is bad, its claims, and whether it is."""
    for start in range(0, len(given), AT_ONCE):
        part = [(asked_of(answer, Memory()), bad) for answer, bad in given[start : start + AT_ONCE]]
        known = [(asked, bad) for asked, bad in part if asked is not None]
        model.prepare((asked.passages, asked.claims) for asked, _ in known)
        for asked, bad in known:
            best = model.compare(asked.passages, asked.claims).supported.max(axis=1)
            yield logit_of(float(1 - best.min())), len(asked.claims), bad


def temperature(logits: np.ndarray, bad: np.ndarray) -> float:
    """Return the temperature at which the labels are likeliest.

    >>> temperature(np.array([4.0] * 3 + [-4.0] * 3), np.array([True, True, False, False, False, True]))
    5.754602676005731
    """
    signed = np.where(bad, -logits, logits)
    loss = [float(np.logaddexp(0, signed / each).sum()) for each in GRID]
    return float(GRID[int(np.argmin(loss))])


def threshold(probabilities: np.ndarray, bad: np.ndarray) -> float:
    """Return the probability from which calling an answer bad errs least, both kinds of error weighed alike."""
    cuts = np.unique(np.clip(np.round(probabilities, 4), 0.0001, 0.9999))
    gain = [(probabilities[bad] >= cut).mean() + (probabilities[~bad] < cut).mean() for cut in cuts]
    return float(cuts[int(np.argmax(gain))])


def main() -> None:
    """Fit, print what came of it, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="folder of the model")
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="labelled files (*.jsonl.gz)")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--labels", nargs="+", help="what the outputs mean, where config.json does not say")
    options = parser.parse_args()
    chosen = EntailmentOptions.model_validate({"model": options.model, "labels": options.labels})
    model, given = local_entailment(chosen), list(rows(options.data))
    found = list(doubts(model, given))
    if len({bad for *_, bad in found}) < len((True, False)):
        raise SystemExit("answers of both kinds are needed, good and bad")
    logits, counts, bad = (np.array(column) for column in zip(*found, strict=True))
    answer = temperature(logits, bad)
    single = counts == 1
    alike = single.sum() < ENOUGH or bad[single].all() or not bad[single].any()
    claim = answer if alike else temperature(logits[single], bad[single])
    seconded = list(seconded_answers(model, given))
    data = ", ".join(path.name for path in options.data)
    joint = joint_of(seconded, f"{data}: {len(seconded)} answers over English prose")
    fitted = Fitted(
        model=fingerprint(options.model, f"{WHERE}.model"),
        data=f"{data}: {len(bad)} answers, {bad.mean():.2f} bad",
        claim=round(claim, 3),
        contradiction=round(claim, 3),
        answer=round(answer, 3),
        threshold=threshold(1 / (1 + np.exp(-logits / answer)), bad),
        joining=joint,
    )
    options.out.write_text(fitted.model_dump_json(indent=2) + "\n", encoding="utf-8")
    print(fitted.model_dump_json(indent=2))
    print("no second opinion can be fitted to these rows" if joint is None else told(seconded, joint))


if __name__ == "__main__":
    main()
