"""What came back for a canary, held against the catalog: the right passage, and nothing outdated or forbidden above."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from adapters.schema import Answer, Passage, Record
from scorers.base import Env
from scorers.canaries.canary import Canary
from scorers.canaries.phrasing import has_figure, tokens_of
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition
from scorers.catalog.graph import Catalog
from scorers.catalog.origin import origin
from scorers.catalog.overlap import words_of
from scorers.text.excerpt import excerpt
from scorers.verification import verify

CanaryFault = Literal["stale", "lost", "wrong_version", "forbidden", "answer"]
"""``stale``: the old text under the name of the version in force. ``lost``: the passage does not come back.
``wrong_version``: another version comes before it. ``forbidden``: somebody sees what they may not. ``answer``: the
application answers otherwise than the version in force."""
FAULTS: Sequence[CanaryFault] = get_args(CanaryFault)
CanaryOutcome = Literal["ok", "unclear", "not_due"] | CanaryFault
"""``unclear``: the answer neither agrees nor disagrees, which is no alarm. ``not_due``: the version is not in force."""

PART = 0.7
"""Share of a statement's words in a passage from which on it holds the statement, cut at the border of a chunk."""

_State = Literal["right", "stale", "wrong_version", "other"]


class CanaryCheck(Record):
    """What came of a canary. ``rank`` is the place, from 1, of the passage it is about."""

    outcome: CanaryOutcome
    detail: str
    rank: int | None = None
    passage_id: str | None = None

    @property
    def failed(self) -> bool:
        """Whether it found a fault.

        >>> CanaryCheck(outcome="lost", detail="").failed, CanaryCheck(outcome="unclear", detail="").failed
        (True, False)
        """
        return self.outcome in FAULTS


class _Seen(NamedTuple):
    rank: int
    passage: Passage
    state: _State
    named: str
    """What the passage says that it is."""


def check_canary(
    canary: Canary,
    passages: Sequence[Passage],
    catalog: Catalog,
    at: datetime,
    *,
    k: int,
    groups: Collection[str] | None,
    answer: str | None = None,
) -> CanaryCheck:
    """Return what is wrong with what came back for ``canary``, best passage first, asked as a member of ``groups``.

    The first ``k`` passages must hold the statement of the version in force, with no passage of another version or of
    its old text above. ``groups`` ``None``: nobody knows as whom it was asked, and nothing is forbidden. ``answer`` is
    held against the statement where there is one.

    >>> from datetime import UTC
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> new, old = "Hotels are paid up to 200 EUR per night.", "Hotels are paid up to 180 EUR per night."
    >>> canary = Canary(id="c", kind="changed", doc_id="T", question="?", statement=new, former=(old,))
    >>> catalog = Catalog([Document(id="T", text=new)])
    >>> check_canary(canary, [Passage(id="p", doc_id="T", text=old)], catalog, now, k=5, groups=None).outcome
    'stale'
    >>> check_canary(canary, [], catalog, now, k=5, groups=None).outcome
    'lost'
    """
    edition = catalog.edition(canary.doc_id, canary.version or "")
    if edition is None or not catalog.governs(edition, at):
        return CanaryCheck(outcome="not_due", detail=f"{excerpt(canary.reference)} is not in force")
    seen = [_seen(rank, passage, canary, catalog, at) for rank, passage in enumerate(passages, 1)]
    forbidden = _forbidden(seen, canary, catalog, groups)
    if forbidden is not None:
        return forbidden
    if canary.kind == "permission":
        return _untold(canary, answer) or CanaryCheck(outcome="ok", detail="nothing of it came back")
    found = _retrieved(canary, seen[:k], k)
    if found.failed or answer is None:
        return found
    return _agreement(canary, answer, at, found)


def _retrieved(canary: Canary, seen: Sequence[_Seen], k: int) -> CanaryCheck:
    right = next((one for one in seen if one.state == "right"), None)
    wrong = next((one for one in seen if one.state in ("stale", "wrong_version")), None)
    if wrong is not None and (right is None or wrong.rank < right.rank):
        outcome: CanaryOutcome = "stale" if wrong.state == "stale" else "wrong_version"
        what = "the text from before" if outcome == "stale" else wrong.named
        then = "" if right is None else f", above the right one at {right.rank}"
        due = f"in force is {excerpt(canary.reference)}: {excerpt(canary.statement)}"
        detail = f"{what} comes back at {wrong.rank}{then}; {due}"
        return CanaryCheck(outcome=outcome, detail=detail, rank=wrong.rank, passage_id=wrong.passage.id)
    if right is None:
        detail = (
            f"not among the first {k} of {len(seen)} passages: {excerpt(canary.reference)}: {excerpt(canary.statement)}"
        )
        return CanaryCheck(outcome="lost", detail=detail)
    return CanaryCheck(outcome="ok", detail=f"at {right.rank}", rank=right.rank, passage_id=right.passage.id)


def _forbidden(
    seen: Sequence[_Seen], canary: Canary, catalog: Catalog, groups: Collection[str] | None
) -> CanaryCheck | None:
    if groups is None:
        return None
    for one in seen:
        entries = _entries(one, canary, catalog)
        if entries and all(entry.permitted is not None and not set(groups) & set(entry.permitted) for entry in entries):
            allowed = ", ".join(entries[0].permitted or ()) or "nobody"
            whom = ", ".join(groups) or "no group"
            detail = f"{one.named} comes back at {one.rank} for a member of {whom}; only {excerpt(allowed)} may see it"
            return CanaryCheck(outcome="forbidden", detail=detail, rank=one.rank, passage_id=one.passage.id)
    return None


def _untold(canary: Canary, answer: str | None) -> CanaryCheck | None:
    """Return the fault of an answer that tells somebody what they may not know."""
    if answer is None or not _holds(answer, canary.statement, _marks(canary.statement, canary.former)):
        return None
    return CanaryCheck(outcome="forbidden", detail=f"the answer tells what {excerpt(canary.reference)} says")


def _entries(one: _Seen, canary: Canary, catalog: Catalog) -> Sequence[Document]:
    """Return the entries that a passage may be of: all sections of its edition where it does not say which."""
    if one.state == "right":
        edition = catalog.edition(canary.doc_id, canary.version or "")
        named = None if edition is None else edition.sections.named(canary.section)
        return () if named is None else (named,)
    found = _edition_of(one.passage, catalog)
    if found is None:
        return ()
    section = None if one.passage.section is None else found.sections.named(one.passage.section)
    return tuple(found.sections) if section is None else (section,)


def _edition_of(passage: Passage, catalog: Catalog) -> Edition | None:
    name = passage.doc_id or passage.id
    found = catalog.named(name, passage.version) or catalog.named(passage.id)
    if found is not None:
        return found
    document = origin(passage, catalog).document
    return None if document is None else catalog.edition(document.id, document.version or "")


def _seen(rank: int, passage: Passage, canary: Canary, catalog: Catalog, at: datetime) -> _Seen:
    doc_id, version = _claimed(passage, canary, catalog)
    edition = None if doc_id is None or doc_id == canary.doc_id else catalog.named(doc_id, version)
    if edition is not None and (moved := catalog.moved(edition.section(None), at)).id == canary.doc_id:
        doc_id, version = moved.id, moved.version
    state = _state(passage, doc_id, version, canary, catalog, at)
    named = (doc_id or passage.id) if version is None else f"{doc_id}@{version}"
    return _Seen(rank, passage, state, excerpt(named))


def _claimed(passage: Passage, canary: Canary, catalog: Catalog) -> tuple[str | None, str | None]:
    """Return the document and the version that a passage says it is of, by its names, its checksum or its place."""
    for name in (passage.doc_id, passage.id):
        if name is None:
            continue
        if name == canary.doc_id or catalog.knows(name):
            return name, passage.version
        bare, version = split_reference(name)
        if version is not None and (bare == canary.doc_id or catalog.knows(bare)):
            return bare, passage.version or version.partition("#")[0]
    found = origin(passage, catalog)
    if found.join not in (None, "text"):
        if found.document is not None:
            return found.document.id, passage.version or found.document.version
        if found.rivals:
            return found.rivals[0].key.id, passage.version
    return passage.doc_id, passage.version


def _state(
    passage: Passage, doc_id: str | None, version: str | None, canary: Canary, catalog: Catalog, at: datetime
) -> _State:
    text = passage.text
    says_now = text is not None and _holds(text, canary.statement, _marks(canary.statement, canary.former))
    says_former = text is not None and any(_holds(text, one, _marks(one, (canary.statement,))) for one in canary.former)
    if doc_id is not None and doc_id != canary.doc_id:
        edition = catalog.named(doc_id, version)
        replacement = None if edition is None else catalog.replacement(edition, at)
        replaced = replacement is not None and replacement.key.id == canary.doc_id
        if replaced and (says_former or says_now or text is None):
            return "wrong_version"
        # Another document may say the same; it is not this one, and not wrong.
        return "other" if edition is not None else _by_text(says_now=says_now, says_former=says_former)
    if doc_id is None:
        return _by_text(says_now=says_now, says_former=says_former)
    if version is not None and canary.version is not None and version != canary.version:
        edition = catalog.edition(doc_id, version)
        outdated = edition is None or not catalog.governs(edition, at)
        same_place = passage.section is None or canary.section is None or passage.section == canary.section
        told = says_former or says_now or (text is None and same_place)
        return "wrong_version" if outdated and told else "other"
    if text is None:
        return "right" if passage.section in (None, canary.section) else "other"
    return _by_text(says_now=says_now, says_former=says_former)


def _by_text(*, says_now: bool, says_former: bool) -> _State:
    return "right" if says_now else "stale" if says_former else "other"


def _marks(statement: str, others: Sequence[str]) -> frozenset[str]:
    """Return the words that tell a statement from others: those that these lack, and without others its figures."""
    words = set(words_of(statement).split())
    if others:
        return frozenset(words - set().union(*(words_of(one).split() for one in others)))
    return frozenset(word for token in tokens_of(statement) if has_figure(token) for word in words_of(token).split())


def _holds(text: str, statement: str, marks: frozenset[str]) -> bool:
    """Return whether a statement stands in a text: whole, or most of it with every word that marks it."""
    told, wanted = words_of(text), words_of(statement)
    if wanted in told:
        return True
    words = wanted.split()
    there = set(told.split())
    return bool(words) and bool(marks) and marks <= there and sum(word in there for word in words) >= PART * len(words)


def _agreement(canary: Canary, answer: str, at: datetime, found: CanaryCheck) -> CanaryCheck:
    """Return ``found``, or what is wrong with the answer; one that says nothing of the statement is unclear."""
    now, former = (_judged(canary, answer, at, texts) for texts in ((canary.statement,), canary.former))
    if now == "supported" or _states(answer, canary.statement, canary.former):
        return found
    said = excerpt(answer)
    outdated = former == "supported" or any(_states(answer, one, (canary.statement,)) for one in canary.former)
    if outdated:
        return CanaryCheck(outcome="answer", detail=f"answers what held before: {said}", rank=found.rank)
    if now == "contradicted":
        detail = f"answers otherwise than {excerpt(canary.reference)}, {excerpt(canary.statement)}: {said}"
        return CanaryCheck(outcome="answer", detail=detail, rank=found.rank)
    return CanaryCheck(
        outcome="unclear", detail=f"the passage came back; the answer does not say: {said}", rank=found.rank
    )


def _states(answer: str, statement: str, others: Sequence[str]) -> bool:
    """Return whether an answer has the figures that tell a statement from others, and none of theirs."""
    told = set(words_of(answer).split())
    marks = {word for word in _marks(statement, others) if has_figure(word)}
    against = {word for one in others for word in _marks(one, (statement,)) if has_figure(word)}
    return bool(marks) and marks <= told and not against & told


def _judged(canary: Canary, answer: str, at: datetime, texts: Sequence[str]) -> str | None:
    if not texts:
        return None
    passages = tuple(Passage(id=str(place), text=text) for place, text in enumerate(texts))
    said = Answer(id=canary.id, question=canary.question, answer=answer, passages=passages)
    return verify(said, Env(now=at)).verdict
