"""What served an answer, as versions of components, and what kind of change a new one of each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adapters.schema import Answer
from collector.store.entries import MAX_CHARACTERS
from gates.inputs.changes import ChangeKind
from scorers.retrieval.ranking import ranked

MAX_COMPONENTS = 32
"""Components of one answer that are kept; an application has a handful."""
MAX_PASSAGES = 200
"""Passages of one answer that are looked at."""

DOCUMENT, CHECKSUM = "document:", "checksum:"
"""What the names of documents begin with, among the components of which versions are remembered."""
KINDS: Mapping[str, ChangeKind] = {
    "release": "deploy",
    "model": "model",
    "prompt": "prompt",
    "index": "index",
    "embedder": "index",
    "chunker": "index",
    "retriever": "retriever",
    "reranker": "retriever",
    "catalog": "documents",
    "judge": "scorer",
}


def kind_of(component: str) -> ChangeKind:
    """Return what kind of change a new version of ``component`` is; one that is not known is deployed.

    >>> kind_of("reranker"), kind_of("guardrails")
    ('retriever', 'deploy')
    """
    return KINDS.get(component, "deploy")


def kinds_told(components: Iterable[str]) -> frozenset[ChangeKind]:
    """Return of which kinds of change something is told, by the ``components`` that the ledger or answers name.

    >>> sorted(kinds_told(["release", "embedder", "document:HR-1", "guardrails"]))
    ['deploy', 'documents', 'index']
    """
    kinds = (KINDS.get("catalog" if name.startswith((DOCUMENT, CHECKSUM)) else name) for name in components)
    return frozenset(kind for kind in kinds if kind is not None)


def served_by(answer: Answer) -> dict[str, str]:
    """Return the versions of what served ``answer``; the application's own is its ``release``.

    >>> served_by(Answer(id="a", release="2.1", model="m-1", versions={"app": "2.1", "index": "2026-01-01"}))
    {'index': '2026-01-01', 'release': '2.1', 'model': 'm-1'}
    """
    components = [(name, version) for name, version in answer.versions.items() if name != "app"][:MAX_COMPONENTS]
    release = answer.release or answer.versions.get("app")
    versions = dict(components) | ({"release": release} if release else {})
    if answer.model and "model" not in versions:
        versions["model"] = answer.model
    return {bounded(name): bounded(version) for name, version in versions.items() if version}


def document_of(answer: Answer) -> str | None:
    """Return the document that ``answer`` rests on: of the first passage it cites, else of the one ranked first.

    Answers that rest on one document fail together where that is wrong.

    >>> from adapters.schema import Citation, Passage
    >>> passages = (Passage(id="p1", doc_id="HR-010"), Passage(id="p2", doc_id="HR-011"), Passage(id="p3"))
    >>> document_of(Answer(id="a", passages=passages))
    'HR-010'
    >>> cited = (Citation(start=0, end=3, marker="[2]", passage_id="p2"),)
    >>> document_of(Answer(id="a", passages=passages, citations=cited))
    'HR-011'
    """
    known = {passage.id: passage for passage in reversed(answer.passages or ())}
    cited = sorted((each.start, each.passage_id) for each in answer.citations or () if each.passage_id in known)
    first = cited[0][1] if cited else next(iter(ranked(answer)), None)
    if first is None:
        return None
    return bounded((known[first].doc_id if first in known else None) or first)


def document_ids(answer: Answer) -> frozenset[str]:
    """Return the documents that an answer was given passages of."""
    return frozenset(bounded(passage.doc_id) for passage in (answer.passages or ())[:MAX_PASSAGES] if passage.doc_id)


def bounded(text: str) -> str:
    r"""Return a name or a version as it is kept: of bounded length, and without halves of surrogate pairs.

    >>> bounded("v1"), bounded("\ud800"), len(bounded("x" * 10**6))
    ('v1', '?', 256)
    """
    if len(text) <= MAX_CHARACTERS and text.isascii():
        return text
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()
