"""What is special about Haystack: pipelines of named components, wired by sockets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from adapters.values import is_repr, number_of, text_of

FRAMEWORK = "haystack"
LOST_BY_OPENINFERENCE: Mapping[str, str] = {
    "provider": "spans name the model but not the provider",
    "usage.first_token_ms": "the time of the first token is not recorded",
}

_SOCKETS = ("question", "query", "user_query", "user_input", "message", "input", "text", "prompt")
"""What components call the socket that the user's words go into."""


def fills_a_template(name: str) -> bool:
    """Tell whether the span of kind LLM called ``name`` fills in a prompt, and asks no model."""
    return name.endswith("PromptBuilder.run")


def joins(name: str) -> bool:
    """Tell whether the step called ``name`` may be the one that fuses what parallel retrievers found."""
    return "Joiner" in name


def printed_document(text: str) -> tuple[str | None, float | None] | None:
    """Return the id and the score in a printed document; ``None`` where ``text`` is none.

    >>> printed_document("Document(id=b, content: 'Travel ...', meta: {}, score: 2.5, embedding: vector of 48)")
    ('b', 2.5)
    """
    if not text.startswith("Document(id="):
        return None
    identity, _, rest = text.removeprefix("Document(id=").partition(", ")
    score = number_of(rest.rpartition("score: ")[2].split(",", 1)[0].rstrip(") "))
    return identity.strip("'\"") or None, score


def pipeline_question(data: Any) -> str | None:
    """Read the input of a pipeline, ``{component: {socket: value}}``: the text most sockets were given.

    >>> pipeline_question({"retriever": {"query": "How much?"}, "builder": {"query": "How much?"}})
    'How much?'
    """
    if not isinstance(data, dict):
        return None
    inputs = [sockets for sockets in data.values() if isinstance(sockets, dict)]
    for socket in _SOCKETS:
        texts = Counter(text for sockets in inputs if (text := text_of(sockets.get(socket))) and not is_repr(text))
        if texts:
            return texts.most_common(1)[0][0]
    return None


def pipeline_answer(components: Mapping[str, Any]) -> str | None:
    """Read the output of a pipeline, ``{component: {"replies": [..]}}``, if one component replied in text."""
    replies = [
        sockets["replies"] for sockets in components.values() if isinstance(sockets, dict) and "replies" in sockets
    ]
    if len(replies) != 1 or not isinstance(replies[0], list) or not replies[0]:
        return None
    text = text_of(replies[0][-1])
    return None if text is None or is_repr(text) else text
