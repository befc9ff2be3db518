"""What is said of each suspect, from how it stood beside the others."""

from __future__ import annotations

from collections.abc import Sequence

from gates.attribution.effects import LEAST_SHARE, View
from gates.attribution.report import Finding, Standing
from gates.attribution.sample import Suspect
from gates.attribution.suspects import HALF, Ruling, Trial
from gates.evidence.contrast import Contrast


def findings(view: View, suspects: Sequence[Suspect], trial: Trial, ruling: Ruling) -> tuple[Finding, ...]:
    """Return what was found of each of the suspects, in their order."""
    traffic = {
        place: view.part(trial.touched[place], among=True if trial.kin[place] is None else view.sample.read)
        for place in ruling.own
    }
    carried = {place: view.share(own.change * traffic[place]) for place, own in ruling.own.items() if own is not None}
    rivals = [
        place
        for place in ruling.worse
        if place not in ruling.idle and place not in ruling.late and carried[place] >= LEAST_SHARE
    ]
    found: list[Finding] = []
    for place, suspect in enumerate(suspects):
        own = ruling.own.get(place)
        against: Sequence[int] = ()
        if own is None:
            standing: Standing = "open"
            detail = trial.open.get(place, "there are too few comparable answers from before it")
        elif place in ruling.worse:
            standing, why, against = _worse(place, suspects, ruling, rivals, carried[place])
            detail = f"{_changed(view, own)}{why}"
        else:
            most = view.share(max(0.0, traffic[place] * own.upper))
            standing = "excluded" if view.total.lower > 0.0 and most < HALF else "open"
            detail = _changed(view, own) + (f", at most {most:.0%} of the change" if standing == "excluded" else "")
        found.append(
            Finding(
                seq=suspect.seq,
                cause=suspect.cause,
                standing=standing,
                detail=detail,
                figures=None if own is None else view.figures(own, carried[place]),
                rivals=tuple(suspects[other].seq for other in against),
            )
        )
    return tuple(found)


def _worse(
    place: int, suspects: Sequence[Suspect], ruling: Ruling, rivals: Sequence[int], carried: float
) -> tuple[Standing, str, Sequence[int]]:
    """Return the standing of a suspect whose answers got worse, why, and beside which others it cannot be told."""

    def names(places: Sequence[int]) -> str:
        return ", ".join(dict.fromkeys(suspects[other].component for other in places))

    unmatched = [other for other in rivals if other != place and (place, other) not in ruling.adds]
    standing: Standing = "open"
    if place in ruling.late:
        standing, why = "excluded", f"; {ruling.late[place]}"
    elif place in ruling.idle:
        standing, why = "excluded", f"; beside {names(ruling.idle[place])} it adds less than half"
    elif carried < LEAST_SHARE:
        why = f", {carried:.0%} of the change"
    elif place in ruling.vague:
        standing, why = "not told apart", "; it need not have begun with this"
    elif not unmatched:
        standing, why = "carries", ""
    elif all((other, place) in ruling.adds for other in unmatched):
        why = f"; beside {names(unmatched)} it is not shown to add anything"
    else:
        return "not told apart", f"; {names(unmatched)} touched the same answers", unmatched
    return standing, why, ()


def _changed(view: View, found: Contrast) -> str:
    figures = view.figures(found)
    return (
        f"what it touched went from {figures.before:.3g} to {figures.after:.3g} over {figures.n_after} answers"
        f" (by {figures.lower:+.3g} to {figures.upper:+.3g})"
    )
