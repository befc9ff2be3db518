"""A failure in words: what alerts and notifiers say of a decision, the same wherever it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from gates.base.verdict import SliceVerdict
from gates.decisions.record import DecisionRecord, Recommendation
from gates.verdicts.summary import CANDIDATE_MEAN, REFERENCE, compares_arms

MAX_TEXT = 400
"""Characters of one of the texts: an alert is read on a telephone."""
LISTED = 3
"""Documents that are named of those to be taken out."""
_SPACE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureWords:
    """What failed and how it moved (``summary``), the verdict with its figures, and what to do about it.

    An alert is held for a while after a gate passes again, so both say of which time they speak. ``example`` is the id
    of an answer that is among the worst, ``""`` where none is known.
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
            description=_sentence(f"Since {_minute(record.at)}: {record.reason}"),
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
    cause = _cause(record)
    return FailureWords(
        metric=_line(metric),
        summary=_line(f"Gate {record.gate} failed{about}: {metric}{of_part}{_move(record, part)}{more}"),
        description=_sentence(f"As of {_minute(record.at)}: {record.reason}"),
        cause=_line(cause),
        first_step=_line(_step(record.recommended, cause)),
        example=record.answers[0].answer_id if record.answers else "",
    )


def _move(record: DecisionRecord, part: SliceVerdict | None) -> str:
    """Return what a metric came to: of both arms, before and after a fall, or as it is with what it is held to."""
    known = {} if part is None else part.evidence
    if part is not None and compares_arms(part):
        return f" was {known[CANDIDATE_MEAN]:.3g} of the candidate, {known[REFERENCE]:.3g} of the baseline"
    fall = record.attribution
    if fall is not None and fall.total is not None and fall.since is not None:
        return f" was {fall.total.before:.3g} before {_minute(fall.since)}, {fall.total.after:.3g} from then on"
    if part is None or part.estimate is None:
        return " was worse than allowed"
    return f" was {part.estimate:.3g}" + (f", held to {known[REFERENCE]:.3g}" if REFERENCE in known else "")


def _cause(record: DecisionRecord) -> str:
    if record.causes_carrying:
        return "; ".join(f"{each.cause.replace('_', ' ')}: {each.detail}" for each in record.causes_carrying)
    since = "in the day before" if record.since is None else "since it last passed"
    if record.changes:
        changed = {row.component for row in record.changes}
        return f"not certain; what changed {since}: {', '.join(sorted(changed))}"
    return f"not known; no change is recorded {since}"


def _step(recommended: Recommendation, cause: str) -> str:
    """Return what to do first, with the reason where the ``cause`` does not say it already."""
    why = "" if recommended.reason in cause else f": {recommended.reason}"
    match recommended.action:
        case "roll_back":
            where = f" of {_cut(recommended.scope)}" if recommended.scope else ""
            to = recommended.to_version or "the version before"
            return f"Roll back {recommended.component}{where} from {recommended.version} to {to}{why}"
        case "quarantine_documents":
            named = ", ".join(recommended.documents[:LISTED])
            more = len(recommended.documents) - LISTED
            rest = f" and {more} more" if more > 0 else ""
            return f"Index {named}{rest} anew in the version in force, or take the copies out until then{why}"
        case "hold" | "none":
            return f"Change nothing yet, and read the example: {recommended.reason}"


def _minute(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _cut(slice_: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in slice_.items())


def _line(text: str) -> str:
    line = _SPACE.sub(" ", text).strip()
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1].rstrip() + "\u2026"


def _sentence(text: str) -> str:
    """Return a line with a full stop: alerts go on after it."""
    line = _line(text)
    return line if line.endswith((".", "\u2026")) or len(line) == MAX_TEXT else f"{line}."
