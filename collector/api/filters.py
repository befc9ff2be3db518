"""Which answers a list shows, and the rows that these are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple

from pydantic import Field
from starlette.exceptions import HTTPException

from collector.api.parameters import FiniteNumber, RowNumber, SliceParameters, Text, Whole, wrong
from collector.api.serving import Serving
from collector.store.rows import AnswerFilter, AnswerOrder, AnswerRow
from collector.store.statements import groups
from collector.store.store import Store
from gates.units.names import suggestion

MAX_LIMIT = 1000
"""Rows of one page."""
READ_ROWS = 50
"""Rows that are read at once."""
READ_CHARACTERS = 4 * 1024 * 1024
"""Rows are read until their texts come to this."""

Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT, description="At most this many rows."), Whole]


class AnswersParameters(SliceParameters):
    """Which answers a page lists."""

    limit: Limit = 50
    before: RowNumber = Field(default=0, description="Only answers before this seq: next of the page before; 0: all.")
    metric: Text | None = Field(default=None, description="Only answers with a value of this configured metric.")
    min_value: FiniteNumber | None = Field(default=None, description="With metric: only values of at least this.")
    max_value: FiniteNumber | None = Field(default=None, description="With metric: only values of at most this.")
    label: Text | None = Field(default=None, description="With metric: only scores with this label.")
    version: Text | None = Field(
        default=None,
        pattern="^[^=]+=.+$",
        examples=["model=m-2"],
        description="Only answers served by this version of a component, as component=version.",
    )
    text: Text | None = Field(default=None, description="Only answers with this text in their question or answer.")
    slice: Mapping[str, Text] = Field(default_factory=dict, description="Only answers whose {name} is this.")


class OrderedAnswersParameters(AnswersParameters):
    """Which answers the API lists, and which of them first."""

    order: AnswerOrder = Field(
        default="newest",
        description="Which answers come first. `lowest` and `highest` need metric: a page holds the answers with the"
        " lowest or highest values of all it looked through, the newest of equal ones first, and `next` goes on to"
        " older answers.",
    )


class FoundAnswers(NamedTuple):
    """Rows of answers, newest first, and the number before which the next ones begin; ``None`` at the end."""

    rows: list[AnswerRow]
    following: int | None


def chosen_answers(serving: Serving, wanted: AnswersParameters) -> AnswerFilter:
    """Return the filter that parameters ask for. Raises `HTTPException` 400 where they do not go together."""
    metric = wanted.metric
    if metric is not None and metric not in (known := serving.metrics or (metric,)):
        raise HTTPException(400, wrong("metric", f"one of {', '.join(known)}", metric) + suggestion(metric, known))
    order = wanted.order if isinstance(wanted, OrderedAnswersParameters) else "newest"
    if metric is None:
        if order != "newest":
            raise HTTPException(400, f"order={order} needs metric")
        for name in ("min_value", "max_value", "label"):
            if getattr(wanted, name) is not None:
                raise HTTPException(400, f"{name} needs metric")
    component, _, version = (wanted.version or "").partition("=")
    return AnswerFilter(
        slice=wanted.slice,
        metric=metric,
        low=wanted.min_value,
        high=wanted.max_value,
        label=wanted.label,
        versions={component: version} if version else {},
        text=wanted.text,
        order=order,
    )


def answers_found(
    serving: Serving, store: Store, wanted: AnswersParameters, *, enough: Callable[[], bool]
) -> FoundAnswers:
    """Return the answers that parameters ask for, as far as they can be read until that is ``enough``."""
    chosen = chosen_answers(serving, wanted)
    listing = store.find_answers(chosen, limit=wanted.limit, before=wanted.before or None, enough=enough)
    rows: list[AnswerRow] = []
    characters = 0
    for seqs in groups(listing.seqs, READ_ROWS):
        rows += (read := store.answers(seqs))
        characters += sum(_length(row) for row in read)
        if characters > READ_CHARACTERS or enough():
            break
    whole = not rows or rows[-1].seq == listing.seqs[-1]
    return FoundAnswers(rows, listing.before if whole else rows[-1].seq)


def _length(row: AnswerRow) -> int:
    answer = row.stored.answer
    return len(answer.answer or "") + sum(len(passage.text or "") for passage in answer.passages or ())
