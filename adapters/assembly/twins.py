"""Two instrumentations that watched one application: each step is counted once.

One may lie around the other (a framework's span around its client's), which the tree shows. Two that stand side by side
are told by time and by what they say: of two such twins the dialect that comes first in the registry stays, and the
other only fills in what it left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adapters.assembly.view import Kind, View

_TOLERANCE_NS = 5_000_000
"""How far two observers of one step may differ in its begin and end: what one of them spends in the other's hooks."""
_MOST = 1_000
"""Steps of one kind that are compared; beyond, a trace is taken as it is."""
_MOST_DOCUMENTS = 50


def leave_twins(views: Sequence[View], order: Sequence[str]) -> None:
    """Take out of account what is told twice among ``views``; ``order`` are the dialects, the preferred one first."""
    rank = {dialect: number for number, dialect in enumerate(order)}
    for kind, agree in _AGREE.items():
        steps = sorted(
            (view for view in views if view.kind == kind and (kind != "LLM" or view.asks_a_model)),
            key=lambda view: (rank[view.dialect], view.span.start_ns, view.span.span_id),
        )
        if len(steps) <= _MOST and len({view.dialect for view in steps}) > 1:
            _match(steps, agree)


def _match(steps: Sequence[View], agree: Callable[[View, View], bool]) -> None:
    kept: list[View] = []
    for view in steps:
        twin = next((other for other in kept if _side_by_side(view, other) and agree(view, other)), None)
        if twin is None:
            kept.append(view)
        else:
            view.leave_to(twin)


def _side_by_side(view: View, other: View) -> bool:
    """Tell whether the two could be one step: at one time, of two dialects, and neither within the other."""
    if view.dialect == other.dialect or any(twin.dialect == view.dialect for twin in other.twins):
        return False
    first, second = view.span, other.span
    begun, ended = first.start_ns - second.start_ns, first.end_ns - second.end_ns
    # One contains the other, give or take.
    if (begun > _TOLERANCE_NS and ended > _TOLERANCE_NS) or (begun < -_TOLERANCE_NS and ended < -_TOLERANCE_NS):
        return False
    if first.start_ns >= second.end_ns or second.start_ns >= first.end_ns:
        return False
    return all(above is not other for above in view.ancestors()) and all(
        above is not view for above in other.ancestors()
    )


def _same_call(view: View, other: View) -> bool:
    said, also = (_said(each) for each in (view, other))
    if said is not None and also is not None:
        return said == also
    counts = (view.tokens("completion"), other.tokens("completion"))
    return None in counts or counts[0] == counts[1]


def _said(view: View) -> str | None:
    text = next((message.content for message in reversed(view.outputs) if message.content), None) or view.said
    return None if text is None else text.strip()


def _same_search(view: View, other: View) -> bool:
    found, also = (each.documents("retrieved", most=_MOST_DOCUMENTS) for each in (view, other))
    if found is None or also is None:
        return True
    return len(found) == len(also) and all(
        one.text is None or two.text is None or one.text == two.text for one, two in zip(found, also, strict=True)
    )


def _same_tool(view: View, other: View) -> bool:
    return (view.tool or view.name) == (other.tool or other.name)


_AGREE: Mapping[Kind, Callable[[View, View], bool]] = {
    "LLM": _same_call,
    "RETRIEVER": _same_search,
    "TOOL": _same_tool,
}
