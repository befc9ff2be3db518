"""The sample configuration of these tests, and the golden files it gives.

Regenerate the files after a wanted change, and read the difference: ``python -m tests.dashboards.sample``
"""

from __future__ import annotations

from pathlib import Path

from dashboards.boards import all_boards, drawn
from dashboards.rules import rules
from docs.makers.metrics import metric_catalogue
from gates.objective import ObjectiveGate
from gates.threshold import ThresholdGate
from scorers.base import Metric
from telemetry.exposure import OptionalPart

GOLDEN = Path(__file__).parent / "golden"

DIMENSIONS = ("domain", "service")
METRICS = (
    Metric(
        name="claim_support",
        family="grounding",
        unit="ratio",
        better="higher",
        help="Share of the answer's claims that its passages support.",
        formula="supported claims / claims",
        source="this sample",
        bases=("passages",),
        cost="judgement",
        limits="What is said in other words.",
    ),
    Metric(
        name="stale_source_use",
        family="freshness",
        unit="ratio",
        better="lower",
        help="Share of passages given to the generator that were out of date.",
        formula="stale | withdrawn passages / passages",
        source="this sample",
        bases=("catalog", "passages"),
        cost="fields",
        limits="What nothing dates.",
    ),
    Metric(
        name="latency",
        family="efficiency",
        unit="seconds",
        upper=None,
        better="lower",
        help="Time from question to answer.",
        formula="end - start",
        source="this sample",
        cost="fields",
        limits="What is not reported.",
        buckets=(0.5, 1.0, 5.0, 30.0),
    ),
)
GATES = (
    ThresholdGate(type="threshold", name="stale-sources", metric="stale_source_use", at_most=0.1, by=("domain",)),
    ThresholdGate(type="threshold", name="grounded", metric="claim_support", at_least=0.8),
    ObjectiveGate(
        type="objective", name="supported", metric="claim_support", worse="lower", objective=0.95, by=("domain",)
    ),
)

PARTS: tuple[OptionalPart, ...] = ("sources", "write_back", "notify", "listings", "canaries")


def golden() -> dict[str, str]:
    """Return what each golden file should hold."""
    return {
        **{f"{board.name}.json": drawn(board) for board in all_boards(DIMENSIONS, METRICS, GATES, parts=PARTS)},
        "rules.yaml": rules(DIMENSIONS, METRICS, GATES, parts=PARTS),
        "metrics.md": metric_catalogue(METRICS, DIMENSIONS),
    }


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in golden().items():
        (GOLDEN / name).write_text(text, encoding="utf-8")
