"""Faithfulness on labelled answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from labelled import Labelled, Reading, length, read, rows_of, scorer, unseen
from measuring import (
    Rows,
    auroc,
    balanced_accuracy,
    calibration_error,
    f1,
    macro_f1,
    within_kinds,
)
from reporting import Report

METRIC = "faithfulness"


def ragtruth(path: Path, report: Report) -> None:
    """Hallucinated answers of RAGTruth: each task, and all together."""
    found = _scored(path, "grounding_ragtruth", report, "RAGTruth", "supported")
    if found is None:
        return
    given, rows, unscored = found
    tasks = np.array([str(each.extra.get("task")) for each in given])
    for task in ("Data2txt", "QA", "Summary", None):
        at = np.ones(len(given), dtype=bool) if task is None else tasks == task
        if not at.any():
            continue
        part, chosen = rows.taken(at), [each for each, here in zip(given, at, strict=True) if here]
        report.begin(f"RAGTruth {task or 'all'}", part, unscored=0 if task else unscored)
        _figures(report, part, chosen)
        report.figure("AUROC in one generator", part, within_kinds, "mean over generators")
        report.figure("calibration error", part, calibration_error)


def wice(path: Path, report: Report) -> None:
    """Claims of WiCE against long documents: supported, against partly or not."""
    _plain(path, "grounding_wice", report, "WiCE", "supported")


def begin(path: Path, report: Report) -> None:
    """Replies of BEGIN, without the generic ones."""
    found = _plain(path, "grounding_begin", report, "BEGIN", "Fully attributable")
    if found is None:
        return
    given, rows = found
    claiming = rows.score > 0
    part = rows.taken(claiming)
    report.figure("AUROC of those that claim", part, auroc, f"{part.n} replies; the others only ask or take up")
    report.floor("unseen words", part, [each for each, here in zip(given, claiming, strict=True) if here], unseen)


def faithbench(path: Path, report: Report) -> None:
    """Summaries of FaithBench, chosen because detectors disagree on them, beside what those detectors said."""
    found = _plain(path, "grounding_faithbench", report, "FaithBench", "supported")
    if found is None:
        return
    given, rows = found
    said = [each.extra.get("peer_scores_1_is_consistent") or {} for each in given]
    for peer in sorted({name for scores in said for name in scores}):
        at = np.array([scores.get(peer) is not None for scores in said])
        values = np.array([1.0 - float(scores[peer]) for scores in said if scores.get(peer) is not None])
        part = rows.taken(at)
        judged = Rows(score=values, flagged=values > 0.5, positive=part.positive, group=part.group, kind=part.kind)
        report.figure(f"{peer}, bal. acc.", judged, balanced_accuracy, f"{judged.n} of the same rows")


def _scored(path: Path, name: str, report: Report, title: str, good: str) -> tuple[list[Labelled], Rows, int] | None:
    given = [each for each in read(path, name, report.limit) if each.label != "Generic"]
    found = scorer(METRIC)
    if not given or found is None:
        report.absent(title, "no such file" if not given else f"{METRIC} is not there")
        return None
    how = Reading(positive=lambda each: each.label != good, flag=("unsupported", "contradicted"), rises=False)
    rows, unscored = rows_of(found, given, how, model=report.model)
    return given, rows, unscored


def _plain(path: Path, name: str, report: Report, title: str, good: str) -> tuple[list[Labelled], Rows] | None:
    found = _scored(path, name, report, title, good)
    if found is None:
        return None
    given, rows, unscored = found
    report.begin(title, rows, unscored=unscored)
    _figures(report, rows, given)
    report.figure("calibration error", rows, calibration_error)
    return given, rows


def _figures(report: Report, rows: Rows, given: list[Labelled]) -> None:
    report.figure("AUROC", rows, auroc)
    report.figure("balanced accuracy", rows, balanced_accuracy, "at the shipped threshold")
    report.figure("F1, unsupported", rows, f1)
    report.figure("F1-macro", rows, macro_f1)
    report.floor("length", rows, given, length)
    report.floor("unseen words", rows, given, unseen)
