"""Renders the page about sources: per source and field what arrives, what is lost, and why."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.dialects.base import Carrier
from adapters.exports.langfuse import LOST_BY_API as LOST_BY_LANGFUSE
from adapters.exports.mlflow import LOST_BY_API as LOST_BY_MLFLOW
from adapters.exports.phoenix import LOST_BY_API as LOST_BY_PHOENIX
from adapters.exports.run_tree import LOST_BY_RUN_TREE
from docs.makers.carried import CARRIERS, FIELDS
from docs.makers.recorded import table

_INTRODUCTION = """# Sources

Which fields of an answer each source delivers, which are lost, and why. "yes" means that the field arrives if the
application reports it; a number refers to the note below the table. `null` in an answer means that its source did not
report the value.

This page is generated from the adapters by `make docs`; tests check it against recorded traces of real applications.

## Instrumentations

Their spans arrive over OTLP (HTTP or gRPC, spans and logs), over the path that the Langfuse SDK posts to, from OTLP
files, and from servers that Groundwire pulls.
"""

_RECORDED = """## Frameworks

Applications recorded with the real libraries, and how much of what they knew their traces tell. Each asks one question;
where nothing else is said, it searches and its model answers from what was found. What is partial or absent is not in
the spans.
"""

_WAYS: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("OTLP over HTTP or gRPC, OTLP files", "Everything the instrumentation exported.", {}),
    ("Phoenix, pulled or exported", "Everything the instrumentation exported, except:", LOST_BY_PHOENIX),
    ("Langfuse, pulled or exported", "Everything the instrumentation exported, except:", LOST_BY_LANGFUSE),
    ("MLflow's tracking server, pulled", "Everything that was traced, session and user too, except:", LOST_BY_MLFLOW),
    ("LangChain and LangSmith run trees", "The same as from LangSmith's OTel mode, except:", LOST_BY_RUN_TREE),
    (
        "JSON lines of answers",
        (
            "Every field of [the answer](reference/answer.schema.json): taken as the line states it. The rest is read "
            "from metadata of passages and from marks in the answer."
        ),
        {},
    ),
)


def source_page() -> str:
    """Return the page as Markdown."""
    notes: dict[str, int] = {}
    titles = [carrier.title for carrier in CARRIERS]
    lines = [_INTRODUCTION, f"| field | {' | '.join(titles)} |", f"| --- |{' --- |' * len(titles)}"]
    for name in FIELDS:
        cells = [_cell(carrier, name, notes) for carrier in CARRIERS]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    lines.append("")
    lines += [f"{number}. {note[0].upper()}{note[1:]}." for note, number in notes.items()]
    lines += ["", _RECORDED, *table(), "", "## Ways in", ""]
    for title, what, lost in _WAYS:
        lines += [f"### {title}", "", what, ""]
        if lost:
            lines += ["| field | why |", "| --- | --- |", *(f"| `{name}` | {why} |" for name, why in lost.items()), ""]
    return "\n".join(lines).rstrip() + "\n"


def _cell(carrier: Carrier, name: str, notes: dict[str, int]) -> str:
    if name in carrier.lost:
        note, mark = carrier.lost[name], "lost"
    elif name in carrier.seldom:
        note, mark = carrier.seldom[name], "yes"
    else:
        return "yes"
    number = notes.setdefault(note, len(notes) + 1)
    return f"{mark} ({number})"
