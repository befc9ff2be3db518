"""Which keys spans and answers in lines carry, and how many values each has: what traffic can be sliced by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from adapters import ADAPTERS
from adapters.assembly.tree import let_go, views_of
from adapters.assembly.view import View
from adapters.base import AdaptOptions
from adapters.schema import Answer
from adapters.trace import Span, Trace

MAX_KEYS = 300
MAX_VALUES = 100
"""Distinct values of one key that are counted; beyond them it is no slice anyway."""
MAX_CHARS = 100
NAME = re.compile(r"[a-z][a-z0-9_]*")
"""An attribute that a slice can be named by."""
OWN = re.compile(
    r"^(openinference|llm|gen_ai|input|output|retrieval|embedding|reranker|document|message|tool|tag|metadata|session|"
    r"user|telemetry|process|host|os|container|k8s|cloud|service|deployment|otel|traceloop|langfuse|langsmith|ls|"
    r"langgraph|lc|ai|mlflow|spring|http|url|server|client|network|net|db|rpc|exception|code|thread|span|trace|run)([._]|$)"
)
"""Keys of instrumentations and of what runs the application: the same for all traffic, or different for each answer."""


class KeyValues(BaseModel):
    """One key: how many traces carry it, and with which values; ``more``: it has more values than are counted."""

    model_config = ConfigDict(frozen=True)

    key: str
    traces: int
    values: Mapping[str, int]
    more: bool = False


class KeysFound(BaseModel):
    """The keys of so many traces, those that most of these carry first."""

    model_config = ConfigDict(frozen=True)

    traces: int
    keys: tuple[KeyValues, ...] = ()

    def beside(self, other: KeysFound) -> KeysFound:
        """Return these keys and those of other traffic.

        >>> here, there = (KeysFound(traces=n, keys=[KeyValues(key="r", traces=n, values={"eu": n})]) for n in (1, 2))
        >>> both = here.beside(there)
        >>> both.traces, both.keys[0].values
        (3, {'eu': 3})
        """
        count = KeyCount()
        for each in (self, other):
            count.traces += each.traces
            for row in each.keys:
                count.take(row.key, Counter(row.values), more=row.more)
        return count.result()


@dataclass
class KeyCount:
    """Counts the keys of traces, within bounds whatever they hold."""

    traces: int = 0
    _found: dict[str, Counter[str]] = field(default_factory=dict)
    _more: set[str] = field(default_factory=set)

    def add(self, trace: Trace, options: AdaptOptions) -> None:
        """Count the keys of a trace, each with its first value: that of metadata, then of root and resource."""
        self._add(_pairs(trace, options))

    def add_answer(self, answer: Answer) -> None:
        """Count the attributes of an answer that came as a line: slices are cut from them by their names."""
        self._add(pair for pair in _scalars(answer.attributes) if NAME.fullmatch(pair[0]))

    def take(self, key: str, values: Counter[str], *, more: bool = False) -> None:
        """Count values of a key, each as often as it was seen."""
        if key not in self._found and len(self._found) >= MAX_KEYS:
            return
        counted = self._found.setdefault(key, Counter())
        for value, times in values.items():
            if value in counted or len(counted) < MAX_VALUES:
                counted[value] += times
            else:
                more = True
        if more:
            self._more.add(key)

    def _add(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.traces += 1
        seen: dict[str, str] = {}
        for key, value in pairs:
            if len(key) <= MAX_CHARS and len(value) <= MAX_CHARS:
                seen.setdefault(key, value)
        for key, value in seen.items():
            self.take(key, Counter((value,)))

    def result(self) -> KeysFound:
        """Return what was counted."""
        rows = [
            KeyValues(key=key, traces=values.total(), values=dict(values.most_common()), more=key in self._more)
            for key, values in self._found.items()
        ]
        return KeysFound(traces=self.traces, keys=tuple(sorted(rows, key=lambda row: (-row.traces, row.key))))


def _pairs(trace: Trace, options: AdaptOptions) -> Iterator[tuple[str, str]]:
    claimed: dict[type[View], list[Span]] = {adapter.view: [] for adapter in ADAPTERS}
    for span in trace.spans:
        reader = next((adapter for adapter in ADAPTERS if adapter.claims(span)), None)
        if reader is not None:
            claimed[reader.view].append(span)
    views = views_of(trace, claimed, json_limit=options.max_json_chars)
    for view in views:
        yield from _scalars(view.metadata or {})
    let_go(views)
    for span in trace.spans:
        if span.parent_id is None:
            yield from _scalars(span.attributes)
            yield from _scalars(span.resource)


def _scalars(pairs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in pairs.items():
        if OWN.match(key.lower()):
            continue
        if isinstance(value, bool):
            yield key, "true" if value else "false"
        elif isinstance(value, str | int) and str(value).strip():
            yield key, str(value)
