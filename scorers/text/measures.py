"""Units of measure of columns and claims: what a column is told in, and what its numbers are in another unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorers.text.cells import CellToken
from scorers.text.normalize import word_set


class ColumnUnit(NamedTuple):
    """A unit: what it measures, and how its numbers become those of the base unit (``factor`` * number + ``shift``)."""

    measures: str
    factor: float = 1.0
    shift: float = 0.0

    def told_in(self, number: float, other: ColumnUnit) -> float:
        """Return a number of this unit in another one of the same measure.

        >>> round(unit_named("F").told_in(68, unit_named("celsius")), 6)
        20.0
        """
        return (number * self.factor + self.shift - other.shift) / other.factor


_NAMES = """temperature c:1 celsius:1 degc:1 °c:1 degrees·celsius:1 degrees·c:1 degree·celsius:1 degrees·centigrade:1
    | speed m/s:1 ms:1 mps:1 meters·per·second:1 metres·per·second:1 metre·per·second:1 meter·per·second:1
    km/h:0.2777777778 kmh:0.2777777778 kph:0.2777777778 kilometers·per·hour:0.2777777778
    kilometres·per·hour:0.2777777778 mph:0.44704 miles·per·hour:0.44704 kn:0.514444 knots:0.514444 knot:0.514444
    | pressure hpa:1 hectopascals:1 hectopascal:1 mbar:1 millibars:1 millibar:1 inhg:33.8639
    | length mm:0.001 millimeters:0.001 millimetres:0.001 millimeter:0.001 millimetre:0.001 cm:0.01 centimeters:0.01
    centimetres:0.01 m:1 meters:1 metres:1 meter:1 metre:1 km:1000 kilometers:1000 kilometres:1000 in:0.0254
    inch:0.0254 inches:0.0254 ft:0.3048 feet:0.3048 foot:0.3048 mi:1609.344 mile:1609.344 miles:1609.344
    | mass mg:0.001 g:1 gram:1 grams:1 kg:1000 kilogram:1000 kilograms:1000 lb:453.59237 lbs:453.59237 pound:453.59237
    pounds:453.59237 oz:28.349523 ounce:28.349523 ounces:28.349523
    | share %:1 percent:1 percentage:1 pct:1
    | time s:1 sec:1 second:1 seconds:1 min:60 mins:60 minute:60 minutes:60 h:3600 hr:3600 hrs:3600 hour:3600
    hours:3600
    | usd $:1 usd:1 dollar:1 dollars:1 | eur €:1 eur:1 euro:1 euros:1 | gbp £:1 gbp:1"""

UNITS: Mapping[str, ColumnUnit] = {
    **{
        name.replace("·", " "): ColumnUnit(measures, float(factor))
        for measures, *names in (part.split() for part in _NAMES.split("|"))
        for name, _, factor in (each.rpartition(":") for each in names)
    },
    **dict.fromkeys(
        ("f", "fahrenheit", "degf", "°f", "degrees fahrenheit", "degrees f", "degree fahrenheit"),
        ColumnUnit("temperature", 5 / 9, -160 / 9),
    ),
    **dict.fromkeys(("k", "kelvin"), ColumnUnit("temperature", 1.0, -273.15)),
}
"""Units by name, in lower case."""

_ENDINGS = word_set(
    "c f celsius fahrenheit kph kmh mph mps kn hpa mbar mm cm km inch inches feet ft miles mi kg lb lbs grams oz pct"
    " percent min minutes hours seconds sec usd eur gbp"
)
"""Words that the name of a column may end in, where they are its unit: "temp_c", "price_usd"."""

_ALONE = frozenset({"c", "f", "k", "m", "in", "h", "s", "ms"})
"""Names that are words or letters of another meaning behind a number that no degree stands before."""


def unit_named(name: str) -> ColumnUnit | None:
    """Return the unit of a name, ``None`` for what is none.

    >>> unit_named("km/h").measures, unit_named("stars")
    ('speed', None)
    """
    return UNITS.get(" ".join(name.casefold().split()))


def unit_in_key(words: Sequence[str]) -> ColumnUnit | None:
    """Return the unit that the words of a key end in.

    >>> unit_in_key(["wind", "kph"]).measures, unit_in_key(["c"])
    ('speed', None)
    """
    last = words[-1].casefold() if len(words) > 1 else ""
    return UNITS[last] if last in _ENDINGS else None


def unit_behind(read: Sequence[CellToken], at: int) -> ColumnUnit | None:
    """Return the unit of the number at a place of a claim, of as many words as have one.

    >>> from scorers.text.cells import tokens
    >>> unit_behind(tokens("a gust of 12.5 m/s"), 3).measures
    'speed'
    """
    words = [token.word for token in read[at + 1 : at + 1 + _LONGEST]]
    for count in range(len(words), 0, -1):
        for joined in (" ".join(words[:count]), "".join(words[:count])):
            unit = UNITS.get(joined)
            if unit is not None and not (count == 1 and joined in _ALONE):
                return unit
    before = read[at - 1].word if at else ""
    return UNITS.get(before) if before in _CURRENCIES else None


_LONGEST = 3
_CURRENCIES = frozenset("$€£")
