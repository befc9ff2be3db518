"""Text of strangers on a terminal: nothing in it may move the cursor, change colours, or turn what is read around."""

from __future__ import annotations


def short_line(text: str, limit: int = 300) -> str:
    r"""Return the beginning of ``text`` as `one_line` does, with three dots where there is more.

    >>> short_line("a\nbc", 3)
    'a b...'
    """
    return one_line(text[:limit]) + ("..." if len(text) > limit else "")


def one_line(text: str) -> str:
    r"""Return ``text`` as one line of printable characters: white space becomes a blank, the rest is written out.

    >>> one_line("a\n\x1b[31mb\u202ec")
    'a \\x1b[31mb\\u202ec'
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else " " if character.isspace() else ascii(character)[1:-1]
        for character in text
    )
