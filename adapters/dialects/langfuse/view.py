"""One span of Langfuse's SDKs: what kind of observation it was, and what its author logged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from adapters.assembly.exchanges import messages_answered, messages_asked, text_answered
from adapters.assembly.messages import Message
from adapters.assembly.view import View
from adapters.dialects.langfuse.arguments import called_with, is_call
from adapters.dialects.langfuse.keys import (
    APP_ROOT,
    COST,
    ENVIRONMENT,
    ERROR,
    FIRST_TOKEN,
    INPUT,
    KINDS,
    LEVEL,
    METADATA,
    MODEL,
    OUTPUT,
    PROMPT_NAME,
    PROMPT_VERSION,
    RELEASE,
    SESSION,
    SESSION_ALIAS,
    STATUS_MESSAGE,
    TRACE_INPUT,
    TRACE_OUTPUT,
    TYPE,
    USAGE,
    USER,
    USER_ALIAS,
    VERSION,
    encodes_all,
    is_mask,
)
from adapters.dialects.langfuse.metadata import decoded, metadata_of
from adapters.dialects.langfuse.usage import cost_of, tokens_of
from adapters.documents.passages import Documents
from adapters.documents.shapes import RERANKS, RETRIEVES, documents_in, documents_or_text, lists_documents, reranked_in
from adapters.lazy import lazy
from adapters.quirks import litellm
from adapters.values import count_of, nanoseconds_of, text_of
from adapters.vocabulary import DocumentList, StepKind, TokenCount

_LANGCHAIN = (f"{METADATA}.is_langchain_root", f"{METADATA}.ls_", f"{METADATA}.langgraph_", f"{METADATA}.lc_")
_MOST = 1_000


class LangfuseView(View):
    """A span as Langfuse's SDKs describe it."""

    dialect: ClassVar[str] = "langfuse"
    session_keys = (SESSION, SESSION_ALIAS, f"{METADATA}.langfuse_session_id")
    user_keys = (USER, USER_ALIAS, f"{METADATA}.langfuse_user_id")
    template_keys = (PROMPT_NAME,)

    @lazy
    def kind(self) -> StepKind:
        """The type of the observation; what code calls a mere span or tool is told by its name and what it returned."""
        # A search that an agent calls as a tool is its retriever, unless it asks one that is observed itself.
        if self.retrieves and self._type != "retriever" and any(below.retrieves for below in self.children):
            return KINDS[self._type]
        return self._shown

    @lazy
    def _type(self) -> str:
        told = self.span.attributes.get(TYPE)
        return told.lower() if isinstance(told, str) else "span"

    @lazy
    def _shown(self) -> StepKind:
        """The kind that the span shows by itself, whatever is around it."""
        told = self._type
        if told in _RANKING and RERANKS.search(self.name) and self._reranks():
            return "RERANKER"
        if told == "span" and MODEL in self.span.attributes:
            return "LLM"
        found = told in ("span", "tool") and RETRIEVES.search(self.name)
        if found and (self.output == [] or lists_documents(self.output)):
            return "RETRIEVER"
        return KINDS.get(told, "OTHER")

    @property
    def retrieves(self) -> bool:
        """Whether the span shows by itself that it retrieved."""
        return self._shown == "RETRIEVER"

    def _reranks(self) -> bool:
        return isinstance(self.output, dict | list) and bool(reranked_in(self.output, self._candidates(_MOST), most=1))

    @lazy
    def framework(self) -> str | None:
        """``langchain`` where its callback handler wrote the span."""
        keys = self.span.attributes
        return "langchain" if any(key.startswith(_LANGCHAIN) for key in keys) else None

    @lazy
    def redacted(self) -> bool:
        """Whether content was masked, or a model call is told of without a word of it."""
        given, said = self.span.attributes.get(INPUT), self.span.attributes.get(OUTPUT)
        if isinstance(given, str) and is_mask(given):
            return True
        if isinstance(said, str) and is_mask(said):
            return True
        return given is None and said is None and not self.failed and self.span.attributes.get(TYPE) == "generation"

    @lazy
    def attributes(self) -> Mapping[str, Any]:
        """The attributes without content that was masked."""
        found = self.span.attributes
        if not self.redacted:
            return found
        return {
            key: value
            for key, value in found.items()
            if not (key in (INPUT, OUTPUT) and isinstance(value, str) and is_mask(value))
        }

    @lazy
    def raw_input(self) -> str | None:
        """What went in: a text, or the JSON of it; into the outermost step, what was declared to."""
        return self._declared(TRACE_INPUT) or self.text(INPUT)

    @lazy
    def raw_output(self) -> str | None:
        """What came out: a text, or the JSON of it, as with ``raw_input``."""
        return self._declared(TRACE_OUTPUT) or self.text(OUTPUT)

    def _declared(self, key: str) -> str | None:
        if self.parent is not None:
            return None
        told = (view.span.attributes.get(key) for view in self.subtree())
        return next((text for value in told if (text := text_of(value)) is not None and not is_mask(text)), None)

    @lazy
    def input(self) -> Any:
        """What went in; the arguments of a decorated function as one value, or as an object of them."""
        return called_with(self.text_or_json(self.raw_input))

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """Metadata of trace and observation."""
        return metadata_of(self.span.attributes, self.span.scope_version)

    @property
    def session(self) -> str | None:
        """``session.id``; of a LangChain model called by itself, what the run's metadata says."""
        return self.first_text((SESSION, SESSION_ALIAS)) or text_of(self._logged("langfuse_session_id"))

    @property
    def user(self) -> str | None:
        """``user.id``, found as the session is."""
        return self.first_text((USER, USER_ALIAS)) or text_of(self._logged("langfuse_user_id"))

    @property
    def release(self) -> str | None:
        """``langfuse.release``, else the version given to the observation."""
        return self.text(RELEASE) or text_of(self.span.resource.get(RELEASE)) or self.text(VERSION)

    @property
    def environment(self) -> str | None:
        """``langfuse.environment``."""
        return self.text(ENVIRONMENT) or text_of(self.span.resource.get(ENVIRONMENT))

    @lazy
    def failed(self) -> bool:
        """Whether the span failed, or its level says so."""
        return self.span.failed or self.span.attributes.get(LEVEL) == ERROR

    @property
    def error(self) -> tuple[str | None, str | None] | None:
        """The status message of a failed observation; the type of the error is not written."""
        message = self.text(STATUS_MESSAGE) if self.failed else None
        return None if message is None else (None, message)

    @property
    def is_root(self) -> bool:
        """Whether the SDK marked the span as the application's root: whatever is above it is not exported."""
        return self.span.attributes.get(APP_ROOT) is True

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages the model was given."""
        return messages_asked(self.input)

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages the model answered with."""
        return messages_answered(self.output)

    @lazy
    def said(self) -> str | None:
        """The text of an output that is no message."""
        return text_answered(self.output)

    @lazy
    def prompts(self) -> Sequence[str]:
        """The prompt of a completion; where code logged something of its own, all of it."""
        if self.inputs or self.raw_input is None:
            return ()
        logged = self.text_or_json(self.raw_input)
        alone = isinstance(self.input, str) and (not is_call(logged) or len(logged["args"] or ()) == 1)
        return (self.input,) if alone else (self.raw_input,)

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut the input, or dropped attributes."""
        return bool(self.span.dropped_attributes) or self.input_is_cut

    @property
    def model(self) -> str | None:
        """The model's name; a response's has taken the place of the requested one. LiteLLM has keys of its own."""
        return self.first_text((MODEL, *litellm.MODELS))

    @property
    def provider(self) -> str | None:
        """Who served the model, as LangChain says."""
        return text_of(self._logged("ls_provider"))

    @lazy
    def _usage(self) -> Mapping[str, Any]:
        usage = self.json(USAGE)
        return usage if isinstance(usage, dict) else {}

    def tokens(self, which: TokenCount) -> int | None:
        """Return a token count of the call; ``None`` where it was not reported."""
        found = tokens_of(self._usage, which)
        return count_of(self.attributes.get(litellm.TOKENS + which)) if found is None else found

    @property
    def cost(self) -> float | None:
        """What the call cost in USD, as it was logged or as Langfuse priced it."""
        return cost_of(self.json(COST))

    @property
    def first_token_ns(self) -> int | None:
        """When the completion started, in Unix nanoseconds."""
        raw = self.text(FIRST_TOKEN)
        return None if raw is None else nanoseconds_of(raw.strip().strip('"'))

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """Return the documents a retriever or reranker returned, or those a reranker was given."""
        if (listing == "retrieved") == (self.kind == "RERANKER"):
            return None
        if listing == "retrieved":
            return documents_or_text(self.output, most=most)
        given = self._candidates(most)
        return given or None if listing == "rerank_input" else reranked_in(self.output, given, most=most)

    def _candidates(self, most: int) -> Documents:
        raw = self.text_or_json(self.text(INPUT))
        arguments = list(raw.get("args") or ()) + list((raw.get("kwargs") or {}).values()) if is_call(raw) else [raw]
        for argument in arguments:
            if isinstance(argument, dict | list) and (found := documents_in(argument, most=most)):
                return found
        return ()

    @property
    def embedder(self) -> str | None:
        """The model of an embedding."""
        return self.text(MODEL) if self.kind == "EMBEDDING" else None

    @property
    def reranker(self) -> str | None:
        """The model of a reranker; its observation has no field for that, but its metadata may name it."""
        return self.text(MODEL) or text_of(self._logged("model")) if self.kind == "RERANKER" else None

    @property
    def template_version(self) -> str | None:
        """``name@version`` of the managed prompt that was used."""
        name, version = self.text(PROMPT_NAME), self.attributes.get(PROMPT_VERSION)
        if name is None or isinstance(version, bool) or not isinstance(version, int | str):
            return None
        return f"{name}@{version}"

    def _logged(self, key: str) -> Any:
        raw = self.span.attributes.get(f"{METADATA}.{key}")
        return None if raw is None else decoded(raw, encoded=encodes_all(self.span.scope_version))

    def text_or_json(self, text: str | None) -> Any:
        """Return the parsed JSON of an object or an array; a text is logged as it is, its own quotes included."""
        return text if text is not None and text.startswith('"') else super().text_or_json(text)


_RANKING = frozenset({"span", "chain", "retriever", "tool"})
