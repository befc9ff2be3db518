"""The protobuf wire format of OTLP's containers, one level at a time.

The generated classes refuse a whole request for one bad byte in it, and make an object of every message. Taking the
containers apart by hand lets every span be parsed, or refused, on its own, and be counted before it is an object.

Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

from collections.abc import Iterator

HELD, SCHEMA_URL = 2, 3
"""Field numbers within a resource's block and a scope's group: what it holds, and its schema."""
BLOCKS = 1
"""Field number of the resources' blocks of a request."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_VARINT_BITS, _MORE = 64, 0x80
_MAX_NUMBER = 2**29 - 1


class WireError(ValueError):
    """The bytes are not a protobuf message; the text says where they stop being one."""


class CutFieldError(WireError):
    """Field ``number``, whose value begins at ``begin``, ends ``missing`` bytes behind the data."""

    def __init__(self, number: int, framed: int, begin: int, missing: int) -> None:
        super().__init__(f"truncated: field {number} at byte {framed} runs {missing} bytes past the end")
        self.number = number
        self.begin = begin
        self.missing = missing


def fields(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the fields of one container: number, where it begins with its tag, where its value begins and ends.

    Raises `WireError`, also where a field that OTLP knows is no message or text.

    >>> list(fields(bytes([0x0A, 2, 0x68, 0x69, 0x20, 1]), 0, 6))
    [(1, 0, 2, 4), (4, 4, 5, 6)]
    """
    at = start
    while at < end:
        framed = at
        tag, at = _varint(data, at, end)
        wire, number = tag & 7, tag >> 3
        if wire == _BYTES:
            size, at = _varint(data, at, end)
        elif wire == _VARINT:
            _, after = _varint(data, at, end)
            size = after - at
        elif wire in {_FIXED64, _FIXED32}:
            size = 8 if wire == _FIXED64 else 4
        else:
            raise WireError(f"wire type {wire} at byte {framed}")
        if not 0 < number <= _MAX_NUMBER or (number <= SCHEMA_URL and wire != _BYTES):
            raise WireError(f"field {number} of wire type {wire} at byte {framed} is not OTLP")
        if size > end - at:
            raise CutFieldError(number, framed, at, size - end + at)
        yield number, framed, at, at + size
        at += size


def varint(n: int) -> bytes:
    """Return ``n`` as a variable-length integer.

    >>> varint(300).hex()
    'ac02'
    """
    out = bytearray()
    while n >= _MORE:
        out.append(n & 0x7F | _MORE)
        n >>= 7
    out.append(n)
    return bytes(out)


def framed(number: int, value: bytes) -> bytes:
    """Return ``value`` as field ``number`` of a message."""
    return b"".join((varint(number << 3 | _BYTES), varint(len(value)), value))


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the variable-length integer at ``at``, and where it ends."""
    begin = at
    value = shift = 0
    while at < end and shift < _VARINT_BITS:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < _MORE:
            return value, at
        shift += 7
    raise WireError(f"truncated: no end of the varint at byte {begin}")
