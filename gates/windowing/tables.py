"""Tables: columns of equal length, which the states of gates are made of.

A column is an array whose type its annotation names. Its field's metadata say what rows begin with (``fill``, 0 if not
given), under which name it is stored (``stored``: checkpoints outlive names), and whether it is not stored but worked
out from the keys of the series (``derived``). A column that came ``later`` than states did is stored, packed, once some
row is not as it began.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

TYPES = {"Floats": np.float64, "Integers": np.int64, "Bools": np.bool_}


class ColumnTable:
    """The base of tables, which are dataclasses."""

    __slots__ = ()

    @classmethod
    def empty(cls, rows: int, **derived: Any) -> Self:
        """Return so many rows as they begin, with these derived columns."""
        return cls(**{column.name: derived.get(column.name, _begun(column, rows)) for column in _columns(cls)})

    def stacked(self, other: Self) -> Self:
        """Return the rows of both tables, one after the other."""
        return self._each(lambda name: np.concatenate([getattr(self, name), getattr(other, name)]))

    def after(self, rows: int) -> Self:
        """Return the rows that follow so many."""
        return self._each(lambda name: getattr(self, name)[rows:])

    def copied(self) -> Self:
        """Return a copy that may be written to."""
        return self._each(lambda name: getattr(self, name).copy())

    def dumped(self, order: Sequence[int]) -> dict[str, Any]:
        """Return the rows in an order as JSON takes them."""
        place = np.array(order, np.int64)
        rows = {stored: getattr(self, name)[place].tolist() for stored, name in self._stored().items()}
        later = {column.name: getattr(self, column.name) for column in _later(type(self))}
        begun = type(self).empty(1)
        return rows | {
            name: packed(held[place]) for name, held in later.items() if (held != getattr(begun, name)).any()
        }

    def restored(self, columns: Mapping[str, Any]) -> Self:
        """Return the table with what `dumped` returned.

        Raises `ValueError` where other columns are given than the table has, or of another length.
        """
        names = {name: stored for stored, name in self._stored().items()}
        later = {column.name for column in _later(type(self))}
        if set(names.values()) != set(columns) - later:
            raise ValueError(f"columns {sorted(columns)}, expected {sorted(names.values())}")

        def column(name: str) -> Any:
            held = getattr(self, name)
            if name in later:
                return unpacked(columns[name], held.dtype).reshape(held.shape) if name in columns else held
            return np.array(columns[names[name]], held.dtype).reshape(held.shape) if name in names else held

        return self._each(column)

    def _each(self, column: Any) -> Self:
        return type(self)(**{each.name: column(each.name) for each in _columns(type(self))})

    @classmethod
    def _stored(cls) -> dict[str, str]:
        stored = (each for each in _columns(cls) if not {"derived", "later"} & set(each.metadata))
        return {each.metadata.get("stored", each.name): each.name for each in stored}


def packed(values: NDArray[Any]) -> str:
    """Return an array as text: its bytes, compressed.

    >>> unpacked(packed(np.array([0.25, 1.0])), np.float64).tolist()
    [0.25, 1.0]
    """
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    return b64encode(zlib.compress(little.tobytes(), level=1)).decode("ascii")


def unpacked(text: str, kind: Any) -> NDArray[Any]:
    """Return the flat array that `packed` wrote. Raises `ValueError` where it did not."""
    try:
        return np.frombuffer(zlib.decompress(b64decode(text, validate=True)), np.dtype(kind).newbyteorder("<")).astype(
            kind
        )
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"not a packed column: {error}") from error


def _later(table: Any) -> tuple[Field[Any], ...]:
    return tuple(column for column in _columns(table) if "later" in column.metadata)


def _columns(table: Any) -> tuple[Field[Any], ...]:
    return fields(table)


def _begun(column: Field[Any], rows: int) -> Any:
    fill: Any = np.asarray(column.metadata.get("fill", 0), TYPES[str(column.type)])
    return np.tile(fill, (rows, *(1,) * fill.ndim))
