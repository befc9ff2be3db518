"""Where one clause of a sentence ends and another begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.lexicon.functions import ARTICLES, BREAKS
from scorers.statements.lexicon.verbs import FINITE
from scorers.statements.tokens import StatementToken
from scorers.statements.words import acting_forms
from scorers.text.normalize import word_set

MODAL = frozenset({"MAY", "MUST", "NEED", "SHOULD", "NOTNEED", "FORBID", "SHOULDNOT"})
OPENS = frozenset(
    {
        "IF",
        "ONLYIF",
        "UNLESS",
        "EXC",
        "EVENIF",
        "WITHOUT",
        "WITH",
        "INSTEAD",
        "BEFORE",
        "AFTER",
        "UNTIL",
        "WHO",
        "CAUSE",
        "ASIDE",
    }
)


def parts_of(read: Sequence[StatementToken]) -> Iterator[list[StatementToken]]:
    """Yield the clauses: parted at stops, semicolons, "but", and at "and" where both sides have a force."""
    part: list[StatementToken] = []
    forced = False
    for at, token in enumerate(read):
        ends = (token.kind == "mark" and token.text in ";.!?") or (token.text in BREAKS and part)
        if not ends and part and token.text in ("and", ",", "or"):
            ends = (forced and _begins(read, at + 1)) or _resumes(read, at) or _acts(part, read, at)
        if ends:
            if part:
                yield part
            part, forced = [], False
            continue
        forced = forced or token.text in MODAL
        part.append(token)
    if part:
        yield part


RESUMING = frozenset({"it", "they", "we", "you", "he", "she"})


def _resumes(read: Sequence[StatementToken], at: int) -> bool:
    """Tell whether "and it", "and they" follows."""
    behind = [token.text for token in read[at : at + 3]]
    if behind[:2] == [",", "and"]:
        behind = behind[1:]
    return behind[:1] == ["and"] and len(behind) > 1 and behind[1] in RESUMING


def _acts(part: Sequence[StatementToken], read: Sequence[StatementToken], at: int) -> bool:
    """Tell whether behind "and" somebody else does something: "and the board approves it"."""
    # What leads with a condition goes on behind its comma: "unless it is cold, the door is open".
    first = next((token for token in part if token.text in OPENS or finite(token)), None)
    conditional = first is not None and first.text in OPENS
    if conditional or not any(finite(token) or token.text in acting_forms() for token in part[1:]):
        return False
    words = 0
    for token in read[at + 1 : at + 2 + _SUBJECT]:
        if token.text == "and" and not words:
            continue
        if words and finite(token):
            return True
        if token.kind != "word" or token.text in NO_SUBJECT:
            return False
        words += token.text not in ARTICLES
    return False


NO_SUBJECT = word_set("and or of in on at by for to from with within as than that who which during about into between")
"""Words at which what could be a subject ends."""


def finite(token: StatementToken) -> bool:
    """Tell whether a word is surely a verb with its person: "is", "approves"."""
    if token.kind != "word" or token.glued:
        return False
    return token.text in FINITE or (token.text in acting_forms() and token.text not in _NOUNS)


_NOUNS = word_set("orders tests records books issues requests reviews supports uses files stores stocks covers checks")
"""Forms that are nouns as often: they begin no clause."""

_SUBJECT = 5
"""Words before a force in a clause that "and" begins."""


def _begins(read: Sequence[StatementToken], at: int) -> bool:
    """Tell whether a clause with its own force begins at ``at``."""
    for token in read[at : at + _SUBJECT]:
        if token.text in MODAL:
            return True
        if token.kind == "mark" or token.text in OPENS or token.text in ("and", "or"):
            if token.text == "and" and token is read[at]:
                continue
            return False
    return False
