"""A sentence as operators and words: what forbids, requires, permits, binds or orders is one token each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import Any, NamedTuple

from adapters.caching import cached
from scorers.statements.lexicon.compounds import COMPOUNDS
from scorers.statements.lexicon.languages.tables import LANGUAGE_WORDS
from scorers.statements.lexicon.phrases import PHRASES, WORDS
from scorers.text.normalize import MONTHS, word_set
from scorers.text.plain import for_ascii, plain

MAX_CHARACTERS = 1_200
"""Characters of a sentence that are read; a longer one is no statement."""

MAX_TOKENS = 240

_TOKEN = re.compile(
    r"[^\W\d_]{1,64}(?:'[^\W\d_]{1,32})?|\d[\d.]{0,8}\.x(?!\w)|\d[\d.,:/]{0,30}\d[^\W\d_]{0,4}|\d[^\W\d_]{0,4}|[%$\u20ac\u00a3\u00a5,;:.()!?\u2014]"
)
_TOKEN_ASCII = for_ascii(_TOKEN)
_ENDINGS = {"n't": "not"}
_WHOLE = {"can't": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not"), "cannot": ("can", "not")}
_PUNCTUATION = frozenset(",;:.()!?\u2014")
_MONTH_LEADS = word_set("in by of from until since on before after during last early late mid end")


class StatementToken(NamedTuple):
    """A word, figure, mark or operator.

    ``text`` is a word in lower case, or the operator's name in capitals; ``shown`` what was written; ``kind`` is
    ``word``, ``figure``, ``mark`` or ``operator``; ``capital`` tells a name, ``glued`` a word behind a hyphen;
    ``start`` and ``end`` are its place in the sentence.
    """

    text: str
    shown: str
    kind: str
    capital: bool = False
    glued: bool = False
    start: int = 0
    end: int = 0


_token = partial(tuple.__new__, StatementToken)
"""A token out of all its fields, in half of the time: a text has many."""


def tokens(text: str, language: str = "en") -> tuple[StatementToken, ...]:
    """Return the tokens of a sentence, phrases already as operators.

    >>> [token.text for token in tokens("Gift cards aren't refundable unless they are faulty.")]
    ['giftcard', 'are', 'NEG', 'refundable', 'UNLESS', 'they', 'are', 'faulty', '.']
    """
    read = list(_read(plain(text[:MAX_CHARACTERS]), elided=language != "en"))
    said = {token.text for token in read}
    if not _PERMITS.isdisjoint(said):
        read = [_noun(read, at) if token.text in _PERMITS else token for at, token in enumerate(read)]
    if language == "en":
        if not _CHOOSING.isdisjoint(said):
            read = [_picked(read, at) if token.text in _CHOOSING else token for at, token in enumerate(read)]
        if "while" in said:
            read = [_during(read, at) if token.text == "while" else token for at, token in enumerate(read)]
        if "even" in said:
            read = list(_without_asides(read))
    if language != "en":
        return tuple(_rewritten(list(_regular(read, language)), _phrases_in(language)))
    return tuple(_rewritten(_rewritten(read, _compounds()), _phrases()))


def _without_asides(read: Sequence[StatementToken]) -> Iterator[StatementToken]:
    """Yield the words without what is only stressed between commas: "nobody, not even the manager, may"."""
    at = 0
    while at < len(read):
        if read[at].text == "," and [token.text for token in read[at + 1 : at + 3]] == ["not", "even"]:
            end = next((k for k in range(at + 3, min(at + _ASIDE, len(read))) if read[k].text == ","), None)
            if end is not None:
                at = end + 1
                continue
        yield read[at]
        at += 1


_ASIDE = 10
"""Words between two commas that may only stress something."""


def _regular(read: Sequence[StatementToken], language: str) -> Iterator[StatementToken]:
    """Yield the words with what another language says by two, or by one of two meanings, as one word has it."""
    if language == "fr":
        return _french(read)
    if language == "de":
        return _german(read)
    if language == "it":
        return _italian(read)
    return _dutch(read) if language == "nl" else iter(read)


def _german(read: Sequence[StatementToken]) -> Iterator[StatementToken]:
    """Yield German with the "noch" behind a "weder" as another one, since both deny."""
    neither = False
    for token in read:
        neither = (neither or token.text == "weder") and token.kind != "mark"
        yield token._replace(text="weder") if neither and token.text == "noch" else token


def _french(read: Sequence[StatementToken]) -> Iterator[StatementToken]:
    """Yield French without its "ne": another word denies, "que" restricts, or nothing does ("à moins qu'il ne pleuve").

    >>> [token.text for token in tokens("Il n'est ouvert qu'en mai.", "fr")]
    ['il', 'est', 'ouvert', 'ONLYIF', 'mai', '.']
    """
    open_ne = 0
    for token in read:
        if token.text in ("ne", "n"):
            open_ne = _FRENCH_REACH
            continue
        if open_ne and token.text in _FRENCH_DENIES:
            open_ne = 0
            yield token._replace(text="pas") if token.text in _FRENCH_BESIDE_NE else token
        elif open_ne and token.text in ("que", "qu"):
            open_ne = 0
            yield token._replace(text="seulement")
        else:
            open_ne = 0 if token.kind == "mark" else max(0, open_ne - 1)
            yield token


_FRENCH_REACH = 8
"""Tokens behind a French "ne" among which the word stands that goes with it."""
_FRENCH_BESIDE_NE = frozenset({"personne", "plus", "gu\u00e8re"})
"""What denies beside a "ne" alone."""
_FRENCH_DENIES = _FRENCH_BESIDE_NE | {"pas", "jamais", "aucun", "aucune", "rien", "ni", "nul", "nulle"}


def _italian(read: Sequence[StatementToken]) -> Iterator[StatementToken]:
    """Yield Italian with "va" as "deve" before what has to be done.

    >>> [token.text for token in tokens("La richiesta va sempre presentata per iscritto.", "it")]
    ['la', 'richiesta', 'MUST', 'ALWAYS', 'presentata', 'per', 'iscritto', '.']
    """
    participles = LANGUAGE_WORDS["it"].participles
    for at, token in enumerate(read):
        demands = token.text in _ITALIAN_DEMANDS and any(
            each.text.endswith(participles) and each.kind == "word" for each in read[at + 1 : at + 3]
        )
        yield token._replace(text="deve") if demands else token


_ITALIAN_DEMANDS = frozenset({"va", "vanno", "andr\u00e0", "andranno"})


def _dutch(read: Sequence[StatementToken]) -> Iterator[StatementToken]:
    """Yield Dutch with "voor" as "v\u00f3\u00f3r" beside a time, where it is "before" and not "for".

    >>> [token.text for token in tokens("Uiterlijk twee weken voor het begin.", "nl")]
    ['BOUND', 'twee', 'weken', 'BEFORE', 'het', 'begin', '.']
    """
    for at, token in enumerate(read):
        before, behind = read[at - 1].text if at else "", [each.text for each in read[at + 1 : at + 3]]
        timed = before in _DUTCH_TIMES or (bool(behind) and behind[0][0].isdigit() and behind[-1] in _DUTCH_CLOCK)
        yield token._replace(text="v\u00f3\u00f3r") if token.text == "voor" and timed else token


_DUTCH_TIMES = word_set("minuut minuten uur uren dag dagen werkdag werkdagen week weken maand maanden jaar jaren")
_DUTCH_CLOCK = word_set("uur januari februari maart april mei juni juli augustus september oktober november december")

_PERMITS = frozenset({"permit", "permits"})
_BEFORE_NOUN = word_set("a the this your their our any no each valid building parking work residence residents event")
_BEHIND_NOUN = word_set("is are was for must may can cannot holder holders fee fees costs expires")


def _noun(read: Sequence[StatementToken], at: int) -> StatementToken:
    """Return "permit" as the word for a paper where it is one: "a building permit is required"."""
    before, behind = (read[at - 1].text if at else ""), (read[at + 1].text if at + 1 < len(read) else ".")
    if before in _BEFORE_NOUN or behind in _BEHIND_NOUN or behind in _PUNCTUATION:
        return read[at]._replace(text="permission")
    return read[at]


def _during(read: Sequence[StatementToken], at: int) -> StatementToken:
    """Return "while" as "when" where it tells a time: behind a comma it sets two things side by side."""
    inside = 0 < at < len(read) - 1 and read[at - 1].kind == "word" and read[at + 1].text in _SOMEBODY
    return read[at]._replace(text="when") if inside else read[at]


_SOMEBODY = word_set(
    "i you he she it we they the a an your my our his her its this that these those there another any some no each"
    " every one"
)


_CHOOSING = word_set("choose prefer")
_WHO = word_set("you they")
_OPEN_END = word_set("and or but you they to not this that it so at in on for by with from instead")


def _picked(read: Sequence[StatementToken], at: int) -> StatementToken:
    """Return "choose" as what picks the thing behind it: "if you choose Flex" leaves nothing open.

    >>> [token.text for token in tokens("Lunch is free if you choose Flex.")]
    ['lunch', 'is', 'free', 'IF', 'you', 'pick', 'flex', '.']
    """
    behind = read[at + 1] if at + 1 < len(read) else None
    if behind is None or behind.kind != "word" or behind.text in _OPEN_END or at < 1 or read[at - 1].text not in _WHO:
        return read[at]
    return read[at]._replace(text="pick")


def _read(text: str, *, elided: bool) -> Iterator[StatementToken]:
    first, behind = True, ""
    end = -1
    for match in islice((_TOKEN_ASCII if text.isascii() else _TOKEN).finditer(text), MAX_TOKENS):
        start, stop = match.span()
        shown = text[start:stop]
        word = shown.lower()
        if word in _PUNCTUATION:
            if word == "." and _inside(text, start):
                continue
            yield _token((word, shown, "mark", False, False, start, stop))
            first = word in ".!?"
            behind = word
            continue
        capital = not first and shown[0].isupper()
        glued = start == end + 1 and text[end] == "-"
        end = stop
        if word.isalpha() and word not in _ODD:
            yield _token((word, shown, "word", capital, glued, start, end))
        elif word in _DEGREES and text[start - 1 : start] == "\u00b0":
            for part in ("degrees", _DEGREES[word]):
                yield StatementToken(part, part, "word", start=start, end=end)
            continue
        else:
            month = shown[0] == "M" and (behind in _MONTH_LEADS or text[end : end + 2].strip().isdigit())
            for part in filter(None, _parted(word)):
                if elided and word.endswith(f"'{part}"):
                    shown = shown[-len(part) :]  # of "l'employeur"
                if month and part == "may":
                    yield StatementToken("#may", shown, "word", capital=True, start=start, end=end)
                else:
                    kind = "figure" if part[0].isdigit() else "word"
                    yield StatementToken(part, shown, kind, capital, glued, start, end)
        first, behind = False, word


def _inside(text: str, at: int) -> bool:
    """Tell whether a dot stands within a name and ends nothing: "auth.properties must", not "cells.mino acids".

    Passages from the web lack blanks behind sentences, and the first letter of the next one.
    """
    return text[at - 1 : at].isalnum() and _NAMED.match(text, at) is not None


_NAMED = re.compile(
    r"\.(?!(?:he|his|hey|hese|hose|hat|hen|here|ou|our|e|t|n|f|nd|ut|ome|ith|ll|s|o|y|or|so|an)\b)[a-z][\w.-]{0,40}"
    r"(?=\s{0,2}(?:$|[,;:!?)\]=])|(?<=\.)|\s(?:is|are|was|were|must|may|can|cannot|should|will|has|have|had|to|and|or|in|on"
    r"|for|by|from|with|at|of|as|does|do|not|defaults?|which|that|if|when|instead|only|but|so|then)\b)"
)
"""A dot with the rest of a name, and what shows that the sentence goes on."""


_DEGREES = {"c": "celsius", "f": "fahrenheit"}
"""What a letter behind a sign of degrees stands for."""

_ODD = frozenset({"may", *_DEGREES, *_WHOLE})
"""Words that are not always one token as they are written."""


def _parted(word: str) -> tuple[str, ...]:
    whole = _WHOLE.get(word)
    if whole:
        return whole
    if "'" not in word:
        return (word,)
    if word.endswith("n't"):
        return (word[:-3], "not")
    head, _, tail = word.partition("'")
    return (head,) if tail == "s" or not tail else (head, tail)


_Trie = dict[str, Any]
_END = ""


@cached(maxsize=1)
def _compounds() -> _Trie:
    pairs = (line.rpartition(":") for line in COMPOUNDS.strip().splitlines())
    return _trie((pattern, target.strip()) for pattern, _, target in pairs)


@cached(maxsize=1)
def _phrases() -> _Trie:
    return _trie((line, name) for name, lines in PHRASES.items() for line in lines.strip().splitlines())


@cached(maxsize=16)
def _phrases_in(language: str) -> _Trie:
    table = LANGUAGE_WORDS[language].phrases
    return _trie((line, name) for name, lines in table.items() for line in lines.strip().splitlines())


def _trie(entries: Iterator[tuple[str, str]]) -> _Trie:
    root: _Trie = {}
    for pattern, target in entries:
        for words in spelled(pattern):
            node = root
            for word in words:
                node = node.setdefault(word, {})
            node.setdefault(_END, target)
    return _shared(root, {})


def _shared(node: _Trie, known: dict[frozenset[tuple[str, object]], _Trie]) -> _Trie:
    """Return a trie whose equal branches are one: phrases of a table mostly end alike, and take a tenth of the memory.

    ``known`` are the branches met so far, by what they hold.
    """
    for word, branch in node.items():
        if word != _END:
            node[word] = _shared(branch, known)
    return known.setdefault(frozenset((word, id(each) if word else each) for word, each in node.items()), node)


def spelled(pattern: str) -> Iterator[tuple[str, ...]]:
    """Yield every way to write a pattern."""
    choices: list[Sequence[str]] = []
    for part in pattern.split():
        optional = part.endswith("?")
        body = part.rstrip("?")
        if body.startswith("{"):
            body = WORDS[body[1:-1]]
        choices.append((*body.split("/"), "") if optional else body.split("/"))
    for words in product(*choices):
        yield tuple(word for word in words if word)


def _rewritten(read: Sequence[StatementToken], root: Mapping[str, Any]) -> list[StatementToken]:
    """Put the longest phrase at each place into one token."""
    found: list[StatementToken] = []
    done = 0
    for first in [at for at, token in enumerate(read) if token.text in root]:
        if first < done:
            continue
        node: Any = root[read[first].text]
        behind, target = first + 1, ""
        best = behind
        while node is not None:
            if _END in node:
                best, target = behind, node[_END]
            node = node.get(read[behind].text) if behind < len(read) else None
            behind += 1
        if not target:
            continue
        found += read[done:first]
        done = best
        shown = " ".join(dict.fromkeys(token.shown for token in read[first:best]))
        start, end = read[first].start, read[best - 1].end
        if not target.isupper():
            capital = read[first].capital
            found += [StatementToken(word, shown, "word", capital, start=start, end=end) for word in target.split()]
        elif target != "DROP":
            found.append(StatementToken(target, shown, "operator", start=start, end=end))
    found += read[done:]
    return found


MONTH_WORDS = frozenset(MONTHS) | {"#may"}
