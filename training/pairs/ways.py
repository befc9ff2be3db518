"""Every way to make a statement wrong, and every way to reword it without harm, by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from training.pairs import clauses, entities, figures, harmless, words
from training.pairs.pair import Way

WRONG: Mapping[str, Sequence[Way]] = {
    "number": (figures.number, figures.spelled),
    "exchange": (figures.exchanged,),
    "year": (figures.year,),
    "unit": (figures.unit, figures.currency, figures.rate, figures.CALENDAR.way),
    "negation": (words.negation,),
    "opposite": (words.OPPOSITES.way,),
    "entity": (entities.entity, entities.thing),
    "role": (entities.roles,),
    "modality": (words.MODALITY.way,),
    "bound": (words.bound,),
    "order": (words.order,),
    "scope": (words.SCOPE.way, words.only, words.restricted),
    "condition": (clauses.dropped, clauses.overridden, clauses.turned, clauses.weakened, clauses.added),
    "exception": (clauses.exception_taken_in,),
}
"""Kinds of what is changed, so that the statement is wrong where the source tells the unchanged one."""

HARMLESS: Mapping[str, Sequence[Way]] = {
    "synonym": (harmless.SYNONYMS.way,),
    "force": (harmless.forces,),
    "limit": (harmless.limits,),
    "format": (harmless.numbers, harmless.dates, harmless.PERIODS.way),
    "lead-in": (harmless.led,),
    "markdown": (harmless.marked,),
    "quotes": (harmless.quoted,),
    "clause": (harmless.moved,),
    "passive": (harmless.passive,),
    "stop": (harmless.plain_full_stop,),
}
"""Kinds of rewording that leave what is said."""
