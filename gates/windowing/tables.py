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


def restored(empty: Table, columns: Mapping[str, Any], but: Collection[str] = ()) -> Table:
    """Return the table with what `dumped` returned; the columns that it left out stay as they are in ``empty``.

    Raises `ValueError` where other columns are given than the table has, or of another length.
    """
    names = {field.name for field in fields(empty)} - set(but)  # type: ignore[arg-type]
    if names != set(columns):
        raise ValueError(f"columns {sorted(columns)}, expected {sorted(names)}")
    given = {
        name: np.array(columns[name], getattr(empty, name).dtype).reshape(getattr(empty, name).shape) for name in names
    }
    return replace(empty, **given)  # type: ignore[type-var]
