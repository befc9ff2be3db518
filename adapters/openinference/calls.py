"""Which spans are model calls, what they cost, what they said.

LLM-kind spans nest (LlamaIndex: predict > chat > chat) and some are no calls at all (prompt builders, request
preparation). A call is the innermost of its nest that shows a sign of a model: an answer, token counts, or an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from adapters.openinference.messages import Message, flattened
from adapters.openinference.view import REDACTED, View
from adapters.schema import MAX_AMOUNT, MAX_COUNT, ToolCall
from adapters.values import count_of, is_repr, number_of, text_of

_TOKENS = "llm.token_count."
_OUTPUT = "llm.output_messages."
_INPUT = "llm.input_messages."
_TELLING_CHARS = 20
_MOST_BASIS_CALLS = 50
_FIRST_TOKEN = "First Token Stream Event"  # noqa: S105 - an event's name


@dataclass(eq=False)
class Call:
    """One call of a model."""

    view: View

    @cached_property
    def outputs(self) -> tuple[Message, ...]:
        """The messages the model answered with."""
        return flattened(self.view.attributes, _OUTPUT)

    @cached_property
    def inputs(self) -> tuple[Message, ...]:
        """The messages the model was given; none for a completion."""
        return flattened(self.view.attributes, _INPUT)

    @cached_property
    def prompt(self) -> str:
        """Everything the model was given, as one text."""
        prompts = self.view.attributes.get("llm.prompts")
        listed = prompts if isinstance(prompts, list) else [prompts]
        texts = [message.content for message in self.inputs] + listed
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut a part of the prompt, or left one out."""
        if self.view.span.dropped_attributes:
            return True
        prompts = self.view.attributes.get("llm.prompts")
        texts = [message.content for message in self.inputs] + (prompts if isinstance(prompts, list) else [prompts])
        return any(isinstance(text, str) and self.view.is_cut(text) for text in texts)

    @cached_property
    def answer(self) -> str | None:
        """The text the model answered with; ``None`` for a failed call, a bare tool call, or hidden content."""
        said = next((m.content for m in reversed(self.outputs) if m.content and not m.content.isspace()), None)
        return said if said is not None or self.outputs else _said(self.view)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tools the model asked for."""
        return tuple(call for message in self.outputs for call in message.tool_calls)

    @property
    def model(self) -> str | None:
        """The model that answered: the response's name where it is known, else the requested one."""
        if self.view.framework == "langchain":
            # While streaming, LangChain puts the requested name on the span and the real one into the generation.
            info = _dig(self.view.output, "generations", 0, 0, "generation_info", "model_name")
            if text_of(info) is not None:
                return str(info)
        return self.view.text("llm.model_name")

    @property
    def provider(self) -> str | None:
        """Who served the model."""
        return self.view.text("llm.provider") or self.view.text("llm.system")

    def tokens(self, which: str) -> int | None:
        """Return the ``prompt``, ``completion`` or ``total`` token count, ``None`` where it was not reported."""
        found = count_of(self.view.attributes.get(_TOKENS + which))
        if found is None and which == "total":
            prompt, completion = self.tokens("prompt"), self.tokens("completion")
            return prompt + completion if prompt is not None and completion is not None else None
        return found

    @property
    def cost(self) -> float | None:
        """What the call cost in USD, as the instrumentation priced it."""
        cost = number_of(self.view.attributes.get("llm.cost.total"))
        return cost if cost is not None and cost >= 0 else None

    @property
    def first_token_ns(self) -> int | None:
        """When the first token came, in Unix nanoseconds."""
        times = [event.time_ns for event in self.view.span.events if event.name == _FIRST_TOKEN]
        return min(times, default=None)


def calls_of(views: Iterable[View]) -> list[Call]:
    """Return the model calls among ``views``, in their order."""
    signs = [view for view in views if view.kind == "LLM" and _shows_a_model(view)]
    outer: set[int] = set()
    for view in signs:
        for above in view.ancestors():
            if id(above) in outer:
                break  # and so is everything above it
            outer.add(id(above))
    return [Call(view) for view in signs if id(view) not in outer]


def answering(calls: list[Call], answer: str | None) -> Call | None:
    """Return the call that gave the answer: the last to say just that, else the last to say anything, else the last.

    Where nothing was answered it is the last, whatever earlier ones said: the one that failed.
    """
    by_end = sorted(calls, key=lambda call: (call.view.span.end_ns, call.view.span.start_ns, call.view.span.span_id))
    choices: tuple[Callable[[Call], bool], ...] = (lambda _: True,)
    if answer is not None:
        choices = (
            lambda call: call.answer is not None and call.answer.strip() == answer.strip(),
            lambda call: call.answer is not None and not call.tool_calls,
            lambda call: call.answer is not None,
            *choices,
        )
    for fits in choices:
        if (found := next((call for call in reversed(by_end) if fits(call)), None)) is not None:
            return found
    return None


def basis_of(call: Call, calls: list[Call], answer: str | None) -> list[Call]:
    """Return the calls the answer was made by, the last one first: ``call``, and those whose words went into it.

    What a call said goes on into the prompt of the next where answers are refined, or into the answer itself, beside
    what others said, where they are collected. Short words ("yes") are found everywhere, and tell nothing.
    """
    basis = [call]
    by_end = sorted(calls, key=lambda each: (each.view.span.end_ns, each.view.span.span_id), reverse=True)
    for earlier in by_end[:_MOST_BASIS_CALLS]:
        said = (earlier.answer or "").strip()
        if earlier is call or len(said) < _TELLING_CHARS:
            continue
        collected = answer is not None and said in answer and said != answer.strip()
        if collected or any(said in later.prompt for later in basis):
            basis.append(earlier)
    return basis


def total(calls: list[Call], which: str) -> int | None:
    """Sum a token count over ``calls``; ``None``, not 0, where no call reported it, or the sum is beyond belief."""
    found = [count for call in calls if (count := call.tokens(which)) is not None]
    return summed if found and (summed := sum(found)) <= MAX_COUNT else None


def price(calls: list[Call]) -> float | None:
    """Sum the cost of ``calls`` in USD; ``None``, not 0, where no call reported it, or the sum is beyond belief."""
    found = [cost for call in calls if (cost := call.cost) is not None]
    return summed if found and (summed := sum(found)) <= MAX_AMOUNT else None


def _shows_a_model(view: View) -> bool:
    # LlamaIndex prepares a request and Haystack fills a template in LLM-kind spans; neither asks a model.
    if "_prepare_chat_with_tools" in view.name or view.name.endswith("PromptBuilder.run"):
        return False
    if view.span.failed:
        return True
    attributes = view.span.attributes
    given = attributes.get("input.value") == REDACTED
    for key in attributes:
        if key.startswith((_OUTPUT, _TOKENS)):
            return True
        given = given or key.startswith((_INPUT, "llm.prompts"))
    # A completion model without usage shows its prompt and its output only, or no more than its name and output.
    return "output.value" in attributes and (given or "llm.model_name" in attributes)


def _said(view: View) -> str | None:
    """Read the answer of a completion from its output: plain text, or one of the shapes completions are dumped in."""
    output = view.output
    if isinstance(output, dict):
        choices = (
            output.get("text"),
            _dig(output, "generations", 0, 0, "text"),
            _dig(output, "replies", 0),
            _dig(output, "message", "content"),
            _dig(output, "message", "blocks", 0, "text"),
        )
        output = next((text for choice in choices if (text := text_of(choice)) is not None), None)
    if not isinstance(output, str) or is_repr(output) or output.startswith("assistant: "):
        return None
    return output


def _dig(value: Any, *path: str | int) -> Any:
    for step in path:
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value
