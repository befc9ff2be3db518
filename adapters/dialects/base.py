"""What a dialect is: which spans it wrote, how one of them is read, and what it tells of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, final

from adapters.assembly.view import View
from adapters.trace import Span

IN_METADATA = "if the retriever writes it to the document's metadata"
EMBEDDED = "if the embedding of the query has a span"


@dataclass(frozen=True, slots=True)
class Carrier:
    """What writes spans of a dialect: an instrumentation, of one framework where that matters.

    ``name`` begins the names of its recorded traces, ``title`` heads its column on the page of sources. ``lost`` are
    the fields of `Answer` (``usage.cost_usd``, ``passages.score``) that never arrive, each with the reason; ``seldom``
    those that arrive only as the note says. Recorded traces hold both to be true.
    """

    name: str
    title: str
    lost: Mapping[str, str] = field(default_factory=dict)
    seldom: Mapping[str, str] = field(default_factory=dict)


class Adapter:
    """A dialect: which spans it wrote, and how to read one of them. One file, one line in `adapters.ADAPTERS`."""

    view: ClassVar[type[View]]
    """Reads one span as the dialect means it. Total: what cannot be read is absent, never an error."""
    carriers: ClassVar[tuple[Carrier, ...]]
    """Who writes the dialect."""
    marks: Sequence[str] = ()
    """Attributes of which each marks a span as one of the dialect."""

    @property
    def dialect(self) -> str:
        """The name of the dialect; it becomes `Answer.source`."""
        return self.view.dialect

    def writes(self, scope: str) -> bool:
        """Whether every span of an instrumentation scope is of this dialect, whatever its attributes."""
        del scope
        return False

    def marks_within(self, scope: str) -> Sequence[str]:
        """Return the attributes of which each marks a span of that scope: anywhere the same, unless overridden."""
        del scope
        return self.marks

    @final
    def claims(self, span: Span) -> bool:
        """Whether ``span`` is of this dialect; of several that claim it, the first in the registry reads it."""
        marked = any(mark in span.attributes for mark in self.marks_within(span.scope_name))
        return marked or self.writes(span.scope_name)
