"""The verdict that somebody asks for: over one release, over some slices, and never over anything else.

A deployment tool asks for the release it is about to promote. At that moment a gate may judge the release before, or
none at all: then the answer is ``inconclusive`` and says so, whatever the verdict over that other one is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from gates.base.verdict import CODES, Outcome, SliceVerdict, Verdict
from gates.verdicts.pending import held
from gates.verdicts.summary import NAMED_SLICES, slice_name, summary

MAX_VALUE = 256
"""Characters of a version or of a slice's value; announced ones have no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a gate: the versions its verdict has to be over, and the slices; by default any."""

    candidate: str | None = None
    baseline: str | None = None
    slice: Mapping[str, str] = field(default_factory=dict)


def verdict_body(
    name: str,
    verdict: Verdict | None,
    *,
    fresh: bool,
    trouble: str = "",
    question: Question | None = None,
    slices: bool = True,
) -> dict[str, Any]:
    """Return the answer of gate ``name`` to ``question``, as the API sends it.

    It is inconclusive before the first judgement, and when the judge has gone silent (not ``fresh``): an old verdict
    says nothing about now. It is inconclusive too where it is not over what the question names. Where slices have
    releases of their own, it is over those with the one that is asked for. While no evidence is taken in, as
    ``trouble`` says, nothing passes.
    """
    asked = question or Question()
    if verdict is not None and trouble:
        verdict = held(verdict, trouble)
    parts: Sequence[SliceVerdict] = ()
    state: Outcome = "inconclusive"
    no_data = True
    candidate, baseline = (None, None) if verdict is None else (verdict.candidate, verdict.baseline)
    if verdict is None:
        reason = "not judged yet"
    elif not fresh:
        reason = f"not judged since {rfc3339(verdict.at)}"
    elif (other := _other(verdict, asked)) is not None:
        reason = other
    elif not asked.slice and asked.candidate in (None, verdict.candidate):
        parts, state, reason, no_data = verdict.slices, verdict.state, verdict.reason, verdict.no_data
    else:
        parts = [part for part in verdict.slices if _asked_of(part, verdict, asked)]
        state, reason = summary(parts, f"no slice with {slice_name(asked.slice)} has been judged")
        no_data = not any(part.n for part in parts)
        candidate = _common((_candidate(part, verdict) for part in parts), candidate)
        baseline = _common((_baseline(part, verdict) for part in parts), baseline)
    body: dict[str, Any] = {
        "gate": name,
        "state": state,
        "code": CODES[state],
        "no_data": no_data,
        "reason": reason,
        "candidate": candidate,
        "baseline": baseline,
        "log_e_rollback": _log(_measured(parts, "e_rollback"), any_slice=True),
        "log_e_promote": _log(_measured(parts, "e_promote"), any_slice=False),
        "n_candidate": _count(_measured(parts, "n_candidate")),
        "n_baseline": _count(_measured(parts, "n_baseline")),
        "evaluated_at": None if verdict is None else rfc3339(verdict.at),
        "evidence_until": None if verdict is None or (until := verdict.evidence_until) is None else rfc3339(until),
        "pending": None if verdict is None else verdict.pending,
        "policy_version": None if verdict is None else verdict.policy_version,
    }
    if slices:
        # What is not finite becomes null on the way: no figure of a slice may cost the verdict.
        body["slices"] = [orjson.loads(part.model_dump_json()) for part in parts]
    return body


def rfc3339(at: datetime) -> str:
    """Return an aware time as RFC 3339 writes it, in UTC.

    >>> rfc3339(datetime(2026, 1, 1, tzinfo=UTC))
    '2026-01-01T00:00:00Z'
    """
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _asked_of(part: SliceVerdict, verdict: Verdict, asked: Question) -> bool:
    """Whether a slice is one of those asked for, and has the release that is asked for."""
    released = asked.candidate in (None, _candidate(part, verdict))
    return released and asked.slice.items() <= part.slice.items()


def _candidate(part: SliceVerdict, verdict: Verdict) -> str | None:
    """Return the release that a slice is judged with."""
    return verdict.candidate if part.candidate is None else part.candidate


def _baseline(part: SliceVerdict, verdict: Verdict) -> str | None:
    """Return the release that the one of a slice is compared with."""
    return verdict.baseline if part.baseline is None else part.baseline


def _common(versions: Iterable[str | None], otherwise: str | None) -> str | None:
    """Return the version that slices have in common, ``otherwise`` where there are none, or several."""
    known = set(versions)
    return known.pop() if len(known) == 1 else otherwise


def _other(verdict: Verdict, asked: Question) -> str | None:
    """Return why a verdict is not the one asked for, ``None`` where it is."""
    if asked.candidate is not None and (why := _not_released(verdict, asked.candidate, asked.slice)) is not None:
        return why
    parts = [part for part in verdict.slices if _asked_of(part, verdict, asked)]
    baseline = _common((_baseline(part, verdict) for part in parts), verdict.baseline)
    if asked.baseline in (None, baseline):
        return None
    if baseline is None:
        return f"asked for baseline {asked.baseline!r}, but the verdict names no baseline ({verdict.reason})"
    return f"asked for baseline {asked.baseline!r}, but the verdict is over baseline {baseline!r}"


def _not_released(verdict: Verdict, wanted: str, slice_: Mapping[str, str]) -> str | None:
    """Return why no slice that is asked for has the release ``wanted``, ``None`` where one has."""
    mine = [part for part in verdict.slices if slice_.items() <= part.slice.items()]
    versions = {slice_name(part.slice) or "all traffic": _candidate(part, verdict) for part in verdict.slices}
    known = [f"{name} has {version!r}" for name, version in versions.items() if version is not None]
    if any(_candidate(part, verdict) == wanted for part in mine) or (not known and wanted == verdict.candidate):
        return None
    told = f"asked for candidate {wanted!r}, but"
    if slice_ and known:
        return f"{told} no slice with {slice_name(slice_)} has that release: {_listed(known)}"
    if verdict.candidate is not None:
        return f"{told} the verdict is over candidate {verdict.candidate!r}"
    if known:
        return f"{told} no slice has that release: {_listed(known)}"
    return f"{told} the verdict names no candidate ({verdict.reason})"


def _listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them, the first few."""
    rest = len(names) - NAMED_SLICES
    return ", ".join([*names[:NAMED_SLICES], *([f"and {rest:,} more"] if rest > 0 else [])])


def _measured(parts: Iterable[SliceVerdict], name: str) -> list[float]:
    return [part.evidence[name] for part in parts if name in part.evidence]


def _log(values: Sequence[float], *, any_slice: bool) -> float | None:
    """Return the logarithm of the e-value over all slices.

    That some slice is worse is tested by their mean. A promotion needs every slice, so the least of them decides.
    """
    if not values:
        return None
    value = sum(values) / len(values) if any_slice else min(values)
    # Evidence starts from nothing after an alarm, and nothing has no logarithm.
    return math.log(value) if 0.0 < value < math.inf else None


def _count(values: Sequence[float]) -> int | None:
    return int(sum(values)) if values else None
