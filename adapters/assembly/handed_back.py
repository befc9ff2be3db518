"""Documents that an application hands back beside its answer, where no step of its trace tells what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from adapters.assembly.calls import Call
from adapters.assembly.view import View
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_among, documents_in

_SPEAKING = ("CHAIN", "AGENT")
_MOST_PARTS = 10
"""Parts of a returned tuple that are looked through."""
_MAX_SEARCHED = 100_000_000
"""Most characters searched for the texts."""


def handed_back(tops: Sequence[View], basis: Sequence[Call], *, most: int) -> Documents | None:
    """Return the documents in what a run gave back; ``None`` where it gave back none that its model was shown.

    What an application returns may be anything: a list counts where the prompt of the answer holds a text of it.
    """
    prompt = "\n".join(call.prompt for call in basis)
    if not prompt or len(prompt) * most > _MAX_SEARCHED:
        return None
    alike = " ".join(prompt.split())
    for top in tops:
        if top.kind not in _SPEAKING or top.output_is_cut:
            continue
        for documents in _listed(top.output, most):
            texts = [document.text for document in documents]
            if texts and None not in texts and any(" ".join((text or "").split()) in alike for text in texts):
                return documents
    return None


def _listed(output: Any, most: int) -> Iterator[Documents]:
    """Yield lists of documents: under one of their names in an object, or part of a tuple beside the answer."""
    if isinstance(output, dict):
        if (found := documents_in(output, most=most)) is not None:
            yield found
    elif isinstance(output, list) and output and isinstance(output[0], str):
        for part in islice(output, 1, _MOST_PARTS):
            if isinstance(part, list) and (found := documents_among(part, most=most)) is not None:
                yield found
