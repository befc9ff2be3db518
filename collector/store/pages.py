"""All rows of a store's listing, read a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from collector.store.entries import Entry
from collector.store.rows import AnswerLabel, Decision, StoredEvaluation

PagedRow = TypeVar("PagedRow", AnswerLabel, Decision, Entry, StoredEvaluation)


def paged(read: Callable[[int], Sequence[PagedRow]], after: int = 0) -> Iterator[PagedRow]:
    """Yield the rows above ``after``; ``read`` returns a page of those above a number, none at the end."""
    while rows := read(after):
        yield from rows
        after = rows[-1].seq
