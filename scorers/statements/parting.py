"""Where one clause of a sentence ends and another begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.lexicon.functions import ARTICLES, BREAKS
from scorers.statements.lexicon.languages.tables import LANGUAGE_WORDS
from scorers.statements.lexicon.verbs import FINITE, VERBS
from scorers.statements.tokens import StatementToken
from scorers.statements.words import acting_forms, is_participle
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


def parts_of(read: Sequence[StatementToken], language: str = "en") -> Iterator[list[StatementToken]]:
    """Yield the clauses: parted at stops, semicolons, "but", and at "and" where both sides have a force."""
    words = LANGUAGE_WORDS.get(language)
    breaks = BREAKS if words is None else words.breaks
    joins = _ENGLISH_JOINS if words is None else words.joins
    resuming = RESUMING if words is None else words.resuming
    doing = acting_forms()
    part: list[StatementToken] = []
    forced = acting = False
    # What leads with a condition goes on behind its comma: "unless it is cold, the door is open".
    conditional: bool | None = None
    for at, token in enumerate(read):
        text = token.text
        ends = (token.kind == "mark" and text in ";.!?") or (text in breaks and part)
        ends = ends or (text == "CAUSE" and token.shown == ", so" and len(part) >= STATES)
        ends = ends or (text == ":" and len(part) >= STATES and at + 1 < len(read) and read[at + 1].text in resuming)
        ends = ends or (text == ":" and language == "en" and _explained(part) and _goes_on(_behind(read, at)))
        if not ends and part and (text == "," or text in joins):
            acts = not conditional and (((acting or forced) and _acts(read, at)) or _rules(read, at, joins[0]))
            ends = acts or (forced and _begins(read, at + 1, joins)) or _resumes(read, at, joins[0], resuming)
            ends = ends or (
                language == "en"
                and ((text == "and" and _turns(read, at, part)) or _denies(read, at, part) or _declines(read, at, part))
            )
        if ends:
            if part:
                yield part
            part, forced, acting, conditional = [], False, False, None
            continue
        forced = forced or text in MODAL
        if conditional is None and (text in OPENS or finite(token)):
            conditional = text in OPENS
        acting = acting or (bool(part) and (text in doing or finite(token)))
        part.append(token)
    if part:
        yield part


STATES = 3
"""Tokens that state something by themselves: "never wear gloves: they are prohibited" has two clauses."""


def _states(part: Sequence[StatementToken]) -> bool:
    """Tell whether words say something of a subject that they have: what a colon explains, and what explains it."""
    part = _behind_condition(part)
    return any(
        token.text in MODAL or _denied_verb(token) or finite(token) or _does(part, at)
        for at, token in enumerate(part[1:], start=1)
    )


def _goes_on(behind: Sequence[StatementToken]) -> bool:
    """Tell whether a statement of its own stands behind a colon: "furniture is the exception: its return" is one."""
    return bool(behind) and behind[0].text not in _ITS and _states(behind)


_ITS = frozenset({"its", "their"})


def _does(part: Sequence[StatementToken], at: int) -> bool:
    """Tell whether a word has the form of a verb and something that it is done to: "replacing one changes it"."""
    behind = part[at + 1].text if at + 1 < len(part) else ""
    return part[at].kind == "word" and part[at].text[-1] == "s" and part[at].text[-2:] != "ss" and behind in _DONE_TO


_DONE_TO = ARTICLES | word_set("it them this that these those all your their its")


def _explained(part: Sequence[StatementToken]) -> bool:
    """Tell whether the words before a colon state or ask something: "check two things: settings must not ..."."""
    rest = _behind_condition(part)
    return _states(part) or (len(rest) >= STATES and rest[0].text in VERBS)


def _behind_condition(part: Sequence[StatementToken]) -> Sequence[StatementToken]:
    """Return a clause without the condition that leads it."""
    if not part or part[0].text not in OPENS:
        return part
    return part[next((at for at, token in enumerate(part) if token.text == ","), len(part)) + 1 :]


def _denied_verb(token: StatementToken) -> bool:
    return token.text == "NEG" and token.shown.lower().endswith(("not", "n't", "never"))


def _behind(read: Sequence[StatementToken], at: int) -> Sequence[StatementToken]:
    """Return what stands behind a colon, up to where its sentence ends."""
    end = next((k for k in range(at + 1, len(read)) if read[k].text in (".", ";", "!", "?", ":")), len(read))
    return read[at + 1 : end]


RESUMING = frozenset({"it", "they", "we", "you", "he", "she"})


_ENGLISH_JOINS = ("and", "or")


def _resumes(read: Sequence[StatementToken], at: int, join: str, resuming: frozenset[str]) -> bool:
    """Tell whether "and it", "and they" follows."""
    behind = [token.text for token in read[at : at + 3]]
    if behind[:2] == [",", join]:
        behind = behind[1:]
    return behind[:1] == [join] and len(behind) > 1 and behind[1] in resuming


def _turns(read: Sequence[StatementToken], at: int, part: Sequence[StatementToken]) -> bool:
    """Tell whether a force stands behind "and" itself: "points expire in May and cannot be transferred".

    Behind a condition it is a part of that: "if you are ill and cannot work".
    """
    opened = [token.text for token in part if token.text in OPENS]
    return (
        at + 1 < len(read)
        and read[at + 1].text in MODAL
        and part[0].text not in OPENS
        and _TIMES.issuperset(opened)
        and bool(subject_of(part))
    )


def _denies(read: Sequence[StatementToken], at: int, part: Sequence[StatementToken]) -> bool:
    """Tell whether ", not" denies another thing that is done with it: "it is uploaded, not handed to a manager"."""
    behind = read[at + 1 : at + 3]
    return (
        read[at].text == ","
        and [token.text for token in behind[:1]] == ["NEG"]
        and len(behind) > 1
        and behind[1].kind == "word"
        and is_participle(behind[1].text)
        and part[0].text not in OPENS
        and any(token.text in _BE for token in part)
        and bool(subject_of(part))
    )


def _declines(read: Sequence[StatementToken], at: int, part: Sequence[StatementToken]) -> bool:
    """Tell whether ", exams do not" denies of something else what is told: it ends the sentence."""
    if read[at].text != "," or part[0].text in OPENS or len(part) < STATES:
        return False
    behind = read[at + 1 : at + 2 + ELLIPTIC]
    denied = next((place for place, token in enumerate(behind) if token.text == "NEG"), 0)
    after = read[at + 2 + denied : at + 3 + denied]
    if not denied or any(token.kind != "mark" for token in after):
        return False
    if not behind[denied].shown.lower().endswith(("not", "n't")):
        return False  # "Refund no" is a cell
    return all(token.kind == "word" and token.text not in OPENS for token in behind[:denied])


_BE = word_set("is are was were")


def unsaid(part: Sequence[StatementToken], before: Sequence[StatementToken]) -> Sequence[StatementToken]:
    """Return what a clause that ends with its verb leaves out, from the one before it: "cats are not", "dogs are".

    A verb that affirms takes what is forbidden for permitted: "cats are not allowed, dogs are".
    """
    said = [token for token in part if token.kind != "mark"]
    if not 1 < len(said) <= ELLIPTIC or not before or has_force(said):
        return ()
    denied = _denied_verb(said[-1])  # "it costs you nothing" leaves out nothing
    if not denied and (said[-1].text not in _BE or any(token.text == "NEG" for token in said)):
        return ()
    subject = subject_of(before)
    behind = [
        token if token.kind == "word" else token._replace(shown=token.shown.split()[-1])
        for token in before
        if subject and token.start > subject[-1].start and token.kind != "mark" and token.text not in _BE
    ]
    if denied:
        return behind
    turned = [token for token in behind if token.text in _AFFIRMED or token.text == "NEG"]
    if not turned:
        return ()
    return [token._replace(text=_AFFIRMED.get(token.text, token.text)) for token in behind if token.text != "NEG"]


_AFFIRMED = {"FORBID": "MAY", "NOTNEED": "MUST"}
ELLIPTIC = 5
"""Tokens of a clause that leaves out its verb, or what stands behind it: "sie stellt einen Monitor, aber kein Pult"."""
_TIMES = frozenset({"UNTIL", "BEFORE", "AFTER"})


def _acts(read: Sequence[StatementToken], at: int) -> bool:
    """Tell whether behind "and" somebody else does something: "and the board approves it"."""
    words = 0
    for token in read[at + 1 : at + 2 + _SUBJECT]:
        if not words and (token.text == "and" or (token.text == "NEG" and token.shown.lower() == "no")):
            continue  # "and no fee is charged"
        # "Reception issues badges and Security issues permits": what was a verb before is one again.
        if words and (finite(token) or (token.text in _NOUNS and any(each.text == token.text for each in read[1:at]))):
            return True
        if token.kind != "word" or token.text in NO_SUBJECT:
            return False
        words += token.text not in ARTICLES
    return False


def _rules(read: Sequence[StatementToken], at: int, join: str) -> bool:
    """Tell whether behind ", and" things that are joined are under a force: ", and soil and stones must not be put"."""
    if [token.text for token in read[at : at + 2]] != [",", join]:
        return False
    for token in read[at + 2 : at + 2 + _SUBJECT]:
        if token.text in MODAL:
            return True
        if token.kind != "word" or (token.text in NO_SUBJECT and token.text != join):
            return False
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


def _begins(read: Sequence[StatementToken], at: int, joins: tuple[str, str]) -> bool:
    """Tell whether a clause with its own force begins at ``at``."""
    for token in read[at : at + _SUBJECT]:
        if token.text in MODAL:
            return True
        if token.kind == "mark" or token.text in OPENS or token.text in joins:
            if token.text == joins[0] and token is read[at]:
                continue
            return False
    return False


def spans_of(part: Sequence[StatementToken]) -> tuple[tuple[int, int], ...]:
    """Return the runs of a text that tokens cover; those that come from another clause are runs of their own."""
    runs: list[tuple[int, int]] = []
    for token in part:
        if runs and 0 <= token.start - runs[-1][1] <= GAP:
            runs[-1] = (runs[-1][0], token.end)
        else:
            runs.append((token.start, token.end))
    return tuple(runs)


GAP = 24
"""Characters between two tokens of one run: phrases that say nothing leave a gap."""


def has_force(part: Sequence[StatementToken]) -> bool:
    """Tell whether a clause forbids, requires or permits."""
    return any(token.text in MODAL for token in part)


def last_of(part: Sequence[StatementToken]) -> str:
    """Return the last token of a clause that is no mark, as text."""
    return next((token.text for token in reversed(part) if token.kind != "mark"), "")


def subject_of(part: Sequence[StatementToken]) -> Sequence[StatementToken]:
    """Return what stands before the first force or verb of a clause, unless it begins with a condition."""
    for at, token in enumerate(part):
        ending = token.text == "UNTIL" and token.shown.lower().split()[0] not in _UNTIL
        if token.text in OPENS and not ending:
            return ()
        if token.text in MODAL or (at and (ending or finite(token))):
            return [each for each in part[:at] if each.kind == "word" and each.start < token.start]
    return ()


_UNTIL = word_set("until till by up")
"""Words that lead a time; others are verbs of what ends: "expires on", "ends on"."""


def predicate_of(part: Sequence[StatementToken]) -> Sequence[StatementToken]:
    """Return what stands behind the first force of a clause, for a next one that ends with its force."""
    at = next((at for at, token in enumerate(part) if token.text in MODAL), len(part))
    return [token for token in part[at + 1 :] if token.kind != "mark"]
