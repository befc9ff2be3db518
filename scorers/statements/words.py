"""How two words are related: synonyms, opposites, different members of a set, or unknown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

import snowballstemmer

from adapters.caching import cached, cached_by_text
from scorers.statements.lexicon.concepts import CONCEPTS
from scorers.statements.lexicon.denials import DENIALS, NOT_PREFIXED, PREFIXED
from scorers.statements.lexicon.exclusive import SETS
from scorers.statements.lexicon.languages.tables import LANGUAGE_WORDS
from scorers.statements.lexicon.opposites import OPPOSITES
from scorers.statements.lexicon.tables import entries
from scorers.statements.lexicon.verbs import VERBS
from scorers.text.fields import FIELDS
from scorers.text.glance import glance
from scorers.text.normalize import word_set
from scorers.text.stemming import stem

_SUFFIXES = (
    "ability", "ation", "ition", "ement", "ment", "able", "abl", "ible", "ibl", "ance", "ence", "anc", "enc", "tion",
    "sion", "ion", "ant", "ent", "ive", "iv", "al", "er", "or", "ist", "y", "ful", "ness", "ity",
)  # fmt: skip
_SHORTEST = 4
_IRREGULAR_FORMS = """arisen:arise arose:arise beaten:beat became:become began:begin begun:begin bent:bend bit:bite
    bitten:bite blew:blow blown:blow bore:bear borne:bear bred:breed broke:break broken:break came:come caught:catch
    chose:choose chosen:choose crept:creep dealt:deal died:die dies:die drank:drink drawn:draw drew:draw
    driven:drive drove:drive drunk:drink dug:dig dying:die eaten:eat fallen:fall fed:feed feet:foot fell:fall
    felt:feel flew:fly flown:fly forgave:forgive forgiven:forgive forgot:forget forgotten:forget fought:fight
    froze:freeze frozen:freeze grew:grow grown:grow halves:half hid:hide hidden:hide hung:hang knew:know known:know
    laid:lay led:lead left:leave lent:lend lit:light lost:lose meant:mean met:meet misled:mislead mistaken:mistake
    mistook:mistake overdrawn:overdraw overdrew:overdraw overpaid:overpay oversaw:oversee overseen:oversee
    prepaid:prepay proven:prove rang:ring rebuilt:rebuild repaid:repay resold:resell ridden:ride risen:rise
    rode:ride rose:rise rung:ring sank:sink sat:sit shaken:shake shook:shake shown:show shrank:shrink shrunk:shrink
    slept:sleep slid:slide sought:seek spent:spend spoke:speak spoken:speak stole:steal stolen:steal stood:stand
    struck:strike stuck:stick sunk:sink swam:swim swept:sweep taught:teach teeth:tooth thought:think threw:throw
    thrown:throw ties:tie tied:tie tore:tear torn:tear undergone:undergo understood:understand undertaken:undertake
    undertook:undertake underwent:undergo upheld:uphold withdrawn:withdraw withdrew:withdraw withheld:withhold
    woke:wake woken:wake won:win wore:wear worn:wear"""
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_FORMS.split())

_BASES = word_set(
    """apartment contractor deductible department director evening expensive former formal illegible informal
    installment instalment instore journal journey lessor medical probation responsible restore wine"""
)
_UNDERIVED = {form: word for word in _BASES for form in (word, f"{word}s")}
"""Words whose root is another word's: what is expensive is no expense."""


class Word(NamedTuple):
    """What is known of a word: its root, its concepts with +1 or -1, and the sets it is a member of.

    ``denies`` tells a word that denies alone, ``bare`` the root of a word with "un" without it. ``keys`` are what it is
    found by, see `scorers.statements.ties.keys_of`.
    """

    root: str
    concepts: Mapping[int, int]
    members: Mapping[int, int]
    denies: bool
    bare: str
    keys: tuple[str | tuple[int, int], ...]


def _word(root: str, concepts: Mapping[int, int], members: Mapping[int, int], *, denies: bool, bare: str) -> Word:
    keys: tuple[str | tuple[int, int], ...] = (
        root,
        *concepts.items(),
        *((-1 - group, member) for group, member in members.items()),
    )
    return Word(root, concepts, members, denies, bare, keys)


@cached(maxsize=16_384)
def word_of(text: str, language: str = "en") -> Word:
    """Return what is known of a word in lower case.

    >>> word_of("refundable").root == word_of("refunds").root, word_of("waived").denies
    (True, True)
    """
    root = root_of(text, language)
    if language != "en":
        return _word(root, _concepts(language).get(root, {}), _members(language).get(root, {}), denies=False, bare="")
    bare = ""
    if text.startswith(PREFIXED) and len(text) > len(PREFIXED) + 3 and text not in NOT_PREFIXED:
        bare = root_of(text[len(PREFIXED) :])
    return _word(
        root, _concepts("en").get(root, {}), _members("en").get(root, {}), denies=root in _denials(), bare=bare
    )


def is_family(root: str, roots: Iterable[str]) -> bool:
    """Tell whether one of some roots is that of a word of the same family.

    >>> is_family(root_of("rejection"), [root_of("rejected")]), is_family(root_of("room"), [root_of("roof")])
    (True, False)
    """
    return any(
        root == each
        or (each.startswith(root[:FAMILY]) and len(root) >= FAMILY and abs(len(each) - len(root)) <= FORMED)
        for each in roots
    )


FAMILY, FORMED = 5, 2
"""Letters that two roots of one family begin with, at least, and letters that one may have more than the other."""


@cached(maxsize=16_384)
def root_of(text: str, language: str = "en") -> str:
    """Return a word without inflection and, in English, without the commonest derivation.

    >>> {root_of(word) for word in ("approve", "approval", "approved", "approving")}
    {'approv'}
    """
    if language != "en":
        stemmer = _stemmer(language)
        if stemmer is None:
            return text[:BEGINNING]
        text = _forms(language).get(text, text)
        return _without_participle(text, language) or str(stemmer.stemWord(text))
    if text in _IRREGULAR:
        text = _IRREGULAR[text]
    if text in _UNDERIVED:
        return _UNDERIVED[text]
    base = stem(text)
    for suffix in _SUFFIXES if base.endswith(_SUFFIXES) else ():
        if base.endswith(suffix) and len(base) - len(suffix) >= _SHORTEST:
            return base[: -len(suffix)].removesuffix("e")
    return base


@cached_by_text(cost=10)
def rooted(text: str) -> frozenset[str]:
    """Return the roots of the words of an English text: what is asked before it is read for a word or a form of it.

    >>> sorted(rooted("Fees don't apply."))
    ['appl', 'don', 'fe', 't']
    """
    return frozenset(map(root_of, glance(text)))


_PREFIXES = {
    "de": "zurück|vorbei|herunter|heraus|an|ab|auf|aus|ein|mit|nach|vor|zu|bei|her|hin|um|weg|weiter|fest|frei",
    "nl": "terug|mede|mee|aan|af|bij|in|na|om|op|over|toe|uit|voor|weg|goed|vrij|door",
}
_PARTICIPLE = {
    "de": re.compile(rf"(?P<led>{_PREFIXES['de']})(?:ge(?P<body>\w{{3,40}}?)e?t|(?:zu|ge)(?P<to>\w{{3,40}}en))"),
    "nl": re.compile(rf"(?P<led>{_PREFIXES['nl']})(?:ge(?P<body>\w{{3,40}}?)[dt]|ge(?P<to>\w{{3,40}}en))"),
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
    words = LANGUAGE_WORDS.get(language)
    return None if words is None or not words.stemmer else snowballstemmer.stemmer(words.stemmer)


@cached(maxsize=16)
def _forms(language: str) -> dict[str, str]:
    """Return what irregular forms of a language are forms of."""
    words = LANGUAGE_WORDS.get(language)
    lines = (line.split(":") for line in entries("" if words is None else words.forms))
    return {form: word.strip() for forms, word in lines for form in forms.split()}


@cached(maxsize=16)
def _concepts(language: str) -> dict[str, dict[int, int]]:
    words = LANGUAGE_WORDS.get(language)
    lines: Iterable[str] = entries("" if words is None else words.concepts)
    if language == "en":
        # The words for one member of a set say the same; FIELDS are shared with the terms of texts.
        members = (member for line in entries(SETS) for member in line.split(","))
        lines = chain(entries(CONCEPTS), entries(OPPOSITES), FIELDS, members)
    table: dict[str, dict[int, int]] = {}
    for number, line in enumerate(lines):
        roots = {root_of(word, language): sign for sign, word in _signed(line)}
        for root, sign in roots.items() if len(roots) > 1 else ():
            table.setdefault(root, {})[number] = sign
    return table


def _signed(line: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a concept, those behind ``|`` with -1; of a word on both sides the first one counts."""
    for sign, side in reversed(list(zip((1, -1), line.split("|"), strict=False))):
        for word in side.replace("-", " ").split():
            yield sign, word


@cached(maxsize=16)
def _members(language: str) -> dict[str, dict[int, int]]:
    words = LANGUAGE_WORDS.get(language)
    table: dict[str, dict[int, int]] = {}
    for number, line in enumerate(entries(SETS if words is None else words.sets)):
        for member, forms in enumerate(line.split(",")):
            for word in forms.split():
                table.setdefault(root_of(word, language), {})[number] = member
    return table


@cached(maxsize=1)
def _denials() -> frozenset[str]:
    return frozenset(root_of(word) for word in DENIALS.split())


def is_participle(word: str) -> bool:
    """Tell whether a word in lower case looks like a participle of the past: "handed", "sent", "kept", "taken"."""
    return word.endswith(("ed", "pt", "nt", "en", "lt")) and len(word) > 3 and word not in _BARE  # noqa: PLR2004 - "led"


_BARE = word_set("exceed proceed succeed need feed accept adopt attempt want grant prevent present happen open listen")
"""Verbs that look like participles and are none."""
