"""A release that a gate fails is never cleared by what its fall is attributed to.

A release gate compares a candidate with its baseline, where it can with answers of the same moment. Attribution
compares answers before and after a fall, over all traffic.

Where both arms were served at the same time, whatever else changed reached both of them alike, so what the gate shows
comes from the release: it carries the failure, whatever the answers before and after show. Where the gate compares with
what was served before, too, and attribution does not find what it has found, the two are not told apart, and the
recommendation is to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gates.attribution.attribute import summary
from gates.attribution.causes import Cause
from gates.attribution.report import Attribution, Finding
from gates.decisions.record import RecordedChange
from gates.decisions.serving import brought

ALSO = {"app": "release"}
"""What a component is called in the ledger, where a gate may call it otherwise."""


class Failed(NamedTuple):
    """The release that a gate fails: a version of a component, ``None`` where neither answers nor a change name it.

    ``concurrent``: it was compared with a ``baseline`` that was served at the same time, whose version is ``None``
    where answers do not name it or name several.
    """

    component: str
    cause: Cause
    version: str | None
    concurrent: bool = False
    baseline: str | None = None

    @property
    def title(self) -> str:
        """Component and version, as a sentence names it."""
        return self.component if self.version is None else f"{self.component} {self.version}"

    @property
    def compared(self) -> str:
        """What a ``concurrent`` comparison shows, as a sentence says it."""
        baseline = "the baseline" if self.baseline is None else self.baseline
        return f"the gate fails {self.title} against {baseline}, served at the same time"

    def began_with(self, row: RecordedChange) -> bool:
        """Whether a change may be the one that brought it."""
        same = row.component == ALSO.get(self.component, self.component)
        return same and (self.version is None or row.version in (None, self.version))

    def related(self, changes: Sequence[RecordedChange]) -> frozenset[int]:
        """Return the numbers of the changes that may have brought it, came along with those, or brought those along."""
        heads = [row for row in changes if self.began_with(row)]
        parts = [row for row in changes if any(brought(row, head) or brought(head, row) for head in heads)]
        return frozenset(row.seq for row in (*heads, *parts))


def contest(
    attribution: Attribution | None, failed: Failed | None, changes: Sequence[RecordedChange]
) -> Attribution | None:
    """Return the attribution with what the gate fails not told apart from what is blamed instead, else as it is.

    A release that is worse than what was served at the same time carries the failure.
    """
    if attribution is None or failed is None or attribution.total is None:
        return attribution
    own = {row.seq for row in changes if failed.began_with(row)}
    if failed.concurrent:
        return _with(attribution, lambda finding: _shown(finding, failed) if finding.seq in own else finding)
    related = failed.related(changes)
    blamed = {each.seq for each in attribution.findings("carries", "not told apart")}
    cleared = own & {each.seq for each in attribution.findings("excluded")}
    # Where it is blamed, or what came with it, what else explains part of the fall stands.
    rivals = blamed - related if not blamed & related else set()
    if not (cleared or rivals):
        return attribution
    contested = cleared | (own if rivals else set())

    def judged(finding: Finding) -> Finding:
        if finding.seq in contested:
            beside, why = blamed, f"but the gate fails {failed.title}"
        elif finding.seq in rivals:
            beside, why = contested, f"the gate fails {failed.title}, which this does not explain"
        else:
            return finding
        detail, all_rivals = f"{finding.detail}; {why}", tuple(sorted({*finding.rivals, *beside}))
        return finding.model_copy(update={"standing": "not told apart", "detail": detail, "rivals": all_rivals})

    return _with(attribution, judged)


def _shown(finding: Finding, failed: Failed) -> Finding:
    detail = f"{finding.detail}; {failed.compared}"
    return finding.model_copy(update={"standing": "carries", "detail": detail, "rivals": ()})


def _with(attribution: Attribution, judged: Callable[[Finding], Finding]) -> Attribution:
    """Return an attribution with its findings judged anew, and a summary that says the same."""
    suspects = tuple(map(judged, attribution.suspects))
    if suspects == attribution.suspects or attribution.total is None:
        return attribution
    sentence = summary(attribution.kind, attribution.total, suspects, attribution.parts, unknown=attribution.unknown)
    return attribution.model_copy(update={"suspects": suspects, "summary": sentence})
