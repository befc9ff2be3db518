"""Words and numbers of a text in one comparable form.

A *term* is a stemmed content word (``"approv"``) or, with a leading ``#``, a number, time or month in canonical form
(``"#1000"``, ``"#14:30"``, ``"#month4"``). Two texts that say the same with other inflection, digits or date format
give the same terms. Scripts written without spaces give character pairs, so that every language has terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from adapters.caching import cached
from scorers.text.numbers import ascii_digits, canonical_number
from scorers.text.plain import for_ascii, plain
from scorers.text.stemming import stem

# One alternation per kind, each deterministic in its first characters, every repetition over one class and bounded:
# the scan is linear in the length of the text.
_TOKEN = re.compile(
    r"(?P<word>[^\W\d_]{1,64}(?:'[^\W\d_]{1,16})?)"
    r"|(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"
    r"|(?P<clock>\d{1,2}(?::\d{1,2}){1,2})(?:\s?(?P<clock_half>[apAP])\.?[mM]\b)?"
    r"|(?P<hour>\d{1,2})\s?(?P<half>[apAP])\.?[mM]\b"
    r"|(?P<number>\d[\d.,]{0,30}\d|\d)"
    r"|(?P<symbol>[%$\u20ac\u00a3\u00a5])"
)
# The same without groups: what it finds is read by `_TOKEN` once for each spelling.
_SPELLINGS = re.compile(re.sub(r"\?P<\w+>", "?:", _TOKEN.pattern))
_SPELLINGS_ASCII = for_ascii(_SPELLINGS)

# "No. 5" is a number, "no-show" a word; "No one may" and "No refunds" are no answers. Every repetition is bounded.
_YES_NO = (
    r"\W{0,8}+(?:(?:(?:the|short|final|kurze)\s){0,3}(?:answer|antwort)(?:\sis|\sist)?:?\s{1,4}"
    r"|(?:sorry|unfortunately|leider),?\s|(?:and|but|so|then),?\s(?=no,|nope,|yes,))?(?:no|nope|yes|yep|yeah|nein|ja|nee|nej|non|oui|s[i\u00ed\u00ec]|n\u00e3o|sim)"
)
_NOT_SO = (
    r"\W{0,8}+(?:(?:unfortunately|sadly|certainly|absolutely|definitely|of course|i(?:'m| am) afraid) not"
    r"|not (?:at all|really|quite|exactly))(?=\s?[,;:!.\u2014])"
)
_PARTICLE = re.compile(
    rf"(?:{_YES_NO}|{_NOT_SO})(?:\s?[,;!]|[.:](?!\s{{0,4}}\d)|\s?\u2014|\s-(?=\s)){{1,3}}(?=.)",
    re.IGNORECASE | re.DOTALL,
)
_PARTICLE_ALONE = re.compile(rf"{_YES_NO}\W{{0,8}}", re.IGNORECASE)

_LONGEST_PARTICLE = 60

UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # kana
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""The first and last characters of scripts that are written without spaces."""

_UNSPACED = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in UNSPACED)}]")
_SYMBOLS = {"%": "percent", "$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u00a5": "jpy"}
_MAGNITUDES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_MONTH_NAMES = """january jan | february feb | march mar | april apr | may | june jun | july jul | august aug
    | september sep sept | october oct | november nov | december dec"""
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES.split("|"), start=1) for name in names.split()}
"""The number of each month by its names in lower case."""

MONTHS_BESIDE_NUMBERS = frozenset({"may", "march", "mar"})
"""Months only where a number stands beside them: "may be requested" is not a date."""

_MONTHS = {name: f"#month{number}" for name, number in MONTHS.items()}
_UNITS = """zero . two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""  # "one" is far more often a pronoun than a number
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMERALS = {
    word: f"#{value}"
    for value, word in (
        *enumerate(_UNITS.split()),
        *zip(range(20, 100, 10), _TENS.split(), strict=True),
    )
    if word != "."
}
NEGATORS = frozenset({"cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "unable", "without"})
"""Words that turn round what follows; ``n't`` counts as ``not``."""

SCOPE = 2
"""Terms after a negator that it turns round: in "without approval of the line manager" not the manager."""


def word_set(words: str) -> frozenset[str]:
    """Return the words between blanks of a list that is written to be read.

    >>> sorted(word_set("either or"))
    ['either', 'or']
    """
    return frozenset(words.split())


_PARTICLE_BEGINS = word_set("ab an bu ce de fi ja ku le ne no of ou sa sh si so th un ye")
"""What a particle begins with that begins with two letters of ASCII. Most texts begin otherwise."""

_STOP_WORDS = """a about above after again all also although am among an and another any anyone anything are as at be
    because become been before being below between both but by can could did do does doing done down
    during each either else ever every few first for from further get gets getting got had has have
    having he her here hers him his how however i if in into is it its itself just let like made make
    many may me might more most much must my of off on once one only onto or other our ours out over own
    per please same shall she should since so some such than that the their theirs them then there these
    they this those though through thus to too under until up upon us use used using very via was we
    were what when where whether which while who whom whose why will with within would yes yet you your
    yours"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that carry no content of their own."""

_CONTRACTIONS = frozenset(
    f"{word}'{rest}"
    for words, endings in (
        ("i you he she it we they who what that this there here where when how", "ll d s"),
        ("i you we they who what that", "re ve m"),
        ("one someone somebody everyone everybody nobody let", "s ll"),
        ("would could should might must", "ve"),
    )
    for word in words.split()
    for rest in endings.split()
)
"""Words without content that are written as one: "you're", "that's"."""

_ORDINALS = frozenset({"st", "nd", "rd", "th"})


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one text, in order and with repetitions, and those of them that a negator turns round.

    ``marks`` says of each term how it was written (bits `CAPITAL`, `FIGURE`, `SPELLED`); ``words`` are all words in
    lower case, those without content included, and ``negators`` how many of them negate.

    >>> read = terms("Alcohol isn't reimbursed, and 1,000.00 EUR is due at 14:30.")
    >>> read.items
    ('alcohol', 'reimburs', '#1000', 'eur', 'due', '#14:30')
    >>> sorted(read.negated)
    ['#1000', 'reimburs']
    >>> read.words[:3], read.marks[2:4] == (FIGURE, CAPITAL)
    (('alcohol', "isn't", 'reimbursed'), True)
    """

    items: tuple[str, ...]
    negated: frozenset[str]
    marks: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    negators: int = 0


_Token = tuple[str, tuple[str, ...], tuple[int, ...], int]
"""What `_token` returns."""
_KIND = itemgetter(3)

CAPITAL, FIGURE, SPELLED = 1, 2, 4
"""Bits of `Terms.marks`: written with a capital after the first word; a number, time or month; a number in letters."""


def is_particle(text: str) -> bool:
    """Tell whether a text is yes or no alone, in one of the languages whose particles are known.

    >>> [is_particle(text) for text in ("No.", "**Ja!**", "The answer is no.", "No refunds.", "None.")]
    [True, True, True, False, False]
    """
    return len(text) <= _LONGEST_PARTICLE and _PARTICLE_ALONE.fullmatch(text) is not None


def behind_particle(text: str) -> int:
    """Return where a statement begins behind the particle that answers a question; 0 where there is none.

    In "No, gift cards cannot be returned" the particle answers what was asked; it denies nothing of what follows.

    >>> [text[behind_particle(text):] for text in ("No, they cannot.", "Nein: nie.", "No refunds.", "No. 5 is due.")]
    [' they cannot.', ' nie.', 'No refunds.', 'No. 5 is due.']
    >>> "Sadly not: pets must stay out."[behind_particle("Sadly not: pets must stay out."):]
    ' pets must stay out.'
    """
    head = text[:2]
    if head.isascii() and head.isalpha() and head.lower() not in _PARTICLE_BEGINS:
        return 0
    found = _PARTICLE.match(text)
    return found.end() if found else 0


def terms(text: str) -> Terms:  # noqa: C901 - a branch for each kind of token
    """Return the terms of ``text``. Linear in its length; never raises on any text."""
    folded = _folded(text)
    tokens = [*map(_token, _spellings(folded, behind_particle(folded)))]
    if not any(map(_KIND, tokens)):
        return _of_words(tokens)
    items: list[str] = []
    marks: list[int] = []
    words: list[str] = []
    negated: set[str] = set()
    scope_ends, negators = -1, 0
    after_number = False
    month = ""
    for word, found, marked, kind in tokens:
        if not kind:
            if found:
                items += found
                marks += marked if words else _opening(marked)
            words.append(word)
            month, after_number = "", False
        elif word:
            if kind & _NEGATES:
                scope_ends = len(items) + SCOPE
                negators += 1
            month = word if kind & _MONTH_BESIDE_NUMBERS and not after_number else ""
            if after_number and kind & _MAGNITUDE:
                items[-1] = _scaled(items[-1], _MAGNITUDES[word])
            elif found and not month and not (after_number and kind & _ORDINAL):
                items += found
                marks += marked if words else _opening(marked)
            words.append(word)
            after_number = False
        else:
            if kind & _FIGURE:
                if month:
                    items.append(_MONTHS[month])
                    marks.append(FIGURE)
                month, after_number = "", True
            items += found
            marks += marked
        if len(items) <= scope_ends:
            negated.update(items[scope_ends - SCOPE :])
    return Terms(tuple(items), frozenset(negated), tuple(marks), tuple(words), negators)


def _of_words(tokens: Sequence[_Token]) -> Terms:
    """Return the terms of words none of which does anything with those beside it."""
    if not tokens:
        return Terms((), frozenset())
    words, items, marks, _ = zip(*tokens, strict=True)
    every = (*_opening(marks[0]), *chain.from_iterable(marks[1:]))
    return Terms(tuple(chain.from_iterable(items)), frozenset(), every, words)


def _opening(marked: Iterable[int]) -> list[int]:
    """Return the marks of the first word, whose capital says nothing."""
    return [mark & ~CAPITAL for mark in marked]


def _folded(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", plain(text))


def _spellings(folded: str, start: int = 0) -> list[str]:
    found: list[str] = (_SPELLINGS_ASCII if folded.isascii() else _SPELLINGS).findall(folded, start)
    return found


def written(text: str) -> dict[str, str]:
    """Return how each term of ``text`` is written there first, for a reader; a pair of characters stands for itself.

    >>> written("Approvals cost 1,000.00 dollars in April.")
    {'approval': 'Approvals', 'cost': 'cost', '#1000': '1,000.00', 'usd': 'dollars', '#month4': 'April'}
    """
    found: dict[str, str] = {}
    for spelling in _spellings(_folded(text)):
        word, items, _, _ = _token(spelling)
        for item in items:
            found.setdefault(item, item if word and len(items) > 1 else spelling)
    return found


_NEGATES, _MONTH_BESIDE_NUMBERS, _MAGNITUDE, _ORDINAL, _FIGURE, _SYMBOL = 1, 2, 4, 8, 16, 32
"""Bits of the kind of a token; 0 for a word that does nothing with those beside it."""


# A few thousand words make up most of any text.
@cached(maxsize=16_384)
def _token(spelling: str) -> _Token:
    """Return a token's word in lower case, or "", its terms whatever stands beside it, their marks, and its kind."""
    word, items, mark, kind = _word(spelling) if spelling[0].isalpha() else _read(spelling)
    return word, items, (mark,) * len(items), kind


def _read(spelling: str) -> tuple[str, tuple[str, ...], int, int]:
    match = _TOKEN.match(spelling)
    assert match is not None
    if match["word"]:
        return _word(spelling)
    if match["symbol"]:
        return "", (_SYMBOLS[spelling],), 0, _SYMBOL
    items: list[str] = []
    _append_figure(items, match)
    return "", tuple(items), FIGURE, _FIGURE


def _word(written: str) -> tuple[str, tuple[str, ...], int, int]:
    word = written.casefold()
    negates = word in NEGATORS or word.endswith("n't")
    named = written != "may"  # "employees over 55 may ask"
    kind = (
        _NEGATES * negates
        | _MONTH_BESIDE_NUMBERS * (named and word in MONTHS_BESIDE_NUMBERS)
        | _MAGNITUDE * (word in _MAGNITUDES)
        | _ORDINAL * (word in _ORDINALS)
    )
    mark = CAPITAL if written[0].isupper() else 0
    if named and word in _MONTHS:
        return word, (_MONTHS[word],), FIGURE, kind
    if word in _NUMERALS:
        return word, (_NUMERALS[word],), FIGURE | SPELLED, kind
    if negates or word in STOP_WORDS or word in _CONTRACTIONS:
        return word, (), 0, kind
    if not word.isascii() and _UNSPACED.search(word):
        return word, tuple(word[i : i + 2] for i in range(max(1, len(word) - 1))), 0, kind
    return (word, (stem(word),), mark, kind) if len(word) > 1 or not word.isascii() else (word, (), 0, kind)


def _append_figure(items: list[str], match: re.Match[str]) -> None:
    if match["iso"]:
        year, month, day = match["iso"].split("-")
        items.extend((f"#{ascii_digits(year)}", f"#month{int(month)}", f"#{int(day)}"))
    elif match["clock"]:
        hour, minute = match["clock"].split(":")[:2]
        items.append(_clock(int(hour), int(minute), match["clock_half"]))
    elif match["hour"]:
        items.append(_clock(int(match["hour"]), 0, match["half"]))
    else:
        items.append("#" + canonical_number(match["number"]))


def _clock(hour: int, minute: int, half: str | None) -> str:
    if half in ("p", "P") and hour < 12:  # noqa: PLR2004 - the hours of half a day
        hour += 12
    elif half in ("a", "A") and hour == 12:  # noqa: PLR2004 - midnight is 12 am
        hour = 0
    return f"#{hour}:{minute:02d}"


def _scaled(term: str, exponent: int) -> str:
    """Return ``#1.5`` as ``#1500000`` for an exponent of six; what is not a plain number stays."""
    whole, _, fraction = term[1:].partition(".")
    if not whole.isdigit() or (fraction and not fraction.isdigit()):
        return term
    return "#" + canonical_number(f"{whole}{fraction[:exponent].ljust(exponent, '0')}.{fraction[exponent:]}0")
