"""What a decision record rules out, and what it recommends: from the ledger, and from the answers where they tell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from gates.attributed import Attribution, Finding
from gates.base import Outcome
from gates.causes import CAUSES, Cause
from gates.changes import ChangeKind
from gates.record import JUDGE, Examined, Mix, Recommendation, RecordedChange

BROUGHT_WITHIN = timedelta(minutes=10)
"""How soon after a release or an index its first answers show what came with it."""
_BRINGS: tuple[tuple[ChangeKind, frozenset[ChangeKind]], ...] = (
    ("deploy", frozenset({"model", "prompt", "index", "retriever", "documents"})),
    ("index", frozenset({"documents"})),
)
MAX_DOCUMENTS = 100
"""Documents that a recommendation names."""
HALF = 0.5
"""Less than half of a change is not what carries it."""

Looked = tuple[tuple[Examined, ...], tuple[Examined, ...], tuple[Examined, ...]]


def causes(
    changes: Sequence[RecordedChange],
    metrics: Sequence[str],
    mix: Mix | None,
    attribution: Attribution | None = None,
) -> Looked:
    """Return the causes that are shown to carry a fall, those that are excluded, and those that are open.

    ``changes`` are all since the last pass that touch the slice. A change that the ledger does not know is excluded as
    far as the answers would have shown it.
    """
    found: Looked = ((), (), ())
    for kind, cause in CAUSES.items():
        rows = [row for row in changes if row.kind == kind and (kind != "scorer" or row.component in (*metrics, JUDGE))]
        place, detail = _of_kind(rows, changes, attribution)
        found = _with(found, place, cause, detail)
    return _with(found, *_of_mix(mix, attribution))


_CARRYING, _EXCLUDED, _OPEN = range(3)


def _with(found: Looked, place: int, cause: Cause, detail: str) -> Looked:
    carrying, excluded, left = (
        (*rows, Examined(cause=cause, detail=detail)) if place == number else rows for number, rows in enumerate(found)
    )
    return carrying, excluded, left


def _of_kind(
    rows: Sequence[RecordedChange], changes: Sequence[RecordedChange], attribution: Attribution | None
) -> tuple[int, str]:
    if not rows:
        return _EXCLUDED, "no change in the ledger"
    findings = {each.seq: each for each in attribution.suspects} if attribution is not None else {}
    carriers = [row for row in changes if row.seq in findings and findings[row.seq].standing == "carries"]
    detail = "; ".join(
        _told(row) + (f": {findings[row.seq].detail}" if row.seq in findings else "") for row in rows[-3:]
    )
    if any(row in carriers for row in rows):
        return _CARRYING, detail
    brought = any(_brought(part, row) for part in carriers for row in rows)
    if not brought and all(row.seq in findings and findings[row.seq].standing == "excluded" for row in rows):
        return _EXCLUDED, detail
    return _OPEN, detail


def _of_mix(mix: Mix | None, attribution: Attribution | None) -> tuple[int, Cause, str]:
    if (
        attribution is not None
        and attribution.mix is not None
        and attribution.total is not None
        and attribution.total.change
    ):
        moved, whole = attribution.mix, attribution.total
        told = f"another mix alone moved the mean by {moved.lower:+.3g} to {moved.upper:+.3g} of {whole.change:+.3g}"
        if attribution.kind in ("mix", "quality within strata and mix"):
            return _CARRYING, "traffic_mix", told
        worst = moved.upper if whole.change > 0.0 else moved.lower
        if attribution.kind == "quality within strata" and worst / whole.change < HALF:
            return _EXCLUDED, "traffic_mix", told
    if mix is None:
        return _OPEN, "traffic_mix", "no traffic to compare with"
    found = (
        f"shares of slices moved by {mix.shift:.3f}, at most {min(1.0, mix.shift + mix.slack):.3f} with 95 % "
        f"confidence ({mix.before} answers before, {mix.after} after)"
    )
    return (_EXCLUDED if mix.steady else _OPEN), "traffic_mix", found


def recommend(
    state: Outcome,
    changes: Sequence[RecordedChange],
    metrics: Sequence[str],
    attribution: Attribution | None = None,
) -> Recommendation:
    """Return what to do, from the changes since the last pass that touch the slice, and what the answers say of them.

    A roll-back is recommended of what the answers show to carry the fall, or where one component changed, not the
    measure, and they do not speak against it: else it would be a guess. What a release or an index brought along, as
    the answers showed soon after it, is part of it.

    >>> recommend("fail", [], ["claim_support"]).action, recommend("pass", [], ["claim_support"]).action
    ('hold', 'none')
    """
    if state == "pass":
        return Recommendation(action="none", reason="the gate passes")
    if state == "inconclusive":
        return Recommendation(action="hold", reason="there is not enough evidence either way")
    measured = [row for row in changes if row.kind == "scorer" and row.component in (*metrics, JUDGE)]
    if measured:
        return Recommendation(action="hold", reason=f"the measure itself changed: {_told(measured[-1])}")
    served = [row for row in changes if row.kind != "scorer"]
    if attribution is not None:
        if attribution.kind == "mix":
            return Recommendation(action="hold", reason=f"the mix of traffic: {attribution.summary}")
        held, served = _narrowed(served, attribution)
        if held is not None:
            return Recommendation(action="hold", reason=held)
    if not served:
        return Recommendation(action="hold", reason="no change since the last pass is known")
    heads = _causing(served)
    kinds = {CAUSES[row.kind] for row in heads}
    if len(kinds) > 1:
        return Recommendation(action="hold", reason=f"several things changed: {', '.join(sorted(kinds))}")
    return _undone(heads, attribution)


def _narrowed(served: Sequence[RecordedChange], attribution: Attribution) -> tuple[str | None, list[RecordedChange]]:
    """Return why to hold, if the answers say so, and the changes that are left by what they say."""
    findings = {each.seq: each for each in attribution.suspects}
    carriers = [row for row in served if _stands(findings, row, "carries")]
    if carriers:
        return None, [row for row in served if row in carriers or any(_brought(part, row) for part in carriers)]
    tied = [row for row in served if _stands(findings, row, "not told apart")]
    for row in tied:
        if not findings[row.seq].rivals:
            return f"it need not have begun with {_told(row)}", []
    if tied:
        heads = _causing(tied)
        kinds = {CAUSES[row.kind] for row in heads}
        if len(kinds) > 1:
            return f"not told apart: {', '.join(sorted(kinds))}", []
        return None, tied
    left = [row for row in served if not _stands(findings, row, "excluded")]
    if attribution.unknown:
        return "answers that no known change touched got worse", left
    if served and not left:
        return "no known change carries it", left
    return None, left


def _stands(findings: dict[int, Finding], row: RecordedChange, standing: str) -> bool:
    return row.seq in findings and findings[row.seq].standing == standing


def _undone(rows: Sequence[RecordedChange], attribution: Attribution | None) -> Recommendation:
    newest = rows[-1]
    if newest.kind != "documents":
        return Recommendation(
            action="roll_back",
            reason=_told(newest),
            component=CAUSES[newest.kind],
            scope=newest.scope,
            version=newest.version,
            to_version=newest.previous,
        )
    names = tuple(dict.fromkeys(name for row in rows for name in row.documents))
    if not names:
        return Recommendation(action="hold", reason="documents changed and it is not known which")
    parts = attribution.parts if attribution is not None else ()
    worse = {part.value for part in parts if part.worse and part.dimension == "document"}
    blamed = tuple(name for name in names if name in worse) or names
    return Recommendation(
        action="quarantine_documents", reason=_told(newest), scope=newest.scope, documents=blamed[:MAX_DOCUMENTS]
    )


def _causing(rows: Sequence[RecordedChange]) -> list[RecordedChange]:
    """Return the changes that are not part of another one: not what a newer release or index only brought along."""
    return [row for row in rows if not any(_brought(row, head) for head in rows)]


def _brought(part: RecordedChange, head: RecordedChange) -> bool:
    """Whether ``part`` is what ``head`` brought along, as answers showed soon after it."""
    kinds = {kind for parent, parts in _BRINGS if parent == head.kind for kind in parts}
    soon = timedelta() <= part.at - head.at <= BROUGHT_WITHIN
    return part.kind in kinds and part.source == "observed" and soon


def _told(row: RecordedChange) -> str:
    what = ", ".join(row.documents[:3]) if row.documents else row.component
    before, after = (
        f" {word} {value}" if value else "" for word, value in (("from", row.previous), ("to", row.version))
    )
    where = ", ".join(f"{name}={value}" for name, value in sorted(row.scope.items()))
    return f"{what}{before}{after} at {row.at.isoformat()}{f' ({where})' if where else ''}, {row.source}"
