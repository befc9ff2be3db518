"""What a sentence of a reply does where none of its parts states anything, in the languages that have a table.

The parts are what stands between strong marks and words that turn a sentence ("aber", "mais"): each has to decline,
abstain, refer elsewhere, tell what was read or be a courtesy. "Das weiß ich nicht, aber die Frist ist kurz" states.
"""

# ruff: noqa: RUF001 - letters and signs look like others
from __future__ import annotations

import re
from collections.abc import Iterator

from scorers.text.language import LanguageCode, language_of
from scorers.text.phrases import words
from scorers.text.replies.reading import LONGEST, TABLES, Act, acts_of

_TURNS: dict[LanguageCode, str] = {
    "bg": r"\b(?:но|ала)\b|(?:^|,)\s?обаче\b",
    "de": r"(?:^|,)\s?(?:aber|jedoch|allerdings|sondern|doch)\b",
    "es": r"\bpero\b|(?:^|,)\s?(?:sin embargo|no obstante)\b",
    "fr": r"\bmais\b|(?:^|,)\s?(?:cependant|toutefois|pourtant)\b",
    "it": r"\bma\b|(?:^|,)\s?(?:però|tuttavia)\b",
    "ja": r"が、|けれども、?|けど、?|ただし、?|しかし、?",
    "nl": r"\bmaar\b|(?:^|,)\s?echter\b",
    "pl": r"\b(?:ale|lecz)\b|(?:^|,)\s?jednak\b",
    "pt": r"\bmas\b|(?:^|,)\s?(?:porém|contudo|no entanto)\b",
    "zh": "但是|但|不过|然而|可是",
}
"""What turns a sentence: within a clause some of the words only stress it."""
# A run of marks is tried from its first one alone, so that a long one is read once.
_MARKS = r"(?<![;:!?.…])[;:!?.…]+(?:\s|$)|[。；！？：]|\s[\u2013\u2014-]\s|"
_BREAKS = {language: re.compile(_MARKS + turn, re.IGNORECASE) for language, turn in _TURNS.items()}
_COMMAS = re.compile(r",\s|[，、,]")
_BINDS: dict[LanguageCode, re.Pattern[str]] = {
    language: re.compile(pattern, re.IGNORECASE)
    for language, pattern in {
        "bg": r"\b(?:преди|след|до|най-късно|само|освен|трябва|писмено)\b",
        "de": r"\b(?:innerhalb|binnen|spätestens|vor|nur|außer|muss|müssen|mindestens|höchstens|schriftlich|vorher)\b",
        "es": r"\b(?:plazo|antes|dentro|solo|sólo|excepto|debe|deben|por escrito|días)\b",
        "fr": r"\b(?:jours|heures|avant|délai|uniquement|sauf|doit|doivent|obligatoirement|par écrit)\b",
        "it": r"\b(?:entro|prima|solo|soltanto|eccetto|deve|devono|almeno|per iscritto)\b",
        "ja": "以内|まで(?!ご|お)|必ず|前に|のみ|限り",
        "nl": r"\b(?:binnen|uiterlijk|vóór|alleen|behalve|moet|moeten|minstens|schriftelijk|vooraf)\b",
        "pl": r"\b(?:w ciągu|przed|najpóźniej|tylko|oprócz|musi|muszą|trzeba|pisemnie)\b",
        "pt": r"\b(?:prazo|antes|dentro|só|apenas|exceto|deve|devem|por escrito|dias)\b",
        "zh": "以内|之内|天内|日内|前(?=联系|向)|必须|只能|仅限|务必",
    }.items()
}
"""A referral with one of these, or with a figure, is a rule."""
_FIGURE = re.compile(r"\d")
SHORT = 80
"""Characters of an answer whose language cannot be told in which every table is looked up."""
_FEW, _FEW_SIGNS = 2, 3
"""Words of a part, and signs of one without blanks, that state nothing alone."""
_NO_ANSWER: frozenset[Act] = frozenset({"declines", "abstains"})
_KINDS: tuple[Act, ...] = ("abstains", "declines", "refers", "about", "courtesy")


def reply_act(sentence: str, language: LanguageCode) -> Act | None:
    """Return what a sentence of a reply in ``language`` does where it states nothing, ``None`` where it does.

    >>> reply_act("Das weiß ich leider nicht. Fragen Sie bitte die Personalabteilung.", "de")
    'abstains'
    >>> reply_act("Das weiß ich nicht genau, aber die Frist beträgt zwei Wochen.", "de")
    """
    if language not in TABLES or len(sentence) > LONGEST:
        return None
    found: set[Act] = set()
    for part in _parts(sentence, _BREAKS[language]):
        acts = _of_part(part, language)
        if acts is None:
            return None
        found |= acts
    return next((act for act in _KINDS if act in found), None)


def language_of_reply(question: str, answer: str) -> LanguageCode:
    """Return the language of an answer; of a short one that of its question, or in whose table it is; else English.

    >>> language_of_reply("", "Non lo so."), language_of_reply("", "No.")
    ('it', 'en')
    """
    language = language_of(answer) or language_of(question)
    if language is None and len(answer) <= SHORT:
        language = next((each for each in TABLES if acts_of(answer, each) & _NO_ANSWER), None)
    return language or "en"


def goes_on(sentence: str, language: LanguageCode) -> bool:
    """Return whether a sentence that declines or abstains states something behind a word that turns it.

    >>> goes_on("Ich finde die Seite nicht, aber die Frist beträgt zwei Wochen.", "de")
    True
    """
    if language not in TABLES:
        return False
    first, *later = _parts(sentence[:LONGEST], re.compile(_TURNS[language], re.IGNORECASE))
    del first
    return any(_of_part(part, language) is None for part in later)


def _parts(sentence: str, breaks: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for found in breaks.finditer(sentence):
        yield sentence[start : found.start()]
        start = found.end()
    yield sentence[start:]


def _of_part(part: str, language: LanguageCode) -> frozenset[Act] | None:
    """Return what a part does, nothing where it is too short to state anything; ``None`` where it states."""
    acts = acts_of(part.strip(" ,，、"), language)
    if acts & _NO_ANSWER:
        plain = [each for each in _COMMAS.split(part) if _FIGURE.search(each) and not acts_of(each, language)]
        return None if plain and len(plain) < len(_COMMAS.split(part)) else acts
    if acts and (_FIGURE.search(part) or ("refers" in acts and _BINDS[language].search(part))):
        return None
    if acts & {"refers", "about"}:
        return acts
    found: set[Act] = set()
    for each in _COMMAS.split(part):
        done = acts_of(each, language)
        if not done and not _is_short(each, language):
            return None
        found |= done
    return frozenset(found)


def _is_short(part: str, language: LanguageCode) -> bool:
    if language in ("ja", "zh"):
        return len(part.strip()) <= _FEW_SIGNS and not _FIGURE.search(part)
    return len(words(part)) <= _FEW and not _FIGURE.search(part)
