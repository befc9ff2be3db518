"""A verdict where answers came without a value: those without text, or too many of them, keep a slice from passing."""

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
"""So many answers without text keep a slice from passing, if they are more than `UNJUDGED_SHARE` of its answers; so
many without a value are a slice of which nothing is known, if no other answer of it has one."""
MOST = 0.5
"""The reason of a slice says how many answers have no value, where they are more than this share: a metric need not
apply to every answer, so they do not keep it from passing."""

TEXTLESS, UNSCORED = "textless", "unscored"
"""Evidence: how many answers of the slice came without text, and how many others without a value."""


def with_unscored(
    parts: Iterable[SliceVerdict], bare: Mapping[Slice, int], blank: Mapping[Slice, int], judged: str, within: timedelta
) -> Iterator[SliceVerdict]:
    """Yield the verdicts of slices with how many answers of each have no value, and those of slices with no others.

    ``bare`` counts answers without text, ``blank`` others without a value. An application that answers nothing would
    otherwise pass by the last answers it gave, and a gate by the slices that its metric can judge. What fails goes on
    to fail: that was proved by answers that are there. ``judged`` is what the gate judges.

    >>> from datetime import timedelta
    >>> half = timedelta(minutes=30)
    >>> part = SliceVerdict(slice={}, state="pass", reason="at least 0.93", n=80, effective_n=80)
    >>> found, = with_unscored([part], {(): 200}, {}, "claim_support", half)
    >>> print(found.state, found.reason, sep=": ")
    inconclusive: 200 of 280 answers (71 %) came without text and could not be scored; so far: at least 0.93
    >>> found, = with_unscored([], {}, {(("language", "de"),): 72}, "claim_support", half)
    >>> print(found.state, found.reason, sep=": ")
    inconclusive: claim_support in language=de has no scored answers in the last 30m: 72 answers came without a value;\
 their pages and rag_unscored_total say why
    """
    seen = set()
    for part in parts:
        slice_ = pairs(part.slice)
        seen.add(slice_)
        yield _with(part, bare.get(slice_, 0), blank.get(slice_, 0))
    for slice_ in sorted({*bare, *blank} - seen):
        without_text, others = bare.get(slice_, 0), blank.get(slice_, 0)
        if without_text + others >= MANY:
            told = f"{subject(judged, slice_)} has no scored answers in the last {format_duration(within)}"
            yield SliceVerdict(
                slice=dict(slice_),
                state="inconclusive",
                reason=f"{told}: {_why(without_text, others)}",
                n=0,
                effective_n=0,
                evidence=_counts(without_text, others),
            )


def _why(without_text: int, others: int) -> str:
    """Return why a slice has no scored answers, and where to look."""
    if not others:
        return f"{counted(without_text)} came without text; check what the application replies"
    also = f", {without_text:,} of them without text" if without_text else ""
    return f"{counted(without_text + others)} came without a value{also}; their pages and rag_unscored_total say why"


def _counts(without_text: int, others: int) -> dict[str, float]:
    return {name: float(count) for name, count in ((TEXTLESS, without_text), (UNSCORED, others)) if count}


def _with(part: SliceVerdict, without_text: int, others: int) -> SliceVerdict:
    n = part.n
    part = part.model_copy(update={"evidence": {**part.evidence, **_counts(without_text, others)}})
    if others >= MANY and others > MOST * (n + others):
        part = part.model_copy(update={"reason": f"{part.reason}; {_share(n, others)} came without a value"})
    if not without_text:
        return part
    why = f"{_share(n, without_text)} came without text and could not be scored"
    if part.state == "pass" and without_text >= MANY and without_text > UNJUDGED_SHARE * (n + without_text):
        return withheld_part(part, why)
    return part.model_copy(update={"reason": f"{part.reason}; {why}"})


def _share(n: int, count: int) -> str:
    return f"{count:,} of {counted(n + count)} ({percent(count / (n + count))} %)"
