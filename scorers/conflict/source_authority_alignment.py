"""Source authority alignment: whether the answer rests on the highest authority that speaks to what it claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from adapters.schema import Answer, Passage
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input
from scorers.conflict.precedence import EQUAL, Precedence
from scorers.support.attribution import attribution
from scorers.support.resting import rests_on, rests_on_nothing
from scorers.text.excerpt import excerpt
from scorers.text.sentences import Sentence

LISTED = 5

ADDRESSES = 0.6
"""A passage speaks to a claim if one of its sentences holds this share of the claim's words, weighted by rarity.

Figures do not count: a passage that gives another figure speaks to the claim as much as one that gives the same.
"""


class SourceAuthorityAlignment(Scorer):
    """Share of claims resting on the highest authority among the passages that speak to them: 0 none, 1 all.

    A claim rests on the passages it cites, else on the context passage that it has most of its words from. It is held
    against every retrieved passage in force that speaks to it, whatever figure that gives: a claim taken from a memo
    where the policy says otherwise does not follow the hierarchy. Authorities are those of gold labels, else of the
    catalog, else of the passages (``basis``). Claims that rest on passages without an authority are left out; if those
    are all, the answer is unscored (``missing_input``).

    >>> from datetime import UTC, datetime
    >>> policy = Passage(id="policy", text="Hotels cost up to 180 EUR per night.", authority=0.9)
    >>> memo = Passage(id="memo", text="Hotels cost up to 220 EUR per night.", authority=0.3)
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> for figure in (180, 220):
    ...     text = f"Hotels cost up to {figure} EUR per night."
    ...     print(SourceAuthorityAlignment().score(Answer(id="a", answer=text, passages=(policy, memo)), env).value)
    1.0
    0.0
    """

    metric: ClassVar[Metric] = Metric(
        name="source_authority_alignment",
        family="conflict",
        languages="any",
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Share of claims that rest on the highest-authority source addressing them: 0 none, 1 all.",
        formula="claims whose best-ranked source has the highest authority among passages in force that address the "
        "claim / claims resting on a passage with an authority",
        source="PROBE 3.3, Table 3 (source authority alignment: correct hierarchy use) and Table A.9.",
        bases=("gold", "catalog", "passages"),
        cost="judgement",
        limits="Claims resting on passages without an authority are left out; does not check whether authorities are "
        "assigned correctly.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["source_authority_alignment"] = "source_authority_alignment"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of claims on the highest authority, or why there is none."""
        passages = answer.passages or ()
        found = attribution(answer, env.memory)
        precedence = Precedence(answer, env)
        told = [precedence.authority(passage) for passage in passages]
        resting = rests_on(found)
        if found is None or not any(resting):
            return rests_on_nothing(answer)
        aligned = known = 0
        basis: Basis = "passages"
        evidence: list[Evidence] = []
        for claim, indices in enumerate(resting):
            own = [(level, index) for index in indices if (level := told[index][0]) is not None]
            if not own:
                continue
            known += 1
            level, source = max(own, key=lambda one: (one[0], -one[1]))
            higher = [
                (other, index)
                for index, (other, _) in enumerate(told)
                if other is not None
                and other > level + EQUAL
                and found.spoken(claim, index) >= ADDRESSES
                and precedence.in_force(passages[index])
            ]
            aligned += not higher
            basis = _best(basis, [told[source][1], *(told[index][1] for _, index in higher)])
            if higher:
                top, best = max(higher, key=lambda one: (one[0], -one[1]))
                evidence += _evidence(found.claims[claim], passages, (source, level), (best, top))
        if not known:
            return missing_input("authority of the passages")
        return Measured(
            value=aligned / known,
            basis=basis,
            explanation=f"{aligned} of {known} claims rest on the highest authority that addresses them",
            evidence=tuple(evidence[: 2 * LISTED]),
        )


def _best(known: Basis, bases: Sequence[Basis]) -> Basis:
    order: tuple[Basis, ...] = ("passages", "catalog", "gold")
    return max((known, *bases), key=order.index)


def _evidence(
    said: Sentence, passages: Sequence[Passage], source: tuple[int, float], better: tuple[int, float]
) -> tuple[Evidence, Evidence]:
    used, above = passages[source[0]], passages[better[0]]
    rests = f"claim {excerpt(said.words)!r} rests on {excerpt(used.doc_id or used.id)}, authority {source[1]:g}"
    speaks = f"{excerpt(above.doc_id or above.id)} addresses it with authority {better[1]:g}"
    return Evidence.of_passage(used, rests, at=said), Evidence.of_passage(above, speaks)
