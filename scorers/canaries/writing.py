"""Entries write their own canaries: which of their statements are asked about, and whether the question finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from scorers.canaries.canary import Canary, CanaryKind, canary_id
from scorers.canaries.pairs import ChangedPair
from scorers.canaries.phrasing import has_figure, question_of, tokens_of
from scorers.catalog.document import Document
from scorers.catalog.edition import key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.overlap import words_of
from scorers.catalog.search.hybrid import search
from scorers.text.sentences import split_sentences

MAX_SENTENCES = 200
"""Sentences of an entry that are looked at."""
MAX_TRIED = 8
"""Questions of an entry that are tried in the catalog, the best first."""
LONGEST = 320
"""Characters of a statement that is asked about; longer ones are tables or lists."""
LEAST_WORDS, LEAST_TITLED = 5, 2
ALIKE = 0.45
"""Share of their words that two sentences have in common at least for the one to stand in the place of the other."""


class CanaryDraft(NamedTuple):
    """A statement that may be asked about; the lower the ``rank``, the better."""

    rank: tuple[int, int, int]
    statement: str
    former: tuple[str, ...]
    question: str


def write_canaries(
    pairs: Iterable[ChangedPair], catalog: Catalog, at: datetime, *, per_entry: int, within: int
) -> Iterator[Canary]:
    """Yield the canaries that entries of ``catalog`` write about themselves, up to ``per_entry`` each.

    Asked about is what changed, else what has a figure, else any statement. A question stands only if a search of the
    catalog itself finds the entry with it among the first ``within``: what comes back wrong later is then the fault of
    the index, not of the question. An entry that not everyone may see also writes one of kind ``permission``. Entries
    without a text, and those that do not govern at ``at`` and will not, write none.

    >>> from datetime import UTC
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> old = Document(id="TRV", title="Travel", text="Hotels are paid up to 180 EUR per night.")
    >>> new = old.model_copy(update={"text": "Hotels are paid up to 200 EUR per night."})
    >>> pair = ChangedPair("changed", new, (old,))
    >>> only = next(write_canaries([pair], Catalog([new]), now, per_entry=1, within=3))
    >>> only.question, only.former
    ('Travel: hotels are paid up to how much EUR per night?', ('Hotels are paid up to 180 EUR per night.',))
    """
    for pair in pairs:
        document = pair.document
        edition = catalog.edition(document.id, document.version or "")
        if edition is None or not document.text or _is_past(catalog, document, at):
            continue
        written = 0
        for draft in sorted(_drafts(pair))[:MAX_TRIED]:
            if written == per_entry:
                break
            if not _finds(catalog, draft.question, document, at, within):
                continue
            written += 1
            yield _canary(pair.kind, document, draft)
            if document.permitted is not None and written == 1:
                yield _canary("permission", document, draft)


def still_holds(canary: Canary, catalog: Catalog, at: datetime) -> bool:
    """Return whether the catalog still says what a canary is about, to those it is for, and not only in the past."""
    edition = catalog.edition(canary.doc_id, canary.version or "")
    if edition is None:
        return False
    wanted = words_of(canary.statement)
    return any(
        one.permitted == canary.permitted and wanted in words_of(one.text or "") and not _is_past(catalog, one, at)
        for one in edition.sections
        if one.section == canary.section
    )


def _is_past(catalog: Catalog, document: Document, at: datetime) -> bool:
    edition = catalog.edition(document.id, document.version or "")
    if edition is None or (edition.effective_to is not None and edition.effective_to <= at):
        return True
    return catalog.replacement(edition, at) is not None


def _canary(kind: CanaryKind, document: Document, draft: CanaryDraft) -> Canary:
    return Canary(
        id=canary_id(
            "permission" if kind == "permission" else "", *key_of(document), document.section, draft.statement
        ),
        kind=kind,
        doc_id=document.id,
        version=document.version,
        section=document.section,
        question=draft.question,
        statement=draft.statement,
        former=draft.former,
        permitted=document.permitted,
    )


def _drafts(pair: ChangedPair) -> Iterator[CanaryDraft]:
    document = pair.document
    title = " ".join((document.title or document.section or "").split()) or None
    former = [(words_of(one.text or ""), _statements(one.text or "")) for one in pair.former]
    least = LEAST_TITLED if title else LEAST_WORDS
    for place, statement in enumerate(_statements(document.text or "")):
        words = words_of(statement)
        kept = [words in text for text, _ in former]
        # What stood word for word in the version before does not tell the two apart.
        others = () if not former or all(kept) else tuple(_counterparts(statement, [one for _, one in former]))
        question = question_of(title, statement, others[0] if others else None)
        if question is None or words.count(" ") <= least:
            continue
        changed = 0 if others else 1 if former and not any(kept) else 2 if not former else 3
        figures = 0 if any(map(has_figure, tokens_of(statement))) else 1
        yield CanaryDraft((changed, figures, place), statement, others, question)


def _statements(text: str) -> list[str]:
    found = (" ".join(one.words.split()) for one in split_sentences(text)[:MAX_SENTENCES] if one.kind == "claim")
    return [one for one in found if len(one) <= LONGEST]


def _counterparts(statement: str, former: Iterable[list[str]]) -> Iterator[str]:
    """Yield of each earlier version the sentence that stood in the place of a statement, if it is another one."""
    words = set(words_of(statement).split())
    seen = set()
    for sentences in former:
        scored = [(_shared(words, set(words_of(one).split())), -at, one) for at, one in enumerate(sentences)]
        share, _, nearest = max(scored, default=(0.0, 0, ""))
        if share >= ALIKE and words_of(nearest) != words_of(statement) and nearest not in seen:
            seen.add(nearest)
            yield nearest


def _shared(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _finds(catalog: Catalog, question: str, document: Document, at: datetime, within: int) -> bool:
    """Return whether the catalog finds an entry by a question, of what everyone with its permission may see then."""
    moment = max(at, document.effective_from) if document.effective_from is not None else at
    hits = search(catalog, question, k=within, at=moment, groups=document.permitted)
    return any(
        hit.document.reference == document.reference and hit.document.section == document.section for hit in hits
    )
