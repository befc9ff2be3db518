"""Where the passages of one answer stand: in force, superseded, expired or not yet in force, and what replaced them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Literal

from adapters.ids import document_of_uri
from adapters.schema import Answer, Passage
from scorers.base import Basis, Env
from scorers.catalog.copies import differing, holds, is_of
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition, EditionKey, key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.origin import MAX_TEXTS, PassageOrigin, origin
from scorers.catalog.overlap import long_enough
from scorers.memory import Memory, once
from scorers.text.excerpt import excerpt

Validity = Literal["in_force", "superseded", "expired", "not_yet", "unknown"]

MAX_PASSAGES = 200
"""Passages of one answer whose lineage is worked out."""

_EMPTY = Catalog()
_UNLISTED = PassageOrigin(None)


@dataclass(frozen=True, slots=True)
class PassageStatus:
    """Where a passage stood when the question was asked. ``replacement`` is the edition that governed in its place.

    ``origin`` is what the catalog tells of where it comes from.
    """

    validity: Validity
    basis: Basis
    document: Document
    replacement: Edition | None = None
    origin: PassageOrigin = _UNLISTED

    @property
    def stale(self) -> bool:
        """Whether the passage no longer governed: superseded, or expired."""
        return self.validity in ("superseded", "expired")

    @property
    def settled(self) -> bool:
        """Whether the catalog says where the passage stood."""
        return self.basis == "catalog" and self.validity != "unknown"

    @property
    def known_by(self) -> Basis:
        """What knows its document: the catalog where it lists it, even where it says nothing of time."""
        return "catalog" if self.origin.document is not None else self.basis


def asked_at(answer: Answer, env: Env) -> datetime:
    """Return the instant an answer is judged for: when it was asked, or now where the trace does not say."""
    return answer.started_at or env.now


class Lineage:
    """The status of each passage of an answer, from the catalog where it lists the document, else from metadata.

    Passages speak for themselves and for each other: one that supersedes another makes it superseded. Where the catalog
    lists an edition, the catalog's window and links count, and the passage's do not. An edition that has neither is in
    force for a passage of that very version, if the catalog tells of time at all; else the passage's own window tells,
    or nothing does: a list of what there is now says nothing of the state that an index has a copy of. Nor is a passage
    in force that has another figure than the edition between the same words.
    """

    def __init__(self, answer: Answer, catalog: Catalog | None, at: datetime) -> None:
        self.at = at
        self._passages = (answer.passages or ())[:MAX_PASSAGES]
        self._statuses, self._editions = _stood(self._passages, catalog or _EMPTY, at)

    def status(self, passage: Passage) -> PassageStatus | None:
        """Return where ``passage`` stood; ``None`` for one that is not among the answer's passages."""
        return self._statuses.get(passage.id)

    @cached_property
    def listed(self) -> frozenset[int]:
        """The places of the passages of which the catalog says where they stood."""
        told = ((place, self.status(passage)) for place, passage in enumerate(self._passages))
        return frozenset(place for place, status in told if status is not None and status.settled)

    def unclear(self, passages: Iterable[Passage]) -> str:
        """Return why the catalog does not say where the first of these passages comes from that it may list.

        Fit to follow what is missing in a detail; empty where there is no such passage.
        """
        told = (self.status(passage) for passage in passages)
        return next((f": {one.origin.unclear}" for one in told if one and one.origin.unclear), "")

    def untimed(self, passages: Iterable[Passage]) -> str:
        """Return what is missing to say where these passages stood, as the detail of ``missing_input``."""
        given = list(passages)
        missing = f"effective dates or supersession{self.unclear(given)}"
        told = (self.status(passage) for passage in given)
        listed = next((one.document for one in told if one and one.validity == "unknown" and one.origin.document), None)
        if listed is None:
            return missing
        return f"{missing}: the catalog lists {excerpt(listed.reference)} without; see index_copy_outdated"

    def retrieved(self, edition: Edition) -> Sequence[Passage]:
        """Return the answer's passages that come from ``edition``."""
        return [self._passages[place] for place in self._editions.get(edition.key, ())]


def lineage_of(answer: Answer, env: Env) -> Lineage:
    """Return the lineage of an answer's passages, worked out once for all scorers of a panel."""
    return _lineage(answer, env.memory, env.catalog, asked_at(answer, env))


@once
def _lineage(answer: Answer, _memory: Memory, catalog: Catalog | None, at: datetime) -> Lineage:
    return Lineage(answer, catalog, at)


def _stood(
    passages: Sequence[Passage], listed: Catalog, at: datetime
) -> tuple[Mapping[str, PassageStatus], Mapping[EditionKey, Sequence[int]]]:
    """Return where each passage stood, by id, and the places of those that come from an edition."""
    documents: dict[str, Document] = {}
    origins: dict[str, PassageOrigin] = {}
    editions: dict[EditionKey, list[int]] = {}
    for place, passage in enumerate(passages):
        if passage.id not in documents:
            origins[passage.id] = found = _settled(passage, origin(passage, listed), listed, at)
            documents[passage.id] = document = _document(passage, found.document)
            editions.setdefault(key_of(document), []).append(place)
    if not len(listed) and not any(map(_speaks_of_time, documents.values())):
        return {
            name: PassageStatus("unknown", "passages", document, origin=origins[name])
            for name, document in documents.items()
        }, editions
    fresh = any(not _is_listed(key, listed) for key in editions)
    known = listed.extended(documents.values()) if fresh else listed
    by_id = {passage.id: passage for passage in reversed(passages)}
    statuses = {
        name: _status(by_id[name], document, origins[name], known, listed, at) for name, document in documents.items()
    }
    return statuses, editions


def _settled(passage: Passage, found: PassageOrigin, listed: Catalog, at: datetime) -> PassageOrigin:
    """Return the version that governs for a passage that stands in it unchanged, whichever version it is from.

    Of a document that was moved, the entry of its new place is meant.
    """
    if found.document is not None:
        return found._replace(document=listed.moved(found.document, at))
    governing = [one for rival in found.rivals if (one := _at_its_place(rival, listed, at)) is not None]
    if len(governing) != 1 or not long_enough(passage.text or "") or not holds(governing[0], passage):
        return found
    return PassageOrigin(governing[0].section(passage.section))


def _at_its_place(rival: Edition, listed: Catalog, at: datetime) -> Edition | None:
    """Return the edition that governs of a rival, be it at another place by now."""
    now = listed.moved(rival.section(None), at)
    edition = listed.edition(now.id, now.version or "")
    return edition if edition is not None and listed.governs(edition, at) else None


def _speaks_of_time(document: Document) -> bool:
    return bool(document.effective_from or document.effective_to or document.supersedes)


def _status(
    passage: Passage, document: Document, found: PassageOrigin, known: Catalog, listed: Catalog, at: datetime
) -> PassageStatus:
    edition = known.edition(document.id, document.version or "")
    assert edition is not None
    own = _is_listed(edition.key, listed)
    replacement = known.replacement(edition, at)
    by_catalog = own or (replacement is not None and _is_listed(replacement.key, listed))
    # An entry without a window or a link holds at every instant; but only a catalog that tells of time elsewhere would
    # tell that it was replaced, and only a passage of this very version stands where the entry does.
    same = own and is_of(passage, edition)
    validity = _validity(edition, replacement, known, at, stands=same and listed.timed)
    if own and validity == "in_force" and not same and differing(passage, edition) is not None:
        validity = "unknown"  # a copy of another state of the document, and nothing tells of which
    if own and validity == "unknown" and (told := _told_by_itself(passage, edition, at)) is not None:
        return PassageStatus(told, "passages", document, None, found)
    return PassageStatus(validity, "catalog" if by_catalog else "passages", document, replacement, found)


def _is_listed(key: EditionKey, catalog: Catalog) -> bool:
    return catalog.edition(key.id, key.version) is not None


def _validity(edition: Edition, replacement: Edition | None, known: Catalog, at: datetime, *, stands: bool) -> Validity:
    if edition.effective_to is not None and edition.effective_to <= at:
        return "superseded" if replacement is not None and known.linked(edition) else "expired"
    if edition.effective_from is not None and edition.effective_from > at:
        return "not_yet"
    if replacement is not None:
        return "superseded"
    dated = edition.effective_from is not None or edition.effective_to is not None
    return "in_force" if stands or dated or known.linked(edition) else "unknown"


def _told_by_itself(passage: Passage, edition: Edition, at: datetime) -> Validity | None:
    """Return what the window of a passage says of it, of whose listed edition the catalog says nothing.

    That it is in force says nothing of a copy whose words are not those of the entry.
    """
    if passage.effective_to is not None and passage.effective_to <= at:
        return "expired"
    if passage.effective_from is not None and passage.effective_from > at:
        return "not_yet"
    if passage.effective_from is None and passage.effective_to is None:
        return None
    return None if passage.text and any(entry.text for entry in islice(edition.sections, MAX_TEXTS)) else "in_force"


def _document(passage: Passage, listed: Document | None) -> Document:
    """Return the entry of the catalog that a passage comes from, else what the passage says of its document.

    Its id stands in for a document id it does not have. Nor is one that is its URI alone taken here: what lies at a
    URI may be of several versions, whose windows must stay apart.
    """
    if listed is not None:
        return listed
    name, version = passage.doc_id, passage.version
    if name is None or (version is None and passage.uri is not None and name == document_of_uri(passage.uri)):
        name, from_id = split_reference(passage.id)
        version = version or from_id
    return Document(
        id=name,
        version=version,
        section=passage.section,
        effective_from=passage.effective_from,
        effective_to=passage.effective_to,
        authority=passage.authority,
        role=passage.role,
        supersedes=passage.supersedes or (),
        checksum=passage.checksum,
        text=passage.text,
        uri=passage.uri,
    )
