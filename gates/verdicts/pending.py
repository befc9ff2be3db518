"""A verdict while answers are not counted: what is known of them, and what must not be said without them."""

from __future__ import annotations

from datetime import datetime, timedelta

from gates.base.verdict import SliceVerdict, Verdict
from gates.units.duration import format_duration
from gates.verdicts.summary import summary


def awaited(verdict: Verdict, *, pending: int, until: datetime, waited: timedelta, patience: timedelta) -> Verdict:
    """Return the verdict with what waits: ``pending`` answers, the longest for ``waited``, none from before ``until``.

    Beyond ``patience`` nothing passes: the answers that would tell otherwise may be those that wait. What fails goes on
    to fail, for that was proved by answers that are there: no gate takes evidence back for the answers that come after
    it, but by their values.

    >>> part = SliceVerdict(slice={}, state="pass", reason="at most 0.08", n=90, effective_n=90)
    >>> noon = datetime(2026, 1, 1, 12)
    >>> known = {"gate": "g", "state": "pass", "at": noon, "reason": "at most 0.08", "no_data": False}
    >>> verdict = Verdict(**known, policy_version="1", slices=(part,))
    >>> waits = awaited(verdict, pending=7, until=noon, waited=timedelta(minutes=5), patience=timedelta(minutes=1))
    >>> waits.state, waits.reason
    ('inconclusive', '7 answers are waiting to be scored, the longest for 5m; so far: at most 0.08')
    """
    verdict = verdict.model_copy(update={"pending": pending, "evidence_until": until})
    if waited <= patience:
        return verdict
    answers = f"{pending:,} answers are waiting" if pending > 1 else "1 answer is waiting"
    length = format_duration(timedelta(seconds=round(waited.total_seconds())))
    return held(verdict, f"{answers} to be scored, {'the longest ' if pending > 1 else ''}for {length}")


def beyond(verdict: Verdict, *, newest: datetime) -> Verdict:
    """Return the verdict where evidence reaches up to ``newest``, which is later than the clock says it is.

    >>> noon = datetime(2026, 1, 1, 12)
    >>> known = {"gate": "g", "state": "inconclusive", "at": noon, "reason": "no scored answers", "no_data": True}
    >>> beyond(Verdict(**known, policy_version="1"), newest=noon + timedelta(days=1)).reason
    'the clock is 1d behind the newest evidence, so current answers do not count; so far: no scored answers'
    """
    length = format_duration(timedelta(seconds=round((newest - verdict.at).total_seconds())))
    return held(verdict, f"the clock is {length} behind the newest evidence, so current answers do not count")


def held(verdict: Verdict, why: str) -> Verdict:
    """Return a verdict that passes nothing and says why before what made it inconclusive, if it was."""
    if verdict.state == "inconclusive":
        verdict = verdict.model_copy(update={"reason": f"{why}; so far: {verdict.reason}"})
    passes = verdict.state == "pass" or any(part.state == "pass" for part in verdict.slices)
    return withheld(verdict, why) if passes else verdict


def withheld(verdict: Verdict, why: str) -> Verdict:
    """Return a verdict in which what passed is inconclusive, with the reason for that before its own."""
    parts = tuple(withheld_part(part, why) for part in verdict.slices)
    state, reason = summary(parts, verdict.reason)
    if verdict.state == "pass":
        reason = f"{why}; so far: {verdict.reason}"
    return verdict.model_copy(update={"state": state, "reason": reason, "slices": parts})


def withheld_part(part: SliceVerdict, why: str) -> SliceVerdict:
    """Return the verdict of a slice, inconclusive if it passed, with the reason for that before its own."""
    if part.state != "pass":
        return part
    return part.model_copy(update={"state": "inconclusive", "reason": f"{why}; so far: {part.reason}"})
