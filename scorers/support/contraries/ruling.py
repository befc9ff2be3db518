"""What the rules of a context rule out of a claim, by whichever shape tells it most surely."""

from __future__ import annotations

import re
from itertools import chain

from scorers.support.alignment import SEEN, Alignment
from scorers.support.contraries.absolutes import absolutes
from scorers.support.contraries.actors import actors
from scorers.support.contraries.apportioned import apportioned
from scorers.support.contraries.approvers import approvers
from scorers.support.contraries.channels import channels
from scorers.support.contraries.conditionals import conditionals
from scorers.support.contraries.contrasts import contrasts
from scorers.support.contraries.denied import denied
from scorers.support.contraries.doers import doers
from scorers.support.contraries.exchanges import exchanges
from scorers.support.contraries.forces import forces
from scorers.support.contraries.groups import groups
from scorers.support.contraries.identifiers import identifiers
from scorers.support.contraries.including import of_case
from scorers.support.contraries.keyed import keyed
from scorers.support.contraries.licences import licences
from scorers.support.contraries.limits import limits
from scorers.support.contraries.lists import lists
from scorers.support.contraries.nevers import nevers
from scorers.support.contraries.only import only
from scorers.support.contraries.opposites import opposites
from scorers.support.contraries.parts import parts
from scorers.support.contraries.payers import payers
from scorers.support.contraries.ranges import ranges
from scorers.support.contraries.reading import Ruled, near
from scorers.support.contraries.restrictions import restrictions
from scorers.support.contraries.sequences import sequences
from scorers.support.contraries.siblings import siblings
from scorers.support.contraries.sides import sides
from scorers.support.contraries.spared import spared
from scorers.support.contraries.subjects import subjects
from scorers.support.contraries.swaps import swaps
from scorers.support.contraries.times import times
from scorers.support.contraries.unmet import unmet
from scorers.support.contraries.values import values
from scorers.support.ruling import sets_rules
from scorers.text.normalize import behind_particle


def ruled_out(a: Alignment, question: str | None) -> Ruled | None:
    """Return what a statement of the context rules out of a claim; ``None`` where none does."""
    told = near(a)
    if not told:
        return None
    words = _FREE_TO.sub("able to ", a.claim.sentence.words)
    # "No" answers the question and denies nothing of what follows.
    stated = words[behind_particle(words) :]
    found = chain(
        absolutes(words, told),
        limits(stated, told),
        ranges(stated, told),
        spared(words, told),
        times(stated, told),
        values(stated, told, _figures(a)),
        apportioned(stated, told),
        doers(stated, told),
        approvers(stated, told),
        channels(stated, told),
        payers(stated, told),
        sides(stated, told),
        groups(words, question, told),
        opposites(stated, told),
        sequences(words, told),
        swaps(stated, told),
        forces(words, question, told),
        keyed(stated, a),
        lists(a),
        identifiers(a),
        contrasts(stated, told),
        nevers(stated, told),
        only(words, question, told),
        unmet(words, question, told),
    )
    if sets_rules(a.context):
        found = chain(
            found,
            licences(words, question, told),
            conditionals(words, question, told),
            siblings(stated, a, told),
            denied(stated, a, told),
            subjects(stated, told),
            restrictions(stated, question, a, told),
            actors(stated, a, told),
            exchanges(stated, told),
            parts(stated, question, told),
        )
    if (case := of_case(stated)) is not None:
        found = chain(found, forces(case, None, told), payers(case, told))
    return max(found, key=_strength, default=None)


_FREE_TO = re.compile(
    r"\bfree to (?!(?:use|enter|visit|attend|join|park|ride|download|members|students|all|everyone|the|our|any)\b)"
    r"(?=[a-z])"
)
"""What somebody may do: "free to divide it" says nothing of what it costs, as "free to use" may."""


def _figures(a: Alignment) -> frozenset[str]:
    """Return the figures of a claim that stand in its context, wherever."""
    return frozenset([term for term, found in a.found.items() if term[0] == "#" and found.match >= SEEN])


def _strength(found: Ruled) -> float:
    return found.difference.strength
