"""Which lagging documents of an index are served, and how often: what to repair first."""

from __future__ import annotations

from collections.abc import Iterable

from adapters.schema import Answer, Record
from scorers.catalog.lag import LaggingDocument
from scorers.catalog.uri import place_of


class ServedDocument(Record):
    """A lagging document, and how often it was retrieved: passages from it, and answers that had any."""

    document: LaggingDocument
    passages: int = 0
    answers: int = 0


class ServedCount:
    """Counts over answers, in any order, how often documents were retrieved in which an index lags.

    A passage is from a document where its id or its URI is the document's.

    >>> from adapters.schema import Passage
    >>> old = LaggingDocument(id="/srv/a.md", uri="/srv/a.md", kind="outdated", detail="the source has a newer version")
    >>> count = ServedCount([old])
    >>> count.add(Answer(id="a", passages=(Passage(id="1", uri="file:///srv/a.md"), Passage(id="2", doc_id="b.md"))))
    >>> [(one.document.id, one.passages) for one in count.worst(5)]
    [('/srv/a.md', 1)]
    """

    def __init__(self, lagging: Iterable[LaggingDocument]) -> None:
        # What is missing from an index cannot be served from it.
        self._lagging = [one for one in lagging if one.kind != "missing"]
        self._passages = [0] * len(self._lagging)
        self._answers = [0] * len(self._lagging)
        self._named: dict[str, int] = {}
        for place, one in enumerate(self._lagging):
            for name in (one.id, place_of(one.uri or one.id)):
                self._named.setdefault(name, place)

    def add(self, answer: Answer) -> None:
        """Count the passages of an answer."""
        found: dict[int, int] = {}
        for passage in answer.passages or ():
            names = (passage.doc_id, None if passage.uri is None else place_of(passage.uri))
            at = next((self._named[name] for name in names if name is not None and name in self._named), None)
            if at is not None:
                found[at] = found.get(at, 0) + 1
        for at, count in found.items():
            self._passages[at] += count
            self._answers[at] += 1

    def worst(self, most: int) -> tuple[ServedDocument, ...]:
        """Return up to ``most`` documents, what was retrieved most first."""
        order = sorted(range(len(self._lagging)), key=lambda at: (-self._passages[at], self._lagging[at].id, at))
        return tuple(
            ServedDocument(document=self._lagging[at], passages=self._passages[at], answers=self._answers[at])
            for at in order[:most]
        )
