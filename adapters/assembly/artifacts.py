"""Documents that a tool handed on beside what the model is shown of them, which LangChain calls its artifact."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from adapters.assembly.view import View
from adapters.documents.passages import Documents
from adapters.documents.shapes import RETRIEVES, documents_among

_NESTED = ("data", "kwargs")


def tool_artifacts(views: Sequence[View], *, most: int) -> dict[int, Documents]:
    """Return by `id` what the tools found that searched by themselves, without a retriever below them."""
    retrievers = sorted(view.place.start for view in views if view.kind == "RETRIEVER")
    found = {}
    for view in views:
        if view.kind == "TOOL" and not _any_within(view.place, retrievers):
            documents = _documents(view, most)
            if documents is not None:
                found[id(view)] = documents
    return found


def _any_within(place: range, places: Sequence[int]) -> bool:
    at = bisect_left(places, place.start)
    return at < len(places) and places[at] in place


def _documents(tool: View, most: int) -> Documents | None:
    """Return the documents of a tool's artifact; ``None`` where it is no list of documents, or there is none.

    An empty list tells of a search that found nothing only where the tool's name says that it searches.
    """
    artifact = _artifact(tool.output)
    if not isinstance(artifact, list):
        return None
    if not artifact:
        return () if RETRIEVES.search(tool.tool or tool.name) else None
    documents = documents_among([item for item in artifact if isinstance(item, dict)], most=most) or ()
    whole = len(documents) == min(len(artifact), most) and all(document.text is not None for document in documents)
    return documents if whole else None


def _artifact(output: Any) -> Any:
    """Return the artifact of a dumped message of a tool."""
    if not isinstance(output, dict):
        return None
    return next((output[key] for key in _NESTED if isinstance(output.get(key), dict)), output).get("artifact")
