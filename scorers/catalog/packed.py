"""A catalog as plain arrays: what is written to a file once, mapped by every process, and looked up without being read.

The layout is private to one version of the package: `LAYOUT` names it, and a file of another one is made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import orjson

from scorers.models.arrays import Array

LAYOUT = "groundwire-catalog-5"
NO_START = np.iinfo(np.int64).min
NO_END = np.iinfo(np.int64).max

_ALIGNMENT = 64
_LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Packed:
    """Arrays by name, and small facts beside them."""

    arrays: Mapping[str, Array]
    facts: Mapping[str, Any]


def to_pieces(packed: Packed) -> Iterator[bytes | memoryview]:
    """Yield the bytes of a packed catalog, array by array, so that no copy of the whole is ever made."""
    layout: dict[str, tuple[str, int, int]] = {}
    end = 0
    for name, array in packed.arrays.items():
        layout[name] = (array.dtype.str, len(array), end)
        end = _aligned(end + array.nbytes)
    header = orjson.dumps({"layout": LAYOUT, "size": end, "facts": dict(packed.facts), "arrays": layout})
    start = _aligned(_LENGTH_BYTES + len(header))
    yield len(header).to_bytes(_LENGTH_BYTES, "little") + header.ljust(start - _LENGTH_BYTES)
    for array in packed.arrays.values():
        if array.nbytes:
            yield np.ascontiguousarray(array).data.cast("B")
        yield bytes(_aligned(array.nbytes) - array.nbytes)


def from_buffer(buffer: memoryview) -> Packed:
    """Return the packed catalog that lies in ``buffer``, without a copy. Raises ``ValueError`` for anything else."""
    length = int.from_bytes(buffer[:_LENGTH_BYTES], "little")
    if not 0 < length <= len(buffer) - _LENGTH_BYTES:
        raise ValueError("not a packed catalog, or a truncated one")
    start = _aligned(_LENGTH_BYTES + length)
    header = orjson.loads(bytes(buffer[_LENGTH_BYTES : _LENGTH_BYTES + length]))
    if not isinstance(header, dict) or header.get("layout") != LAYOUT or len(buffer) != start + header["size"]:
        raise ValueError("a packed catalog of another version, or a truncated one")
    arrays = {
        name: np.frombuffer(buffer, np.dtype(kind), count, start + offset)
        for name, (kind, count, offset) in header["arrays"].items()
    }
    return Packed(arrays, header["facts"])


def number_of(*names: str) -> int:
    """Return 64 bits that stand for names; whoever finds something by them compares the names themselves."""
    joined = "\0".join(names).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "little")


def table(numbers: Array, values: Array) -> dict[str, Array]:
    """Return numbers in order with the value of each; of equal ones the first given stays first."""
    order = np.argsort(numbers, kind="stable")
    return {"": numbers[order], "_at": values[order]}


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
