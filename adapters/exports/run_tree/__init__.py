"""Run trees of LangChain and LangSmith, as spans of LangSmith's dialect.

LangChain's tracers hand out a tree of runs, LangSmith's API and exports give them flat; as JSON both are the same
objects, and they hold what the SDK writes into spans (`adapters.dialects.langsmith`), so they become those spans and
are read by the same view.

Source: langsmith-sdk, python/langsmith/schemas.py (0.14), and docs.langchain.com/langsmith/run-data-format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.base import MalformedRecord
from adapters.exports.run_tree.run import RunOrigin, parent_of, span_of
from adapters.ids import trace_id_of
from adapters.trace import Span
from adapters.wire.decoded import Decoded

LOST_BY_RUN_TREE: Mapping[str, str] = {
    "service": "runs have no resource, and a project is not a service",
    "environment": "runs have no resource",
}
"""What OTLP carries of a run, and its JSON does not."""

MAX_RUNS = 1_000_000
"""Most runs of one value: what is beyond is refused with its place."""

_KEYS = ("trace_id", "parent_run_id", "dotted_order", "start_time", "inputs")
_NO_PAGE = ("run_type", "question")


def is_run(value: Any) -> bool:
    """Tell whether ``value`` is a run, or LangSmith's answer with a page of them.

    >>> is_run({"id": "1", "run_type": "chain", "inputs": {}}), is_run({"question": "", "answer": ""})
    (True, False)
    """
    if not isinstance(value, dict):
        return False
    if _is_page(value):
        return bool(value["runs"]) and is_run(value["runs"][0])
    return isinstance(value.get("run_type"), str) and "id" in value and any(key in value for key in _KEYS)


def spans_of_runs(value: Any) -> Decoded:
    """Turn a run, a tree of runs or a list of either into spans; a run that is none is told with its place.

    >>> start = "2026-11-20T10:02:34.206128+00:00"
    >>> spans_of_runs([{"id": "a", "run_type": "llm", "name": "Model", "start_time": start}, 7]).malformed
    (MalformedRecord('[1]: not a run: expected an object'),)
    """
    found = _Found()
    waiting = list(_top(value, ""))[::-1]
    while waiting:
        origin = waiting.pop()
        if len(found.spans) >= MAX_RUNS:
            found.malformed.append(MalformedRecord(f"more than {MAX_RUNS} runs", origin.where))
            break
        waiting += list(_below(origin, found.take(origin)))[::-1]
    return found.decoded()


@dataclass(frozen=True, slots=True)
class _Found:
    spans: list[Span] = field(default_factory=list)
    malformed: list[MalformedRecord] = field(default_factory=list)
    traceless: dict[int, str] = field(default_factory=dict)
    """Where in ``spans`` those are whose trace is known to the run above them only, and the id of that run."""

    def take(self, origin: RunOrigin) -> Span | None:
        try:
            span = span_of(origin)
        except MalformedRecord as error:
            self.malformed.append(error)
            return None
        if not span.trace_id:
            self.traceless[len(self.spans)] = parent_of(origin.run) or ""
        self.spans.append(span)
        return span

    def decoded(self) -> Decoded:
        known = {span.span_id: span for span in self.spans}
        above = {self.spans[number].span_id: run for number, run in self.traceless.items()}
        traces: dict[str, str] = {}
        for number in self.traceless:
            span = self.spans[number]
            passed: list[str] = []
            while not span.trace_id and span.span_id not in traces:
                # Of the highest of them, if it turns out that none knows its trace.
                traces[span.span_id] = trace_id_of(above[span.span_id])
                passed.append(span.span_id)
                span = known.get(span.parent_id or "", span)
            trace = span.trace_id or traces[span.span_id]
            traces |= dict.fromkeys(passed, trace)
            self.spans[number] = replace(self.spans[number], trace_id=trace)
        return Decoded(tuple(self.spans), tuple(self.malformed))


def _is_page(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("runs"), list) and value.keys().isdisjoint(_NO_PAGE)


def _top(value: Any, where: str) -> Iterator[RunOrigin]:
    if _is_page(value):
        value, where = value["runs"], f"{where}.runs".lstrip(".")
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        yield RunOrigin(value, where)
        return
    for number, run in enumerate(value):
        place = f"{where}[{number}]"
        if _is_page(run):
            yield from _top(run, place)
        else:
            yield RunOrigin(run, place)


def _below(origin: RunOrigin, span: Span | None) -> Iterator[RunOrigin]:
    """Yield the runs nested in one; where it is malformed itself they hang below what it hangs below."""
    children = origin.run.get("child_runs") if isinstance(origin.run, dict) else None
    if not isinstance(children, list):
        return
    trace, parent = (origin.trace_id, origin.parent_id) if span is None else (span.trace_id or None, span.span_id)
    for number, child in enumerate(children):
        yield RunOrigin(child, f"{origin.where}.child_runs[{number}]".lstrip("."), trace, parent)
