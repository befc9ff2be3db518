"""What a dialect is: which spans it wrote, and how one of them is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from adapters.assembly.view import View
from adapters.trace import Span


class Adapter(ABC):
    """A dialect: which spans it wrote, and how to read one of them. One file, one line in `adapters.ADAPTERS`."""

    view: ClassVar[type[View]]
    """Reads one span as the dialect means it. Total: what cannot be read is absent, never an error."""
    lost: ClassVar[Mapping[str, str]] = {}
    """The fields of `Answer` (``usage.cost_usd``, ``passages.score``) it never carries, each with the reason."""

    @property
    def dialect(self) -> str:
        """The name of the dialect; it becomes `Answer.source`."""
        return self.view.dialect

    @abstractmethod
    def claims(self, span: Span) -> bool:
        """Whether ``span`` is of this dialect; of several that claim it, the first in the registry reads it."""
