"""Whether a context has a claim in so many words, or what it has comes to it: then no model is asked."""

from __future__ import annotations

from scorers.support.alignment import Alignment
from scorers.support.copying import is_copy
from scorers.support.stated import Stated
from scorers.support.timetables.reading import tells_times


def is_settled(a: Alignment, said: Stated, *, ruled: bool) -> bool:
    """Tell whether a claim over prose is told, whatever trees make of its words.

    ``ruled``: its context sets rules, of which a statement that agrees tells all that matters; so does a timetable, and
    so does a rule of whose bound or period a claim tells a case.
    """
    agreed = said.comparison.outcome == "agrees" and (ruled or said.cased or tells_times(said.words))
    return agreed or bool(a.derived) or bool(a.cases) or (not said.strength and is_copy(a))
