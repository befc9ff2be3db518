"""Bodies within their bounds: decompression that stops at the first byte too many."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from collector.receivers.base import Garbage, TooLarge

_WINDOW_BITS = {"gzip": 31, "deflate": 15}
"""For zlib: a gzip or a zlib wrapping; HTTP's ``deflate`` is the latter (RFC 9110, section 8.4.1.2)."""
_STEP = 1024 * 1024
_MAX_MEMBERS = 100
"""Members of one gzip body. What is behind a member is copied at its end, and a megabyte can hold fifty thousand."""

ENCODINGS = frozenset({*_WINDOW_BITS, "identity"})


def decompress(body: bytes, encoding: str, *, limit: int, claim: Callable[[int], None]) -> bytes:
    """Return ``body`` decoded; ``claim`` hears of every piece before it is kept.

    Raises `TooLarge` beyond ``limit`` bytes and `Garbage` for what is not ``encoding``, or is cut off, or has something
    behind its end; never holds more than ``limit`` and a step of 1 MiB.
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
                raise Garbage(f"the gzip body has more than {_MAX_MEMBERS} members")
            # A gzip file may consist of several members, one after the other (RFC 1952, section 2.2).
            stream = zlib.decompressobj(_WINDOW_BITS[encoding])
            while not stream.eof:
                piece = stream.decompress(rest, _STEP)
                rest = stream.unconsumed_tail
                size += len(piece)
                if size > limit:
                    raise TooLarge(f"the request is larger than {limit} bytes after decompression")
                claim(len(piece))
                pieces.append(piece)
                if not (piece or rest or stream.eof):
                    raise Garbage(f"the {encoding} body is cut off")
            rest = stream.unused_data
            if rest and encoding != "gzip":
                raise Garbage("something follows the end of the compressed body")
    except zlib.error as error:
        raise Garbage(f"not {encoding}: {error}") from None
    return b"".join(pieces)
