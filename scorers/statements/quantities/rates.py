"""What a quantity is paid or counted for ("per night", "each"), and how often something is ("twice a year")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adapters.caching import cached
from scorers.statements.quantities.scanning import WORD, QuantityToken
from scorers.statements.quantities.units import DAY, HOUR, MONTH, WEEK, MeasureUnit, units
from scorers.text.stemming import stem

_PER = {
    "en": "per each every / for·each for·every per·each in·any in·each",
    "de": "pro je jede jeden jedes im am in·der / für·jede für·jeden",
    "fr": "par chaque / l'",
    "es": "por cada / al a·la",
    "it": "per al ogni all' / a alla",
    "pt": "por cada / ao à",
    "nl": "per elke ieder iedere / elk",
    "pl": "na za każdy każdą / w",
    "bg": "на за всеки всяка /",
}
_ARTICLES = {"en": frozenset({"a", "an"})}
_PAID_FOR = frozenset({"person", "head", "piece", "item", "unit", "night", "employee", "user", "seat", "share", "trip"})
_ADVERBS = {
    "en": """hourly=hour daily=day nightly=night weekly=week fortnightly=fortnight monthly=month
        quarterly=quarter annually=year yearly=year annual=year""",
    "de": """stündlich=hour täglich=day wöchentlich=week monatlich=month vierteljährlich=quarter
        halbjährlich=semester jährlich=year tägliche=day wöchentliche=week monatliche=month
        jährliche=year jährlichen=year monatlichen=month""",
    "fr": """quotidien=day hebdomadaire=week mensuel=month mensuelle=month trimestriel=quarter annuel=year
        annuelle=year annuellement=year mensuellement=month""",
    "es": """diario=day diariamente=day semanal=week semanalmente=week mensual=month mensualmente=month
        trimestral=quarter anual=year anualmente=year""",
    "it": """giornaliero=day settimanale=week settimanalmente=week mensile=month mensilmente=month
        trimestrale=quarter annuale=year annualmente=year annuo=year""",
    "pt": """diário=day diariamente=day semanal=week semanalmente=week mensal=month mensalmente=month
        trimestral=quarter anual=year anualmente=year""",
    "nl": "dagelijks=day wekelijks=week maandelijks=month jaarlijks=year",
    "pl": "codziennie=day dziennie=day tygodniowo=week miesięcznie=month kwartalnie=quarter rocznie=year",
    "bg": "ежедневно=day дневно=day седмично=week месечно=month годишно=year",
}
_TIMES = {
    "en": "once=1 twice=2 thrice=3",
    "de": "einmal=1 zweimal=2 dreimal=3 viermal=4",
    "nl": "eenmaal=1 tweemaal=2 driemaal=3",
    "pl": "dwukrotnie=2 trzykrotnie=3",
    "bg": "веднъж=1 дваж=2",
}
_TIMES_WORDS = {
    "en": "time times", "de": "mal male", "fr": "fois", "es": "vez veces", "it": "volta volte", "pt": "vez vezes",
    "nl": "keer maal", "pl": "raz razy", "bg": "път пъти",
}  # fmt: skip
_EVERY = {"en": "every", "de": "alle", "fr": "tous", "es": "cada", "it": "ogni", "pt": "cada", "nl": "elke", "pl": "co",
          "bg": "всеки"}  # fmt: skip
SECONDS = {"hour": HOUR, "day": DAY, "night": DAY, "week": WEEK, "fortnight": 2 * WEEK, "month": MONTH,
           "quarter": 3 * MONTH, "semester": 6 * MONTH, "year": 12 * MONTH}  # fmt: skip
"""Seconds of what happens so often."""

_ANNUM = (("p", ".", "a", "."), ("per", "annum"), ("p", ".", "m", "."))
_ANY_WORD = 3
_WEAK = frozenset(("al", "a", "alla", "ao", "à", "na", "za", "w", "на", "за", "im", "am", "in"))
"""Words that are \"per\" before a unit of time alone."""


def _pairs(table: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in table.split())


@cached(maxsize=32)
def _per(language: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split("·")) for phrase in _PER.get(language, "per /").split())


@cached(maxsize=32)
def _opening(language: str) -> frozenset[str]:
    """Return the words with which what something is for can begin, but for those that "l'" is written with."""
    phrases = (*_per(language), *_ANNUM)
    return _ARTICLES.get(language, frozenset()).union(_adverbs(language), [phrase[0] for phrase in phrases])


@cached(maxsize=32)
def _adverbs(language: str) -> Mapping[str, str]:
    return _pairs(_ADVERBS.get(language, ""))


@cached(maxsize=32)
def _times(language: str) -> Mapping[str, str]:
    return _pairs(_TIMES.get(language, ""))


@cached(maxsize=32)
def frequency_words(language: str) -> frozenset[str]:
    """Return the words that begin how often something is: adverbs, "twice", "every"."""
    return frozenset(_adverbs(language)) | frozenset(_times(language)) | {_EVERY.get(language, "every")}


def every(language: str) -> str:
    """Return the word before the time between two of something ("every two weeks")."""
    return _EVERY.get(language, "every")


def times_words(language: str) -> frozenset[str]:
    """Return the words that count how often."""
    return frozenset(_TIMES_WORDS.get(language, "times").split())


def rate_behind(read: Sequence[QuantityToken], at: int, language: str) -> tuple[str, int]:  # noqa: C901 - one form each
    """Return what the quantity before a token is for, in one form, and where that ends; "" for nothing.

    >>> from scorers.statements.quantities.scanning import tokens
    >>> [rate_behind(tokens(text), 0, "en")[0] for text in ("per calendar month", "a year", "each", "a head", "of")]
    ['month', 'year', 'each', 'person', '']
    """
    if at >= len(read) or (read[at].text not in _opening(language) and not read[at].text.startswith("l'")):
        return "", at
    table = units(language)
    word = read[at].text
    adverb = _adverbs(language).get(word)
    if adverb:
        return adverb, at + 1
    for size in (2, 1):
        if at + size <= len(read) and tuple(token.text for token in read[at : at + size]) in _per(language):
            return _named(read, at + size, table, language, word)
    if word in _ARTICLES.get(language, ()) and at + 1 < len(read):
        unit = table.get(read[at + 1].text)
        if unit is not None and unit.dimension == "time":
            return unit.name, at + 2
        if read[at + 1].text in _PAID_FOR:
            return _counted(read[at + 1].text), at + 2
    if word.startswith("l'") and language == "fr" and table.get(word[2:]):
        return table[word[2:]].name, at + 1
    for phrase in _ANNUM:
        if tuple(token.text for token in read[at : at + len(phrase)]) == phrase:
            return "month" if "m" in phrase else "year", at + len(phrase)
    return "", at


def _counted(word: str) -> str:
    """Return what something is for in one form: a head is a person."""
    return stem(_PEOPLE.get(word, word))


_PEOPLE = {"head": "person", "capita": "person", "pax": "person", "kopf": "person"}


def paid_for(read: Sequence[QuantityToken], at: int, language: str, dimension: str) -> tuple[str, int]:
    """Return what the quantity before a token is for, as `rate_behind`, or a few words on for what time it is paid.

    >>> from scorers.statements.quantities.scanning import tokens
    >>> texts = ("of paid leave per month", "is charged for each hour", "and it is due every month", "of each month")
    >>> [paid_for(tokens(text), 0, "en", "money") for text in texts]
    [('month', 0), ('hour', 0), ('', 0), ('', 0)]
    """
    rate, behind = rate_behind(read, at, language)
    return (rate, behind) if rate or language != "en" or dimension not in _PAID else (_further(read, at), at)


def _further(read: Sequence[QuantityToken], at: int) -> str:
    table = units("en")
    for place in range(at, min(at + _FURTHER, len(read) - 1)):
        word = read[place].text
        if read[place].kind != WORD or word in _PARTS:
            break
        if word in _EACH and (place == at or read[place - 1].text not in _WHEN):
            unit = table.get(read[place + 1].text)
            return unit.name if unit is not None and unit.dimension == "time" else ""
    return ""


_PAID = frozenset({"money", "time"})
_FURTHER = 6
"""Words within which it stands for what something is paid."""
_EACH = frozenset({"per", "each", "every"})
_PARTS = frozenset(
    {"and", "or", "but", "if", "when", "unless", "while", "because", "then", "which", "who", "that", "not"}
)
"""Words with which something else begins."""
_WHEN = frozenset({"of", "at", "after", "before", "from", "in", "until", "by", "on", "within", "during", "to"})
"""Words before "each month" that say when, and not for what."""


def _named(
    read: Sequence[QuantityToken], at: int, table: Mapping[str, MeasureUnit], language: str, word: str
) -> tuple[str, int]:
    first = read[at] if at < len(read) else None
    for place in (at, at + 1):
        if place > at and (first is None or first.kind != WORD or word == every(language)):
            break
        unit = table.get(read[place].text) if place < len(read) and read[place].kind == WORD else None
        if unit is not None and unit.dimension in ("time", "working time"):
            return unit.name, place + 1
    weak = word in _WEAK and language != "en"
    if first is not None and first.kind == WORD and not weak and word not in ("every", "in"):
        other = table.get(first.text)
        if len(first.text) >= _ANY_WORD or other is not None:
            return other.name if other else _counted(first.text), at + 1
    return ("each", at) if word in ("each", "je", "chacun") else ("", at - 1)


def frequency_at(read: Sequence[QuantityToken], at: int, language: str) -> tuple[float, str, int] | None:
    """Return how many times in what: "twice a month", "weekly"; and where that ends."""
    word = read[at].text
    adverb = _adverbs(language).get(word)
    if adverb:
        return (1.0, adverb, at + 1) if adverb in SECONDS else None
    times = _times(language).get(word)
    if times:
        rate, end = rate_behind(read, at + 1, language)
        if not rate and language == "de" and at + 2 < len(read) and read[at + 1].text in ("im", "am", "in"):
            unit = units(language).get(read[at + 2].text)
            rate, end = (unit.name, at + 3) if unit else ("", end)
        return (float(times), rate, end) if rate in SECONDS else None
    return None
