"""One span of OpenLLMetry: its kind, and what went in and out of it.

Model calls follow the GenAI conventions since 0.55 and are read as such; ``gen_ai.operation.name`` of a step is not:
the root of any chain says invoke_agent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, ClassVar

from adapters.assembly.exchanges import text_answered
from adapters.assembly.flattened import flattened
from adapters.assembly.messages import Message, content_text, hands_on_a_result, messages_of, role_of
from adapters.dialects.openllmetry import keys
from adapters.dialects.openllmetry.documents import documents_of_events
from adapters.dialects.otel_genai.attributes import INPUT, OPERATION, OUTPUT
from adapters.dialects.otel_genai.view import OtelGenAIView
from adapters.documents.passages import Documents
from adapters.documents.shapes import RERANKS, RETRIEVES, documents_or_text, lists_documents
from adapters.lazy import lazy
from adapters.quirks import haystack, langchain, llamaindex
from adapters.values import count_of, is_repr
from adapters.vocabulary import DocumentList, StepKind, TokenCount

_FRAMEWORKS = (langchain.FRAMEWORK, llamaindex.FRAMEWORK, haystack.FRAMEWORK)
_SEARCHES = ("query", "search", "query_points", "query_batch_points", "search_batch", "search_groups", "hybrid_search")
_MOST_ABOVE = 64
_EMPTY = ('""', "[]")
"""What stands for the content of a message without text (a tool call)."""


class OpenLLMetryView(OtelGenAIView):
    """A span as OpenLLMetry writes it, of either generation."""

    dialect: ClassVar[str] = "openllmetry"
    template_keys = (keys.TEMPLATE, *keys.TEMPLATE_VERSIONS)

    @lazy
    def kind(self) -> StepKind:
        """What the operation or the request type tells for certain, else the span's kind."""
        attributes = self.span.attributes
        operation = attributes.get(OPERATION, attributes.get(keys.REQUEST_TYPE))
        if isinstance(operation, str) and (kind := keys.OPERATIONS.get(operation)) is not None:
            return kind
        told = attributes.get(keys.KIND)
        if isinstance(told, str):
            return self._kind_of_function if self._is_decorated else self._kind_of_entity(keys.KINDS.get(told, "OTHER"))
        if isinstance(operation, str) and (kind := keys.OTHER_OPERATIONS.get(operation)) is not None:
            return kind
        if keys.DATABASE in attributes:
            return "RETRIEVER" if self._searches and not self._within_a_retriever else "OTHER"
        return "LLM" if OUTPUT in attributes or f"{keys.COMPLETION}0.content" in attributes else "OTHER"

    def _kind_of_entity(self, kind: StepKind) -> StepKind:
        """Tell steps of kind task by the class that ran (LangChain's prompts), or by what they take and give back."""
        if kind != "CHAIN":
            return kind
        if self.framework == llamaindex.FRAMEWORK:
            return self._kind_of_node or kind
        return "PROMPT" if langchain.is_prompt_template(self.span.attributes.get(keys.ENTITY)) else kind

    @property
    def _kind_of_node(self) -> StepKind | None:
        attributes = self.span.attributes
        if INPUT in attributes or OUTPUT in attributes:
            return "LLM"
        if "tool.name" in attributes:
            return "TOOL"
        given, returned, _ = self._dumped
        if llamaindex.completes(given, returned):
            return "LLM"
        if llamaindex.reranks(given, returned):
            return "RERANKER"
        if self._searches_nodes:
            return "OTHER" if self._repeats_the_search_above else "RETRIEVER"
        return None

    @lazy
    def _dumped(self) -> tuple[str, str, str]:
        """What a task was given and gave back, as JSON, and the class that ran."""
        given, returned, entity = (
            self.span.attributes.get(key) for key in (keys.ENTITY_INPUT, keys.ENTITY_OUTPUT, keys.ENTITY)
        )
        return str(given or ""), str(returned or ""), str(entity or "")

    @property
    def _searches_nodes(self) -> bool:
        return llamaindex.searches(*self._dumped)

    @property
    def _is_decorated(self) -> bool:
        return self.span.scope_name == keys.SDK

    @property
    def _kind_of_function(self) -> StepKind:
        """What decorated code calls a mere task or tool is told by its name and what it returned."""
        told, name = str(self.span.attributes.get(keys.KIND)), self.text(keys.ENTITY) or ""
        if told in ("task", "tool") and RERANKS.search(name) and lists_documents(self.output):
            return "RERANKER"
        found = told in ("task", "tool") and RETRIEVES.search(name)
        if found and (self.output == [] or lists_documents(self.output)):
            # A store's client below tells more of a match than code makes of it.
            matched = any(event.name in keys.RESULT_EVENTS for below in self.children for event in below.span.events)
            return "CHAIN" if matched else "RETRIEVER"
        return keys.KINDS.get(told, "OTHER")

    @property
    def _repeats_the_search_above(self) -> bool:
        """Tell whether the span right above reports the very search, by the same class."""
        above = self.parent
        return (
            isinstance(above, OpenLLMetryView)
            and above.span.attributes.get(keys.ENTITY) == self.span.attributes.get(keys.ENTITY)
            and above._searches_nodes  # noqa: SLF001 - a view of the same class
        )

    @property
    def _searches(self) -> bool:
        told = self.span.attributes.get("db.operation")
        method = told if isinstance(told, str) else self.span.name.rpartition(".")[2]
        return method in _SEARCHES or any(event.name in keys.RESULT_EVENTS for event in self.span.events)

    @property
    def _within_a_retriever(self) -> bool:
        """A framework's retriever around this one tells of the same search, and in full."""
        return any(view.retrieves for view in islice(self.ancestors(), _MOST_ABOVE))

    @property
    def retrieves(self) -> bool:
        """Whether the step is a framework's retriever; a vector store's client gives way to one."""
        return self.span.attributes.get(OPERATION) == "vector_db_retrieve" or self._searches_nodes

    @property
    def name(self) -> str:
        """The span's name; of a framework's retriever or reranker its own, without what OpenLLMetry calls the step."""
        entity = self.text(keys.ENTITY) if self.kind in ("RETRIEVER", "RERANKER") else None
        return self.span.name if entity is None else entity.removesuffix(".task")

    @lazy
    def framework(self) -> str | None:
        """``langchain``, ``llamaindex`` or ``haystack``, if it is one of them that is watched."""
        found = keys.instrumented(self.span.scope_name)
        return found if found in _FRAMEWORKS else None

    @lazy
    def redacted(self) -> bool:
        """Whether TRACELOOP_TRACE_CONTENT kept what a model or a retriever was asked to itself."""
        if self.kind == "RETRIEVER" and self.framework is not None:
            return self.raw_input is None and not self.span.dropped_attributes
        return super().redacted and self.raw_input is None and self.raw_output is None

    @lazy
    def raw_input(self) -> str | None:
        """What went into the step; LangGraph's own span has nothing, and is the chain right below it."""
        found = self.first_text(keys.GIVEN)
        return found if self._inner is None else self._inner.raw_input

    @lazy
    def raw_output(self) -> str | None:
        """What came out of the step, found as what went in."""
        found = self.first_text(keys.RETURNED)
        return found if self._inner is None else self._inner.raw_output

    @lazy
    def _inner(self) -> OpenLLMetryView | None:
        attributes = self.span.attributes
        if attributes.get(OPERATION) != "invoke_agent" or keys.KIND in attributes:
            return None
        below = (view for view in self.children if isinstance(view, OpenLLMetryView))
        return next((view for view in below if view.span.attributes.get(keys.KIND) == "workflow"), None)

    @lazy
    def input(self) -> Any:
        """What went in, out of the wrapping that each instrumentation has of its own."""
        given = self.text_or_json(self.raw_input)
        if not isinstance(given, dict):
            return given
        if "inputs" in given or "input_str" in given:
            return langchain.unwrapped_input(given, self._returned)
        if "args" in given and "kwargs" in given:
            return self._argument(given["args"], given["kwargs"])
        return given

    def _argument(self, args: Any, kwargs: Any) -> Any:
        """Return what a decorated function was given: its one text, else its arguments by name."""
        if self.framework == haystack.FRAMEWORK:
            return {"data": kwargs}
        positional = args if isinstance(args, list) else []
        if isinstance(kwargs, dict) and kwargs:
            return kwargs
        texts = [text for text in positional if isinstance(text, str) and not is_repr(text)]
        return texts[0] if texts else next((each for each in positional if isinstance(each, dict | list)), None)

    @lazy
    def _returned(self) -> Any:
        return self.text_or_json(self.raw_output)

    @lazy
    def output(self) -> Any:
        """What came out, without LangChain's wrapping."""
        wraps = self.framework == langchain.FRAMEWORK
        return langchain.unwrapped_output(self._returned) if wraps else self._returned

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """The association properties."""
        start = len(keys.PROPERTIES)
        return {key[start:]: value for key, value in self.attributes.items() if key.startswith(keys.PROPERTIES)}

    @property
    def session(self) -> str | None:
        """``gen_ai.conversation.id``: LangGraph's thread, where the properties have no session of their own."""
        return None if f"{keys.PROPERTIES}session_id" in self.attributes else super().session

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages of the conventions, else the flattened ones."""
        return super().inputs or self._flattened(keys.PROMPT, "user")

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages of the conventions, else the flattened ones; what was streamed has no role."""
        said = super().outputs or self._flattened(keys.COMPLETION, "assistant")
        if self.span.name.startswith(haystack.CLIENTS):
            said = tuple([message for message in said if message.content != haystack.REPLIES])
        return tuple([_by(message, "assistant") for message in said])

    def _flattened(self, prefix: str, role: str) -> tuple[Message, ...]:
        handed_on: list[str] = []
        found = flattened(self.attributes, prefix, lambda value: self._content(value, role, handed_on))
        told = [_by(message, role) for message in found]
        if not handed_on:
            return tuple(told)
        whole = (
            messages_of({"role": message.role, "content": self.parsed(message.content)})
            if message.content in handed_on
            else (message,)
            for message in told
        )
        return tuple(chain.from_iterable(whole))

    def _content(self, value: Any, role: str, handed_on: list[str]) -> str | None:
        """Return the text of a flattened message: parts of it are dumped to JSON, and nothing is an empty JSON text.

        What tools gave back, among parts of a user's message as Anthropic has it, stays JSON and goes to ``handed_on``.
        """
        if isinstance(value, str) and value.startswith('[{"'):
            parts = self.parsed(value)
            if isinstance(parts, list) and all(isinstance(part, dict) and "type" in part for part in parts):
                if any(hands_on_a_result(part) for part in parts):
                    handed_on.append(value)
                    return value
                return content_text(parts, role)
        return content_text(value, role) if value not in _EMPTY else None

    @lazy
    def prompts(self) -> Sequence[str]:
        """What LlamaIndex completed."""
        if self.inputs or self.framework != llamaindex.FRAMEWORK:
            return ()
        found = llamaindex.completed_prompt(self.text_or_json(self.raw_input))
        return () if found is None else (found,)

    @lazy
    def said(self) -> str | None:
        """What LlamaIndex completed it with."""
        return llamaindex.unprinted(text_answered(self.output)) if self.framework == llamaindex.FRAMEWORK else None

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut a part of the prompt, or left one out."""
        if super().prompt_is_cut:
            return True
        if self.reading.cap is None or INPUT in self.attributes:
            return False
        texts = [message.content for message in self.inputs]
        return any(text is not None and self.is_cut(text) for text in texts)

    @property
    def model(self) -> str | None:
        """The response's model, else the requested one, else what LangChain calls it: each may be "unknown"."""
        names = ("gen_ai.response.model", "gen_ai.request.model", f"{keys.PROPERTIES}ls_model_name")
        return next((name for key in names if (name := keys.known(self.text(key))) is not None), None)

    @property
    def provider(self) -> str | None:
        """The provider, where it is not the framework that stands in for it."""
        names = ("gen_ai.provider.name", "gen_ai.system", f"{keys.PROPERTIES}ls_provider")
        return next((name for key in names if (name := keys.served(self.text(key))) is not None), None)

    def tokens(self, which: TokenCount) -> int | None:
        """The counts of the conventions, else those of the older generation."""
        found = super().tokens(which)
        return count_of(self.attributes.get(keys.OLDER_TOKENS[which])) if found is None else found

    @property
    def first_token_ns(self) -> int | None:
        """The first event of a streamed chunk."""
        return min((event.time_ns for event in self.span.events if event.name in keys.CHUNK_EVENTS), default=None)

    @property
    def records_results(self) -> bool:
        """Not of stores whose clients' instrumentations have no event for a result, as Qdrant's."""
        database = keys.DATABASE in self.span.attributes
        return not database or any(event.name in keys.RESULT_EVENTS for event in self.span.events)

    @property
    def query(self) -> str | None:
        """Nothing but what stands in the input."""
        return None

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """The documents in a retriever's or reranker's output, or in a vector store's events."""
        wanted = "reranked" if self.kind == "RERANKER" else "retrieved"
        if listing != wanted:
            return None
        if keys.DATABASE in self.span.attributes:
            return documents_of_events(self.span.events, most=most)
        return documents_or_text(self.output, most=most)

    @property
    def reranker(self) -> str | None:
        """The model of a reranking."""
        return self.model if self.kind == "RERANKER" else None

    @property
    def template(self) -> str | None:
        """``traceloop.prompt.template``."""
        return self.text(keys.TEMPLATE)

    @property
    def template_version(self) -> str | None:
        """``traceloop.prompt.version``, a number, else its hash."""
        for key in keys.TEMPLATE_VERSIONS:
            if (version := self.attributes.get(key)) is not None and version != "":
                return str(version)
        return None

    @lazy
    def variables(self) -> Mapping[str, Any] | None:
        """``traceloop.prompt.template_variables``; what LangChain's template was given."""
        found = self.input if self.kind == "PROMPT" else self.json(keys.TEMPLATE_VARIABLES)
        return found if isinstance(found, dict) else None

    @property
    def tool(self) -> str | None:
        """The tool's name."""
        return self.first_text(keys.TOOLS)


def _by(message: Message, role: str) -> Message:
    """Return a message with its role, or with ``role``: the parts of a stream have none that OpenLLMetry knows."""
    told = message.role
    whose = role if told is None or told == "unknown" else role_of(told) or role
    return message if whose == told else replace(message, role=whose)
