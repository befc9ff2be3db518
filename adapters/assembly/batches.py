"""Runs of a batch that stand one below the other.

LangChain begins every run of a batch before it goes on with any of them, in one thread. Instrumentations that make a
run's span the current one then put each run below the one begun before it, and none beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adapters.assembly.view import View


def separate_batches(views: Sequence[View]) -> None:
    """Put runs of one batch side by side, where at least two of them ask a model by themselves."""
    before = {id(view): above for view in views if (above := _run_before(view)) is not None}
    batches: dict[int, list[View]] = {}
    for view in views if before else ():
        first = view
        while (above := before.get(id(first))) is not None:
            first = above
        if first is not view:
            batches.setdefault(id(first), [first]).append(view)
    for first, *others in batches.values():
        runs = (first, *others)
        if sum(_asks_by_itself(run, before) for run in runs) > 1:
            for run in runs:
                run.batched = True
            for run in others:
                _put_beside(run, first)


def _run_before(view: View) -> View | None:
    """Return the run of the same chain above ``view`` that ended before it: it cannot have called what outlived it."""
    above = view.parent
    while above is not None and above.dialect != view.dialect:
        above = above.parent
    if above is None or not above.span.end_ns < view.span.end_ns or above.name != view.name:
        return None
    return above if view.kind == above.kind == "CHAIN" and view.input != above.input else None


def _asks_by_itself(run: View, before: Mapping[int, View]) -> bool:
    waiting = [run]
    while waiting:
        view = waiting.pop()
        if view.kind == "LLM":
            return True
        waiting += (child for child in view.children if id(child) not in before)
    return False


def _put_beside(view: View, first: View) -> None:
    if view.parent is not None:
        view.parent.children.remove(view)
    view.parent = first.parent
    if first.parent is not None:
        first.parent.children.append(view)
