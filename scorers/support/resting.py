"""What each claim of an answer rests on: the passages it cites, else the context passage that it has its words from."""

from __future__ import annotations

from adapters.schema import Answer
from scorers.base import Absent, missing_input, not_applicable
from scorers.support.attribution import ClaimAttribution


def rests_on_nothing(answer: Answer) -> Absent:
    """Say why no claim of ``answer`` rests on a passage: a passage's text was withheld, or none is related to one."""
    if any(passage.text is None for passage in answer.context_passages() or ()):
        return missing_input("text of a context passage")
    return not_applicable("no claim is based on a passage")


def rests_on(found: ClaimAttribution | None) -> tuple[tuple[int, ...], ...]:
    """Return for each claim the places of the passages it rests on, among those of its answer; none where none is.

    Citations that point at none of them are passed over.
    """
    if found is None:
        return ()
    return tuple(cited or found.home(claim) for claim, cited in enumerate(found.places))
