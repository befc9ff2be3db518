"""Tables whose columns are arrays of equal length: what the states of gates are made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

Table = TypeVar("Table")


def each(table: Table, change: Callable[[Any], Any]) -> Table:
    """Return the table with every column changed."""
    return type(table)(**{field.name: change(getattr(table, field.name)) for field in fields(table)})  # type: ignore[arg-type]


def stacked(first: Table, second: Table) -> Table:
    """Return the rows of both tables, one after the other."""
    return type(first)(
        **{
            field.name: np.concatenate([getattr(first, field.name), getattr(second, field.name)])
            for field in fields(first)  # type: ignore[arg-type]
        }
    )


def dumped(table: Any, order: Sequence[int], but: Collection[str]) -> dict[str, Any]:
    """Return the rows in an order as JSON takes them, without some columns."""
    place = np.array(order, np.int64)
    return {field.name: getattr(table, field.name)[place].tolist() for field in fields(table) if field.name not in but}


def restored(empty: Table, columns: Mapping[str, Any]) -> Table:
    """Return the table with what `dumped` returned; columns left out stay as they are in ``empty``."""
    given = {
        name: np.array(values, getattr(empty, name).dtype).reshape((-1, *getattr(empty, name).shape[1:]))
        for name, values in columns.items()
    }
    return replace(empty, **given)  # type: ignore[type-var]
