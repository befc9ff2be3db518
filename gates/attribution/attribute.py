"""What explains a fall in quality: strata or their mix, and which of the known changes.

The mean of a metric changes by

    mean_after - mean_before = sum_s p_after(s) (m_after(s) - m_before(s))
                             + sum_s (p_after(s) - p_before(s)) m_before(s)

over strata ``s`` with shares ``p`` of traffic and means ``m``: the first sum is the change within strata, what the same
traffic would have lost; the second is what another mix alone would have moved (E. M. Kitagawa, "Components of a
difference between two rates", JASA 50, 1955). Each has bounds of its own (`gates.evidence.contrast`); the mix is judged
by comparing how well the strata that came after did before with how well those that came before did.

Changes in the ledger are told apart by what they touched (`gates.attribution.suspects`), not by when they came
alone. All bounds hold together with the confidence stated: the error is shared out over all statements that could be
made, whichever are. Times are chosen from the answers, too, and that is counted (`gates.attribution.changepoint`).
Answers weigh one over their probability, clusters bet once. What these figures do not show is called so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gates.attribution.changepoint import onset
from gates.attribution.drilldown import drill_down
from gates.attribution.effects import LEAST_SHARE, Effects, Worse
from gates.attribution.findings import findings
from gates.attribution.report import Attribution, FallKind, Figures, Finding, Part
from gates.attribution.sample import Sample, Suspect
from gates.attribution.suspects import HALF, assess, exposure
from gates.units.instants import Microseconds, instant

ALPHA = 0.05
"""How often any of the bounds of an attribution may miss."""
SUSPECTS, PAIRS, WHOLE, PARTS = 0.4, 0.2, 0.3, 0.1
"""How the error is shared: suspects, pairs of them, the change as a whole and where it begins, values."""
MAX_SUSPECTS = 12
"""Changes that are looked at: the newest. With more the error would be shared until nothing could be shown."""


def attribute(sample: Sample, suspects: Sequence[Suspect], *, metric: str, worse: Worse) -> Attribution:
    """Return where a fall of ``metric`` comes from, as far as the answers show it.

    >>> from gates.attribution.sample import SampledAnswer
    >>> plain = [SampledAnswer(i, 0.9, 1.0, None, {}, {"model": "a"}) for i in range(200)]
    >>> after = [SampledAnswer(200 + i, 0.4, 1.0, None, {}, {"model": "b"}) for i in range(60)]
    >>> swap = Suspect(seq=7, cause="model", at=200, component="model", scope={}, version="b")
    >>> attribution = attribute(Sample.of(plain + after, higher_is_worse=False), [swap], metric="m", worse="lower")
    >>> attribution.kind, attribution.suspects[0].standing, attribution.suspects[0].figures.change
    ('quality within strata', 'carries', -0.5)
    """
    known = sorted(suspects, key=lambda each: (each.at, each.seq))
    taken = known[-MAX_SUSPECTS:]
    left_out = len(known) - len(taken)
    begun = onset(sample.at, sample.loss, sample.weight, [each.at for each in taken])
    if begun is None:
        return Attribution(
            metric=metric,
            kind="not told",
            summary=f"only {len(sample)} scored answers: too few to compare",
            alpha=ALPHA,
            answers=len(sample),
            suspects=tuple(Finding(seq=e.seq, cause=e.cause, standing="open", detail="too few answers") for e in taken),
            suspects_left_out=left_out,
        )
    after = np.arange(len(sample)) >= begun.place
    strata, names = sample.strata(_following(sample, taken))
    early = ALPHA * WHOLE * HALF * begun.share
    effects = Effects.of(sample, after, strata, worse=worse, alpha=early)
    exposed = exposure(sample, taken, strata, after)
    assessed = assess(exposed, alpha=ALPHA * SUSPECTS, alpha_pairs=ALPHA * PAIRS, alpha_onset=early)
    suspected = findings(effects, taken, exposed, assessed)
    parts = drill_down(effects, ALPHA * PARTS * begun.share)
    rest = assessed.rest
    part = 0.0 if rest is None else effects.share(rest.change * effects.traffic_share(exposed.untouched))
    unknown = rest is not None and rest.lower > 0.0 and part >= LEAST_SHARE
    kind = _kind(effects, suspected)
    return Attribution(
        metric=metric,
        kind=kind,
        summary=summary(kind, effects.figures(effects.total), suspected, parts, unknown=unknown),
        alpha=ALPHA,
        answers=len(sample),
        since=instant(Microseconds(int(sample.at[begun.place]))),
        strata=names,
        total=effects.figures(effects.total, effects.share(effects.total.change)),
        within=effects.figures(effects.within, effects.share(effects.within.change)),
        mix=effects.figures(effects.mix, effects.share(effects.mix.change)),
        untouched=None if rest is None else effects.figures(rest, part),
        unknown=unknown,
        suspects=suspected,
        suspects_left_out=left_out,
        parts=parts,
    )


def _following(sample: Sample, suspects: Sequence[Suspect]) -> list[str]:
    """Return the dimensions that only say which version served: no value of them is on both sides of a change."""
    touched = [sample.touched(each) for each in suspects]
    following: list[str] = []
    for name, column in sample.slices.items():
        for some in touched:
            sides = [set(np.unique(column.code[side]).tolist()) for side in (some, ~some)]
            if all(sides) and not sides[0] & sides[1]:
                following.append(name)
                break
    return following


def _kind(effects: Effects, findings: Sequence[Finding]) -> FallKind:
    quality, mix = (
        each.lower > 0.0 and effects.share(each.change) >= LEAST_SHARE for each in (effects.within, effects.mix)
    )
    if mix:
        return "quality within strata and mix" if quality else "mix"
    blamed = any(each.standing in ("carries", "not told apart") for each in findings)
    return "quality within strata" if quality or blamed else "not told"


_SHOWN: Mapping[FallKind, str] = {
    "quality within strata": "quality fell, and not because of the traffic mix",
    "mix": "the traffic mix shifted",
    "quality within strata and mix": "quality fell, and the traffic mix shifted",
    "not told": "neither a fall of quality nor a shift of the traffic mix is shown",
}


def summary(
    kind: FallKind, total: Figures, suspected: Sequence[Finding], parts: Sequence[Part], *, unknown: bool
) -> str:
    """Return an attribution as a sentence."""
    shown = f"mean moved from {total.before:.3g} to {total.after:.3g}: {_SHOWN[kind]}"
    if kind == "not told":
        return shown
    clauses = [shown]
    for standing, clause in (("carries", "explained by"), ("not told apart", "cannot be told apart:")):
        if causes := dict.fromkeys(item.cause for item in suspected if item.standing == standing):
            clauses.append(f"{clause} {', '.join(causes)}")
    if unknown:
        clauses.append("answers that no known change touched got worse, too")
    if where := [f"{part.dimension}={part.value}" for part in parts if part.worse or kind != "quality within strata"]:
        clauses.append(f"mostly in {', '.join(where[:3])}")
    return "; ".join(clauses)
