"""Text of strangers, made fit for a terminal, a log or an answer: it cannot move the cursor or reverse what is read.

Traffic, catalogs, servers and senders are strangers alike.
"""

from __future__ import annotations

LONGEST = 300
"""Characters of one text that a person is shown; what is longer is cut."""


def one_line(text: str, limit: int = LONGEST) -> str:
    r"""Return ``text`` as one line of at most ``limit`` printable characters.

    White space becomes a blank; control characters, marks of direction and the like are written out.

    >>> one_line("a\n\x1b[31mb\u202ec"), one_line("a long answer", 9)
    ('a \\x1b[31mb\\u202ec', 'a long...')
    """
    # None of what is cut off need be looked at.
    shown = text[: limit + 1]
    if not shown.isprintable():
        shown = "".join(
            character if character.isprintable() else " " if character.isspace() else ascii(character)[1:-1]
            for character in shown
        )
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."


def visible(text: str, limit: int) -> str:
    r"""Return ``text`` in at most ``limit`` characters, its lines kept, and all else that cannot be seen written out.

    >>> visible("a\nb\u200bc\x1b", 20)
    'a\nb\\u200bc\\x1b'
    """
    shown = "\n".join(one_line(line, limit) for line in text[: limit + 1].split("\n"))
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."
