"""Which spans are model calls, what they cost, what they said.

LLM-kind spans nest (LlamaIndex: predict > chat > chat) and some are no calls at all (prompt builders, request
preparation). A call is the innermost of its nest that shows a sign of a model: an answer, token counts, or an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import TypeVar

from adapters.assembly.messages import Message
from adapters.assembly.view import View
from adapters.lazy import lazy
from adapters.schema import MAX_AMOUNT, MAX_COUNT, MAX_RESPONSE_ID, MAX_RESPONSE_IDS, ToolCall
from adapters.vocabulary import TokenCount

_TELLING_CHARS = 20
_MOST_BASIS_CALLS = 50
_MOST_NESTED = 16
"""LLM steps around a call that are asked what it leaves out; LlamaIndex nests three."""

_APART = frozenset({"TOOL", "AGENT"})
"""What a model asked for within its own step, as ADK has it: calls below are others."""

_MODEL: Callable[[View], str | None] = attrgetter("model")
_PROVIDER: Callable[[View], str | None] = attrgetter("provider")
_RESPONSE_ID: Callable[[View], str | None] = attrgetter("response_id")
_COST: Callable[[View], float | None] = attrgetter("cost")
_FIRST_TOKEN_NS: Callable[[View], int | None] = attrgetter("first_token_ns")
_SAID: Callable[[View], str | None] = attrgetter("said")

T = TypeVar("T")


@dataclass(eq=False)
class Call:
    """One call of a model, as its innermost span tells of it; what that one leaves out, spans of ``others`` may tell.

    ``others`` are spans of other dialects that watched the same call: an instrumentation of the framework around one
    of the model's client, or two of them side by side.
    """

    view: View
    others: list[View] = field(default_factory=list)
    named: str | None = None
    """The model that a message the application gave back is said to be of."""

    @property
    def number(self) -> int:
        """How many calls it stands for: a step that sums up its calls stands for all of them."""
        return self.view.requests or 1

    def _reported(self, read: Callable[[View], T | None]) -> T | None:
        """Return what the first of the spans that tells says."""
        found = read(self.view)
        if found is None and self.others:
            return next((told for view in self.others if (told := read(view)) is not None), None)
        return found

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages the model answered with."""
        return self._reported(lambda view: view.outputs or None) or ()

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages the model was given; none for a completion."""
        return self._reported(lambda view: view.inputs or None) or ()

    @lazy
    def prompt(self) -> str:
        """Everything the model was given, as one text."""
        given = [message.content for message in self.inputs if message.content is not None]
        return "\n".join([*given, *(self._reported(lambda view: view.prompts or None) or ())])

    @property
    def prompt_is_cut(self) -> bool:
        """Whether the exporter cut a part of the prompt, or left one out."""
        return self.view.prompt_is_cut

    @lazy
    def answer(self) -> str | None:
        """The text the model answered with; ``None`` for a failed call, a bare tool call, or hidden content."""
        for message in reversed(self.outputs):
            if message.content and not message.content.isspace():
                return message.content
        return None if self.outputs else self._reported(_SAID)

    @property
    def is_reported_elsewhere(self) -> bool:
        """Whether other spans tell of the call and withhold nothing, whatever its own does."""
        return bool(self.others) and not any(view.redacted for view in self.others)

    @lazy
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tools the model asked for."""
        return tuple([call for message in self.outputs for call in message.tool_calls])

    @property
    def model(self) -> str | None:
        """The model that answered: the response's name where it is known, else the requested one."""
        return self.named or self._reported(_MODEL)

    @property
    def provider(self) -> str | None:
        """Who served the model."""
        return self._reported(_PROVIDER)

    @property
    def response_id(self) -> str | None:
        """The id that the provider gave to the completion."""
        return self._reported(_RESPONSE_ID)

    def tokens(self, which: TokenCount) -> int | None:
        """Return the ``prompt``, ``completion`` or ``total`` token count, ``None`` where it was not reported."""
        return self._counts[which]

    def _count(self, which: TokenCount) -> int | None:
        found = self.view.tokens(which)
        return found if found is not None or not self.others else self._reported(lambda view: view.tokens(which))

    @lazy
    def _counts(self) -> Mapping[TokenCount, int | None]:
        prompt, completion, total = self._count("prompt"), self._count("completion"), self._count("total")
        if total is None and prompt is not None and completion is not None:
            total = prompt + completion
        return {"prompt": prompt, "completion": completion, "total": total}

    @property
    def cost(self) -> float | None:
        """What the call cost in USD, as the instrumentation priced it."""
        cost = self._reported(_COST)
        return cost if cost is not None and cost >= 0 else None

    @property
    def first_token_ns(self) -> int | None:
        """When the first token came, in Unix nanoseconds."""
        return self._reported(_FIRST_TOKEN_NS)


@dataclass(eq=False)
class PastCall(Call):
    """A call without a span, of which a message in the prompt of a later one is left. ``view`` is that later one's."""

    message: Message = field(default_factory=Message)

    def tokens(self, which: TokenCount) -> int | None:
        """Return the count that the message tells."""
        return None if self.message.tokens is None else self.message.tokens.get(which)

    @property
    def cost(self) -> float | None:
        """Nothing: messages tell of no price."""
        return None


def past_calls(call: Call) -> list[PastCall]:
    """Return the calls since the user last spoke that ``call``'s prompt tells of: a message of the assistant each."""
    spoken = since_the_user(call.inputs)
    return [PastCall(call.view, message=message) for message in spoken if message.role == "assistant"]


def since_the_user(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the messages after the last one of the user."""
    for number in range(len(messages), 0, -1):
        if messages[number - 1].role == "user":
            return messages[number:]
    return messages


def calls_of(views: Iterable[View]) -> list[Call]:
    """Return the model calls among ``views``, in their order."""
    views = list(views)
    around_models = _around([view for view in views if view.kind == "LLM"])
    signs = [view for view in views if (view.asks_a_model if view.kind == "LLM" else _asks(view, around_models))]
    outer = _around(signs, apart=_are_two_calls)
    return [
        Call(view, [*view.twins, *[above for above in _nest(view) if above.dialect != view.dialect]])
        for view in signs
        if id(view) not in outer
    ]


def _around(views: Iterable[View], apart: Callable[[View, View], bool] | None = None) -> set[int]:
    """Return by `id` all views that have one of ``views`` below them, up to the first that is ``apart`` from it."""
    found: set[int] = set()
    for view in views:
        above = view.parent
        while above is not None and id(above) not in found:  # where it is, so is everything above it
            if apart is not None and apart(above, view):
                break
            found.add(id(above))
            above = above.parent
    return found


def _are_two_calls(outer: View, inner: View) -> bool:
    """Tell whether a step around a call is none around the same one.

    ADK runs what a model asked for within its call, and agents that it handed over to, which ask models in turn.
    """
    if outer.kind in _APART:
        return True
    asked = _tools_of(outer) if outer.kind == "LLM" else ()
    return (
        bool(asked)
        and any(message.content or message.tool_calls for message in inner.outputs)
        and (asked != _tools_of(inner))
    )


def _tools_of(view: View) -> tuple[str, ...]:
    return tuple(call.name for message in view.outputs for call in message.tool_calls)


def _asks(view: View, around_models: Collection[int]) -> bool:
    """Tell whether a step of another kind is a model call, as seen from outside, where it has no LLM step below."""
    if id(view) in around_models:
        return False
    # An agent that runs at its provider's is one step, and tells itself what it cost.
    return view.requests is not None or (view.kind == "AGENT" and view.tokens("completion") is not None)


def _nest(view: View) -> list[View]:
    """Return the LLM steps right around ``view``, nearest first: the same call, seen from further outside."""
    nest: list[View] = []
    above = view.parent
    for _ in range(_MOST_NESTED):
        if above is None or above.kind != "LLM":
            break
        if above.asks_a_model:
            nest.append(above)
        above = above.parent
    return nest


def response_ids_of(calls: Iterable[Call]) -> tuple[str, ...] | None:
    """Return the ids of the completions that ``calls`` brought, each once; ``None`` where no call reported one."""
    ids: dict[str, None] = {}
    for call in calls:
        if (told := call.response_id) is not None and len(told) <= MAX_RESPONSE_ID:
            ids[told] = None
    return tuple(islice(ids, MAX_RESPONSE_IDS)) or None


def answering(calls: list[Call], answer: str | None) -> Call | None:
    """Return the call that gave the answer: the last to say just that, else the last to say anything, else the last.

    Where nothing was answered it is the last, whatever earlier ones said: the one that failed.
    """
    if len(calls) == 1:
        return calls[0]
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
    if len(calls) == 1:
        return basis
    by_end = sorted(calls, key=lambda each: (each.view.span.end_ns, each.view.span.span_id), reverse=True)
    for earlier in by_end[:_MOST_BASIS_CALLS]:
        said = (earlier.answer or "").strip()
        if earlier is call or len(said) < _TELLING_CHARS:
            continue
        collected = answer is not None and said in answer and said != answer.strip()
        if collected or any(said in later.prompt for later in basis):
            basis.append(earlier)
    return basis


def total(calls: Sequence[Call], which: TokenCount) -> int | None:
    """Sum a token count over ``calls``; ``None``, not 0, where no call reported it, or the sum is beyond belief."""
    found = [count for call in calls if (count := call.tokens(which)) is not None]
    return summed if found and (summed := sum(found)) <= MAX_COUNT else None


def tokens_are_partial(calls: Iterable[Call]) -> bool:
    """Tell whether some of ``calls`` report their tokens and others, that did not fail, report none."""
    told = [
        any(call.tokens(which) is not None for which in ("prompt", "completion", "total"))
        for call in calls
        if not call.view.failed
    ]
    return any(told) and not all(told)


def price(calls: Sequence[Call]) -> float | None:
    """Sum the cost of ``calls`` in USD; ``None``, not 0, where no call reported it, or the sum is beyond belief."""
    found = [cost for call in calls if (cost := call.cost) is not None]
    return summed if found and (summed := sum(found)) <= MAX_AMOUNT else None
