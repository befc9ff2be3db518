"""What a quantity is: a number with what it measures, how it is bounded, and where it stands."""

from __future__ import annotations

from typing import Literal, NamedTuple

QuantityDimension = Literal[
    "time", "working time", "money", "mass", "length", "area", "volume", "temperature", "data", "percent", "points",
    "clock", "date", "count", "frequency", "ordinal", "reference", "version",
]  # fmt: skip
"""What a quantity measures. ``percent`` are shares, ``points`` differences of shares; ``clock`` are times of day;
``frequency`` are times per second; ``reference`` are numerals of sections, pages and the like."""

Comparator = Literal["=", "~", ">=", ">", "<=", "<", "after", "before"]
"""How a quantity is bounded: exactly, about, at least, more than, at most, less than; beginning then, ending then."""

CalendarDate = tuple[int, int, int]
"""Year, month and day; 0 for what is not said."""


class Quantity(NamedTuple):
    """A quantity of a text.

    ``value`` is in base units: seconds, grams, metres, square metres, cubic metres, degrees Celsius, bytes, minutes
    since midnight, units of the currency. ``upper`` is the other end of a range. ``unit`` is the unit in one form
    (``day``, ``EUR``), for a count the noun; ``amount`` the number as written. ``step`` is what one more in its last
    digit is worth. ``others`` are further values that the writing allows (``1.500``, ``7:30`` without its half of the
    day). ``days`` are the readings of a date. ``rate`` is what it is paid or counted for (``night``, ``month``,
    ``each``). ``about`` are the words of the part of a list in which it stands, the first ``lead`` of them before it.
    """

    dimension: QuantityDimension
    value: float
    unit: str
    written: str
    start: int
    end: int
    upper: float | None = None
    bound: Comparator = "="
    bound_word: str = ""
    rate: str = ""
    amount: float = 0.0
    step: float = 0.0
    others: tuple[float, ...] = ()
    days: tuple[CalendarDate, ...] = ()
    about: tuple[str, ...] = ()
    lead: int = 0

    @property
    def told(self) -> str:
        """The quantity with its bound, for people.

        >>> from scorers.statements.quantities import read_quantities
        >>> [quantity.told for quantity in read_quantities("At least 5 days, up to EUR 30 per night.")]
        ['At least 5 days', 'up to EUR 30 per night']
        """
        return self.written if not self.bound_word else f"{self.bound_word} {self.written}"
