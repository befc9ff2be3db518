"""Numbers that are no quantities: parts of codes and of telephone numbers, numerals of lists, markers of citations."""

from __future__ import annotations

from scorers.statements.quantities.scanning import NUMBER, SIGN, WORD
from scorers.statements.quantities.text import TokenizedText

_DIGITS_OF_LISTS = 2


def is_code(read: TokenizedText, at: int, *, first: bool) -> bool:
    """Tell whether a number is part of a code, a list numeral or a citation; ``first`` if no quantity came before."""
    return _behind_code(read, at, first=first) or _list_numeral(read, at)


def _behind_code(read: TokenizedText, at: int, *, first: bool) -> bool:
    if not read.touching(at):
        return False
    before = read.tokens[at - 1]
    if before.kind == WORD or before.text in "_@\\#[" or (before.text == "+" and len(read.words[at]) > 1):
        return True
    if before.text in "-/." and read.touching(at - 1):
        ahead = read.tokens[at - 2]
        if ahead.kind == WORD:
            return before.text != "-" or read.text[ahead.start].isupper()
        return before.text in "-/" and ahead.kind == NUMBER and first
    return False


def _list_numeral(read: TokenizedText, at: int) -> bool:
    token = read.tokens[at]
    if len(token.text) > _DIGITS_OF_LISTS or not read.touching(at + 1) or read.words[at + 1] not in ".)":
        return False
    line = read.text.rfind("\n", 0, token.start) + 1
    end = token.end + 1
    spaced = end < len(read.text) and read.text[end].isspace()
    return spaced and not read.text[line : token.start].strip(" \t-*#>")


def past_code(read: TokenizedText, at: int) -> int:
    """Return where the code that a number belongs to ends."""
    tokens, words = read.tokens, read.words
    place = at + 1
    if at and words[at - 1] == "+":
        while place < len(tokens) and (tokens[place].kind == NUMBER or words[place] in "-()/"):
            place += 1
        return place
    while read.touching(place) and (tokens[place].kind != SIGN or words[place] in "-_./:,"):
        place += 1
    return place
