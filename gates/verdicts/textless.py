"""A verdict where answers came without text: nobody can score them, and with too many of them a slice does not pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from gates.base.verdict import SliceVerdict
from gates.inputs.observations import pairs
from gates.inputs.slices import Slice
from gates.units.duration import format_duration
from gates.verdicts.late import percent
from gates.verdicts.pending import withheld_part
from gates.verdicts.summary import UNJUDGED_SHARE, counted, subject

MANY = 10
"""So many answers without text keep a slice from passing, if they are more than `UNJUDGED_SHARE` of its answers."""

TEXTLESS = "textless"
"""Evidence: how many answers of the slice came without text."""


def with_textless(
    parts: Iterable[SliceVerdict], bare: Mapping[Slice, int], judged: str, within: timedelta
) -> Iterator[SliceVerdict]:
    """Yield the verdicts of slices with how many answers of each came without text, and those of slices with no others.

    An application that answers nothing would otherwise pass by the last answers it gave. What fails goes on to fail:
    that was proved by answers that are there. ``judged`` is what the gate judges.

    >>> from datetime import timedelta
    >>> part = SliceVerdict(slice={}, state="pass", reason="at least 0.93", n=80, effective_n=80)
    >>> found, = with_textless([part], {(): 200}, "claim_support", timedelta(minutes=30))
    >>> print(found.state, found.reason, sep=": ")
    inconclusive: 200 of 280 answers (71 %) came without text and could not be scored; so far: at least 0.93
    """
    left = dict(bare)
    for part in parts:
        count = left.pop(pairs(part.slice), 0)
        yield _with(part, count) if count else part
    for slice_, count in sorted(left.items()):
        if count >= MANY:
            told = f"{subject(judged, slice_)} has no scored answers in the last {format_duration(within)}"
            reason = f"{told}: {counted(count)} came without text; check what the application replies"
            evidence = {TEXTLESS: float(count)}
            yield SliceVerdict(
                slice=dict(slice_), state="inconclusive", reason=reason, n=0, effective_n=0, evidence=evidence
            )


def _with(part: SliceVerdict, count: int) -> SliceVerdict:
    share = count / (part.n + count)
    why = f"{count:,} of {counted(part.n + count)} ({percent(share)} %) came without text and could not be scored"
    part = part.model_copy(update={"evidence": {**part.evidence, TEXTLESS: float(count)}})
    if part.state == "pass" and count >= MANY and share > UNJUDGED_SHARE:
        return withheld_part(part, why)
    return part.model_copy(update={"reason": f"{part.reason}; {why}"})
