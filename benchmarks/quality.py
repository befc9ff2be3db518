"""How good the scorers are, on labelled files.

    python benchmarks/quality.py --data PATH [--only NAME ...] [--rows N] [--resamples N] [--entailment DIR]

Reads every labelled file in PATH that it knows, scores it as `groundwire score` would, and prints our figure beside
trivial floors and the published figures of others. Square brackets are 95 % bootstrap intervals (percentile, fixed
seed) that draw sources, not rows, where rows share one. Decisions are the labels of the shipped models; nothing is
fitted here. A metric that is not registered is reported as not there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import groundedness
import safety
import sources
from labelled import files
from measuring import BINS
from published import PUBLISHED
from reporting import Report

from collector.models.entailment import local_entailment
from collector.models.options import EntailmentOptions

PARTS: dict[str, Callable[[Path, Report], None]] = {
    "ragtruth": groundedness.ragtruth,
    "wice": groundedness.wice,
    "begin": groundedness.begin,
    "faithbench": groundedness.faithbench,
    "refusal": safety.refusal,
    "abstention": safety.abstention,
    "injection": safety.injection,
    "personal-data": safety.personal_data,
    "conflict": sources.conflict,
    "timeline": sources.timeline,
    "volatility": sources.volatility,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the labelled files (*.jsonl.gz)")
    parser.add_argument("--only", nargs="+", choices=sorted(PARTS), default=list(PARTS), help="these parts alone")
    parser.add_argument("--rows", type=int, help="at most this many rows of a file, for a quick look")
    parser.add_argument("--resamples", type=int, default=1000, help="of the bootstrap")
    parser.add_argument("--entailment", type=Path, metavar="DIR", help="judge claims by this model, not by the trees")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="temperatures fitted for that model")
    parser.add_argument("--labels", nargs="+", help="what its outputs mean, where its config.json does not say")
    options = parser.parse_args()
    model = None
    if options.entailment is not None:
        told = {"model": options.entailment, "calibration": options.calibration, "labels": options.labels}
        model = local_entailment(EntailmentOptions.model_validate(told))
        print(f"Claims are judged by {model.name}, {'calibrated' if model.temperatures else 'uncalibrated'}")
    report = Report(published=PUBLISHED, resamples=options.resamples, limit=options.rows, model=model)
    for line in header(options.data):
        print(line)
    for name in options.only:
        began = time.perf_counter()
        PARTS[name](options.data, report)
        print(f"({name}: {time.perf_counter() - began:.0f} s)", flush=True)


def header(path: Path) -> Iterator[str]:
    """Yield what must be known to read the figures."""
    yield f"Labelled files in {path}: {', '.join(files(path)) or 'none'}"
    yield "The shipped models were trained on:"
    for model in sorted(resources.files("scorers.models").iterdir(), key=lambda file: file.name):
        if model.name.endswith(".json"):
            told = json.loads(model.read_text(encoding="utf-8"))
            yield f"  {told['name']}: {told['data']}"
    yield "Where PATH holds the very rows that a model was trained on, its figures are IN SAMPLE, and optimistic. Each"
    yield "block says whether its model learned from the set, and beside it what cross-validation by source gave, from"
    yield "the model's card in docs/models/. On other rows of the sets the figures are fair."
    yield f"Calibration error: {BINS} bins of equal width over [0, 1]. Floors: length, share of unseen words."


if __name__ == "__main__":
    main()
