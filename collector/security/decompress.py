"""Bodies within their bounds: decompression that stops at the first byte too many."""

from __future__ import annotations

import zlib
from collections.abc import Callable

_WINDOW_BITS = {"gzip": 31, "deflate": 15}
"""For zlib: a gzip or a zlib wrapping; HTTP's ``deflate`` is the latter (RFC 9110, section 8.4.1.2)."""
_GZIP_MAGIC, _ZLIB_METHOD = b"\x1f\x8b", b"\x78"
_STEP = 1024 * 1024
_MAX_MEMBERS = 100
"""Members of one gzip body. What is behind a member is copied at its end, and a megabyte can hold fifty thousand."""

ENCODINGS = frozenset({*_WINDOW_BITS, "identity"})


class MalformedBody(Exception):  # noqa: N818 - says what came in
    """A body that is not what its content type says, or not OTLP; trying again is useless."""


class TooLarge(Exception):  # noqa: N818 - says what came in
    """A body beyond the bounds of the receiver."""


def encoding_of(body: bytes) -> str:
    r"""Return how a protobuf message is compressed, by its first bytes: gRPC tells that to nobody but itself.

    No message begins like gzip, as there is no such field; and none of OTLP like zlib, which would be its field 15.

    >>> encoding_of(zlib.compress(b"")), encoding_of(b"\x1f\x8b"), encoding_of(b"\x0a\x00"), encoding_of(b"")
    ('deflate', 'gzip', 'identity', 'identity')
    """
    if body.startswith(_GZIP_MAGIC):
        return "gzip"
    # The first two bytes are a multiple of 31 (RFC 1950, section 2.2).
    return "deflate" if body[:1] == _ZLIB_METHOD and int.from_bytes(body[:2], "big") % 31 == 0 else "identity"


def decompress(body: bytes, encoding: str, *, limit: int, reserve: Callable[[int], None]) -> bytes:
    """Return ``body`` decoded; ``reserve`` hears of every piece before it is kept.

    Raises `TooLarge` beyond ``limit`` bytes and `MalformedBody` for what is not ``encoding``, or is cut off, or has
    something behind its end; never holds more than ``limit`` and a step of 1 MiB.
    """
    if encoding == "identity":
        return body
    pieces: list[bytes] = []
    size = members = 0
    rest = body
    try:
        while rest:
            members += 1
            if members > _MAX_MEMBERS:
                raise MalformedBody(f"gzip body of more than {_MAX_MEMBERS} members")
            # A gzip file may consist of several members, one after the other (RFC 1952, section 2.2).
            stream = zlib.decompressobj(_WINDOW_BITS[encoding])
            while not stream.eof:
                piece = stream.decompress(rest, _STEP)
                rest = stream.unconsumed_tail
                size += len(piece)
                if size > limit:
                    raise TooLarge(f"body exceeds {limit} bytes after decompression")
                reserve(len(piece))
                pieces.append(piece)
                if not (piece or rest or stream.eof):
                    raise MalformedBody(f"truncated {encoding} body")
            rest = stream.unused_data
            if rest and encoding != "gzip":
                raise MalformedBody(f"data after the end of the {encoding} body")
    except zlib.error as error:
        raise MalformedBody(f"invalid {encoding} body: {error}") from None
    return b"".join(pieces)
