"""What configuration fits traffic that was seen: slices, catalog and gates, each with its reason beside it."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from adapters.keys import KeysFound, KeyValues
from adapters.schema import Answer, Passage
from collector.security.text import one_line
from gates.inputs.observations import Batch, Observation
from gates.inputs.slices import RESERVED
from gates.threshold import ThresholdGate
from scorers.base import Evaluation

MAX_SLICES = 2
"""Dimensions beside the service: each multiplies the series, and divides the answers that a gate has."""
FEWEST_SHARE = 0.5
"""Share of traces that must carry a key."""
MOST_VALUES = 30
PER_VALUE = 3
"""Traces that each value of a key has on average at least: ids have one."""
CAPS = (10, 20, 50, 100)
LIKELY = ("domain", "topic", "category", "tenant", "team", "product", "region", "language", "locale", "channel")
"""Names that people slice by, preferred among keys that would do."""
COMMONEST = 6
"""Values of a key that are named."""
FEW = 20
"""Scored answers below which a limit is a guess."""
LEAST_STALE = 0.05
SLACK = 0.15
MARGIN = 0.05
MOST_NEEDED = 1024
_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class ProposedDimension(NamedTuple):
    """A slice dimension: its name, the key of spans that holds it (``None`` for the service), and its values."""

    name: str
    key: str | None
    values: Mapping[str, int]

    @property
    def cap(self) -> int:
        """Values admitted: twice as many as were seen at least."""
        return next((cap for cap in CAPS if cap >= 2 * len(self.values)), CAPS[-1])


@dataclass(frozen=True, slots=True)
class Proposal:
    """The text of a configuration, and what is in it, a line each."""

    text: str
    summary: tuple[str, ...]


def proposed(
    *,
    answers: Sequence[Answer],
    evaluations: Sequence[Evaluation],
    keys: KeysFound,
    catalog: str | None,
    per_hour: float | None,
    at: datetime,
) -> Proposal:
    """Return a configuration for this traffic. ``catalog`` is the file of documents in force, if there is one."""
    services = Counter(answer.service for answer in answers if answer.service)
    dimensions = [ProposedDimension("service", None, services), *_dimensions(keys)]
    passages = [passage for answer in answers for passage in answer.passages or ()]
    parts = [
        _head(answers, per_hour, at),
        _slices(dimensions, keys),
        _catalog(catalog, passages),
        _gates(evaluations, dimensions, per_hour, dated=catalog is not None or _dated(passages) > 0),
    ]
    text = "\n".join("\n".join(part) + "\n" for part in parts)
    names = ", ".join(f"{each.name} ({len(each.values)} seen, cap {each.cap})" for each in dimensions)
    gates = ", ".join(re.findall(r"^    name: (\S+)$", text, re.MULTILINE)) or "none"
    return Proposal(text, (f"slices: {names}", f"catalog: {catalog or 'learned, or none'}", f"gates: {gates}"))


def _dimensions(keys: KeysFound) -> list[ProposedDimension]:
    """Return the keys that cut traffic into a few slices, the likeliest first."""
    fit = [each for each in keys.keys if _fits(each, keys.traces) and _name(each.key) not in {"service", None}]
    fit.sort(key=lambda each: (_likely(each.key), -each.traces, len(each.values), each.key))
    chosen: dict[str, ProposedDimension] = {}
    for each in fit:
        name = _name(each.key)
        if name is not None and name not in chosen and len(chosen) < MAX_SLICES:
            chosen[name] = ProposedDimension(name, each.key, each.values)
    return list(chosen.values())


def _fits(each: KeyValues, traces: int) -> bool:
    few = 2 <= len(each.values) <= MOST_VALUES and not each.more  # noqa: PLR2004 - one value cuts nothing
    return few and each.traces >= FEWEST_SHARE * traces and each.traces >= PER_VALUE * len(each.values)


def _likely(key: str) -> int:
    words = re.split(r"[^a-z]+", key.lower())
    return next((place for place, name in enumerate(LIKELY) if name in words), len(LIKELY))


def _name(key: str) -> str | None:
    """Return the name of a dimension for a key; ``None`` where it can have none.

    >>> _name("app.Domain"), _name("__name__")
    ('domain', None)
    """
    name = re.sub(r"[^a-zA-Z0-9_]+", "_", key.rpartition(".")[2]).strip("_").lower()[:60]
    return name if re.fullmatch(r"[a-z][a-z0-9_]*", name) and name not in RESERVED and name != "name" else None


def _head(answers: Sequence[Answer], per_hour: float | None, at: datetime) -> list[str]:
    rate = "" if per_hour is None else f", about {per_hour:,.0f} an hour"
    return [
        f"# Written by `groundwire init` on {at:%Y-%m-%d} from {len(answers):,} answers{rate}.",
        "# All keys with their defaults: docs/reference/configuration.md. Check it with `groundwire check`.",
    ]


def _slices(dimensions: Sequence[ProposedDimension], keys: KeysFound) -> list[str]:
    found = [each for each in dimensions if each.key is not None]
    lines = []
    if found:
        lines += [
            "# What traffic is sliced by: a name, and the key in your spans that holds it.",
            "traces:",
            "  attributes:",
        ]
        lines += [f"    {each.name}: {json.dumps(each.key)}" for each in found]
    lines += [
        "# Each slice is judged and exposed by itself. Beyond `cap`, values share one slice, __other__.",
        "slices:",
    ]
    for each in dimensions:
        common = sorted(each.values, key=lambda value: (-each.values[value], value))[:COMMONEST]
        seen = ", ".join(one_line(value, 40) for value in common)
        more = f" and {len(each.values) - COMMONEST} more" if len(each.values) > COMMONEST else ""
        lines.append(f"  - {{name: {each.name}, cap: {each.cap}}}  # {len(each.values)} seen: {seen}{more}")
    others = [one_line(each.key, 60) for each in keys.keys if each.key not in {one.key for one in found}][:COMMONEST]
    if others:
        lines.append(f"# Other keys of your spans: {', '.join(others)}.")
    if not found:
        lines.append("# No key cuts this traffic into a few slices. If yours has one, name it under traces.attributes.")
    return lines


def _dated(passages: Sequence[Passage]) -> int:
    return sum(1 for each in passages if each.effective_from or each.effective_to or each.supersedes or each.version)


def _catalog(catalog: str | None, passages: Sequence[Passage]) -> list[str]:
    named = sum(1 for each in passages if each.doc_id)
    seen = f"# Of {len(passages):,} passages {named:,} name their document, {_dated(passages):,} a version or dates."
    if catalog is not None:
        about = "# The documents in force; the file is watched, and an invalid one is refused."
        return [about, seen, "catalog:", f"  path: {json.dumps(catalog)}"]
    if _dated(passages):
        return [
            seen,
            "# Documents are learned from these passages. That one was replaced is known once the new one is seen;",
            "# a catalog of your own (docs/catalog.md) knows it before. Name it as `path: FILE`.",
            "catalog:",
            "  learn: {}",
        ]
    return [
        seen,
        "# So nothing is known of what is in force. Write a catalog (docs/catalog.md), for a start with",
        "# `groundwire catalog from directory DIR`, and name it here:",
        "# catalog:",
        "#   path: policies.yaml",
    ]


def _gates(
    evaluations: Sequence[Evaluation], dimensions: Sequence[ProposedDimension], per_hour: float | None, *, dated: bool
) -> list[str]:
    cut = [each for each in dimensions if each.key is not None][:1]
    by, slices = [each.name for each in cut], len(cut[0].values) if cut else 1
    each_hour = None if per_hour is None else per_hour / slices
    lines = ["# What is judged. A gate fails or passes on a confidence bound, never for want of answers: then it is"]
    lines += ["# inconclusive. `groundwire gate plan --config FILE` simulates what to expect at your traffic."]
    gates: list[str] = []
    stale = _values(evaluations, "stale_source_use")
    if dated and (stale or not evaluations):
        gates += _stale(stale, by, slices, each_hour)
    support = _values(evaluations, "claim_support")
    if support:
        gates += _support(support, by, slices, each_hour)
    if not gates:
        lines += [
            "# No metric that needs no setting up has values on this traffic: `groundwire doctor` says what is absent.",
            "gates: []",
        ]
        return lines
    return [*lines, "gates:", *gates]


def _values(evaluations: Sequence[Evaluation], metric: str) -> list[float]:
    return [score.value for each in evaluations for score in each.scores if score.metric == metric]


def _stale(values: Sequence[float], by: Sequence[str], slices: int, each_hour: float | None) -> list[str]:
    mean = sum(values) / len(values) if values else 0.0
    limit = max(LEAST_STALE, math.ceil(100 * (mean + LEAST_STALE)) / 100)
    gate = ThresholdGate(type="threshold", name="freshness", metric="stale_source_use", at_most=limit, by=tuple(by))
    notes = [
        "  # How many answers rest on a superseded or expired document while a current one exists.",
        f"  # Seen: {100 * mean:.1f} % of {len(values):,} scored answers.",
        f"  # {_expect(gate, mean, 1.0, slices, each_hour)}",
    ]
    return [*notes, *_threshold(gate, "at_most", limit, by)]


def _support(values: Sequence[float], by: Sequence[str], slices: int, each_hour: float | None) -> list[str]:
    mean = sum(values) / len(values)
    limit = max(0.05, math.floor(20 * (mean - SLACK)) / 20)
    gate = ThresholdGate(type="threshold", name="support", metric="claim_support", at_least=limit, by=tuple(by))
    few = " This is a guess: too few answers were scored." if len(values) < FEW else ""
    notes = [
        "  # How far the passages support what answers claim, from 0 to 1.",
        f"  # Seen: {mean:.2f} on {len(values):,} scored answers.{few}",
        f"  # {_expect(gate, mean, 0.0, slices, each_hour)}",
    ]
    drift = [
        "  # The same against its own past, for falls that stay above the limit. It needs a reference first:",
        "  # by default 300 answers of each slice over a day at least.",
        "  - type: drift",
        "    name: support-drift",
        "    metric: claim_support",
        "    worse: lower",
        *_by(by),
    ]
    release = [
        "  # Whether a release is worse than the one before, for pipelines. Unless your spans carry service.version,",
        "  # announce it with `groundwire change deploy --version VERSION`; until then this is inconclusive.",
        "  - type: release",
        "    name: canary",
        "    metric: claim_support",
        "    worse: lower",
        f"    margin: {MARGIN:g}",
    ]
    return [*notes, *_threshold(gate, "at_least", limit, by), *drift, *release]


def _threshold(gate: ThresholdGate, key: str, limit: float, by: Sequence[str]) -> list[str]:
    head = ["  - type: threshold", f"    name: {gate.name}", f"    metric: {gate.metric}"]
    return [*head, f"    {key}: {limit:g}", *_by(by), f"    min_answers: {gate.min_answers}"]


def _by(by: Sequence[str]) -> list[str]:
    return [f"    by: [{', '.join(by)}]"] if by else []


def _expect(gate: ThresholdGate, usual: float, worst: float, slices: int, each_hour: float | None) -> str:
    """Return how many answers the gate needs: to pass on values as they are, and to fail where all are the worst."""
    passing, failing = needed(gate, usual, "pass", slices), needed(gate, worst, "fail", slices)
    words = []
    if passing is not None:
        soon = "" if not each_hour else f" ({_length(passing / each_hour)} at this rate)"
        words.append(f"passes after about {passing:,} such answers of a slice{soon}")
    if failing is not None:
        words.append(f"fails after about {failing:,} bad ones in a row")
    return f"Expect: it {', '.join(words)}." if words else "Expect: it needs more answers than a window may hold."


def needed(gate: ThresholdGate, value: float, state: str, slices: int) -> int | None:
    """Return the least number of answers of each slice, all of this value, over which the gate has this state.

    ``None`` where `MOST_NEEDED` do not suffice.
    """
    low, high = 1, MOST_NEEDED
    if _state(gate, value, high, slices) != state:
        return None
    while low < high:
        middle = (low + high) // 2
        if _state(gate, value, middle, slices) == state:
            high = middle
        else:
            low = middle + 1
    return high


def _state(gate: ThresholdGate, value: float, n: int, slices: int) -> str:
    at = _NOON
    seen = [
        Observation(
            at=at,
            answer_id=f"{part}-{number}",
            metric=gate.metric,
            value=value,
            probability=1,
            slice=dict.fromkeys(gate.by, str(part)),
        )
        for part in range(slices if gate.by else 1)
        for number in range(n)
    ]
    return gate.verdict(gate.fold(gate.initial(), Batch.of(seen)), at).state


def _length(hours: float) -> str:
    if hours >= 48:  # noqa: PLR2004 - two days
        return f"{hours / 24:.0f} days"
    return f"{hours:.0f} h" if hours >= 2 else f"{max(1, round(hours * 60))} min"  # noqa: PLR2004 - two hours
