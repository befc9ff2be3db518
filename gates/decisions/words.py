"""A failure in words: what alerts and notifiers say of a decision, the same wherever it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC

from gates.base.verdict import SliceVerdict
from gates.decisions.record import DecisionRecord, Recommendation
from gates.verdicts.summary import REFERENCE

MAX_TEXT = 400
"""Characters of one of the texts: an alert is read on a telephone."""
LISTED = 3
"""Documents that are named of those to be taken out."""
_SPACE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureWords:
    """What fails and how it moved (``summary``), since when and over how many answers, and what to do about it.

    ``example`` is the id of an answer that is among the worst, ``""`` where none is known.
    """

    metric: str
    summary: str
    description: str
    cause: str
    first_step: str
    example: str = ""


def failure_words(record: DecisionRecord) -> FailureWords:
    """Return the words for a decision that something fails.

    All are single lines of at most `MAX_TEXT` characters, without control characters.
    """
    if record.kind == "canary":
        return FailureWords(
            metric=record.gate,
            summary=_line(record.reason.partition("; ")[0]),
            description=_line(f"Since {record.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC: {record.reason}"),
            cause="the index or the application, not users: nobody has to have asked yet",
            first_step=_line(record.recommended.reason),
        )
    failing = [part for part in record.slices if part.state == "fail"]
    part = failing[0] if failing else None
    metric = ", ".join(record.metrics) if record.attribution is None else record.attribution.metric
    about = "" if not record.slice else f" for {_cut(record.slice)}"
    of_part = f" of {_cut(part.slice)}" if part is not None and part.slice and not record.slice else ""
    others = len(failing) - 1 + record.slices_left_out
    more = "" if record.slice or others < 1 else f", and {others} more slice{'s' if others > 1 else ''} may be failing"
    since = record.at
    if record.attribution is not None and record.attribution.since is not None:
        since = record.attribution.since
    elif part is not None and part.alarmed_at is not None:
        since = part.alarmed_at
    n = 0 if part is None else part.n
    over = f", over {n:,} answers" if n else ""
    return FailureWords(
        metric=_line(metric),
        summary=_line(f"Gate {record.gate} is failing{about}: {metric}{of_part}{_move(record, part)}{more}"),
        description=_line(f"Since {since.astimezone(UTC):%Y-%m-%d %H:%M} UTC{over}: {record.reason}"),
        cause=_line(_cause(record)),
        first_step=_line(_step(record.recommended)),
        example=record.answers[0].answer_id if record.answers else "",
    )


def _move(record: DecisionRecord, part: SliceVerdict | None) -> str:
    total = None if record.attribution is None else record.attribution.total
    if total is not None:
        return f" went from {total.before:.3g} to {total.after:.3g}"
    if part is None or part.estimate is None:
        return " is worse than allowed"
    now, known = part.evidence.get("candidate", part.estimate), part.evidence.get(REFERENCE)
    return f" is {now:.3g}" if known is None else f" is {now:.3g}, held to {known:.3g}"


def _cause(record: DecisionRecord) -> str:
    if record.causes_carrying:
        return "; ".join(f"{each.cause.replace('_', ' ')}: {each.detail}" for each in record.causes_carrying)
    if record.changes:
        changed = {row.component for row in record.changes}
        return f"not certain; what changed since it last passed: {', '.join(sorted(changed))}"
    return "not known; no change is recorded since it last passed"


def _step(recommended: Recommendation) -> str:
    match recommended.action:
        case "roll_back":
            where = f" of {_cut(recommended.scope)}" if recommended.scope else ""
            return (
                f"Roll back {recommended.component}{where} from {recommended.version} to {recommended.to_version}"
                f": {recommended.reason}"
            )
        case "quarantine_documents":
            named = ", ".join(recommended.documents[:LISTED])
            more = len(recommended.documents) - LISTED
            rest = f" and {more} more" if more > 0 else ""
            return f"Take {named}{rest} out of the index: {recommended.reason}"
        case "hold" | "none":
            return f"Change nothing yet, and read the example: {recommended.reason}"


def _cut(slice_: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in slice_.items())


def _line(text: str) -> str:
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1].rstrip() + "\u2026"
