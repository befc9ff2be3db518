"""How two words are related: synonyms, opposites, different members of a set, or unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import snowballstemmer

from adapters.caching import cached
from scorers.statements.lexicon.concepts import CONCEPTS
from scorers.statements.lexicon.denials import DENIALS, NOT_PREFIXED, PREFIXED
from scorers.statements.lexicon.exclusive import SETS
from scorers.statements.lexicon.languages import STEMMERS
from scorers.statements.lexicon.languages_words import CONCEPTS_IN, SETS_IN
from scorers.statements.lexicon.tables import entries
from scorers.statements.lexicon.verbs import VERBS
from scorers.text.stemming import stem

_SUFFIXES = (
    "ability", "ation", "ition", "ement", "ment", "able", "abl", "ible", "ibl", "ance", "ence", "anc", "enc", "tion",
    "sion", "ion", "ant", "ent", "ive", "iv", "al", "er", "or", "ist", "y", "ful", "ness", "ity",
)  # fmt: skip
_SHORTEST = 4
_IRREGULAR_FORMS = """left:leav lost:los lent:lend begun:begin began:begin chosen:choos driven:driv worn:wear drawn:draw
    withdrawn:withdraw forgotten:forget broken:break met:meet spent:spend won:win shown:show known:know stolen:steal
    hidden:hid driven:driv ridden:rid contractor:contractor
    contractors:contractor eaten:eat fallen:fall flown:fly grown:grow thrown:throw torn:tear led:lead"""
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_FORMS.split())


class Word(NamedTuple):
    """What is known of a word: its root, its concepts with +1 or -1, and the sets it is a member of.

    ``denies`` tells a word that denies alone, ``bare`` the root of a word with "un" without it.
    """

    root: str
    concepts: Mapping[int, int]
    members: Mapping[int, int]
    denies: bool
    bare: str


@cached(maxsize=16_384)
def word_of(text: str, language: str = "en") -> Word:
    """Return what is known of a word in lower case.

    >>> word_of("refundable").root == word_of("refunds").root, word_of("waived").denies
    (True, True)
    """
    root = root_of(text, language)
    if language != "en":
        return Word(root, _concepts(language).get(root, {}), _members(language).get(root, {}), denies=False, bare="")
    bare = ""
    if text.startswith(PREFIXED) and len(text) > len(PREFIXED) + 3 and text not in NOT_PREFIXED:
        bare = root_of(text[len(PREFIXED) :])
    return Word(root, _concepts("en").get(root, {}), _members("en").get(root, {}), root in _denials(), bare)


def root_of(text: str, language: str = "en") -> str:
    """Return a word without inflection and, in English, without the commonest derivation.

    >>> {root_of(word) for word in ("approve", "approval", "approved", "approving")}
    {'approv'}
    """
    if language != "en":
        stemmer = _stemmer(language)
        if stemmer is None:
            return text[:BEGINNING]
        return _without_participle(text, language) or str(stemmer.stemWord(text))
    if text in _IRREGULAR:
        return _IRREGULAR[text]
    base = stem(text)
    for suffix in _SUFFIXES:
        if base.endswith(suffix) and len(base) - len(suffix) >= _SHORTEST:
            return base[: -len(suffix)].removesuffix("e")
    return base


_PREFIXES = {
    "de": "zurück|vorbei|herunter|heraus|an|ab|auf|aus|ein|mit|nach|vor|zu|bei|her|hin|um|weg|weiter|fest|frei",
    "nl": "terug|mede|mee|aan|af|bij|in|na|om|op|over|toe|uit|voor|weg|goed|vrij|door",
}
_PARTICIPLE = {
    "de": re.compile(rf"(?P<led>{_PREFIXES['de']})(?:ge(?P<body>\w{{3,}}?)e?t|(?:zu|ge)(?P<to>\w{{3,}}en))"),
    "nl": re.compile(rf"(?P<led>{_PREFIXES['nl']})(?:ge(?P<body>\w{{3,}}?)[dt]|ge(?P<to>\w{{3,}}en))"),
}


def _without_participle(text: str, language: str) -> str:
    """Return the root of "anmelden" for "anzumelden" and "angemeldet": a verb parted from its prefix; else ""."""
    pattern = _PARTICIPLE.get(language)
    found = None if pattern is None else pattern.fullmatch(text)
    if found is None:
        return ""
    return root_of(f"{found['led']}{found['to'] or found['body'] + 'en'}", language)


def relation(one: Word, other: Word) -> int:
    """Return 1 for words that say the same, -1 for opposites, 0 for what is not known.

    >>> [relation(word_of("accepted"), word_of(word)) for word in ("accepts", "honoured", "refused", "lorry")]
    [1, 1, -1, 0]
    """
    if one.root == other.root:
        return 1
    if one.bare == other.root or other.bare == one.root:
        return -1
    found = 0
    for concept, sign in one.concepts.items():
        its = other.concepts.get(concept)
        if its is None:
            continue
        if its == sign:
            return 1
        found = -1
    return found


def excludes(one: Word, other: Word) -> bool:
    """Tell whether two words are different members of a set.

    >>> excludes(word_of("monday"), word_of("tuesdays")), excludes(word_of("monday"), word_of("mondays"))
    (True, False)
    """
    if one.root == other.root:
        return False
    apart = False
    for group, member in one.members.items():
        its = other.members.get(group)
        if its == member:
            return False
        apart = apart or its is not None
    return apart


BEGINNING = 5
"""Letters by which words are compared in a language without a stemmer."""


@cached(maxsize=1)
def acting_forms() -> frozenset[str]:
    """Return the forms of `VERBS` in the third person."""
    sibilant = ("s", "x", "z", "ch", "sh")
    forms = {f"{verb}es" if verb.endswith(sibilant) else f"{verb}s" for verb in VERBS}
    return frozenset(forms | {f"{verb[:-1]}ies" for verb in VERBS if verb[-1] == "y" and verb[-2] not in "aeo"})


def is_verb(text: str) -> bool:
    """Tell whether a word is a known verb in the present, or may be one in the past.

    >>> [is_verb(word) for word in ("approve", "approves", "approved", "approver")]
    [True, True, True, False]
    """
    if text in VERBS or text in acting_forms():
        return True
    return text.endswith("ed") and (text[:-1] in VERBS or text[:-2] in VERBS)


@cached(maxsize=16)
def _stemmer(language: str) -> Any:
    name = STEMMERS.get(language)
    return None if name is None else snowballstemmer.stemmer(name)


@cached(maxsize=16)
def _concepts(language: str) -> dict[str, dict[int, int]]:
    table: dict[str, dict[int, int]] = {}
    for number, line in enumerate(entries(CONCEPTS if language == "en" else CONCEPTS_IN.get(language, ""))):
        for sign, side in zip((1, -1), line.split("|"), strict=False):
            for word in side.replace("-", " ").split():
                table.setdefault(root_of(word, language), {}).setdefault(number, sign)
    return table


@cached(maxsize=16)
def _members(language: str) -> dict[str, dict[int, int]]:
    table: dict[str, dict[int, int]] = {}
    for number, line in enumerate(entries(SETS if language == "en" else SETS_IN.get(language, ""))):
        for member, words in enumerate(line.split(",")):
            for word in words.split():
                table.setdefault(root_of(word, language), {})[number] = member
    return table


@cached(maxsize=1)
def _denials() -> frozenset[str]:
    return frozenset(root_of(word) for word in DENIALS.split())
