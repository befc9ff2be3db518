"""What a table of a language holds: patterns by what a sentence of a reply does."""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """The phrases of one language, by what a sentence with one of them does.

    ``declines``: will not answer or do it. ``abstains``: does not know it, or the sources lack it. ``refers``:
    names whom to ask or where to look instead. ``courtesy``: greets, thanks, offers help, understands. ``about``: tells
    what was read, which states nothing beside one of the others. They are patterns
    of `scorers.text.phrases`, or regular expressions for scripts written without blanks.
    """

    declines: tuple[str, ...]
    abstains: tuple[str, ...]
    refers: tuple[str, ...]
    courtesy: tuple[str, ...]
    about: tuple[str, ...] = ()
