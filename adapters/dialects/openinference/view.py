"""One OpenInference span: its kind, its attributes without redacted ones, what went in and out of it.

Source of the keys: the OpenInference semantic conventions, spec/semantic_conventions.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, get_args

from adapters.assembly.exchanges import text_answered
from adapters.assembly.flattened import flattened
from adapters.assembly.messages import Message, messages_of
from adapters.assembly.view import View
from adapters.caching import cached
from adapters.dialects.openinference.documents import documents_of
from adapters.dialects.openinference.keys import (
    INPUT,
    JSON_MIME,
    KIND,
    KIND_BY_KEY,
    OUTPUT,
    REDACTED,
    SCOPE,
    TOKENS,
)
from adapters.documents.passages import Documents
from adapters.lazy import lazy
from adapters.quirks import crewai, google_genai, haystack, langchain, litellm, llamaindex, openai, smolagents
from adapters.schema import ToolCall
from adapters.values import count_of, is_repr, number_of, text_of
from adapters.vocabulary import DocumentList, StepKind, TokenCount

_KINDS: Mapping[str, StepKind] = {kind: kind for kind in get_args(StepKind)}
_JAVASCRIPT = "@arizeai/openinference-instrumentation-"
_TEMPLATE, _TEMPLATE_VERSION = "llm.prompt_template.template", "llm.prompt_template.version"
_CALLED = ".__call__"
"""What DSPy's spans of tools end with."""


class OpenInferenceView(View):
    """A span as the OpenInference conventions describe it."""

    dialect: ClassVar[str] = "openinference"
    session_keys = ("session.id",)
    user_keys = ("user.id",)
    template_keys = (_TEMPLATE, _TEMPLATE_VERSION)

    @lazy
    def redacted(self) -> bool:
        """Whether any value of this span was redacted."""
        return REDACTED in self.span.attributes.values()

    @lazy
    def attributes(self) -> Mapping[str, Any]:
        """Attributes with redacted values taken out: redacted is absent."""
        attributes = self.span.attributes
        if not self.redacted:
            return attributes
        return {key: value for key, value in attributes.items() if value != REDACTED}

    @lazy
    def kind(self) -> StepKind:
        """The span's kind as told, else as its keys tell."""
        told = self.span.attributes.get(KIND)
        kind = told.upper() if isinstance(told, str) else ""
        if kind == "CHAIN" and self._ran:
            return "AGENT"
        if kind == "CHAIN" and self.framework == "instructor" and "llm.model_name" in self.span.attributes:
            # It calls a model's client: the call has a span of its own where that client is watched, too.
            return "CHAIN" if self.children else "LLM"
        if kind and not (kind == "AGENT" and self.framework == langchain.FRAMEWORK):
            return _KINDS.get(kind, "OTHER")
        for prefix, inferred in KIND_BY_KEY:
            if any(key.startswith(prefix) for key in self.span.attributes):
                return inferred
        return "AGENT" if kind else "CHAIN"

    @lazy
    def framework(self) -> str | None:
        """``langchain``, ``llamaindex``, ``haystack``, ...: the last part of the instrumentation's scope or package."""
        return _framework(self.span.scope_name)

    @lazy
    def raw_input(self) -> str | None:
        """``input.value``."""
        return self.text("input.value")

    @lazy
    def raw_output(self) -> str | None:
        """``output.value``."""
        return self.text("output.value")

    @lazy
    def input(self) -> Any:
        """``input.value``: a string where it is plain text, else the parsed JSON."""
        return self._io("input", self.raw_input)

    @lazy
    def output(self) -> Any:
        """``output.value``: a string where it is plain text, else the parsed JSON."""
        return self._io("output", self.raw_output)

    def _io(self, side: str, text: str | None) -> Any:
        mime = self.attributes.get(f"{side}.mime_type")
        if mime == JSON_MIME:
            found = self.json(f"{side}.value")
            return text if found is None and _is_mislabelled(text) else found
        # Without a type it is plain text, unless the type may be among the attributes the SDK dropped.
        if mime is None and self.span.dropped_attributes and text is not None and text.startswith(("{", "[")):
            parsed = self.parsed(text)
            return text if parsed is None else parsed
        if mime is None and side == "input" and text is not None and text.startswith('{"') and text.endswith("}"):
            parsed = self.parsed(text)  # smolagents dumps the arguments of a run
            return parsed if isinstance(parsed, dict) else text
        # LangChain writes what a run never produced (an abandoned stream) as a bare null.
        return None if text == "null" and self.framework == langchain.FRAMEWORK else text

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """The ``metadata`` JSON of the run."""
        if "metadata" not in self.attributes:
            return {}
        parsed = self.json("metadata")
        return parsed if isinstance(parsed, dict) else {}

    @lazy
    def asks_a_model(self) -> bool:
        """Whether an LLM span shows an answer, token counts or an error."""
        if llamaindex.prepares_a_request(self.name) or haystack.fills_a_template(self.name):
            return False
        if self.failed:
            return True
        attributes = self.span.attributes
        given = attributes.get("input.value") == REDACTED
        for key in attributes:
            if key.startswith((OUTPUT, TOKENS)):
                return True
            given = given or key.startswith((INPUT, "llm.prompts"))
        # A completion model without usage shows its prompt and its output only, or no more than its name and output.
        return "output.value" in attributes and (given or "llm.model_name" in attributes)

    @lazy
    def _ran(self) -> tuple[Message, ...]:
        """The messages of an agent of Haystack's whose steps have no spans, told by how they are printed."""
        if self.children or not haystack.runs_an_agent(self.name):
            return ()
        printed = self.output.get("messages") if isinstance(self.output, dict) else None
        told = [(text, haystack.printed_words(text)) for text in (printed if isinstance(printed, list) else ())]
        return tuple(_with_calls(Message(*words), text) for text, words in told if words is not None)

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """``llm.input_messages``; of Haystack's, what tools gave back stands in the printed messages alone.

        What Google's client called by itself stands in its output.
        """
        if self.kind == "AGENT" and self._ran:
            return self._ran[:-1]
        found = flattened(self.attributes, INPUT)
        if google_genai.HISTORY in (self.raw_output or ""):
            past = messages_of(google_genai.called_by_itself(self.output), "user")
            return (*[message for message in found if message.role == "system"], *past) if past else found
        if self.framework == haystack.FRAMEWORK and any(message.role == "tool" for message in found):
            return self._completed(found)
        return found

    def _completed(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        printed = self.input.get("messages") if isinstance(self.input, dict) else None
        if not isinstance(printed, list) or len(printed) != len(messages):
            return messages
        return tuple(
            _with_calls(message, text) if message.content is None and isinstance(text, str) else message
            for message, text in zip(messages, printed, strict=True)
        )

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """``llm.output_messages``."""
        return flattened(self.attributes, OUTPUT) or self._ran[-1:]

    @lazy
    def prompts(self) -> Sequence[str]:
        """``llm.prompts``."""
        prompts = self.attributes.get("llm.prompts")
        return [text for text in (prompts if isinstance(prompts, list) else [prompts]) if isinstance(text, str)]

    @lazy
    def said(self) -> str | None:
        """What stands in the output of a completion."""
        return llamaindex.unprinted(text_answered(self.output))

    @property
    def model(self) -> str | None:
        """``llm.model_name``; while streaming, LangChain puts the requested one there and the real one elsewhere."""
        answering = None
        if self.framework == langchain.FRAMEWORK:
            answering = langchain.answering_model(self.output)
        elif self.framework == smolagents.FRAMEWORK:
            answering = smolagents.answering_model(self.output)
        elif self._ran:
            answering = haystack.printed_model(self.output["messages"][-1])
        elif isinstance(self.output, dict):
            answering = text_of(self.output.get("model_version"))  # a response of Google's
        # Of spans that others wrote after the GenAI conventions and OpenInference added to, the requested one is named.
        return answering or self.first_text(("gen_ai.response.model", *litellm.MODELS))

    @property
    def provider(self) -> str | None:
        """``llm.provider``, else ``llm.system``."""
        return self.first_text(("llm.provider", "llm.system"))

    def tokens(self, which: TokenCount) -> int | None:
        """``llm.token_count.*``; of a crew what its output sums up."""
        found = count_of(self.attributes.get(TOKENS + which))
        if found is None and self._ran:
            told = [message.tokens.get(which) for message in self._ran if message.tokens is not None]
            return sum(count for count in told if count is not None) if told else None
        if found is None and self.requests is not None:
            return count_of(crewai.usage_of(self.output).get(crewai.TOKENS[which]))
        return found

    @property
    def requests(self) -> int | None:
        """What a crew's output says, and how often an agent of Haystack's spoke."""
        if self._ran:
            return sum(message.role == "assistant" for message in self._ran)
        speaks = self.framework == crewai.FRAMEWORK and self.kind in ("CHAIN", "AGENT")
        return crewai.requests_of(self.output) if speaks else None

    @property
    def cost(self) -> float | None:
        """``llm.cost.total``."""
        return number_of(self.attributes.get("llm.cost.total"))

    @property
    def first_token_ns(self) -> int | None:
        """The time of LlamaIndex's event for the first token."""
        return min((event.time_ns for event in self.span.events if event.name == llamaindex.FIRST_TOKEN), default=None)

    @property
    def query(self) -> str | None:
        """``reranker.query``."""
        return self.text("reranker.query")

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """``retrieval.documents``, ``reranker.output_documents`` or ``reranker.input_documents``."""
        return documents_of(self, listing, most=most)

    @property
    def searches(self) -> Sequence[tuple[str | None, list[Any] | None]]:
        """The searches in files within a response of OpenAI's."""
        within = self.framework in (None, openai.FRAMEWORK) and openai.FILE_SEARCH in (self.raw_output or "")
        return tuple(openai.file_searches(self.output)) if within else ()

    @property
    def embedder(self) -> str | None:
        """``embedding.model_name``."""
        return self.text("embedding.model_name")

    @property
    def reranker(self) -> str | None:
        """``reranker.model_name``."""
        return self.text("reranker.model_name")

    @property
    def template(self) -> str | None:
        """``llm.prompt_template.template``."""
        return self.text(_TEMPLATE)

    @property
    def template_version(self) -> str | None:
        """``llm.prompt_template.version``."""
        return self.text(_TEMPLATE_VERSION)

    @property
    def variables(self) -> Mapping[str, Any] | None:
        """``llm.prompt_template.variables``."""
        found = self.json("llm.prompt_template.variables")
        return found if isinstance(found, dict) else None

    @property
    def tool(self) -> str | None:
        """``tool.name``; of a span that is called after a method, what comes before it."""
        return self.text("tool.name") or (self.name.removesuffix(_CALLED) if self.name.endswith(_CALLED) else None)

    @property
    def tool_description(self) -> str | None:
        """``tool.description``."""
        return self.text("tool.description")


@cached(maxsize=256)
def _framework(scope: str) -> str | None:
    if not scope.startswith(f"{SCOPE}."):
        return scope[len(_JAVASCRIPT) :] or None if scope.startswith(_JAVASCRIPT) else None
    return scope.rsplit(".", 1)[1].replace("_", "") or None


def _is_mislabelled(text: str | None) -> bool:
    """Tell whether a text that is said to be JSON is words, as Agno's answers are: neither JSON nor printed."""
    return text is not None and text != "null" and text[:1] not in ("{", "[", '"') and not is_repr(text)


def _with_calls(message: Message, printed: str) -> Message:
    """Return a message of Haystack's with the calls that only its print tells of."""
    calls = [*haystack.printed_calls(printed)]
    if message.role == "tool" and calls:
        return Message("tool", calls[0].result, tool=calls[0].name, call_id=calls[0].id)
    asked = tuple(ToolCall(name=call.name, arguments=call.arguments, id=call.id) for call in calls)
    return replace(message, tool_calls=message.tool_calls or asked, tokens=haystack.printed_usage(printed))
