"""One span as its dialect reads it, in the words every dialect shares.

A dialect is a subclass of `View`: it says of one span what kind of step it was and what went in and out of it, by the
keys its instrumentation writes. Everything else (which spans are model calls, what was retrieved, what the answer is)
is decided over views, once for all dialects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adapters.assembly.messages import Message
from adapters.documents.passages import Documents
from adapters.documents.shapes import lists_in
from adapters.frozen import frozen
from adapters.lazy import lazy
from adapters.trace import Span
from adapters.values import parse_json, plain, salvage_json, text_of
from adapters.vocabulary import DocumentList, StepKind, TokenCount

ENCLOSING = frozenset({"EVALUATOR", "GUARDRAIL", "TOOL"})
"""The kinds of steps that matter to what is below them: it is judged, guarded, or asked for by a model."""


@frozen(frozen=True, slots=True)
class Reading:
    """What all views of one dialect in one trace share.

    ``cap`` is the length the exporter cut values at, if it did; ``json_limit`` the longest JSON text parsed at all.
    """

    cap: int | None
    json_limit: int


@dataclass(eq=False)
class View:
    """A span, and its place among the other views: ``parent`` and ``children`` skip spans that no dialect reads.

    A dialect overrides the properties its keys tell of; what is not overridden was not reported.
    """

    dialect: ClassVar[str]
    session_keys: ClassVar[Sequence[str]] = ()
    """The attributes that `session` is read from: in a run that has none of them, no view is asked."""
    user_keys: ClassVar[Sequence[str]] = ()
    """The attributes that `user` is read from."""
    template_keys: ClassVar[Sequence[str]] = ()
    """The attributes that `template` and `template_version` are read from."""

    span: Span
    reading: Reading
    parent: View | None = field(default=None, init=False)
    children: list[View] = field(default_factory=list, init=False)
    above: frozenset[str] = field(default=frozenset(), init=False)
    """Which of the kinds `ENCLOSING` the views above this one have."""
    place: range = field(default=range(0), init=False)
    """The number of this view, and behind it those of all below it."""
    batched: bool = field(default=False, init=False)
    """Whether it is one of several runs of a chain that were begun together."""

    @lazy
    def read(self) -> dict[str, str | None]:
        """What several questions about a run look for in this step, worked out once."""
        return {}

    @lazy
    def twins(self) -> list[View]:
        """Views of other dialects that tell of the very same step, and are out of account themselves."""
        return []

    # --- what a dialect says -----------------------------------------------------------------------------------------

    @lazy
    def kind(self) -> StepKind:
        """What kind of step this was."""
        raise NotImplementedError

    @lazy
    def framework(self) -> str | None:
        """The application's framework, as ``langchain``, ``llamaindex`` or ``haystack``."""
        return None

    @lazy
    def redacted(self) -> bool:
        """Whether content of this step was withheld by the instrumentation."""
        return False

    @lazy
    def attributes(self) -> Mapping[str, Any]:
        """The attributes of the span, without those that were redacted."""
        return self.span.attributes

    @lazy
    def raw_input(self) -> str | None:
        """What went in, as the text of the attribute that holds it."""
        return None

    @lazy
    def raw_output(self) -> str | None:
        """What came out, as the text of the attribute that holds it."""
        return None

    @lazy
    def input(self) -> Any:
        """What went in: a string where it is plain text, else the parsed JSON."""
        return self.text_or_json(self.raw_input)

    @lazy
    def output(self) -> Any:
        """What came out: a string where it is plain text, else the parsed JSON."""
        return self.text_or_json(self.raw_output)

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """Metadata that the application gave to the run."""
        return {}

    @property
    def session(self) -> str | None:
        """The session, where the dialect has a key of its own for it; else it is looked for in ``metadata``."""
        return self.first_text(self.session_keys)

    @property
    def user(self) -> str | None:
        """The user, as with ``session``."""
        return self.first_text(self.user_keys)

    @property
    def release(self) -> str | None:
        """The application's release, where it is not the resource that tells."""
        return None

    @property
    def environment(self) -> str | None:
        """The deployment environment, where it is not the resource that tells."""
        return None

    @property
    def error(self) -> tuple[str | None, str | None] | None:
        """The type and message of a failure, where the dialect has keys of its own for them."""
        return None

    @property
    def is_root(self) -> bool:
        """Whether the step is marked as the application's outermost one, though its span may have a parent."""
        return False

    # Of a step of kind LLM:

    @lazy
    def asks_a_model(self) -> bool:
        """Whether an LLM step shows a sign of a model (an answer, token counts, an error), and not of preparation."""
        return True

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages the model was given; none for a completion."""
        return ()

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages the model answered with."""
        return ()

    @lazy
    def prompts(self) -> Sequence[str]:
        """What the model was given beside messages: the prompts of a completion."""
        return ()

    @lazy
    def said(self) -> str | None:
        """What a completion answered, where there are no ``outputs``."""
        return None

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut a part of the prompt, or left one out."""
        if self.span.dropped_attributes or self.reading.cap is None:
            return bool(self.span.dropped_attributes)
        texts = [message.content for message in self.inputs] + list(self.prompts)
        return any(text is not None and self.is_cut(text) for text in texts)

    @property
    def model(self) -> str | None:
        """The model that answered: the response's name where it is known, else the requested one."""
        return None

    @property
    def provider(self) -> str | None:
        """Who served the model."""
        return None

    @property
    def response_id(self) -> str | None:
        """The id that the provider gave to the completion: under the key of the GenAI conventions in every dialect."""
        return self.text("gen_ai.response.id")

    def tokens(self, which: TokenCount) -> int | None:
        """Return a token count of the call; ``None`` where it was not reported."""
        del which
        return None

    @property
    def requests(self) -> int | None:
        """How many model calls a step of any kind says were made within it, though they have no spans of their own."""
        return None

    @property
    def cost(self) -> float | None:
        """What the call cost in USD, as the instrumentation priced it."""
        return None

    @property
    def first_token_ns(self) -> int | None:
        """When the first token came, in Unix nanoseconds."""
        return None

    @property
    def is_bare_request(self) -> bool:
        """Whether a provider's client wrote down its own request without content: others tell what it was for."""
        return False

    @property
    def searches(self) -> Sequence[tuple[str | None, list[Any] | None]]:
        """What a provider searched for within the call, and what it found; ``None`` where it does not tell."""
        return ()

    # Of a step of kind RETRIEVER or RERANKER:

    @property
    def retrieves(self) -> bool:
        """Whether the span shows by itself that it retrieved: what the kind of a step around or below it may go by."""
        return self.kind == "RETRIEVER"

    @property
    def records_results(self) -> bool:
        """Whether the instrumentation of a step that searches writes down what it finds, as far as it is told to."""
        return True

    @property
    def query(self) -> str | None:
        """What was searched for, where there is a key of its own for it; else it is looked for in ``input``."""
        return None

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """Return the first ``most`` documents, in order; ``()`` for none, ``None`` where the step does not say."""
        del listing, most
        return None

    # Of any step:

    @property
    def embedder(self) -> str | None:
        """The model that embedded the query."""
        return None

    @property
    def reranker(self) -> str | None:
        """The model that reranked."""
        return None

    @property
    def template(self) -> str | None:
        """The prompt's template, its variables not filled in."""
        return None

    @property
    def template_version(self) -> str | None:
        """The version of the prompt or its template, where somebody gave it one."""
        return None

    @property
    def variables(self) -> Mapping[str, Any] | None:
        """What the template was filled in with."""
        return None

    @property
    def tool(self) -> str | None:
        """The name of the tool that a TOOL step ran, where it is not the span's."""
        return None

    @property
    def tool_description(self) -> str | None:
        """What that tool is for, as its model is told."""
        return None

    # --- what is the same for all ------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The span's name."""
        return self.span.name

    @property
    def failed(self) -> bool:
        """Whether the step failed."""
        return self.span.failed

    @lazy
    def input_is_cut(self) -> bool:
        """Whether the exporter cut what went in."""
        return self.raw_input is not None and self.is_cut(self.raw_input)

    @lazy
    def output_is_cut(self) -> bool:
        """Whether the exporter cut what came out."""
        return self.raw_output is not None and self.is_cut(self.raw_output)

    def is_cut(self, value: str) -> bool:
        """Tell whether the exporter's value length limit cut ``value``."""
        return self.reading.cap is not None and len(value) == self.reading.cap

    def text(self, key: str) -> str | None:
        """Return the attribute if it is a string with something in it."""
        value = self.attributes.get(key)
        return None if value is None else text_of(value)

    def first_text(self, keys: Iterable[str]) -> str | None:
        """Return the first attribute of ``keys`` that is a string with something in it."""
        attributes = self.attributes
        for key in keys:
            if (value := attributes.get(key)) is not None and (text := text_of(value)) is not None:
                return text
        return None

    def json(self, key: str) -> Any:
        """Parse a JSON attribute; of one that the exporter cut, what is whole before the cut."""
        return self.parsed(self.attributes.get(key))

    def parsed(self, value: Any) -> Any:
        """Parse a JSON value of this span; a structured one is taken as it is."""
        if not isinstance(value, str):
            return plain(value)
        reading = self.reading
        read = parse_json if reading.cap is None or len(value) != reading.cap else salvage_json
        return read(value, limit=reading.json_limit)

    def text_or_json(self, text: str | None) -> Any:
        """Return the parsed JSON of a text that is an object, an array or a quoted string; any other text as it is."""
        if text is None or not text.startswith(("{", "[", '"')):
            return text
        parsed = self.parsed(text)
        return text if parsed is None else parsed

    def yield_to(self, other: View) -> None:
        """Take this step out of account: ``other`` tells of the same one."""
        self.kind = "OTHER"
        other.twins.append(self)

    @lazy
    def lists(self) -> Mapping[int, Sequence[list[Any]]]:
        """The lists in what went in and out of this step and those below it, by their length, in order of time."""
        found: dict[int, list[list[Any]]] = {}
        for view in sorted(self.subtree(), key=lambda view: (view.span.start_ns, view.span.span_id)):
            for listed in (*lists_in(view.input), *lists_in(view.output)):
                found.setdefault(len(listed), []).append(listed)
        return found

    def is_within(self, other: View) -> bool:
        """Tell whether this view is somewhere below ``other``."""
        return self is not other and self.place.start in other.place

    def subtree(self) -> Iterator[View]:
        """Yield this view and all below it, in no particular order."""
        waiting = [self]
        while waiting:
            view = waiting.pop()
            yield view
            waiting += view.children

    def ancestors(self) -> Iterator[View]:
        """Yield the views above, nearest first."""
        current = self.parent
        while current is not None:
            yield current
            current = current.parent
