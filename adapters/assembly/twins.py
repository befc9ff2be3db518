"""Two instrumentations that watched one application: each step is counted once.

One may lie around the other (a framework's span around its client's), which the tree shows. Two that stand side by side
are told by the id of their completion, or else by time and by what they say: of two such twins the dialect that comes
first in the registry stays, and the other only fills in what it left out. Of a stream, a framework's span may end
before its client's begins; such two are told by what was asked and answered, and by the step they stand in.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from adapters.assembly.view import View
from adapters.vocabulary import StepKind

_TOLERANCE_NS = 5_000_000
"""How far two observers of one step may differ in its begin and end: what one of them spends in the other's hooks."""
_STREAM_NS = 1_000_000_000
"""How long after a framework is done with a stream its client may begin to read it."""
_MOST = 1_000
"""Steps of one kind that are compared; beyond, a trace is taken as it is."""
_MOST_DOCUMENTS = 50
_MOST_NESTED = 16
"""LLM steps around a call that are looked through for the step it stands in; LlamaIndex nests three."""


def drop_twins(views: Sequence[View], order: Sequence[str]) -> None:
    """Take out of account what is told twice among ``views``; ``order`` are the dialects, the preferred one first."""
    if len(order) < 2:  # noqa: PLR2004 - one dialect tells nothing twice
        return
    rank = {dialect: number for number, dialect in enumerate(order)}
    for kind, (read, agree) in _TOLD.items():
        steps = sorted(
            (view for view in views if view.kind == kind and (kind != "LLM" or view.asks_a_model)),
            key=lambda view: (rank[view.dialect], view.span.start_ns, view.span.span_id),
        )
        if len(steps) <= _MOST and len({view.dialect for view in steps}) > 1:
            if kind == "LLM":
                _match_completions(steps)
            _match([view for view in steps if view.kind == kind], read, agree)
            if kind == "LLM":
                _match_streams([view for view in steps if view.kind == kind])


def _match_completions(steps: Sequence[View]) -> None:
    """Match calls by the id of their completion, whenever and wherever they were seen."""
    kept: dict[str, View] = {}
    for view in steps:
        if (told := view.response_id) is not None:
            other = kept.setdefault(told, view)
            if other is not view and _may_be_twins(view, other):
                view.yield_to(other)


def _match_streams(steps: Sequence[View]) -> None:
    kept: dict[tuple[Any, ...], list[View]] = {}
    for view in steps:
        same = kept.setdefault((_answered(view), _asked(view), id(_step_around(view))), [])
        twin = next((other for other in reversed(same) if _handed_over(view, other)), None)
        if twin is None:
            same.append(view)
        else:
            view.yield_to(twin)


def _handed_over(view: View, other: View) -> bool:
    """Tell whether one could be the stream that the other handed over."""
    if None in (_answered(view), _asked(view), _step_around(view)) or not _may_be_twins(view, other):
        return False
    gap = max(view.span.start_ns - other.span.end_ns, other.span.start_ns - view.span.end_ns)
    return 0 <= gap <= _STREAM_NS


def _answered(view: View) -> str | None:
    """Return the words of an answer, else the tools it asks for."""
    said, _ = _said(view)
    return said or " ".join(call.name for message in view.outputs for call in message.tool_calls) or None


def _asked(view: View) -> str | None:
    return view.inputs[-1].content if view.inputs else None


def _step_around(view: View) -> View | None:
    return next((above for above in islice(view.ancestors(), _MOST_NESTED) if above.kind != "LLM"), None)


def _match(steps: Sequence[View], read: Callable[[View], Any], agree: Callable[[Any, Any], bool]) -> None:
    told: dict[View, Any] = {}  # of the few that stand side by side
    kept: list[View] = []
    for view in steps:
        for other in kept:
            if not _side_by_side(view, other):
                continue
            told |= {each: read(each) for each in (view, other) if each not in told}
            if agree(told[view], told[other]):
                view.yield_to(other)
                break
        else:
            kept.append(view)


def _side_by_side(view: View, other: View) -> bool:
    """Tell whether the two could be one step: at one time, of two dialects, and neither within the other."""
    if not _may_be_twins(view, other):
        return False
    first, second = view.span, other.span
    begun, ended = first.start_ns - second.start_ns, first.end_ns - second.end_ns
    # One contains the other, give or take.
    if (begun > _TOLERANCE_NS and ended > _TOLERANCE_NS) or (begun < -_TOLERANCE_NS and ended < -_TOLERANCE_NS):
        return False
    return first.start_ns < second.end_ns and second.start_ns < first.end_ns


def _may_be_twins(view: View, other: View) -> bool:
    """Tell whether the two are of two dialects, neither within the other, and the other has no such twin yet."""
    if view.dialect == other.dialect or any(twin.dialect == view.dialect for twin in other.twins):
        return False
    return not view.is_within(other) and not other.is_within(view)


def _said(view: View) -> tuple[str | None, int | None]:
    text = next((message.content for message in reversed(view.outputs) if message.content), None) or view.said
    return None if text is None else text.strip(), view.tokens("completion")


def _same_call(one: tuple[str | None, int | None], two: tuple[str | None, int | None]) -> bool:
    (said, count), (also, counted) = one, two
    if said is not None and also is not None:
        return said == also
    return count is None or counted is None or count == counted


def _found(view: View) -> tuple[str | None, ...] | None:
    documents = view.documents("retrieved", most=_MOST_DOCUMENTS)
    return None if documents is None else tuple(document.text for document in documents)


def _same_search(one: tuple[str | None, ...] | None, two: tuple[str | None, ...] | None) -> bool:
    if one is None or two is None:
        return True
    return len(one) == len(two) and all(
        text is None or other is None or text == other for text, other in zip(one, two, strict=True)
    )


def _called(view: View) -> str:
    return view.tool or view.name


_TOLD: Mapping[StepKind, tuple[Callable[[View], Any], Callable[[Any, Any], bool]]] = {
    "LLM": (_said, _same_call),
    "RETRIEVER": (_found, _same_search),
    "TOOL": (_called, operator.eq),
}
"""By kind, what two views of one step both tell, and whether it could be the same."""
