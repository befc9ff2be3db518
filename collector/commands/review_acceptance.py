"""What `groundwire review close` says of the verdicts of scores: whether people agree, and what they save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.errors import ConfigError
from collector.runs.folder import finished
from collector.runs.tables import SCORES, read_table
from evaluation.reviewing.acceptance import VerdictAcceptance, verdict_acceptance
from gates.verdicts.summary import counted

VERDICTS = ("first_failed_stage", "failure_category")
"""Metrics whose label says whether anything is wrong with an answer, the first that a run has."""
CLEAR = frozenset({"pass", "none"})


def acceptance(
    key: Mapping[str, Mapping[str, Any]], acceptable: Mapping[str, bool], seconds: Mapping[str, float]
) -> VerdictAcceptance:
    """Return how far people agree with the verdicts of the runs of a review.

    ``key`` says by packet which answer of which run it is, ``acceptable`` what people settled on, ``seconds`` what the
    labels took.
    """
    return verdict_acceptance(dict(_clears(key)), acceptable, seconds)


def acceptance_lines(found: VerdictAcceptance) -> Iterator[str]:
    """Yield how far people agree with verdicts; nothing where there are none."""
    if found.accepted is None:
        return
    yield f"verdicts of the scores accepted: {found.accepted:.0%}; of {found.flagged:,} flagged answers "
    yield f"{found.alarms:,} acceptable, of {found.cleared:,} cleared {found.missed:,} not\n"
    if found.saved is not None:
        yield f"a review of flagged answers alone would have taken {found.seconds_flagged / 60:,.1f} of "
        yield f"{found.seconds / 60:,.1f} minutes and missed {counted(found.missed, 'unacceptable answer')}\n"


def acceptance_object(found: VerdictAcceptance) -> dict[str, Any] | None:
    """Return the same for programs; ``None`` where there are no verdicts."""
    if found.accepted is None:
        return None
    return {
        "accepted": found.accepted,
        "flagged": found.flagged,
        "flagged_acceptable": found.alarms,
        "cleared": found.cleared,
        "cleared_unacceptable": found.missed,
        "seconds": found.seconds,
        "seconds_of_flagged": found.seconds_flagged,
    }


def _clears(key: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Yield by packet whether its run finds nothing wrong, of those runs that are still what they were."""
    by_run: dict[str, dict[str, str]] = {}
    for packet, row in key.items():
        by_run.setdefault(row["run"], {})[row["answer_id"]] = packet
    for run, packets in by_run.items():
        try:
            manifest = finished(Path(run), SCORES)
        except ConfigError:
            # A review can be closed where its runs are not.
            continue
        metric = next((name for name in VERDICTS if name in manifest.metrics), None)
        for row in read_table(Path(run) / SCORES, ("answer_id", "metric", "label")):
            if row["metric"] == metric and row["label"] is not None and row["answer_id"] in packets:
                yield packets[row["answer_id"]], row["label"] in CLEAR
