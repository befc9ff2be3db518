"""`groundwire report`: a run, a comparison, or the traffic of a running agent as one file for people."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from collector.clock import parsed_time
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.commands.compare import directions, left_out_lines
from collector.commands.decisions import slice_of
from collector.commands.objects import object_line
from collector.errors import ConfigError
from collector.reports.bundle import write_bundle
from collector.reports.plots import needs_matplotlib
from collector.reports.reading import agent_answers, origin_of, run_answers, run_checks
from collector.reports.writing import ReportFormat, written
from collector.runs.folder import scored_run
from collector.runs.manifest import RunManifest
from collector.security.text import one_line
from collector.writing import write_whole
from evaluation.comparison.compare import ComparisonRow, compare
from evaluation.comparison.pairing import MOST_APART, PairingError, paired
from evaluation.comparison.spans import SPANS
from evaluation.reports.content import DifferenceFigure, ReportContent, ReportedAnswer, ReportedRun, ReportVerdict
from evaluation.reports.deciding import decided, first_reasons
from evaluation.reports.figures import HEADLINES, run_figures
from evaluation.reports.gating import gate_decision, gate_reasons, gate_section, gated
from evaluation.reports.judged import proxy_section
from gates.base.gate import Gate
from gates.units.duration import format_duration
from scorers import SCORERS

FORMATS: Mapping[str, ReportFormat] = {".html": "html", ".htm": "html", ".md": "md", ".json": "json"}
PAGE = 200
"""Answers of an agent that are read at once."""
MOST = 5_000
"""Answers of an agent that a report is made of: the newest."""
DECISIONS = 50
GATE_REASONS = 4
"""Lines of a gate's reasons, beside those of what it leaves or decides."""
FINE = 0
_UNSAFE = re.compile(r"[^\w.@+-]")
GATED: Mapping[ReportVerdict, int] = {"release": 0, "fine": 0, "hold": 1, "repair": 1, "unclear": 3}
"""Exit codes where a gate decides, as of `groundwire gate`."""


class ReportChoices(NamedTuple):
    """What a report is made of, and how: see the options of the command."""

    by: Sequence[str] | None
    pair: str | None
    group: str | None
    worst: int
    seed: int
    title: str | None
    version: str
    now: datetime


def report_runs(
    folders: Sequence[Path],
    to: Path,
    choices: ReportChoices,
    *,
    bundle: Path | None,
    agent: AskedAgent | None,
    as_json: bool,
    out: TextIO,
    gate: Gate | None = None,
) -> int:
    """Write the report of one run, or of several against the first; return 0. Raises `ConfigError`.

    With a ``gate`` the last run is judged by it, and what is returned is 0 where it passes, 1 where it fails or the
    report says hold, and 3 where it cannot tell.
    """
    form = _form(to)
    read = [run_answers(folder) for folder in folders]
    names = _names(folders, [manifest for manifest, _ in read])
    metrics = {scorer.metric.name: scorer.metric for scorer in SCORERS}
    rng = np.random.default_rng(choices.seed)
    checks = [run_checks(folder) for folder in folders]
    runs = [
        run_figures(
            name, answers, metrics, rng, by=choices.by, worst=choices.worst, origin=origin_of(manifest)
        ).model_copy(update={"expecting": len(expecting), "missed": missed})
        for name, (manifest, answers), (expecting, missed) in zip(names, read, checks, strict=True)
    ]
    compared = _compared(folders, names, choices, rng) if len(folders) > 1 else _Compared()
    differences, uncompared = compared.differences, compared.left_out
    # The newest instant that any answer was scored as of: the same runs give the same report.
    made_at = max(manifest.scored_as_of for manifest, _ in read).isoformat(timespec="seconds")
    kind = f"Comparison of {', '.join(names)}" if len(names) > 1 else f"Run {names[0]}"
    content = _content(
        "comparison" if len(names) > 1 else "run",
        choices.title or kind,
        made_at,
        choices,
        runs,
        differences,
        notes=uncompared,
    )
    content = content.model_copy(
        update={
            "decision": " ".join((content.decision, *(f"{line}." for line in compared.largely_unpaired))),
            "reasons": (*content.reasons, *uncompared),
        }
    )
    proxies = proxy_section(differences)
    if proxies is not None:
        content = content.model_copy(update={"sections": (proxies,)})
    code = FINE
    if gate is not None:
        manifest, answers = read[-1]
        content, code = _gated(gate, names[-1], answers, manifest.scored_as_of, content)
    data = _write(to, written(content, form))
    bundled = None
    if bundle is not None:
        facts = {
            "title": content.title,
            "decision": content.decision,
            "seed": choices.seed,
            "by": list(choices.by or ()),
        }
        digest = write_bundle(bundle, list(zip(names, folders, strict=True)), {to.name: data}, facts)
        bundled = (bundle, digest)
    _told(to, data, content, agent, out, bundled=bundled, as_json=as_json)
    return code


def _gated(
    gate: Gate, name: str, answers: Sequence[ReportedAnswer], at: datetime, content: ReportContent
) -> tuple[ReportContent, int]:
    """Return the report with a gate's verdict over one run as its decision, and the exit code."""
    try:
        verdict = gated(gate, answers, at)
    except ValueError as error:
        raise ConfigError(f"--gate: {one_line(str(error), 600)}") from error
    reasons = first_reasons(gate_reasons(verdict), GATE_REASONS)
    decided_as, decision = gate_decision(name, verdict, (content.verdict, content.decision))
    judged = content.model_copy(
        update={
            "verdict": decided_as,
            "decision": decision,
            "reasons": (*content.reasons, *reasons) if decision == content.decision else (*reasons, *content.reasons),
            "sections": (gate_section(name, verdict), *content.sections),
        }
    )
    return judged, GATED[decided_as]


def report_traffic(
    agent: AskedAgent,
    since: timedelta,
    to: Path,
    choices: ReportChoices,
    *,
    record: bool,
    as_json: bool,
    out: TextIO,
) -> int:
    """Write the report of what an agent scored in the last ``since``; return 0. Raises `ConfigError`."""
    form = _form(to)
    begin = choices.now - since
    rows, left_out = _rows(agent, begin)
    metrics = {scorer.metric.name: scorer.metric for scorer in SCORERS}
    answers = list(agent_answers(iter(rows)))
    rng = np.random.default_rng(choices.seed)
    name = f"the last {format_duration(since)}"
    run = run_figures(name, answers, metrics, rng, by=choices.by, worst=choices.worst)
    decisions = tuple(_decisions(agent, begin))
    notes = [f"{len(rows) - len(answers):,} of {len(rows):,} answers are not scored; means stand for them by sampling."]
    if left_out:
        notes.append(f"There are more answers than {MOST:,}; this is about the newest of them.")
    made_at = choices.now.isoformat(timespec="seconds")
    title = choices.title or f"Traffic of {name}"
    content = _content("traffic", title, made_at, choices, [run], (), decisions=decisions, notes=notes)
    data = _write(to, written(content, form))
    _told(to, data, content, agent if record else None, out, as_json=as_json)
    return 0


def _content(
    kind: Any,
    title: str,
    made_at: str,
    choices: ReportChoices,
    runs: Sequence[ReportedRun],
    differences: Sequence[DifferenceFigure],
    *,
    decisions: Sequence[Mapping[str, str]] = (),
    notes: Sequence[str] = (),
) -> ReportContent:
    verdict, decision, reasons = decided(runs, differences)
    return ReportContent(
        kind=kind,
        title=title,
        made_at=made_at,
        groundwire=choices.version,
        verdict=verdict,
        decision=decision,
        reasons=reasons,
        runs=tuple(runs),
        differences=tuple(differences),
        decisions=tuple(decisions),
        notes=tuple(notes),
    )


def _form(to: Path) -> ReportFormat:
    form = FORMATS.get(to.suffix.lower())
    if form is None:
        raise ConfigError(f"--to {to}: the ending says the form: {', '.join(FORMATS)}")
    if form == "html":
        needs_matplotlib()
    return form


def _names(folders: Sequence[Path], manifests: Sequence[RunManifest]) -> list[str]:
    """Return a name for each run: its folder's, or the one it was given where a folder cannot have that.

    Where two have one name, its whole path.
    """
    names = [
        manifest.name if _UNSAFE.search(manifest.name) else folder.resolve().name
        for folder, manifest in zip(folders, manifests, strict=True)
    ]
    if len(set(names)) < len(names):
        names = [str(folder).strip("/").replace("/", "-") for folder in folders]
    if len(set(names)) < len(names):
        raise ConfigError("give different runs")
    return names


class _Compared(NamedTuple):
    """What differs between runs, and what is not compared: a line for each reason.

    ``largely_unpaired`` are those of runs with so many answers of their own that the decision must say so.
    """

    differences: tuple[DifferenceFigure, ...] = ()
    left_out: tuple[str, ...] = ()
    largely_unpaired: tuple[str, ...] = ()


def _compared(
    folders: Sequence[Path], names: Sequence[str], choices: ReportChoices, rng: np.random.Generator
) -> _Compared:
    runs = [scored_run(folder) for folder in folders]
    baseline, *others = [replace(run, name=name) for run, name in zip(runs, names, strict=True)]
    try:
        sides = [
            (run, paired(baseline, run, key=choices.pair, by=choices.by or (), group=choices.group)) for run in others
        ]
    except PairingError as error:
        raise ConfigError(str(error)) from error
    metrics = directions(baseline, others, ())
    rows = compare(baseline, sides, metrics.compared, rng)
    order = {"worse": 0, "more unscored": 1, "better": 2, "higher": 3, "lower": 3}
    shown = sorted(
        (row for row in rows if row.pairs),
        key=lambda row: (order.get(row.verdict, 4), row.metric not in HEADLINES, not row.differing, row.metric),
    )
    told = {run.name: (pairs.told(baseline.name, run.name), pairs.left_out) for run, pairs in sides if pairs.left_out}
    return _Compared(
        tuple(map(_difference, shown)),
        (
            *(line.strip() for line in left_out_lines(metrics.left_out)),
            *(line for line, _ in told.values()),
            *(pairs.differently_asked for _, pairs in sides if pairs.differently_asked),
        ),
        tuple(line for line, share in told.values() if share > MOST_APART),
    )


def _difference(row: ComparisonRow) -> DifferenceFigure:
    interval = None if row.compared is None else row.compared.interval
    return DifferenceFigure(
        run=row.run,
        metric=row.metric,
        better=row.better,
        slice="all" if row.attribute is None else f"{row.attribute}={row.value}",
        pairs=row.pairs,
        baseline=row.baseline,
        candidate=row.candidate,
        difference=row.difference,
        low=None if interval is None else float(interval.low),
        high=None if interval is None else float(interval.high),
        p_holm=row.holm,
        detectable=row.detectable,
        span=SPANS.get(row.metric) or max(abs(row.baseline or 0.0), abs(row.candidate or 0.0)) or 1.0,
        verdict=row.verdict,
    )


def _rows(agent: AskedAgent, begin: datetime) -> tuple[list[Mapping[str, Any]], bool]:
    """Return the newest answers since ``begin``, and whether there are more than are read."""
    rows: list[Mapping[str, Any]] = []
    before: Any = None
    while len(rows) < MOST:
        body = agent.get("/v1/answers", {"limit": PAGE, "before": before})
        page = rows_of(body, "answers")
        fresh = [row for row in page if (at := parsed_time(row.get("arrived_at"))) is None or at >= begin]
        rows += fresh
        before = body.get("next")
        if not page or before is None or len(fresh) < len(page):
            return rows, False
    return rows[:MOST], True


def _decisions(agent: AskedAgent, begin: datetime) -> Iterator[Mapping[str, str]]:
    for row in rows_of(agent.get("/v1/decisions", {"order": "newest", "limit": DECISIONS}), "decisions"):
        at = parsed_time(row.get("at"))
        if at is not None and at >= begin and row.get("gate") != "reports":
            yield {
                "seq": str(row.get("seq")),
                "at": str(row.get("at")),
                "gate": one_line(str(row.get("gate"))),
                "slice": slice_of(row),
                "state": str(row.get("state")),
                "reason": one_line(str(part_of(row, "record").get("reason") or ""), 400),
            }


def _write(to: Path, text: str) -> bytes:
    """Write a report whole or not at all: one that was cut short would be taken for a report."""
    data = text.encode()
    write_whole(to, data)
    return data


def _told(
    to: Path,
    data: bytes,
    content: ReportContent,
    agent: AskedAgent | None,
    out: TextIO,
    *,
    bundled: tuple[Path, str] | None = None,
    as_json: bool,
) -> None:
    """Print what was written, and what the report decides; record it at an ``agent`` first, if there is one."""
    digest, seq = hashlib.sha256(data).hexdigest(), None
    if agent is not None:
        body = {"sha256": digest, "title": content.title[:200], "decision": content.decision[:400]}
        seq = agent.post("/v1/reports", body).get("seq")
    if as_json:
        told = {"report": str(to), "sha256": digest, "verdict": content.verdict, "decision": content.decision}
        named = None if bundled is None else {"file": str(bundled[0]), "sha256": bundled[1]}
        out.write(object_line({**told, "bundle": named, "recorded_as": seq}))
        return
    if bundled is not None:
        out.write(f"{bundled[0]}: {bundled[1]}\n")
    out.write(f"{to}: {content.decision}\n")
    if agent is not None:
        out.write(f"recorded as decision {seq}: {digest}\n")
