"""Conflict between passages, freshness, and volatility of questions."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
from labelled import Labelled, Reading, length, read, rows_of, scorer
from measuring import Rows, accuracy, auroc, balanced_accuracy, f1
from reporting import Report

from scorers.text.normalize import terms

SILENT = "unknown"


def conflict(path: Path, report: Report) -> None:
    """Pairs of documents of RAMDocs that answer the same question, and rows of QACC."""
    found = scorer("source_conflict")
    if found is None:
        report.absent("RAMDocs, QACC", "source_conflict is not there")
        return
    pairs = [pair for each in read(path, "conflict_ramdocs", report.limit) for pair in _pairs(each)]
    how = Reading(positive=lambda each: each.label == "conflict", flag=("conflict",))
    if pairs:
        rows, unscored = rows_of(found, pairs, how)
        both = np.array([bool(each.extra["both"]) for each in pairs])
        rows = Rows(
            score=rows.score,
            flagged=rows.flagged,
            positive=rows.positive,
            group=tuple(each.answer.question or "" for each in pairs),
            kind=rows.kind,
        )
        report.begin("RAMDocs", rows.taken(both), unscored=unscored)
        report.figure("AUROC", rows.taken(both), auroc, "pairs in which both documents answer")
        report.figure("balanced accuracy", rows.taken(both), balanced_accuracy, "at the shipped threshold")
        for name, trivial in (("length of passages", _length), ("words not shared", _apart)):
            report.floor(name, rows.taken(both), [each for each in pairs if each.extra["both"]], trivial)
        report.figure("AUROC, all pairs", rows, auroc, f"{rows.n} pairs, those that do not answer among them")
        report.figure("bal. accuracy, all pairs", rows, balanced_accuracy)
    given = read(path, "conflict_qacc", report.limit)
    if given:
        rows, unscored = rows_of(found, given, how)
        report.begin("QACC", rows, unscored=unscored)
        report.figure("AUROC", rows, auroc)
        report.figure("balanced accuracy", rows, balanced_accuracy, "at the shipped threshold")
        report.floor("number of passages", rows, given, lambda each: len(each.answer.passages or ()))


def _length(each: Labelled) -> float:
    return float(sum(len(passage.text or "") for passage in each.answer.passages or ()))


def _apart(each: Labelled) -> float:
    """Return the share of the words of two passages that only one of them has."""
    first, second = (frozenset(terms(passage.text or "").items) for passage in each.answer.passages or ())
    return 1 - len(first & second) / max(1, len(first | second))


def _pairs(each: Labelled) -> list[Labelled]:
    passages, said = each.answer.passages or (), [str(text).strip().lower() for text in each.extra["doc_answers"]]
    made = []
    for first, second in combinations(range(len(passages)), 2):
        both = SILENT not in (said[first], said[second])
        differ = both and said[first] != said[second]
        pair = each.answer.model_copy(update={"passages": (passages[first], passages[second])})
        made.append(Labelled(pair, "conflict" if differ else "no_conflict", {"both": both}))
    return made


def timeline(path: Path, report: Report) -> None:
    """Answers that were right once, against those that are right now, with both dated statements retrieved."""
    given = read(path, "freshness_situatedqa_timeline", report.limit)
    if not given:
        report.absent("SituatedQA timeline", "no such file")
        return
    how = (("stale_source_use", "stale", True), ("temporal_validity", "", False))
    for metric, flag, rises in how:
        found = scorer(metric)
        if found is None:
            report.absent(f"SituatedQA timeline, {metric}", "not there")
            continue
        rows, unscored = rows_of(
            found,
            given,
            Reading(positive=lambda each: each.label == "superseded", flag=(flag,), rises=rises, absent=0.5),
        )
        decided = Rows(
            score=rows.score, flagged=rows.score > 0.5, positive=rows.positive, group=rows.group, kind=rows.kind
        )
        report.begin("SituatedQA timeline", decided, unscored=unscored)
        report.figure("accuracy", decided, accuracy, f"by {metric}")
        report.figure("AUROC", decided, auroc)
        report.floor("length of answer", decided, given, length)


def volatility(path: Path, report: Report) -> None:
    """Questions whose answer changes."""
    found = scorer("question_volatility")
    if found is None:
        report.absent("volatility", "question_volatility is not there")
        return
    never = {"SituatedQA": ("situatedqa_id", "static"), "FreshQA": ("freshqa", "never-changing")}
    never["RecencyQA"] = ("recencyqa", "Never")
    for title, (name, label) in never.items():
        given = read(path, f"freshness_{name}", report.limit)
        if not given:
            report.absent(f"{title} volatility", "no such file")
            continue
        how = Reading(positive=lambda each, label=label: each.label != label, flag=("changes",))
        rows, unscored = rows_of(found, given, how)
        report.begin(f"{title} volatility", rows, unscored=unscored)
        report.figure("AUROC", rows, auroc, "changes at all, against never")
        report.figure("F1", rows, f1)
        sound = np.array([not each.extra.get("false_premise") for each in given])
        if not sound.all():
            report.figure("AUROC, sound premises", rows.taken(sound), auroc, f"{int(sound.sum())} rows")
        report.floor("length of question", rows, given, lambda each: len(each.answer.question or ""))
