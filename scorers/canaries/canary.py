"""A canary: a question whose right answer the catalog knows, with what may and what may not come back."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from adapters.schema import Record

CanaryKind = Literal["added", "changed", "superseded", "permission"]
"""Why it was written: an entry is new, says something else, replaces another, or may not be seen by everyone."""


class Canary(Record):
    """A question about one statement of one entry.

    ``statement`` is what the version in force says and ``former`` what versions before said in its place, empty where
    they said nothing. ``permitted`` names the groups that may see it, ``None`` for everyone. A canary of kind
    ``permission`` is asked as somebody who may not, and nothing of the entry may come back.
    """

    id: str
    kind: CanaryKind
    doc_id: str
    version: str | None = None
    section: str | None = None
    question: str
    statement: str
    former: tuple[str, ...] = ()
    permitted: tuple[str, ...] | None = None

    @property
    def reference(self) -> str:
        """Return ``id@version``, or the bare id of a document without versions."""
        return self.doc_id if self.version is None else f"{self.doc_id}@{self.version}"


def canary_id(*parts: str | None) -> str:
    """Return the id of a canary about ``parts``: the same for the same, so that one entry writes it once.

    >>> canary_id("changed", "HR-1", "2") == canary_id("changed", "HR-1", "2"), len(canary_id("changed"))
    (True, 16)
    """
    return sha256("\0".join(part or "" for part in parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
