"""What a report is made of: the tables of finished runs, or the answers of a running agent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from collector.runs.folder import finished
from collector.runs.manifest import RunManifest
from collector.runs.tables import ANSWERS, CHECKS, SCORES, read_table
from evaluation.consistency.spread import REPEAT_OF
from evaluation.reports.content import MissedExpectation, ReportedAnswer, ReportedPassage, ReportedScore

MAX_CLAIMS = 8
MAX_PASSAGES = 8
LONGEST = 4_000


def run_answers(folder: Path) -> tuple[RunManifest, list[ReportedAnswer]]:
    """Return the manifest and the answers of a finished run. Raises `ConfigError` for one that is not what it was."""
    manifest = finished(folder, ANSWERS, SCORES, CHECKS)
    expecting, _ = run_checks(folder)
    scores: dict[str, list[ReportedScore]] = defaultdict(list)
    columns = ("answer_id", "metric", "value", "outcome", "label", "explanation", "evidence")
    for row in read_table(folder / SCORES, columns):
        if row["outcome"] == "scored":
            evidence = orjson.loads(row["evidence"]) if row["evidence"] else []
            scores[row["answer_id"]].append(_score(row, evidence))
    answers = []
    for row in read_table(folder / ANSWERS, ("answer_id", "record")):
        record = orjson.loads(row["record"])
        answer = reported(record, tuple(scores.get(row["answer_id"], ())))
        answers.append(answer.model_copy(update={"expecting": row["answer_id"] in expecting}))
    return manifest, answers


def run_checks(folder: Path) -> tuple[frozenset[str], tuple[MissedExpectation, ...]]:
    """Return the ids of answers of a finished run whose rows have expectations, and the expectations they miss."""
    expecting: set[str] = set()
    missed = []
    for row in read_table(folder / CHECKS, ("answer_id", "expectation", "kept", "why")):
        expecting.add(row["answer_id"])
        if not row["kept"]:
            why = row["why"] or ""
            missed.append(MissedExpectation(answer_id=row["answer_id"], expectation=row["expectation"], why=why))
    return frozenset(expecting), tuple(missed)


def origin_of(manifest: RunManifest) -> Mapping[str, str]:
    """Return what a run was made from, for people: checksums that another machine can compare."""
    told = {"scored as of": manifest.scored_as_of.isoformat(), "Groundwire": manifest.groundwire}
    told |= {f"suite {one.name}": one.sha256 for one in manifest.suite}
    told |= {f"catalog {one.name}": one.sha256 for one in manifest.catalog}
    told |= {f"{kind} {one.name}": one.sha256 for kind, files in manifest.files.items() for one in files}
    told |= {f"seed {name}": str(seed) for name, seed in manifest.seeds.items()}
    return told | {"configuration": manifest.configuration}


def agent_answers(rows: Iterator[Mapping[str, Any]]) -> Iterator[ReportedAnswer]:
    """Yield the scored answers among rows of ``GET /v1/answers``, each with the weight that its sampling gives it."""
    for row in rows:
        evaluation = row.get("evaluation")
        if not isinstance(evaluation, dict):
            continue
        scores = tuple(
            _score(one, one.get("evidence") or [])
            for one in evaluation.get("scores") or ()
            if isinstance(one, dict) and one.get("value") is not None
        )
        probability = row.get("probability")
        weight = 1 / probability if isinstance(probability, int | float) and probability > 0 else 1.0
        record = dict(row.get("answer") or {})
        record["attributes"] = row.get("slice") or record.get("attributes") or {}
        yield reported(record, scores).model_copy(update={"weight": weight})


def reported(record: Mapping[str, Any], scores: tuple[ReportedScore, ...]) -> ReportedAnswer:
    """Return an answer, as JSON has it, with its scores."""
    usage = record.get("usage") or {}
    judging = [judgement.get("usage") or {} for judgement in record.get("judgements") or ()]
    return ReportedAnswer(
        id=str(record.get("id") or ""),
        question=record.get("question"),
        answer=record.get("answer"),
        failed=record.get("status") == "error",
        group=record.get("session_id") or (record.get("attributes") or {}).get(REPEAT_OF),
        attributes=record.get("attributes") or {},
        passages=tuple(_passage(one) for one in (record.get("passages") or ())[:MAX_PASSAGES]),
        cost_usd=usage.get("cost_usd"),
        latency_ms=usage.get("latency_ms"),
        total_tokens=usage.get("total_tokens"),
        identifiers=bool((record.get("case") or {}).get("identifiers")),
        judging_cost_usd=_summed(judging, "cost_usd"),
        judging_tokens=_tokens(judging),
        scores=scores,
    )


def _summed(usages: Sequence[Mapping[str, Any]], name: str) -> Any:
    known = [usage[name] for usage in usages if usage.get(name) is not None]
    return sum(known) if known else None


def _tokens(usages: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the tokens of judgements: the total where it is told, else those of prompt and completion."""
    whole = _summed(usages, "total_tokens")
    parts = [part for name in ("prompt_tokens", "completion_tokens") if (part := _summed(usages, name)) is not None]
    return whole if whole is not None else sum(parts) if parts else None


def _passage(row: Mapping[str, Any]) -> ReportedPassage:
    doc_id, version, text = row.get("doc_id"), row.get("version"), row.get("text")
    document = doc_id if version is None or doc_id is None else f"{doc_id}@{version}"
    return ReportedPassage(id=str(row.get("id")), document=document, text=None if text is None else text[:LONGEST])


def _score(row: Mapping[str, Any], evidence: list[Mapping[str, Any]]) -> ReportedScore:
    claims = tuple(
        (str(one.get("detail")), one.get("passage_id")) for one in evidence[:MAX_CLAIMS] if one.get("kind") == "claim"
    )
    return ReportedScore(
        metric=row["metric"],
        value=row["value"],
        label=row.get("label"),
        explanation=row.get("explanation"),
        claims=claims,
    )
