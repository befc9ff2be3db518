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
    forced = acting = False
    # What leads with a condition goes on behind its comma: "unless it is cold, the door is open".
    conditional: bool | None = None
    for at, token in enumerate(read):
        text = token.text
        ends = (token.kind == "mark" and text in ";.!?") or (text in BREAKS and part)
        if not ends and part and text in ("and", ",", "or"):
            acts = acting and not conditional and _acts(read, at)
            ends = acts or (forced and _begins(read, at + 1)) or _resumes(read, at)
        if ends:
            if part:
                yield part
            part, forced, acting, conditional = [], False, False, None
            continue
        forced = forced or text in MODAL
        if conditional is None and (text in OPENS or finite(token)):
            conditional = text in OPENS
        acting = acting or (bool(part) and (text in acting_forms() or finite(token)))
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


def _acts(read: Sequence[StatementToken], at: int) -> bool:
    """Tell whether behind "and" somebody else does something: "and the board approves it"."""
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
    return token.text in _FINITE and token.kind == "word" and not token.glued


_NOUNS = word_set("orders tests records books issues requests reviews supports uses files stores stocks covers checks")
"""Forms that are nouns as often: they begin no clause."""

_FINITE = FINITE | (acting_forms() - _NOUNS)

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
