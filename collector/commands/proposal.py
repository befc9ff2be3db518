"""What configuration fits traffic that was seen: slices, catalog and gates, each with its reason beside it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import yaml

from adapters.keys import KeysFound, KeyValues
from adapters.schema import Answer, Passage
from collector.commands.proposal_gates import ProposedSlicing, proposed_gates
from collector.security.text import one_line
from gates.inputs.slices import RESERVED
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
SECRETS = ("token", "secret_key")
"""Keys that hold a secret themselves; each has one beside it that names a file with the secret."""
MISSING_FILE = "FILE"
"""Name of a file that is not there: the agent does not start before somebody has written the right one."""
COMMONEST = 6
"""Values of a key that are named."""


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
    """The text of a configuration, and what is in it."""

    text: str
    dimensions: tuple[ProposedDimension, ...]
    catalog: str | None
    """The file of documents in force, if there is one."""
    gates: tuple[str, ...]

    @property
    def sliced(self) -> tuple[str, ...]:
        """Dimensions that answers had no value of before this configuration."""
        return tuple(each.name for each in self.dimensions if each.key is not None)

    @property
    def summary(self) -> tuple[str, ...]:
        """What is in it, a line each."""
        slices = ", ".join(f"{each.name} ({len(each.values)} seen, cap {each.cap})" for each in self.dimensions)
        catalog, gates = self.catalog or "learned, or none", ", ".join(self.gates) or "none"
        return (f"slices: {slices}", f"catalog: {catalog}", f"gates: {gates}")


def proposed(
    *,
    answers: Sequence[Answer],
    evaluations: Sequence[Evaluation],
    keys: KeysFound,
    catalog: str | None,
    per_hour: float | None,
    configured: Mapping[str, Any],
    at: datetime,
) -> Proposal:
    """Return a configuration for this traffic.

    ``catalog`` is the file of documents in force, if there is one; ``configured`` is taken over from the agent that
    was watched (`collector.api.running.RunningAgent.configured`).
    """
    services = Counter(answer.service for answer in answers if answer.service)
    dimensions = [ProposedDimension("service", None, services), *_dimensions(keys)]
    passages = [passage for answer in answers for passage in answer.passages or ()]
    sliced = [each for each in dimensions if each.key is not None][:1]
    cut = ProposedSlicing(sliced[0].name, len(sliced[0].values)) if sliced else ProposedSlicing(None, 1)
    parts = [
        _head(answers, per_hour, at),
        *([_kept(configured)] if configured else []),
        _slices(dimensions, keys),
        _catalog(catalog, passages),
        proposed_gates(evaluations, cut, per_hour, dated=catalog is not None or _dated(passages) > 0),
    ]
    text = "\n".join("\n".join(part) + "\n" for part in parts)
    gates = tuple(re.findall(r"^    name: (\S+)$", text, re.MULTILINE))
    return Proposal(text, tuple(dimensions), catalog, gates)


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


def _kept(configured: Mapping[str, Any]) -> list[str]:
    """Return the lines of what the agent that was watched was told, so that its successor takes its place."""
    files: list[str] = []
    text = yaml.safe_dump(_with_files(configured, "", files), sort_keys=False, allow_unicode=True)
    return [
        "# From the agent that was watched: where it listens, what it reads and where its data is. Paths count from",
        "# the directory that the agent is started in.",
        *(f"# {path}: its secret is not told. Write it to a file, and the name of that file here." for path in files),
        *text.splitlines(),
    ]


def _with_files(value: Any, path: str, files: list[str]) -> Any:
    """Return what was configured with the name of a file for each secret; ``files`` gets the keys that need one."""
    if isinstance(value, Mapping):
        told = {}
        for key, below in value.items():
            at = f"{path}.{key}" if path else key
            if key in SECRETS and below is True:
                files.append(f"{at}_file")
                told[f"{key}_file"] = MISSING_FILE
            else:
                told[key] = _with_files(below, at, files)
        return told
    if isinstance(value, list):
        return [_with_files(below, f"{path}[{place}]", files) for place, below in enumerate(value)]
    return value


def _slices(dimensions: Sequence[ProposedDimension], keys: KeysFound) -> list[str]:
    found = [each for each in dimensions if each.key is not None]
    lines = []
    if found:
        lines += [
            "# What traffic is sliced by: a name, and the key of your spans or attribute of your lines that holds it.",
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
        lines.append(f"# Other keys of your traffic: {', '.join(others)}.")
    if not found:
        lines.append("# No key cuts this traffic into a few slices. If yours has one, name it under traces.attributes.")
    return lines


def _dated(passages: Sequence[Passage]) -> int:
    return sum(1 for each in passages if each.effective_from or each.effective_to or each.supersedes or each.version)


def _modified(passages: Sequence[Passage]) -> int:
    return sum(each.modified_at is not None for each in passages)


def _metadata_keys(passages: Sequence[Passage]) -> list[str]:
    counted = Counter(key for each in passages for key in each.metadata or ())
    keys = [one_line(key, 60) for key, _ in counted.most_common(COMMONEST)]
    return [f"# Keys of their metadata: {', '.join(keys)}."] if keys else []


def _catalog(catalog: str | None, passages: Sequence[Passage]) -> list[str]:
    named = sum(1 for each in passages if each.doc_id)
    seen = (
        f"# Of {len(passages):,} passages {named:,} name their document, {_dated(passages):,} a version or effective "
        f"dates, {_modified(passages):,} when it was modified."
    )
    if catalog is not None:
        about = "# The documents in force; the file is watched, and an invalid one is refused."
        return [about, seen, "catalog:", f"  path: {json.dumps(catalog)}"]
    if passages and not named:
        return [
            seen,
            "# So it cannot be known whether one was replaced. Let the application report the id of the document, or",
            "# name the key that holds it under `traces` above, as `passages: {doc_id: [KEY]}`.",
            *_metadata_keys(passages),
            "# Or write a catalog (docs/catalog.md), for a start with `groundwire catalog from directory DIR`:",
            "# catalog:",
            "#   path: policies.yaml",
        ]
    if _dated(passages):
        return [
            seen,
            "# Documents are learned from these passages. That one was replaced is known once the new one is seen;",
            "# a catalog of your own (docs/catalog.md) knows it before. Name it as `path: FILE`.",
            "catalog:",
            "  learn: {}",
        ]
    if _modified(passages):
        return [
            seen,
            "# A list of the files of your source tells which passages are older copies (index_copy_outdated). Make it",
            "# with `groundwire catalog from directory DIR --out catalog.jsonl`, and name it here:",
            "# catalog:",
            "#   path: catalog.jsonl",
        ]
    return [
        seen,
        "# So nothing is known of what is in force. Write a catalog (docs/catalog.md), for a start with",
        "# `groundwire catalog from directory DIR`, and name it here:",
        "# catalog:",
        "#   path: policies.yaml",
    ]
