"""Phrases that forbid, require, permit, bind to a condition, order or bound: what each turns into.

A line is a phrase: ``a/b`` is one word of several, ``a?`` may be left out, ``{be}`` stands for the words of `WORDS`.
At each place of a sentence the longest phrase counts, so "must not exceed" is a bound and no prohibition.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorers.statements.lexicon.conditions import CONDITIONS
from scorers.statements.lexicon.forces import FORCES
from scorers.statements.lexicon.scopes import SCOPES

WORDS: Mapping[str, str] = {
    "be": "is/are/be/was/were/been/being/am",
    "have": "have/has/had/having",
    "do": "do/does/did",
    "modal": "may/can/must/should/shall/could/will/would",
    "permitted": "allowed/permitted/authorized/authorised/eligible/entitled",
    "needed": "required/needed/necessary/mandatory/compulsory/obligatory/obliged/obligated/bound/essential/expected",
    "banned": "prohibited/forbidden/banned/barred/disallowed/impermissible/ineligible/precluded/unauthorized",
    "more": (
        "more/longer/higher/greater/larger/later/older/earlier/sooner/fewer/less/lower/shorter/younger/newer/smaller"
        "/taller/wider/deeper/thicker/heavier/lighter/bigger/faster/slower/further"
    ),
}

PHRASES: Mapping[str, str] = {**FORCES, **CONDITIONS, **SCOPES}
"""By what they turn into. Where two tables have one phrase, the first counts."""
