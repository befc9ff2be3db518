"""Tables whose columns are arrays of equal length: what the states of gates are made of.

A column is stored under its name, or under that in its metadata as ``stored``: checkpoints outlive names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import Field, fields, replace
from typing import Any, TypeVar

import numpy as np

Table = TypeVar("Table")


def each(table: Table, change: Callable[[Any], Any]) -> Table:
    """Return the table with every column changed."""
    return type(table)(**{column.name: change(getattr(table, column.name)) for column in fields(table)})  # type: ignore[arg-type]


def stacked(first: Table, second: Table) -> Table:
    """Return the rows of both tables, one after the other."""
    return type(first)(
        **{
            column.name: np.concatenate([getattr(first, column.name), getattr(second, column.name)])
            for column in fields(first)  # type: ignore[arg-type]
        }
    )


def dumped(table: Any, order: Sequence[int], but: Collection[str]) -> dict[str, Any]:
    """Return the rows in an order as JSON takes them, without some columns."""
    place = np.array(order, np.int64)
    return {_stored(each): getattr(table, each.name)[place].tolist() for each in fields(table) if each.name not in but}


def restored(empty: Table, columns: Mapping[str, Any], but: Collection[str] = ()) -> Table:
    """Return the table with what `dumped` returned; the columns that it left out stay as they are in ``empty``.

    Raises `ValueError` where other columns are given than the table has, or of another length.
    """
    names = {_stored(each): each.name for each in fields(empty) if each.name not in but}  # type: ignore[arg-type]
    if set(names) != set(columns):
        raise ValueError(f"columns {sorted(columns)}, expected {sorted(names)}")
    held = {name: getattr(empty, name) for name in names.values()}
    restored = {name: np.array(columns[key], held[name].dtype).reshape(held[name].shape) for key, name in names.items()}
    return replace(empty, **restored)  # type: ignore[type-var]


def _stored(column: Field[Any]) -> str:
    name: str = column.metadata.get("stored", column.name)
    return name
