"""What is found of each suspect, from how its answers compare with those of the others."""

from __future__ import annotations

from collections.abc import Sequence

from gates.attribution.effects import LEAST_SHARE, Effects
from gates.attribution.report import Finding, Standing
from gates.attribution.sample import Suspect
from gates.attribution.suspects import HALF, Assessment, ChangeExposure
from gates.evidence.contrast import Contrast


def findings(
    effects: Effects, suspects: Sequence[Suspect], exposed: ChangeExposure, assessed: Assessment
) -> tuple[Finding, ...]:
    """Return a finding of each suspect, in their order."""
    known = effects.sample.documents_known
    traffic = {
        place: effects.traffic_share(
            exposed.touched[place], among=True if exposed.of_documents[place] is None else known
        )
        for place in assessed.own
    }
    explained = {
        place: effects.share(own.change * traffic[place]) for place, own in assessed.own.items() if own is not None
    }
    rivals = [
        place
        for place in assessed.worse
        if place not in assessed.idle and place not in assessed.late and explained[place] >= LEAST_SHARE
    ]
    made: list[Finding] = []
    for place, suspect in enumerate(suspects):
        own = assessed.own.get(place)
        against: Sequence[int] = ()
        if place in exposed.spared:
            standing: Standing = "excluded"
            detail = exposed.spared[place]
        elif own is None:
            standing = "open"
            detail = exposed.open.get(place, "too few comparable answers from before the change")
        elif place in assessed.worse:
            standing, why, against = _worse(place, suspects, assessed, rivals, explained[place])
            detail = f"{_changed(effects, own)}{why}"
        else:
            most = effects.share(max(0.0, traffic[place] * own.upper))
            standing = "excluded" if effects.total.lower > 0.0 and most < HALF else "open"
            detail = _changed(effects, own) + (
                f"; explains at most {100 * most:.0f} % of the change" if standing == "excluded" else ""
            )
        made.append(
            Finding(
                seq=suspect.seq,
                cause=suspect.cause,
                standing=standing,
                detail=detail,
                figures=None if own is None else effects.figures(own, explained[place]),
                rivals=tuple(suspects[other].seq for other in against),
            )
        )
    return tuple(made)


def _worse(
    place: int, suspects: Sequence[Suspect], assessed: Assessment, rivals: Sequence[int], explained: float
) -> tuple[Standing, str, Sequence[int]]:
    """Return the standing of a suspect whose answers got worse, why, and from which others it cannot be told apart."""

    def names(places: Sequence[int]) -> str:
        return ", ".join(dict.fromkeys(suspects[other].component for other in places))

    unmatched = [other for other in rivals if other != place and (place, other) not in assessed.adds]
    standing: Standing = "open"
    if place in assessed.late:
        standing, why = "excluded", f"; {assessed.late[place]}"
    elif place in assessed.idle:
        standing, why = "excluded", f"; adds less than half to the effect of {names(assessed.idle[place])}"
    elif explained < LEAST_SHARE:
        why = f"; explains {explained:.0%} of the change"
    elif place in assessed.vague:
        standing, why = "not told apart", "; the fall may not have started with this change"
    elif not unmatched:
        standing, why = "carries", ""
    elif all((other, place) in assessed.adds for other in unmatched):
        why = f"; no effect beyond that of {names(unmatched)} is shown"
    else:
        return "not told apart", f"; {names(unmatched)} touched the same answers", unmatched
    return standing, why, ()


def _changed(effects: Effects, own: Contrast) -> str:
    figures = effects.figures(own)
    return (
        f"answers it touched moved from {figures.before:.3g} to {figures.after:.3g}"
        f" ({figures.n_after} answers, change {figures.lower:+.3g} to {figures.upper:+.3g})"
    )
