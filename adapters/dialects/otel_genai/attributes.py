"""What the dialects that write ``gen_ai.*`` attributes have in common: messages of parts, usage, models, documents.

Source: the OpenTelemetry GenAI semantic conventions (github.com/open-telemetry/semantic-conventions-genai, model/gen-ai
and its JSON schemas of messages, system instructions and retrieved documents).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from adapters.assembly.messages import Message, messages_of, system_message
from adapters.assembly.view import View
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_in
from adapters.lazy import lazy
from adapters.values import count_of, number_of, plain, salvage_json, text_of
from adapters.vocabulary import DocumentList, TokenCount

INPUT = "gen_ai.input.messages"
OUTPUT = "gen_ai.output.messages"
SYSTEM = "gen_ai.system_instructions"
OPERATION = "gen_ai.operation.name"
DOCUMENTS = "gen_ai.retrieval.documents"

_TOKENS: Mapping[TokenCount, tuple[str, ...]] = {
    "prompt": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "completion": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    "total": ("gen_ai.usage.total_tokens",),
}
_COST = ("gen_ai.usage.cost", "operation.cost")
"""No key of the conventions: what OpenLIT and Pydantic AI write beside them."""
_FIRST_CHUNK = ("gen_ai.response.time_to_first_chunk", "gen_ai.client.operation.time_to_first_chunk")
"""In seconds; the second as Pydantic AI writes it."""
_VARIABLE = "gen_ai.prompt.variable."

_NS_PER_S = 1_000_000_000


class GenAIView(View):
    """A span read by the keys of the GenAI conventions, wherever its content stands (`content`)."""

    # Azure's agents call the conversation their thread; the user was once called the end user.
    session_keys: ClassVar[Sequence[str]] = ("gen_ai.conversation.id", "session.id", "gen_ai.thread.id")
    user_keys = ("user.id", "enduser.id")
    template_keys: ClassVar[Sequence[str]] = ("gen_ai.prompt.version",)

    def content(self, key: str) -> Any:
        """Return the value that holds content under ``key``: JSON text or structured; ``None`` where there is none."""
        return self.attributes.get(key)

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """``gen_ai.system_instructions`` and ``gen_ai.input.messages``."""
        told = self.structured(SYSTEM)
        system = None if told is None else system_message(told)
        given = messages_of(self.structured(INPUT), "user")
        return given if system is None else (system, *given)

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """``gen_ai.output.messages``; of a text that the exporter cut, what is left."""
        told = self.content(OUTPUT)
        if isinstance(told, str) and self.is_cut(told):
            # A cut within a text leaves its string open.
            left = salvage_json(told + '"', limit=self.reading.json_limit + 1)
            if left is not None:
                return messages_of(left, "assistant")
        return messages_of(self.structured(OUTPUT), "assistant")

    def structured(self, key: str) -> Any:
        """Return the content under ``key``, parsed where it is JSON text; other text stays as it is."""
        value = self.content(key)
        return self.text_or_json(value) if isinstance(value, str) else value

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut a part of the prompt, or left one out."""
        if self.span.dropped_attributes or self.reading.cap is None:
            return bool(self.span.dropped_attributes)
        return any(isinstance(text := self.content(key), str) and self.is_cut(text) for key in (INPUT, SYSTEM))

    @property
    def model(self) -> str | None:
        """``gen_ai.response.model``, else ``gen_ai.request.model``."""
        return self.first_text(("gen_ai.response.model", "gen_ai.request.model"))

    @property
    def provider(self) -> str | None:
        """``gen_ai.provider.name``, once called ``gen_ai.system``."""
        return self.first_text(("gen_ai.provider.name", "gen_ai.system"))

    def tokens(self, which: TokenCount) -> int | None:
        """``gen_ai.usage.*``, by its present names first."""
        for key in _TOKENS[which]:
            if (count := count_of(self.attributes.get(key))) is not None:
                return count
        return None

    @property
    def cost(self) -> float | None:
        """What instrumentations that price a call write beside the conventions."""
        return next((cost for key in _COST if (cost := number_of(self.attributes.get(key))) is not None), None)

    @property
    def first_token_ns(self) -> int | None:
        """The start and ``gen_ai.response.time_to_first_chunk``, in seconds."""
        told = (number_of(self.attributes.get(key)) for key in _FIRST_CHUNK)
        seconds = next((number for number in told if number is not None), None)
        return None if seconds is None or seconds < 0 else self.span.start_ns + round(seconds * _NS_PER_S)

    @property
    def error(self) -> tuple[str | None, str | None] | None:
        """``error.type`` with the message of the exception, or of the status."""
        kind = self.text("error.type")
        if kind is None:
            return None
        said = (event.attributes.get("exception.message") for event in reversed(self.span.events))
        message = next((text for text in said if text_of(text) is not None), self.span.status_message)
        return (None if kind == "_OTHER" else kind), text_of(message)

    @property
    def query(self) -> str | None:
        """``gen_ai.retrieval.query.text``."""
        return text_of(self.content("gen_ai.retrieval.query.text"))

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """``gen_ai.retrieval.documents``: as told by the conventions an id and a score each, at times more."""
        found = self.structured(DOCUMENTS) if listing == "retrieved" else None
        if isinstance(found, list) and found is self.content(DOCUMENTS):
            found = [plain(item) for item in found[:most]]
        return documents_in(found, most=most)

    @property
    def template_version(self) -> str | None:
        """``gen_ai.prompt.version``."""
        return self.text("gen_ai.prompt.version")

    @lazy
    def variables(self) -> Mapping[str, Any] | None:
        """``gen_ai.prompt.variable.*``."""
        return prompt_variables(self.attributes)

    @property
    def tool(self) -> str | None:
        """``gen_ai.tool.name``."""
        return self.text("gen_ai.tool.name")

    @property
    def tool_description(self) -> str | None:
        """``gen_ai.tool.description``."""
        return self.text("gen_ai.tool.description")


def prompt_variables(attributes: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what a template was filled in with; ``None`` where nothing tells.

    >>> prompt_variables({"gen_ai.prompt.variable.question": "How much?", "gen_ai.prompt.name": "desk"})
    {'question': 'How much?'}
    """
    found = {key[len(_VARIABLE) :]: value for key, value in attributes.items() if key.startswith(_VARIABLE)}
    return found or None
