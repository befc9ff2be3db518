"""Claims in other languages than English: judged by what statements of their context say otherwise, and by that alone.

The forests of support are trained on English. The statements reader knows further languages, and tells a contradiction
there; of a claim that no statement settles it tells nothing, so an invention is not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorers.support.model import EVEN, WORST_FIRST, AnswerVerdict, ClaimVerdict
from scorers.support.stated import Stated
from scorers.text.language import LanguageCode

MEASURED: tuple[LanguageCode, ...] = ("en", "de", "fr", "pt", "es", "it")
"""Languages in which contradiction is told: of 110 right policy answers kept aside two are flagged.

Dutch is read as well, but one right answer of 16 that were kept aside is flagged (docs/models/statements.md).
"""

AGREED = ClaimVerdict(0.9, 0.02, "supported")
"""A claim that a statement of the context agrees with."""
UNDECIDED = ClaimVerdict(0.5, 0.05, "undecided")
"""A claim that no statement of the context settles; most of these are right, and some are wrong unseen."""


def spoken_verdicts(said: Sequence[Stated], language: LanguageCode | None) -> list[ClaimVerdict]:
    """Return what is said of each claim by what the context states of it; nothing in a language not `MEASURED`."""
    return [_verdict(each) if language in MEASURED else UNDECIDED for each in said]


def _verdict(said: Stated) -> ClaimVerdict:
    if said.strength >= EVEN:
        return ClaimVerdict(1 - said.strength, said.strength, "contradicted")
    return AGREED if said.comparison.outcome == "agrees" else UNDECIDED


def spoken_verdict(claims: Sequence[ClaimVerdict]) -> AnswerVerdict:
    """Return what is said of an answer: as its worst claim is.

    >>> spoken_verdict([AGREED, UNDECIDED]).label, spoken_verdict([AGREED]).flagged
    ('undecided', False)
    """
    if not claims:
        return AnswerVerdict(0.0, 0.0, "supported")
    labels = {claim.label for claim in claims}
    return AnswerVerdict(
        unsupported=1 - min(claim.supported for claim in claims),
        conflict=max(claim.contradicted for claim in claims),
        label=next(label for label in WORST_FIRST if label in labels),
    )
