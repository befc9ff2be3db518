"""What is special about LlamaIndex: wrapped spans, printed objects, and steps that OpenLLMetry only calls tasks."""

from __future__ import annotations

import re
from typing import Any

from adapters.values import is_repr, number_of

FRAMEWORK = "llamaindex"
FIRST_TOKEN = "First Token Stream Event"  # noqa: S105 - an event's name

_NEXT_MESSAGE = re.compile(r"\n(?:user|assistant): ")

# How OpenLLMetry dumps arguments and results; their order is that of LlamaIndex's own signatures.
_QUERY = ('{"str_or_query_bundle": ', '{"query_bundle": ')
_NODES_GIVEN = '{"nodes": '
_NODES = ('["{\\"node\\": ', '[{"node": ')
_NOTHING = "[]"
_COMPLETED = ('{"args": [', '{"prompt": "')
_COMPLETION = '{"text": '
_COMPLETION_KEYS = '"additional_kwargs": '


def prepares_a_request(name: str) -> bool:
    """Tell whether the span of kind LLM called ``name`` prepares a request, and asks no model."""
    return "_prepare_chat_with_tools" in name


def repeats(name: str, parent: str) -> bool:
    """Tell whether a retriever repeats the one around it: ``X._retrieve`` inside ``X.retrieve``, which has it in full.

    >>> repeats("VectorIndexRetriever._retrieve", "VectorIndexRetriever.retrieve")
    True
    """
    own, _, method = name.rpartition(".")
    return method in ("_retrieve", "_aretrieve") and parent.rpartition(".")[0] == own


def is_printed_message(text: str) -> bool:
    """Tell whether an output is a printed chat message, which may be cut, and is never the answer as it was given."""
    return text.startswith("assistant: ")


def unprinted(text: str | None) -> str | None:
    """Return what a model answered, unless it is a printed object or message."""
    return None if text is None or is_repr(text) or is_printed_message(text) else text


def system_message(template: str) -> str:
    """Return what somebody wrote of a chat's template: it holds the conversation so far too."""
    return _NEXT_MESSAGE.split(template, maxsplit=1)[0]


def printed_node(text: str) -> tuple[str | None, float | None] | None:
    """Return the id and the score in a printed node; ``None`` where ``text`` is none.

    >>> printed_node("<NodeWithScore(node=TextNode(id_=a#1), score=0.5)>")
    ('a#1', 0.5)
    """
    if (at := text.find("id_=")) < 0:
        return None
    identity, _, rest = text[at + len("id_=") :].partition("), score=")
    return identity.strip("'\"") or None, number_of(rest.split(")", 1)[0])


def searches(given: str, returned: str, entity: str) -> bool:
    """Tell whether a task was given a query and gave back nodes: a retriever, whatever class ran.

    >>> searches('{"query_bundle": "How much?"}', '[{"node": {}}]', "Shelf.task")
    True
    """
    if not given.startswith(_QUERY):
        return False
    # One that found nothing, or failed, looks like any step that has no result; it goes by its name.
    nothing = returned in (_NOTHING, "") and entity.partition(".")[0].endswith("Retriever")
    return nothing or returned.startswith(_NODES)


def completes(given: str, returned: str) -> bool:
    """Tell whether a task completed a prompt."""
    return given.startswith(_COMPLETED) and returned.startswith(_COMPLETION) and _COMPLETION_KEYS in returned


def reranks(given: str, returned: str) -> bool:
    """Tell whether a task was given nodes and gave nodes back."""
    return given.startswith(_NODES_GIVEN) and returned.startswith(_NODES)


def completed_prompt(given: Any) -> str | None:
    """Return the prompt of a completion, as it was passed."""
    if not isinstance(given, dict):
        return None
    listed = given.get("args")
    prompt = listed[0] if isinstance(listed, list) and listed else given.get("prompt")
    return prompt if isinstance(prompt, str) else None
