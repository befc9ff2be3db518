"""What a decision record rules out, and what it recommends: from the ledger, and from the answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from gates.attribution.causes import CAUSES, Cause
from gates.attribution.drilldown import DOCUMENT
from gates.attribution.report import Attribution, Finding, Standing
from gates.base.gate import JUDGE
from gates.base.verdict import Outcome
from gates.decisions.contested import Failed
from gates.decisions.record import Examined, Mix, Recommendation, RecordedChange
from gates.decisions.serving import Ledger, brought
from gates.inputs.changes import ChangeSource, shown_version

MAX_DOCUMENTS = 100
"""Documents that a recommendation names."""
HALF = 0.5
"""Less than half of a change does not explain it."""

UNFAILED: Mapping[Outcome, Recommendation] = {
    "pass": Recommendation(action="none", reason="the gate passes"),
    "inconclusive": Recommendation(action="hold", reason="not enough evidence either way"),
}
"""What to do where nothing fails."""

Bearing = Literal["carrying", "excluded", "open"]
"""Where an examined cause goes in a record."""


class Causes(NamedTuple):
    """The causes that are shown to explain a fall, those that are excluded, and those that are open."""

    carrying: tuple[Examined, ...]
    excluded: tuple[Examined, ...]
    open: tuple[Examined, ...]


def examine(
    changes: Sequence[RecordedChange],
    metrics: Sequence[str],
    mix: Mix | None,
    attribution: Attribution | None = None,
    failed: Failed | None = None,
    *,
    unknown: Collection[Cause] = (),
) -> Causes:
    """Return what is found of every possible cause of a fall.

    ``changes`` are all since the last pass that touch the slice. A cause that did not change is excluded, unless it is
    ``unknown`` because no version of it is reported; a release that the gate has ``failed`` never is. One that it
    failed against what was served at the same time carries the failure, and what reached both arms alike does not.
    """
    places: dict[Bearing, list[Examined]] = {"carrying": [], "excluded": [], "open": []}
    for kind, cause in CAUSES.items():
        rows = [row for row in changes if row.kind == kind and (kind != "scorer" or row.component in (*metrics, JUDGE))]
        place, detail = _of_kind(rows, changes, attribution) if rows else _unchanged(known=cause not in unknown)
        if failed is not None:
            place, detail = _of_failed(cause, place, detail, rows, changes, failed)
        places[place].append(Examined(cause=cause, detail=detail))
    place, detail = _of_mix(mix, attribution)
    # Both arms of a release are served the same traffic.
    place = "open" if failed is not None and place == "carrying" else place
    places[place].append(Examined(cause="traffic_mix", detail=detail))
    return Causes(*map(tuple, places.values()))


def _unchanged(*, known: bool) -> tuple[Bearing, str]:
    """Return where a cause goes of which the ledger has no change: that nobody would have told rules nothing out."""
    if known:
        return "excluded", "known, and unchanged in the ledger"
    return "open", "not known: answers report no version of it, and no change of it was ever announced"


def _of_kind(
    rows: Sequence[RecordedChange], changes: Sequence[RecordedChange], attribution: Attribution | None
) -> tuple[Bearing, str]:
    findings = {each.seq: each for each in attribution.suspects} if attribution is not None else {}
    carriers = [row for row in changes if _has_standing(findings, row, "carries")]
    detail = "; ".join(
        change_text(row) + (f": {findings[row.seq].detail}" if row.seq in findings else "") for row in rows[-3:]
    )
    if any(row in carriers for row in rows):
        return "carrying", detail
    part_of = any(brought(part, row) for part in carriers for row in rows)
    excluded = not part_of and all(_has_standing(findings, row, "excluded") for row in rows)
    return "excluded" if excluded else "open", detail


def _of_failed(
    cause: Cause,
    place: Bearing,
    detail: str,
    rows: Sequence[RecordedChange],
    changes: Sequence[RecordedChange],
    failed: Failed,
) -> tuple[Bearing, str]:
    """Return where a cause goes in the record of a release that fails."""
    if not rows and cause == failed.cause:
        detail = "no change of it is in the ledger"
    if not failed.concurrent:
        if cause == failed.cause and place == "excluded":
            return "open", f"the gate fails {failed.title}; {detail}"
        return place, detail
    if cause == failed.cause:
        return "carrying", detail if failed.compared in detail else f"{failed.compared}; {detail}"
    related = failed.related(changes)
    if place == "carrying" and not any(row.seq in related for row in rows):
        return "open", f"it reached both arms alike; {detail}"
    return place, detail


def _of_mix(mix: Mix | None, attribution: Attribution | None) -> tuple[Bearing, str]:
    if attribution is not None and attribution.mix and attribution.total and attribution.total.change:
        moved, whole = attribution.mix, attribution.total
        detail = f"the traffic mix moved the mean by {moved.lower:+.3g} to {moved.upper:+.3g} of {whole.change:+.3g}"
        if attribution.kind in ("mix", "quality within strata and mix"):
            return "carrying", detail
        worst = moved.upper if whole.change > 0.0 else moved.lower
        if attribution.kind == "quality within strata" and worst / whole.change < HALF:
            return "excluded", detail
    if mix is None:
        return "open", "no earlier traffic to compare with"
    return "excluded" if mix.steady else "open", (
        f"slice shares shifted by {mix.shift:.3f}, at most {min(1.0, mix.shift + mix.slack):.3f} with 95 % confidence"
        f" ({mix.before} answers before, {mix.after} after)"
    )


def recommend(
    state: Outcome,
    changes: Sequence[RecordedChange],
    metrics: Sequence[str],
    attribution: Attribution | None = None,
    *,
    failed: Failed | None = None,
    ledger: Ledger | None = None,
    unknown: Sequence[Cause] = (),
) -> Recommendation:
    """Return what to do, from the changes since the last pass that touch the slice, and what the answers say of them.

    A rollback is recommended of what the answers show to explain the fall, or where one component changed, not the
    metric, and they do not speak against it: else it would be a guess. What a release or an index brought along, as
    the answers showed soon after it, is part of it. Where the gate has ``failed`` a release, nothing is taken back that
    is no part of it; one that it failed against what was served at the same time is taken back, whatever the answers
    before and after show. Nothing is rolled back that by the ``ledger`` (by default these changes) is not served any
    more, and nothing to a version that was itself taken back.

    >>> recommend("fail", [], ["claim_support"]).action, recommend("pass", [], ["claim_support"]).action
    ('hold', 'none')
    """
    if state != "fail":
        return UNFAILED[state]
    ledger = ledger or Ledger(changes)
    if failed is not None and failed.concurrent:
        return _withdrawn(failed, changes, ledger)
    measured = [row for row in changes if row.kind == "scorer" and row.component in (*metrics, JUDGE)]
    if measured:
        return _hold(f"the metric itself changed: {change_text(measured[-1])}")
    served = [row for row in changes if row.kind != "scorer"]
    if attribution is not None:
        if attribution.kind == "mix":
            why = "the traffic mix shifted" if failed is None else f"cannot tell apart: {failed.title}, the traffic mix"
            return _hold(f"{why}: {attribution.summary}")
        why, served = _narrowed(served, attribution, failed)
        if why:
            return _hold(why)
    if not served:
        return _hold(_nothing_known(ledger, unknown) if failed is None else _unrecorded(failed))
    return _of_served(served, changes, attribution, failed, ledger)


def _nothing_known(ledger: Ledger, unknown: Sequence[Cause]) -> str:
    since = "of the last day, and the gate never passed" if ledger.since is None else "since the gate last passed"
    blind = (
        f"; of {', '.join(unknown)} no version is reported, so that a change of it would not show" if unknown else ""
    )
    return f"no change is known {since}{blind}"


def _of_served(
    served: Sequence[RecordedChange],
    changes: Sequence[RecordedChange],
    attribution: Attribution | None,
    failed: Failed | None,
    ledger: Ledger,
) -> Recommendation:
    """Return what to do about the changes that may explain a fall."""
    heads = _causing(served)
    kinds = {CAUSES[row.kind] for row in heads}
    own = heads
    if failed is not None:
        related = failed.related(changes)
        own = [row for row in heads if row.seq in related]
        if not own:
            others = {CAUSES[row.kind] for row in heads} - {failed.cause}
            return _hold(_unexplained(failed, heads) if others else _unrecorded(failed))
    if len(kinds) > 1:
        return _hold(f"several components changed: {', '.join(sorted(kinds))}")
    return _undone(own, attribution, ledger)


def _withdrawn(failed: Failed, changes: Sequence[RecordedChange], ledger: Ledger) -> Recommendation:
    """Return how to take back a release that is worse than what was served at the same time."""
    related = failed.related(changes)
    own = _causing([row for row in changes if row.seq in related])
    if own:
        asked = _rolled_back(own, ledger)
        if asked.action == "hold" or asked.to_version is not None or asked.component != failed.cause:
            return asked
        return asked.model_copy(update={"to_version": failed.baseline})
    if failed.version is None or failed.baseline is None:
        return _hold(_unrecorded(failed))
    return Recommendation(
        action="roll_back",
        reason=failed.compared,
        component=failed.cause,
        version=failed.version,
        to_version=failed.baseline,
    )


def _hold(reason: str, scope: Mapping[str, str] | None = None) -> Recommendation:
    return Recommendation(action="hold", reason=reason, scope=scope or {})


def _narrowed(
    served: Sequence[RecordedChange], attribution: Attribution, failed: Failed | None
) -> tuple[str, list[RecordedChange]]:
    """Return why to hold, empty if the answers do not say so, and the changes that are left by what they say."""
    findings = {each.seq: each for each in attribution.suspects}
    carriers = [row for row in served if _has_standing(findings, row, "carries")]
    if carriers:
        return "", [row for row in served if row in carriers or any(brought(part, row) for part in carriers)]
    tied = [row for row in served if _has_standing(findings, row, "not told apart")]
    alone = next((row for row in tied if not findings[row.seq].rivals), None)
    if alone is not None:
        why = f"the fall may not have started with this change: {change_text(alone)}"
        return (why if failed is None else _unexplained(failed, tied)), []
    if tied:
        kinds = {CAUSES[row.kind] for row in _causing(tied)}
        return (f"cannot tell apart: {', '.join(sorted(kinds))}" if len(kinds) > 1 else ""), tied
    left = [row for row in served if not _has_standing(findings, row, "excluded")]
    if attribution.unknown:
        return "answers that no known change touched got worse", left
    return ("no known change explains the fall" if served and not left else ""), left


def _unexplained(failed: Failed, rows: Sequence[RecordedChange]) -> str:
    others = sorted({CAUSES[row.kind] for row in rows} - {failed.cause})
    if not others:
        return f"the gate fails {failed.title}, but the fall is not shown to come from it"
    return f"cannot tell apart: {', '.join([failed.title, *others])}"


def _unrecorded(failed: Failed) -> str:
    return (
        f"the gate fails {failed.title}, but no change to it is recorded, so what it replaced is unknown: route its"
        " traffic back, and announce releases with `groundwire change`"
    )


def _has_standing(findings: Mapping[int, Finding], row: RecordedChange, standing: Standing) -> bool:
    return row.seq in findings and findings[row.seq].standing == standing


def _undone(rows: Sequence[RecordedChange], attribution: Attribution | None, ledger: Ledger) -> Recommendation:
    newest = rows[-1]
    if newest.kind != "documents":
        return _rolled_back(rows, ledger)
    names = tuple(dict.fromkeys(name for row in rows for name in row.documents))
    if not names:
        return _hold("documents changed, but which ones is unknown")
    parts = attribution.parts if attribution is not None else ()
    worse = {part.value for part in parts if part.worse and part.dimension == DOCUMENT}
    blamed = tuple(name for name in names if name in worse) or names
    return Recommendation(
        action="quarantine_documents",
        reason=change_text(newest),
        scope=newest.scope,
        documents=blamed[:MAX_DOCUMENTS],
    )


def _rolled_back(rows: Sequence[RecordedChange], ledger: Ledger) -> Recommendation:
    """Return the newest of these changes as what to roll back, as far as the ledger says that it can be."""
    newest = rows[-1]
    served = [row for row in rows if ledger.replaced_by(row) is None and not ledger.takes_back(row)]
    new = [row for row in served if not ledger.repeats(row)]
    if not served:
        end = ledger.replaced_by(newest)
        if end is None:
            return _hold(f"already rolled back: {change_text(newest)}", newest.scope)
        return _hold(f"{_title(newest)} is no longer served: {change_text(end)}", newest.scope)
    if not new:
        return _hold(f"{_title(served[-1])} was already served before: {change_text(served[-1])}", newest.scope)
    newest = new[-1]
    if newest.previous is not None and ledger.was_taken_back(newest.previous, newest):
        return _hold(f"{newest.previous} was itself rolled back: {change_text(newest)}", newest.scope)
    return Recommendation(
        action="roll_back",
        reason=change_text(newest),
        component=CAUSES[newest.kind],
        scope=newest.scope,
        version=newest.version,
        to_version=None if newest.previous == newest.version else newest.previous,
    )


def _causing(rows: Sequence[RecordedChange]) -> list[RecordedChange]:
    """Return the changes that are not part of another one: not what a newer release or index only brought along."""
    return [row for row in rows if not any(brought(row, head) for head in rows)]


def _title(row: RecordedChange) -> str:
    return row.component if row.version is None else f"{row.component} {row.version}"


def change_text(row: RecordedChange) -> str:
    """Return a change as a sentence.

    >>> from datetime import UTC, datetime
    >>> at = datetime(2026, 1, 1, tzinfo=UTC)
    >>> deploy = {"seq": 1, "at": at, "recorded_at": at, "kind": "deploy", "component": "release", "source": "explicit"}
    >>> change_text(RecordedChange(**deploy, version="2", previous="1"))
    'release changed from 1 to 2 at 2026-01-01 00:00:00 UTC (announced)'
    >>> listed = deploy | {"kind": "documents", "component": "catalog", "source": "catalog"}
    >>> change_text(RecordedChange(**listed, version="9f86d081884c", documents=("HR-1",), note="1 added: HR-1@4.1"))
    'document HR-1 changed at 2026-01-01 00:00:00 UTC (from the catalog; 1 added: HR-1@4.1)'
    """
    what = row.component
    if row.documents:
        more = f" and {len(row.documents) - 3} more" if len(row.documents) > 3 else ""  # noqa: PLR2004 - names shown
        what = f"document{'s' * (len(row.documents) > 1)} {', '.join(row.documents[:3])}{more}"
    named = shown_version if row.kind == "documents" else str
    # The versions of a catalog are digests of all its entries: what changed in it is said by the note.
    versions = (("from", row.previous), ("to", row.version)) if row.source != "catalog" else ()
    changed = "".join(f" {word} {named(value)}" for word, value in versions if value)
    about = ", ".join([*(f"{name}={value}" for name, value in sorted(row.scope.items())), _SOURCES[row.source]])
    note = f"; {row.note}" if row.note and row.kind == "documents" and row.source != "explicit" else ""
    return f"{what} changed{changed} at {row.at:%Y-%m-%d %H:%M:%S UTC} ({about}{note})"


_SOURCES: Mapping[ChangeSource, str] = {
    "explicit": "announced",
    "observed": "observed in answers",
    "catalog": "from the catalog",
}
