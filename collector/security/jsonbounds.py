"""Objects and arrays of a JSON text, counted before any of them is made.

An object of two bytes becomes hundreds of bytes in memory, so that the size of a text does not bound what it takes.
"""

from __future__ import annotations

_BYTES_PER_OBJECT = 24
"""Spans of nothing but numbers have 33 for each object or array."""
_ALWAYS = 10_000
"""Objects that may be there however few bytes may: they take two megabytes."""
_STEP = 64 * 1024
"""Bytes that are looked at before other threads may run: less than a millisecond."""
_NO_MARK = bytes(set(range(256)) - set(b'"{['))


def most_objects(n_bytes: int) -> int:
    """Return how many objects and arrays may be in a text for which there is a bound of ``n_bytes``.

    >>> most_objects(16 * 1024 * 1024), most_objects(1024)
    (699050, 10000)
    """
    return max(_ALWAYS, n_bytes // _BYTES_PER_OBJECT)


def has_more_objects(text: bytes, limit: int) -> bool:
    """Whether more than ``limit`` objects and arrays begin in ``text``.

    What opens one is counted first without asking whether it stands in a string: mostly that is too few already.

    >>> has_more_objects(b'{"a": "[[[["}', 1), has_more_objects(b'{"a": []}', 1)
    (False, True)
    """
    openings = 0
    for at in range(0, len(text), _STEP):
        openings += text.count(b"{", at, at + _STEP) + text.count(b"[", at, at + _STEP)
        if openings > limit:
            return count_objects(text, limit=limit) > limit
    return False


def count_objects(text: bytes, *, limit: int) -> int:
    r"""Return how many objects and arrays begin in ``text``; more than ``limit`` need not all be counted.

    What is no JSON is counted too, up to where a parser gives up at least, and need not be counted right behind that.
    Costs a few nanoseconds a byte, and no memory to speak of.

    >>> count_objects(b'{"a": [{}, {}], "b": "{\\" [{"}', limit=4)
    4
    """
    found = at = 0
    in_string = False
    while at < len(text):
        piece = text[at : at + _STEP]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:
            # The last byte escapes the one behind it: they stay together.
            piece = text[at : at + _STEP + 1]
        at += len(piece)
        if b"\\" in piece:
            # From left to right: what is left of a run of backslashes is one that escapes, or none.
            piece = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
        parts = piece.translate(None, _NO_MARK).split(b'"')
        found += sum(map(len, parts[in_string::2]))
        in_string ^= len(parts) % 2 == 0
        if found > limit:
            break
    return found
