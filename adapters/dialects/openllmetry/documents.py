"""What the client of a vector store was given, an event each match."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.dialects.openllmetry.keys import RESULT_EVENTS
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_among
from adapters.trace import Event


def documents_of_events(events: Sequence[Event], *, most: int) -> Documents | None:
    """Return the matches that a vector store's client was given; ``None`` where there is no event of a match."""
    matches = [event for event in events if event.name in RESULT_EVENTS][:most]
    rows = [{key[len(event.name) + 1 :]: value for key, value in event.attributes.items()} for event in matches]
    return documents_among(rows, most=most) or None
