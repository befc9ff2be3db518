"""The protobuf wire format, one level at a time.

The generated classes refuse a whole request for one bad byte in it. Taking the outer messages apart by hand lets every
inner message be parsed, or refused, on its own.

Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

from collections.abc import Iterator

LENGTH_DELIMITED = 2
_VARINT, _FIXED64, _FIXED32 = 0, 1, 5
_FIXED_BYTES = {_FIXED64: 8, _FIXED32: 4}
_MAX_VARINT_BYTES = 10


class WireError(ValueError):
    """The bytes are not a protobuf message; the text says where they stop being one."""


def fields(data: bytes) -> Iterator[tuple[int, int, bytes | None]]:
    """Yield (field number, wire type, body) in order; the body is ``None`` unless length-delimited. Raises `WireError`.

    >>> list(fields(bytes([0x0A, 2, 0x68, 0x69, 0x10, 1])))
    [(1, 2, b'hi'), (2, 0, None)]
    """
    at = 0
    while at < len(data):
        start = at
        tag, at = _varint(data, at)
        field, wire = tag >> 3, tag & 7
        if field == 0:
            raise WireError(f"field number 0 at byte {start}")
        body = None
        if wire == LENGTH_DELIMITED:
            size, at = _varint(data, at)
            body = data[at : at + size]
            at += size
        elif wire == _VARINT:
            _, at = _varint(data, at)
        elif wire in _FIXED_BYTES:
            at += _FIXED_BYTES[wire]
        else:
            raise WireError(f"wire type {wire} at byte {start}")
        if at > len(data):
            raise WireError(f"cut short: field {field} at byte {start} runs {at - len(data)} bytes past the end")
        yield field, wire, body


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift, byte in enumerate(data[at : at + _MAX_VARINT_BYTES]):
        value |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            return value, at + shift + 1
    raise WireError(f"no end of varint at byte {at}")
