"""A report as a file: one self-contained HTML page that asks nothing of anybody, Markdown, or JSON.

Text of answers and passages is hostile: it stands as text in HTML, and in Markdown without what would be markup.
"""

from __future__ import annotations

import hashlib
import math
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined

from collector.reports.plots import plots_of
from collector.reports.summary import NAME, summary_text
from collector.security.text import one_line, visible
from evaluation.reports.content import ReportContent, ReportedRun, ReportSection
from gates.verdicts.summary import counted

ReportFormat = Literal["html", "md", "json"]
PACKAGE = "collector.reports"
THOUSAND = 1000
LEAST_P = 0.0001
"""What a smaller p-value is said to be below."""
MOST_MISSED = 50
"""Missed expectations that a page shows; JSON has all."""
_MARKUP = re.compile(r"(`[\w.]+`)|([\\`*\[\]|~]|(?<!\w)_|_(?!\w)|^[-+#=]+(?=\s|$))")
"""What would be markup, beside a name in backticks, which stays one."""


def written(content: ReportContent, form: ReportFormat) -> str:
    """Return a report in the form that is asked for; the same content gives the same text."""
    if form == "json":
        return content.model_dump_json(indent=2) + "\n"
    return html(content) if form == "html" else markdown(content)


def html(content: ReportContent) -> str:
    """Return the page. It holds its style and its plots, and a policy that lets a browser load nothing else."""
    style = resources.files(PACKAGE).joinpath("templates/report.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = (
        _environment()
        .get_template("report.html")
        .render(
            content=content,
            plots=plots_of(content),
            style=style,
            style_digest=digest,
            most_missed=MOST_MISSED,
            summary_name=NAME,
            summary=summary_text(content.summary),
        )
    )
    return page.lstrip()


def markdown(content: ReportContent) -> str:
    """Return the report as Markdown, without plots and with the questions of the worst answers alone."""
    return "\n".join(_markdown(content)) + "\n"


def figure(value: float | None) -> str:
    """Return a number as reports write it; nothing for none.

    >>> figure(0.0270270), figure(1234567), figure(None)
    ('0.027', '1,234,567', '')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return "unbounded"
    return f"{value:,.0f}" if abs(value) >= THOUSAND else f"{value:.3g}"


def _markdown(content: ReportContent) -> Iterator[str]:
    yield f"# {_plain(content.title)}"
    yield f"\n**{_plain(content.decision, 600)}**\n"
    yield from (f"- {_plain(line, 400)}" for line in content.reasons)
    for run in content.runs:
        if run.repairs:
            yield f"\n## What to repair first in {_plain(run.name)}\n"
            for place, step in enumerate(run.repairs, 1):
                yield f"{place}. {_plain(step.what)}: {counted(step.answers)}. {_plain(step.advice, 300)}".rstrip()
    for section in content.sections:
        yield from _section(section)
    if content.differences:
        yield "\n## Differences\n"
        yield from _table(
            ("metric", "verdict", "p (Holm)", "slice", "run", "baseline", "mean", "difference", "interval", "pairs"),
            [
                (
                    row.metric,
                    row.verdict,
                    "" if row.p_holm is None else f"{row.p_holm:.4f}" if row.p_holm >= LEAST_P else f"< {LEAST_P}",
                    row.slice,
                    row.run,
                    figure(row.baseline),
                    figure(row.candidate),
                    figure(row.difference),
                    _interval(row.low, row.high),
                    figure(row.pairs),
                )
                for row in content.differences
            ],
        )
    for run in content.runs:
        yield from _run(run)
    if content.decisions:
        yield "\n## Decisions\n"
        heads = ("seq", "at", "gate", "slice", "state", "reason")
        yield from _table(heads, [tuple(str(row[name]) for name in heads) for row in content.decisions])
    if content.notes:
        yield "\n## What this cannot show\n"
        yield from (f"- {_plain(line, 400)}" for line in content.notes)
    yield f"\nMade {_time(content.made_at)} by Groundwire {content.groundwire}. Intervals are of 95 %."


def _run(run: ReportedRun) -> Iterator[str]:
    yield f"\n## {_plain(run.name)}\n"
    yield f"{_counted(run)}\n"
    yield from _table(
        ("family", "metric", "answers", "mean", "interval"),
        [
            (row.family, row.metric, figure(row.n), figure(row.mean), _interval(row.low, row.high))
            for row in run.metrics
        ],
    )
    if run.missed:
        yield f"\n### Expectations missed\n\n{_missed(run)}\n"
        yield from _table(
            ("row", "expected", "why it was missed"),
            [(one.answer_id, one.expectation, one.why) for one in run.missed[:MOST_MISSED]],
        )
    for title, rows in (("Caps of the composite score", run.caps), ("Categories of failure", run.categories)):
        if rows:
            yield f"\n### {title}\n"
            yield from _table(
                ("name", "answers", "of"), [(row.name, figure(row.count), figure(row.of)) for row in rows]
            )
    if run.slices:
        yield "\n### Slices\n"
        yield from _table(
            ("slice", "answers", "with a fault", run.headline or "", "interval"),
            [
                (
                    f"{row.attribute}={row.value}",
                    figure(row.n),
                    figure(row.faults),
                    figure(row.mean),
                    _interval(row.low, row.high),
                )
                for row in run.slices
            ],
        )
    if run.usage:
        yield "\n### Cost and latency\n"
        yield from _table(
            ("of each answer", "answers", "mean", "median", "95th percentile", "99th percentile", "total"),
            [
                (
                    f"{row.name} ({row.unit})",
                    figure(row.n),
                    figure(row.mean),
                    figure(row.median),
                    figure(row.p95),
                    figure(row.p99),
                    figure(row.total),
                )
                for row in run.usage
            ],
        )
    for section in run.sections:
        yield from _section(section)
    if said := _listed(run):
        yield f"\n### The worst answers\n\n{said}\n"
        yield from (f"- {_plain(one.id, 80)}: {_plain(one.question or '', 300)}" for one in run.worst)


def _section(section: ReportSection) -> Iterator[str]:
    yield f"\n### {_plain(section.title)}\n"
    if section.says:
        yield f"{_plain(section.says, 600)}\n"
    yield from _table(section.head, section.rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(_plain(head) for head in heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    yield from ("| " + " | ".join(_plain(cell, 300) for cell in row) + " |" for row in rows)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{figure(low)} to {figure(high)}"


def _counted(run: ReportedRun) -> str:
    if not run.categories and not run.failed:
        return f"{counted(run.answers, 'answer')}; nothing tells whether they have a fault."
    told = [counted(run.answers, "answer"), f"{run.faults.count:,} with a fault"]
    if run.unjudged:
        told.append(f"{len(run.unjudged):,} without a claim that was judged")
    if run.failed:
        told.append(f"{run.failed:,} in which the application failed")
    return f"{', '.join(told)}."


def _listed(run: ReportedRun) -> str:
    """Return which answers stand among the worst, and what is known of the others; nothing where there are none."""
    known, listed = run.faults.count + len(run.unjudged), len(run.worst)
    if not run.categories:
        return f"{listed:,} of {counted(run.answers, 'answer')}, the lowest by {run.headline}." if listed else ""
    if listed < known:
        return f"{listed:,} of {known:,} that have a fault or were not judged."
    others = run.answers - listed
    if not listed:
        return "No answer has a known fault."
    return f"No fault is known of the other {counted(others, 'answer')}." if others else "These are all answers."


def _missed(run: ReportedRun) -> str:
    rows = len({one.answer_id for one in run.missed})
    more = len(run.missed) - MOST_MISSED
    first = f" The first {MOST_MISSED} are:" if more > 0 else ""
    return f"{rows:,} of {run.expecting:,} rows miss something.{first}"


def _plain(text: str, limit: int = 200) -> str:
    said = _MARKUP.sub(lambda found: found[1] or f"\\{found[2]}", one_line(text, limit))
    return said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cell(text: object, limit: int = 200) -> str:
    return "" if text is None else one_line(str(text), limit)


def _time(at: str) -> str:
    """Return a time as pages write it.

    >>> _time("2026-11-30T06:52:41+00:00")
    '2026-11-30 06:52 UTC'
    """
    told = datetime.fromisoformat(at)
    return f"{told if told.tzinfo is None else told.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(PACKAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "figure": figure,
        "time": _time,
        "counted": _counted,
        "listed": _listed,
        "missed": _missed,
        "cell": _cell,
        "visible": lambda text: visible(text, len(text)),
    }
    return environment
