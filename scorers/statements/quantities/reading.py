"""The quantities of a text: numbers with their units, bounds and rates."""

from __future__ import annotations

import re

from adapters.caching import cached_by_text
from scorers.statements.quantities.ages import AgeBound, age_bound, age_group, birthday
from scorers.statements.quantities.amounts import NumberReading, share_at
from scorers.statements.quantities.bounds import ahead
from scorers.statements.quantities.codes import is_code, past_code
from scorers.statements.quantities.dates import NOONS, clock_at, date_at, dated, is_verb, months, year_of
from scorers.statements.quantities.halves import in_their_half
from scorers.statements.quantities.ideographs import ideographic
from scorers.statements.quantities.measures import (
    currency_before,
    in_millions,
    is_meant,
    is_negative,
    noun_at,
    range_at,
    said_again,
    time_shared,
    unit_at,
    with_half,
)
from scorers.statements.quantities.numerals import HALVES
from scorers.statements.quantities.quantity import Comparator, Quantity, QuantityDimension
from scorers.statements.quantities.rates import SECONDS, every, frequency_at, paid_for, rate_behind, times_words
from scorers.statements.quantities.scanning import CLOCK, DATE, NUMBER, SIGN, WORD, tokens
from scorers.statements.quantities.spoken import spoken_clock
from scorers.statements.quantities.text import TokenizedText, language_tables
from scorers.statements.quantities.units import MeasureUnit
from scorers.text.language import is_surely_english, language_of
from scorers.text.normalize import STOP_WORDS, word_set
from scorers.text.numbers import number_readings
from scorers.text.plain import for_ascii
from scorers.text.stemming import stem

MAX_QUANTITIES = 200
"""Quantities of one text that are read."""

_DIGIT, _WORD = re.compile(r"\d"), re.compile(r"([^\W\d_]{1,64})(?:['\u2019][^\W\d_]{1,20})?")
"""A digit, and a word without what stands behind its apostrophe: "month" of "month's"."""
_WORD_ASCII = for_ascii(_WORD)

_IDEOGRAPHIC = frozenset({"zh", "ja"})
_NUMBERED = word_set(
    """section sections article articles step page pages chapter paragraph no number version table figure fig passage
    source item appendix annex clause form level tier phase part rule question line footnote priority severity zone
    class category stage gate platform terminal option abschnitt artikel kapitel
    seite schritt absatz nummer nr anlage stufe teil ziffer étape sección artículo página paso capítulo sezione
    articolo
    pagina secção artigo passo stap hoofdstuk rozdział artykuł strona krok член раздел страница стъпка release v § №
    #"""
)
_VERSIONS = word_set("version v release")
_FROM = frozenset(("from", "starting", "ab", "à partir de", "desde", "a partire da", "da", "vanaf", "od", "от"))
_ONLY_POINTS = word_set("by until till through ending effective beginning starting bis vom since")
_OF_YEARS = word_set(
    """in since of by until before after during year early late mid jahr seit bis en depuis año nel dal em desde
    sinds w
    od през от"""
)
_FIRST_YEAR, _END_OF_YEARS = 1900, 2100
_ORDINAL_ENDS = word_set("st nd rd th er ère ème e º ª")
_SPLITS = frozenset(",;:|()[]!?\n\u2022")
_ANDS = word_set("and or und oder et ou y o e en of i lub и или but while")
_QUOTES = frozenset("'\u2019")
_TO_HOURS = frozenset(("to", "-", "\u2013", "\u2014", "and", "until", "till", "bis", "und"))
_HOURS, _NEAR, _FAR = 24, 8, 24
_AGED = frozenset(("count", "time"))
_BIRTHDAY = stem("birthday")
_POINTS: dict[Comparator, Comparator] = {">=": "after", ">": "after", "<=": "before", "<": "before"}


def read_quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Return the quantities of a text, in order: at most `MAX_QUANTITIES`, from its first `MAX_TEXT` characters.

    ``language`` is an ISO 639-1 code. It decides what number words, units, bounds and separators mean; of another one
    than those with tables, digits and international signs are read. Linear in the length of the text; never raises.

    >>> for quantity in read_quantities("Up to EUR 1,500 within two working days, at least 30% per year."):
    ...     print(quantity.told, "|", quantity.dimension, quantity.value, quantity.bound)
    Up to EUR 1,500 | money 1500.0 <=
    within two working days | working time 172800.0 <=
    at least 30% per year | percent 30.0 >=
    """
    name = language[:2].lower()
    if name in _IDEOGRAPHIC:
        return ideographic(text, name)[:MAX_QUANTITIES]
    table = language_tables(name)
    if not _DIGIT.search(text) and not table.tell((_WORD_ASCII if text.isascii() else _WORD).findall(text.lower())):
        return ()
    found = tokens(text, spaced=table.spaced)
    return in_their_half(_Reader(TokenizedText(text, found, [token.text for token in found], table)).quantities())


quantities_in = cached_by_text(cost=4)(read_quantities)
"""`read_quantities` of a sentence, from a memo."""


def quantities_of(text: str, otherwise: str = "en") -> tuple[Quantity, ...]:
    """Return the quantities of a sentence in the language it is in, from a memo.

    ``otherwise`` is the language that is taken where the sentence is too short to tell: that of the text around it.

    >>> [quantity.value for quantity in quantities_of("Der Urlaub umfasst im Jahr 1.500,50 Stunden.")]
    [5401800.0]
    >>> [quantity.unit for quantity in quantities_of("14 semanas.", "es")]
    ['week']
    """
    if otherwise == "en" and is_surely_english(text):
        return quantities_in(text, "en")
    return quantities_in(text, language_of(text) or otherwise)


class _Reader:
    """Reads one text from its first token to its last."""

    def __init__(self, read: TokenizedText) -> None:
        self.read = read
        self.found: list[Quantity] = []
        self.places: list[tuple[int, int]] = []

    def quantities(self) -> tuple[Quantity, ...]:
        """Return what the text states."""
        at, tokens_, begins = 0, self.read.tokens, self.read.table.begins
        while at < len(tokens_) and len(self.found) < MAX_QUANTITIES:
            token, end = tokens_[at], 0
            if token.kind == WORD:
                if token.text in begins:
                    end = self._word(at)
            elif token.kind != SIGN:
                end = self._figure(at)
            at = end if end > at else at + 1
        return tuple(
            self._placed_among(quantity, first, last)
            for quantity, (first, last) in zip(self.found, self.places, strict=True)
        )

    def _add(self, first: int, last: int, quantity: Quantity, shown: int = 0) -> int:
        """Keep a quantity whose tokens are from ``first`` to ``last``; return where reading goes on.

        For people it goes on to ``shown``: to the noun of a count.
        """
        tokens_, text = self.read.tokens, self.read.text
        start, end = tokens_[first].start, tokens_[last - 1].end
        written = text[start : tokens_[max(last, shown) - 1].end].replace("*", "").replace("`", "")
        self.found.append(quantity._replace(start=start, end=end, written=written))
        self.places.append((first, last))
        return last

    def _bounded(self, first: int, last: int, quantity: Quantity, shown: int = 0) -> int:
        """Keep a quantity with the words that bound it."""
        words, bounds = self.read.words, self.read.table.bounds
        timed = quantity.dimension in ("date", "clock")
        behind = bounds.behind(words, last) or (bounds.behind(words, shown) if shown else None)
        if behind is not None:
            return self._add(first, behind[1], quantity._replace(bound=_placed(behind[0], timed=timed)))
        aged = age_bound(words, first, bounds) if quantity.dimension in _AGED and self.read.table.name == "en" else None
        before = bounds.before(words, first) if aged is None else aged
        if before is None or (self.places and before[1] < self.places[-1][1]):
            return self._add(first, last, quantity, shown)
        bound, start, stop = before
        word = self.read.text[self.read.tokens[start].start : self.read.tokens[stop - 1].end]
        if quantity.upper is not None:
            bound = "="
        elif not timed:
            bound = _of_amount(bound, word.lower(), quantity.dimension)
        if bound == "=":
            return self._add(first, last, quantity, shown)
        bound = ahead(bound, word, words[last : last + 1])
        self._add(first, last, quantity._replace(bound=_placed(bound, timed=timed), bound_word=word), shown)
        self.places[-1] = (start, last)
        return last

    def _word(self, at: int) -> int:
        tokens_, name, word = self.read.tokens, self.read.table.name, self.read.words[at]
        often = frequency_at(tokens_, at, name)
        if often is not None:
            return self._often(at, often[2], often[0], often[1])
        if name == "en" and (end := self._spoken(at)):
            return end
        if word == every(name):
            return self._every(at)
        if word in HALVES:
            return self._bounded(at, at + 1, Quantity("percent", 50.0, "%", "", 0, 0, amount=50.0))
        found = date_at(tokens_, at, name) if word in months(name) else None
        if found is not None and not is_verb(self.read.text, tokens_[at : found[1]]):
            return self._bounded(at, found[1], dated(found[0]))
        if word in NOONS:
            clock = clock_at(tokens_, at, name)
            return at if clock is None else self._bounded(at, clock.end, _timed(clock.minutes, clock.others))
        amount = self.read.amount(at)
        end = self._amount(at, at, amount, None) if amount is not None else at
        ordinal = self.read.table.numerals.ordinals.get(word)
        return self._ordinal(at, at + 1, ordinal) if ordinal and end == at else end

    def _spoken(self, at: int) -> int:
        """Read the time of day that is told in words from a token on; 0 for none."""
        clock = spoken_clock(self.read, at, joined=bool(self.found) and self.found[-1].dimension == "clock")
        return 0 if clock is None else self._bounded(at, clock.end, _timed(clock.minutes, clock.others))

    def _ordinal(self, first: int, last: int, place: float) -> int:
        noun, shown = noun_at(self.read, last)
        if noun == _BIRTHDAY and (aged := birthday(self.read.words, first)) is not None:
            return self._aged(first, shown, aged, place)
        return self._add(first, last, Quantity("ordinal", place, noun, "", 0, 0, amount=place), shown)

    def _often(self, first: int, last: int, times: float, rate: str) -> int:
        value = times / SECONDS[rate]
        return self._bounded(first, last, Quantity("frequency", value, "time", "", 0, 0, amount=times, rate=rate))

    def _every(self, at: int) -> int:
        """Read "every two weeks", "every second week" and "every month"."""
        words = self.read.words
        place = at + 1 + (at + 1 < len(words) and words[at + 1] == "les")
        amount = self.read.amount(place)
        part = amount is not None and amount.part and words[place] != "half"  # "every half hour"
        size = amount.values[0] if amount is not None and not part else 1.0
        place = amount.end if amount is not None else place
        if amount is None and place + 1 < len(words):
            ordinals = self.read.table.numerals.ordinals
            ordinal = 2.0 if words[place] in ("other", "second") else ordinals.get(words[place])
            behind = self.read.table.units.get(words[place + 1])
            # "Every second week", but not "every first day of the month".
            if ordinal and ordinal > 1 and behind is not None and behind.dimension == "time":
                place, size = place + 1, ordinal
        unit = self.read.table.units.get(words[place]) if place < len(words) else None
        if unit is None or unit.dimension != "time" or size <= 0:
            return at
        rate = unit.name if size == 1 else f"{size:g} {unit.name}s"
        found = Quantity("frequency", 1.0 / (size * unit.factor), "time", "", 0, 0, amount=1.0, rate=rate)
        return self._add(at, place + 1, found)

    def _figure(self, at: int) -> int:
        """Read the quantity of the digits at a token."""
        token = self.read.tokens[at]
        currency, first = currency_before(self.read, at)
        if self.places and self.places[-1][1] > first:
            currency, first = None, at
        if currency is None and is_code(self.read, at, first=not self.places):
            return past_code(self.read, at)
        end = self._numbered(at) or (self._point(at) if currency is None else 0)
        if end or token.kind != NUMBER:
            return end
        amount = self.read.amount(at)
        if amount is not None:
            return self._amount(first, at, amount, currency)
        return (
            self._add(at, at + 1, Quantity("version", 0.0, token.text, "", 0, 0)) if token.text.count(".") > 1 else at
        )

    def _aged(self, first: int, last: int, aged: AgeBound, age: float) -> int:
        """Keep an age that is told of people: "under-18s", "until their 73rd birthday"."""
        text, tokens_ = self.read.text, self.read.tokens
        word = text[tokens_[aged.start].start : tokens_[first - 1].end].rstrip("-\u2010\u2011")
        found = Quantity("count", age, "", "", 0, 0, amount=age, step=1.0, bound=aged.bound, bound_word=word)
        self._add(first, last, found)
        self.places[-1] = (aged.start, last)
        return last

    def _point(self, at: int) -> int:
        """Read the date or the time of day at a token; 0 for none."""
        tokens_, name = self.read.tokens, self.read.table.name
        if name == "en" and tokens_[at].kind == NUMBER and (end := self._spoken(at)):
            return end
        if tokens_[at].kind != CLOCK:
            found = date_at(tokens_, at, name)
            if found is not None and not is_verb(self.read.text, tokens_[at : found[1]]):
                return self._bounded(at, found[1], dated(found[0]))
        if tokens_[at].kind != DATE:
            clock = clock_at(tokens_, at, name)
            if clock is not None:
                return self._bounded(at, clock.end, _timed(clock.minutes, clock.others))
        return 0

    def _amount(self, first: int, at: int, amount: NumberReading, unit: MeasureUnit | None) -> int:
        """Read what the amount at a token counts, ``at`` for nothing; ``first``, ``unit``: the currency before."""
        read, signed = self.read, unit is not None
        if not signed and (aged := age_group(read, at, amount.end)) is not None:
            return self._aged(at, aged.end, aged, amount.values[0])
        if unit is not None:
            amount = in_millions(read, amount)
            end = amount.end
        else:
            amount = said_again(read, amount)
            halved = (
                amount.part and amount.end < len(read.words) and read.words[amount.end] in read.table.numerals.articles
            )
            unit, end = unit_at(read, amount.end + halved)
            share = self._share(at, amount) if unit is None or unit.name == "quarter" else 0
            if share:
                return share
        if unit is None and self._opens(end, amount):
            return self._bounded(
                at, end, _timed(amount.values[0] * 60.0, ((amount.values[0] * 60.0 + 720.0) % 1440.0,))
            )
        half = with_half(read, end, amount, unit) if unit is not None else 0
        if amount.article and (unit is None or not (half or is_meant(read, at, unit))):
            return at
        span = None if half else range_at(read, first, end, amount, unit, signed=signed)
        if span is not None:
            end, unit = span.end, span.unit
        if is_negative(read, first):
            amount = amount._replace(values=tuple(-value for value in amount.values))
        upper = span.upper if span else None
        if unit is None:
            return self._plain(first, at, end, amount, upper)
        return self._measured(first, half or end, amount, unit, upper, half=0.5 if half else 0.0)

    def _opens(self, end: int, amount: NumberReading) -> bool:
        """Tell whether an hour without a sign opens a span that ends at a time of day: "9 to 5 pm"."""
        words, hour = self.read.words, amount.values[0]
        if not 0 <= hour <= _HOURS or hour != int(hour) or end + 1 >= len(words) or words[end] not in _TO_HOURS:
            return False
        return clock_at(self.read.tokens, end + 1, self.read.table.name) is not None

    def _measured(
        self, first: int, end: int, amount: NumberReading, unit: MeasureUnit, upper: float | None, *, half: float
    ) -> int:
        low = amount.values[0] + half
        rate, behind = paid_for(self.read.tokens, end, self.read.table.name, unit.dimension)
        found = Quantity(
            unit.dimension, low * unit.factor + unit.zero, unit.name, "", 0, 0, rate=rate, amount=low,
            upper=None if upper is None else upper * unit.factor + unit.zero, step=amount.step * unit.factor,
            others=tuple(value * unit.factor + unit.zero for value in amount.values[1:]),
        )  # fmt: skip
        return self._bounded(first, behind if rate else end, found)

    def _share(self, at: int, amount: NumberReading) -> int:
        """Read "one in three" and "half of"; 0 where an amount begins no share."""
        share = share_at(self.read.tokens, amount, self.read.table.name, self.read.table.numerals)
        if share is None:
            return 0
        timed = time_shared(self.read, share[1])
        if timed is not None:
            (unit, end), part = timed, share[0] / 100.0
            found = Quantity("time", part * unit.factor, unit.name, "", 0, 0, amount=part)
            return self._bounded(at, end, found)
        return self._bounded(at, share[1], Quantity("percent", share[0], "%", "", 0, 0, amount=share[0]))

    def _plain(self, first: int, at: int, end: int, amount: NumberReading, upper: float | None) -> int:
        """Keep a number without a unit: a year, an ordinal, how often, or a count of what follows."""
        read, name = self.read, self.read.table.name
        following = read.words[end] if end < len(read.words) else ""
        special = self._special(at, end, amount, upper, following)
        if special:
            return special
        noun, shown = noun_at(read, end)
        named = read.text[read.tokens[first - 1].start : read.tokens[first - 1].end] if first else ""
        if not noun and named.isupper() and named.isalpha() and len(named) > 1 and not read.text.isupper():
            return self._add(at, end, Quantity("reference", amount.values[0], named.lower(), "", 0, 0))
        year = year_of(read.tokens[at])
        if _FIRST_YEAR <= year < _END_OF_YEARS and (not noun or (at and read.words[at - 1] in _OF_YEARS)):
            return self._bounded(first, end, dated(((year, 0, 0),))._replace(upper=upper))
        if amount.part:
            share = amount.values[0] * 100.0
            return at if amount.spelled else self._add(at, end, Quantity("percent", share, "%", "", 0, 0, amount=share))
        rate, behind = rate_behind(read.tokens, shown or end, name)
        found = Quantity(
            "count", amount.values[0], noun, "", 0, 0, upper=upper, rate=rate, amount=amount.values[0],
            step=amount.step, others=amount.values[1:],
        )  # fmt: skip
        return self._bounded(first, behind if rate else end, found, shown if noun else 0)

    def _special(self, at: int, end: int, amount: NumberReading, upper: float | None, following: str) -> int:
        """Read a number that counts nothing: "2000's", "3rd", "3D", "three times a year"; 0 where it may count."""
        read, name = self.read, self.read.table.name
        if read.touching(end) and following in _QUOTES and read.words[end + 1 : end + 2] == ["s"]:
            return end + 2
        if read.touching(end) and following in _ORDINAL_ENDS:
            return self._ordinal(at, end + 1, amount.values[0])
        if read.touching(end) and read.tokens[end].kind == WORD and not amount.spelled:
            return end + 1
        if following in times_words(name):
            rate, last = rate_behind(read.tokens, end + 1, name)
            if rate in SECONDS:
                return self._often(at, last, amount.values[0], rate)
        if upper is not None and following == "uhr":
            return self._add(at, at + 1, _timed(amount.values[0] * 60.0, ()))
        return 0

    def _numbered(self, at: int) -> int:
        """Keep the numeral of a section, a page, a version; 0 where the number is something else."""
        words = self.read.words
        place = at - 1
        while place > max(0, at - 3) and words[place] in ".:-":
            place -= 1
        if place < 0 or words[place] not in _NUMBERED or self.read.tokens[at].kind != NUMBER:
            return 0
        if words[place] == "no" and place == at - 1:
            return 0
        dimension: QuantityDimension = "version" if words[place] in _VERSIONS else "reference"
        unit = words[at] if dimension == "version" else stem(words[place])
        values = number_readings(words[at])
        return self._add(at, at + 1, Quantity(dimension, values[0] if values else 0.0, unit, "", 0, 0))

    def _placed_among(self, quantity: Quantity, first: int, last: int) -> Quantity:
        """Return a quantity with the words of the part of a list in which its tokens stand."""
        found: list[str] = []
        lead = 0
        for places in (
            range(first - 1, max(-1, first - _FAR), -1),
            range(last, min(len(self.read.tokens), last + _FAR)),
        ):
            own = 0
            for place in places:
                token = self.read.tokens[place]
                if token.text in _SPLITS or token.text in _ANDS or own >= _NEAR:
                    break
                if token.kind == WORD and len(token.text) > 1 and token.text not in STOP_WORDS:
                    found.append(stem(token.text))
                    own += 1
                elif token.kind == NUMBER and place and self.read.words[place - 1] in _NUMBERED:
                    found.append(f"{self.read.words[place - 1]} {token.text}")
            lead = len(found) if places.step < 0 else lead
        return quantity._replace(about=tuple(found), lead=lead)


def _placed(bound: Comparator, *, timed: bool) -> Comparator:
    """Return a bound as one of points in time, where it bounds one."""
    return _POINTS.get(bound, bound) if timed else bound


def _of_amount(bound: Comparator, word: str, dimension: QuantityDimension) -> Comparator:
    """Return a bound as one of amounts: "from 5 EUR" is at least, "by 5 %" none."""
    if word in _ONLY_POINTS:
        return "="
    if bound in ("after", "before") and dimension not in ("time", "working time"):
        return ">=" if word in _FROM else "="
    return bound


def _timed(minutes: float, others: tuple[float, ...]) -> Quantity:
    return Quantity("clock", minutes, "clock", "", 0, 0, amount=minutes, others=others)
