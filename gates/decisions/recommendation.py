"""What a decision record rules out, and what it recommends: from the ledger, and from the answers where they tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gates.attribution.causes import CAUSES, Cause
from gates.attribution.report import Attribution, Finding
from gates.base import Outcome
from gates.decisions.contested import Failed
from gates.decisions.record import JUDGE, Examined, Mix, Recommendation, RecordedChange
from gates.decisions.serving import Ledger, brought

MAX_DOCUMENTS = 100
"""Documents that a recommendation names."""
HALF = 0.5
"""Less than half of a change is not what carries it."""

UNFAILED: Mapping[Outcome, Recommendation] = {
    "pass": Recommendation(action="none", reason="the gate passes"),
    "inconclusive": Recommendation(action="hold", reason="there is not enough evidence either way"),
}
"""What to do where nothing fails."""

Looked = tuple[tuple[Examined, ...], tuple[Examined, ...], tuple[Examined, ...]]


def causes(
    changes: Sequence[RecordedChange],
    metrics: Sequence[str],
    mix: Mix | None,
    attribution: Attribution | None = None,
    failed: Failed | None = None,
) -> Looked:
    """Return the causes that are shown to carry a fall, those that are excluded, and those that are open.

    ``changes`` are all since the last pass that touch the slice. A change that the ledger does not know is excluded as
    far as the answers would have shown it; a release that the gate has ``failed`` never is.
    """
    found: Looked = ((), (), ())
    for kind, cause in CAUSES.items():
        rows = [row for row in changes if row.kind == kind and (kind != "scorer" or row.component in (*metrics, JUDGE))]
        place, detail = _of_kind(rows, changes, attribution)
        if failed is not None and cause == failed.cause and place == _EXCLUDED:
            place, detail = _OPEN, f"the gate fails {failed.title}; {detail}"
        found = _with(found, place, cause, detail)
    place, cause, detail = _of_mix(mix, attribution)
    # Both arms of a release are served the same traffic.
    return _with(found, _OPEN if failed is not None and place == _CARRYING else place, cause, detail)


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
        told(row) + (f": {findings[row.seq].detail}" if row.seq in findings else "") for row in rows[-3:]
    )
    if any(row in carriers for row in rows):
        return _CARRYING, detail
    part_of = any(brought(part, row) for part in carriers for row in rows)
    if not part_of and all(row.seq in findings and findings[row.seq].standing == "excluded" for row in rows):
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
    *,
    failed: Failed | None = None,
    ledger: Ledger | None = None,
) -> Recommendation:
    """Return what to do, from the changes since the last pass that touch the slice, and what the answers say of them.

    A rollback is recommended of what the answers show to carry the fall, or where one component changed, not the
    measure, and they do not speak against it: else it would be a guess. What a release or an index brought along, as
    the answers showed soon after it, is part of it. Where the gate has ``failed`` a release, nothing is taken back that
    is no part of it. Nothing is rolled back that by the ``ledger`` (by default these changes) is not served any more,
    and nothing to a version that was itself taken back.

    >>> recommend("fail", [], ["claim_support"]).action, recommend("pass", [], ["claim_support"]).action
    ('hold', 'none')
    """
    if state != "fail":
        return UNFAILED[state]
    measured = [row for row in changes if row.kind == "scorer" and row.component in (*metrics, JUDGE)]
    if measured:
        return Recommendation(action="hold", reason=f"the measure itself changed: {told(measured[-1])}")
    served = [row for row in changes if row.kind != "scorer"]
    if attribution is not None:
        if attribution.kind == "mix":
            why = "the mix of traffic" if failed is None else f"not told apart: {failed.title}, the mix of traffic"
            return Recommendation(action="hold", reason=f"{why}: {attribution.summary}")
        held, served = _narrowed(served, attribution, failed)
        if held is not None:
            return Recommendation(action="hold", reason=held)
    if not served:
        return Recommendation(action="hold", reason="no change since the last pass is known")
    heads = _causing(served)
    kinds = {CAUSES[row.kind] for row in heads}
    own = heads
    if failed is not None:
        related = failed.related(changes)
        own = [row for row in heads if row.seq in related]
        if not own:
            return Recommendation(action="hold", reason=_untold(failed, heads))
    if len(kinds) > 1:
        return Recommendation(action="hold", reason=f"several things changed: {', '.join(sorted(kinds))}")
    return _undone(own, attribution, ledger or Ledger(changes))


def _narrowed(
    served: Sequence[RecordedChange], attribution: Attribution, failed: Failed | None
) -> tuple[str | None, list[RecordedChange]]:
    """Return why to hold, if the answers say so, and the changes that are left by what they say."""
    findings = {each.seq: each for each in attribution.suspects}
    carriers = [row for row in served if _stands(findings, row, "carries")]
    if carriers:
        return None, [row for row in served if row in carriers or any(brought(part, row) for part in carriers)]
    tied = [row for row in served if _stands(findings, row, "not told apart")]
    for row in tied:
        if not findings[row.seq].rivals:
            return _untold(failed, tied) if failed is not None else f"it need not have begun with {told(row)}", []
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


def _untold(failed: Failed, rows: Sequence[RecordedChange]) -> str:
    others = sorted({CAUSES[row.kind] for row in rows} - {failed.cause})
    if not others:
        return f"not told apart: the gate fails {failed.title}, and it is not shown to carry the fall"
    return f"not told apart: {', '.join([failed.title, *others])}"


def _stands(findings: dict[int, Finding], row: RecordedChange, standing: str) -> bool:
    return row.seq in findings and findings[row.seq].standing == standing


def _undone(rows: Sequence[RecordedChange], attribution: Attribution | None, ledger: Ledger) -> Recommendation:
    newest = rows[-1]
    if newest.kind != "documents":
        return _rolled_back(rows, ledger)
    names = tuple(dict.fromkeys(name for row in rows for name in row.documents))
    if not names:
        return Recommendation(action="hold", reason="documents changed and it is not known which")
    parts = attribution.parts if attribution is not None else ()
    worse = {part.value for part in parts if part.worse and part.dimension == "document"}
    blamed = tuple(name for name in names if name in worse) or names
    return Recommendation(
        action="quarantine_documents", reason=told(newest), scope=newest.scope, documents=blamed[:MAX_DOCUMENTS]
    )


def _rolled_back(rows: Sequence[RecordedChange], ledger: Ledger) -> Recommendation:
    """Return the newest of these changes as what to roll back, as far as the ledger says that it can be."""
    newest = rows[-1]
    served = [row for row in rows if ledger.replaced_by(row) is None and not ledger.takes_back(row)]
    if served and all(ledger.repeats(row) for row in served):
        why = f"{_named(served[-1])} was served before, too: {told(served[-1])}"
        return Recommendation(action="hold", reason=why, scope=newest.scope)
    served = [row for row in served if not ledger.repeats(row)]
    if not served:
        end = ledger.replaced_by(newest)
        why = (
            f"rolled back already: {told(newest)}"
            if end is None
            else f"{_named(newest)} is no longer served: {told(end)}"
        )
        return Recommendation(action="hold", reason=why, scope=newest.scope)
    newest = served[-1]
    if newest.previous is not None and ledger.was_taken_back(newest.previous, newest):
        why = f"{newest.previous} was rolled back itself: {told(newest)}"
        return Recommendation(action="hold", reason=why, scope=newest.scope)
    return Recommendation(
        action="roll_back",
        reason=told(newest),
        component=CAUSES[newest.kind],
        scope=newest.scope,
        version=newest.version,
        to_version=None if newest.previous == newest.version else newest.previous,
    )


def _causing(rows: Sequence[RecordedChange]) -> list[RecordedChange]:
    """Return the changes that are not part of another one: not what a newer release or index only brought along."""
    return [row for row in rows if not any(brought(row, head) for head in rows)]


def _named(row: RecordedChange) -> str:
    return row.component if row.version is None else f"{row.component} {row.version}"


def told(row: RecordedChange) -> str:
    """Return a change as a sentence tells it."""
    what = ", ".join(row.documents[:3]) if row.documents else row.component
    before, after = (
        f" {word} {value}" if value else "" for word, value in (("from", row.previous), ("to", row.version))
    )
    where = ", ".join(f"{name}={value}" for name, value in sorted(row.scope.items()))
    return f"{what}{before}{after} at {row.at.isoformat()}{f' ({where})' if where else ''}, {row.source}"
