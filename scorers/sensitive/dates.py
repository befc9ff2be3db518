"""Dates of birth and ages of persons, and, where asked for, every date."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorers.sensitive.finding import SensitiveFinding

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = (
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?"
    r"|\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
)
_EDGE = r"(?<![\w/.-])"
_END = r"(?![\w/-]|\.\d)"
_BIRTH = re.compile(
    r"\b(?:date of birth|birth ?date|birthday|d\.?o\.?b\.?|geburtsdatum"
    r"|date de naissance|fecha de nacimiento)[^\w\n]{0,4}(?:is|was|it['\u2019]s|on|:)?[^\w\n]{0,3}"
    rf"(?P<day>{_DAY}){_END}",
    re.IGNORECASE,
)
_BIRTH_WORDS = ("birth", "dob", "d.o", "do.b", "geburtsdatum", "date de naissance", "fecha de nacimiento")
_DATE = re.compile(
    rf"{_EDGE}(?:{_DAY}){_END}|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|\b(?:in|since|during|until|before|after|of|year|from|{_MONTH}) (?P<year>(?:1[89]|20)\d\d)(?![\w/-]|\.\d)"
    rf"|\b(?:a|an|the) (?P<made>(?:1[89]|20)\d\d)(?= \w)",
    re.IGNORECASE,
)

_YEARS = r"(?P<age>1[01]\d|[1-9]?\d)"
_PERSON = (
    r"(?:man|woman|boy|girl|male|female|patient|person|mother|father|son|daughter|student|child|employee|customer"
    r"|resident|husband|wife|brother|sister|teenager|lady|gentleman|nurse|teacher|driver|victim|suspect)"
)
_AGES = (
    re.compile(rf"(?<![\w.,-]){_YEARS}(?= ?- ?year ?- ?old (?:\w{{1,20}} )?{_PERSON}\b)", re.IGNORECASE),
    re.compile(rf"(?<![\w.,-]){_YEARS}(?= years? old (?:\w{{1,20}} )?{_PERSON}\b)", re.IGNORECASE),
    re.compile(
        rf"\b(?:i['\u2019]?m|i am|he is|she is|he was|she was|he['\u2019]s|she['\u2019]s|who is|who was|patient is"
        rf"|(?:just|recently|has|have|had) turned)(?: now| only| already)? (?:an? )?{_YEARS}"
        r"(?=(?:[ -]years?[ -]olds?\b| ?y/?o\b|[.!,;]?(?:$|\s*\n)|\.))",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:(?:will|['\u2019]ll) turn|turned|turns) {_YEARS}(?= years? old|[.!,;]|$|\n)", re.IGNORECASE),
    re.compile(
        rf"\b(?:retired|died|married|passed away|graduated|dead|killed|started|joined|left)(?: \w{{1,12}}){{0,3}}"
        rf" at (?:the )?age (?:of )?{_YEARS}(?![\w%-])",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:^|\n)\s{{0,8}}age ?[:=] ?{_YEARS}(?![\w%.-])", re.IGNORECASE),
)

_OLDEST = 1909
"""Nobody alive was born before; data of the dead are no personal data (Regulation (EU) 2016/679, recital 27)."""
_YEAR = re.compile(r"\d{4}")
_DEATH = re.compile(r"\bdate of death\b[^\n\d]{0,4}\d", re.IGNORECASE)
_NEAR = 60
"""Characters behind a date of birth in which one of death may stand."""
# The references of a public knowledge base, or the same date in words behind one in digits, as the boxes of
# encyclopedias have it.
_RECORDED = re.compile(
    rf"[ \n)]{{0,4}}(?:gregorian[ \n])?\d{{1,3}} references?\b| ?\) ?(?:{_DAY})",
    re.IGNORECASE,
)


def birth_dates(text: str) -> Iterator[SensitiveFinding]:
    """Yield dates that are called a date of birth; "born on" is how biographies speak, and is left to `dates`.

    Dates of the dead, and of persons with an entry in an encyclopedia, are left out.

    >>> [text[f.start:f.end] for text in ["DOB: 2/8/1935, hired 3/9/1960"] for f in birth_dates(text)]
    ['2/8/1935']
    """
    lower = text.lower()
    for match in _BIRTH.finditer(text) if any(word in lower for word in _BIRTH_WORDS) else ():
        year = _YEAR.search(match["day"])
        dead = (year is not None and int(year.group()) < _OLDEST) or _DEATH.search(
            text, match.end(), match.end() + _NEAR
        )
        if not dead and not _RECORDED.match(text, match.end()):
            yield SensitiveFinding("birth_date", *match.span("day"), match["day"])


def ages(text: str) -> Iterator[SensitiveFinding]:
    """Yield ages of persons: the number, where the words around it speak of a person.

    >>> [found.value for found in ages("The patient is a 38-year-old male. The bridge is 40 years old.")]
    ['38']
    """
    taken: set[int] = set()
    for pattern in _AGES:
        for match in pattern.finditer(text):
            if match.start("age") not in taken:
                taken.add(match.start("age"))
                yield SensitiveFinding("age", *match.span("age"), match["age"])


def dates(text: str) -> Iterator[SensitiveFinding]:
    """Yield dates, weekdays, and years that a word makes one.

    >>> [text[f.start:f.end] for text in ["On Tuesday, 2018-01-14 03:07:43, founded in 1997"] for f in dates(text)]
    ['Tuesday', '2018-01-14 03:07:43', '1997']
    """
    for match in _DATE.finditer(text):
        group = "year" if match["year"] else "made" if match["made"] else 0
        yield SensitiveFinding("date", *match.span(group), match.group(group))
