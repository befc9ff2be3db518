"""Evidence that recorded answers had and the other retriever no longer finds, by the document it came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adapters.schema import Passage

NO_DOCUMENT = "(no document named)"


class LostClaim(NamedTuple):
    """A claim that the recorded context supports and the new one does not, and the passage that supported it."""

    answer_id: str
    words: str
    passage: Passage | None
    before: float
    after: float
    contradicted: bool


class StalePassage(NamedTuple):
    """A passage of a new context that is not in force, and the document that is in force instead, if it is known."""

    answer_id: str
    doc_id: str
    state: str
    instead: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LostDocument:
    """A document: in how many contexts it was and is, and what was lost with it.

    ``claims`` and ``answers`` lost their support; ``contradicted`` of these claims are now contradicted.
    """

    doc_id: str
    claims: int = 0
    answers: int = 0
    contradicted: int = 0
    recorded: int = 0
    found: int = 0


def document_of(passage: Passage | None) -> str:
    """Return the document that a passage is of, as far as it is named.

    >>> document_of(Passage(id="p", uri="https://intranet/leave")), document_of(None)
    ('https://intranet/leave', '(no document named)')
    """
    return (passage and (passage.doc_id or passage.uri)) or NO_DOCUMENT


def lost_by_document(
    lost: Sequence[LostClaim], contexts: Iterable[tuple[Sequence[Passage], Sequence[Passage]]]
) -> list[LostDocument]:
    """Return the documents with which support was lost, those of most claims first.

    ``contexts`` are the recorded and the new context of every answer.
    """
    claims: dict[str, list[LostClaim]] = {}
    for one in lost:
        claims.setdefault(document_of(one.passage), []).append(one)
    recorded, found = dict.fromkeys(claims, 0), dict.fromkeys(claims, 0)
    for before, after in contexts:
        for counts, passages in ((recorded, before), (found, after)):
            for name in {document_of(passage) for passage in passages} & claims.keys():
                counts[name] += 1
    made = [
        LostDocument(
            doc_id=name,
            claims=len(those),
            answers=len({one.answer_id for one in those}),
            contradicted=sum(one.contradicted for one in those),
            recorded=recorded[name],
            found=found[name],
        )
        for name, those in claims.items()
    ]
    return sorted(made, key=lambda each: (-each.claims, each.doc_id))
