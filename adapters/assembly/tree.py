"""The views of a trace: each span read by its dialect, linked to the nearest views above and below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adapters.assembly.batches import separate_batches
from adapters.assembly.length_cap import length_cap
from adapters.assembly.twins import drop_twins
from adapters.assembly.view import ENCLOSING, Reading, View
from adapters.trace import Span, Trace


def views_of(trace: Trace, claimed: Mapping[type[View], Sequence[Span]], *, json_limit: int) -> list[View]:
    """Return the views of the spans that are ``claimed``, in the order of ``trace``.

    Of two views that tell of one step, the one whose class comes first in ``claimed`` stays.
    """
    read: dict[str, View] = {}
    for made, spans in claimed.items():
        reading = Reading(length_cap(spans, trace.spans), json_limit)
        for span in spans:
            read[span.span_id] = made(span, reading)
    ordered = [view for span in trace.spans if (view := read.get(span.span_id)) is not None]
    _link(trace, read, ordered)
    separate_batches(ordered)
    numbered = _numbered(ordered)
    drop_twins(ordered, [view.dialect for view in claimed])
    _tell_what_is_above(numbered)
    return ordered


def let_go(views: Iterable[View]) -> None:
    """Have ``views``, which are done with, forget their parents.

    Parents and children hold each other: memory would come back only when garbage is collected, and until then each
    trace would be read into memory that is not in the processor's cache.
    """
    for view in views:
        view.parent = None


def _link(trace: Trace, views: Mapping[str, View], ordered: Sequence[View]) -> None:
    nearest: dict[str, View | None] = {}
    for view in ordered:
        above = view.span.parent_id
        if above is None:
            continue
        view.parent = views.get(above)
        if view.parent is None:
            view.parent = _nearest(above, trace, views, nearest)
    done: set[int] = set()
    for view in ordered:
        if view.parent is not None and id(view.parent) not in done:  # seldom: what is above begins first
            _cut_cycle(view, done)
        done.add(id(view))
        if view.parent is not None:
            view.parent.children.append(view)


def _nearest(above: str, trace: Trace, views: Mapping[str, View], nearest: dict[str, View | None]) -> View | None:
    """Return the first view at or above a span that has none; ``nearest`` are those that were found so far."""
    passed: list[str] = []
    while above not in views and above not in nearest and (span := trace.by_id.get(above)) is not None:
        nearest[above] = None
        passed.append(above)
        above = span.parent_id or ""
    found = views.get(above) or nearest.get(above)
    nearest.update(dict.fromkeys(passed, found))
    return found


def _numbered(ordered: Sequence[View]) -> list[View]:
    """Number the views so that those below one come right after it, and return them in that order."""
    numbered: list[View] = []
    waiting = [view for view in ordered if view.parent is None]
    while waiting:
        view = waiting.pop()
        numbered.append(view)
        if view.children:
            waiting += reversed(view.children)
    for number in reversed(range(len(numbered))):
        view = numbered[number]
        view.place = range(number, view.children[-1].place.stop if view.children else number + 1)
    return numbered


def _tell_what_is_above(numbered: Iterable[View]) -> None:
    for view in numbered:
        below = view.above
        if view.kind in ENCLOSING and view.kind not in below:
            below |= {view.kind}
        if below:
            for child in view.children:
                child.above = below


def _cut_cycle(view: View, done: set[int]) -> None:
    """Make a root of a span at or above ``view`` that is its own ancestor, so that walks end; ``done`` are in none."""
    path: dict[int, View] = {}
    current: View | None = view
    while current is not None and id(current) not in done:
        if id(current) in path:
            current.parent = None
            break
        path[id(current)] = current
        current = current.parent
    done.update(path)
