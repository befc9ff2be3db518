"""What the user asked, what came before, and what the application answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from adapters.assembly.calls import Call
from adapters.assembly.errors import is_error_of
from adapters.assembly.messages import Message, conversation, messages_of
from adapters.assembly.prompt_question import question_in
from adapters.assembly.retrieval import query_of
from adapters.assembly.view import View
from adapters.quirks import haystack, langchain, llamaindex
from adapters.schema import Turn
from adapters.values import is_repr, text_of
from adapters.vocabulary import ANSWER, HISTORY, QUESTION

_SPEAKING = ("CHAIN", "AGENT")
_INSTRUCTING = ("system", "developer")
_MAX_DEPTH = 4
_SHORTEST = 4
"""Characters of a text that is looked for in a message; shorter ones are found everywhere."""
_MOST_LEAVES = 50
"""Texts of one object or list that are looked for."""


def asks_and_answers(view: View) -> tuple[bool, bool]:
    """Tell whether the view's own input holds a question, and its own output an answer."""
    if view.kind not in _SPEAKING:
        return False, False
    return _asked(view) is not None, _answered(view) is not None


_QUESTION_MARKS = ("?", "\uff1f")


def question_of(tops: Sequence[View], views: Sequence[View], calls: Sequence[Call]) -> str | None:
    """Return the user's own words: from the root's input, else the retriever's query, else the first model call.

    Where the first call already asks for tools, or said what was then searched for, or a tool searched, a model wrote
    the retriever's query, and the user message goes first.
    Variables of a template may still hold what other attributes were made to hide, and are then left alone.
    Of a message that is a prompt filled in, context and all, it is the question alone.
    """
    said = _last_user(calls[0].inputs) if calls else None
    asked = None if said is None else question_in(said)
    first_call = min((call.view.span.start_ns for call in calls), default=None)
    for top in tops:
        # Of several local roots, one that began after a model was asked is given its answer, not the question.
        heard = top.kind in _SPEAKING and (len(tops) == 1 or first_call is None or top.span.start_ns <= first_call)
        if heard and (found := _asked(top)) is not None:
            return asked if found == said else found
    if said is not None and (found := _passed_on(tops, said, asked)) is not None:
        return found
    if asked is not None and any(call.tool_calls for call in calls):
        return asked
    for view in views:
        if view.kind == "RETRIEVER" and (found := query_of(view)) is not None:
            own = asked is not None and (_is_a_models(found, view, calls[0]) or _asks(asked, found))
            return asked if own else found
    for view in () if any(view.redacted for view in views) else views:
        variables = view.variables
        if variables is not None and (found := _question(variables, 0, whole=True)) is not None:
            return found
    if asked is None and calls and not calls[0].inputs and (completed := text_of(calls[0].prompt)) is not None:
        return question_in(completed)
    return asked


def _passed_on(tops: Sequence[View], said: str, asked: str | None) -> str | None:
    """Return what a root was given, under whatever name, and put before the model as the user's words or within them.

    Beside a context it is what asks, else what comes last.
    """
    for top in tops:
        if top.kind not in _SPEAKING or not isinstance(top.input, dict):
            continue
        texts = [text for text in _leaves(top.input, 0) if len(text) >= _SHORTEST and text in said]
        if asked in texts:
            return asked
        asking = [text for text in texts if text.rstrip().endswith(_QUESTION_MARKS)]
        if texts:
            return max(asking or texts, key=said.rfind)
    return None


def _leaves(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value.strip()
    elif depth < _MAX_DEPTH:
        held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for item in islice(held, _MOST_LEAVES):
            yield from _leaves(item, depth + 1)


def _asks(said: str, query: str) -> bool:
    """Tell whether a user message is a question and no more, of which a search was made that is none."""
    return said.endswith(_QUESTION_MARKS) and "\n" not in said.strip() and not query.endswith(_QUESTION_MARKS)


def _is_a_models(query: str, retriever: View, call: Call) -> bool:
    """Tell whether a model wrote the query: for a tool, or because ``call`` put the question into other words.

    A prompt that is all one text shows no question to go back to.
    """
    if "TOOL" in retriever.above:
        return call.view.span.start_ns < retriever.span.start_ns
    if call.answer is None or call.view.span.end_ns > retriever.span.start_ns:
        return False
    return query.strip() in call.answer and any(message.role in _INSTRUCTING for message in call.inputs)


def history_of(tops: Sequence[View], call: Call | None) -> tuple[Turn, ...] | None:
    """Return the earlier turns: from the root's input, else from the answer's prompt; ``None`` where neither tells."""
    whole = [top.input for top in tops if isinstance(top.input, dict) and not top.input_is_cut]
    for given in whole:
        if (past := HISTORY.first(given, conversation)) is not None:
            return _turns(past)
    # An application that keeps its conversation is given the new message only; its prompt has all of them.
    told = [_turns(_before_last_user(past)) for given in whole if (past := conversation(given.get("messages")))]
    if call is not None and call.inputs:
        told.append(_turns(_before_last_user(call.inputs)))
    return max(told, key=len, default=None)


def answer_of(tops: Sequence[View], calls: Sequence[Call], question: str | None, *, failed: bool) -> str | None:
    """Return what the application answered: from the root's output, else the last model call's.

    A failed root gave its user nothing, whatever a model said before; only its own output counts. One whose output is
    its input (a graph that was interrupted before it had an answer) says nothing.
    """
    last_call = max((call.view.span.start_ns for call in calls), default=0)
    for top in sorted(tops, key=lambda view: view.span.end_ns, reverse=True):
        # Of several local roots, one that ended before the model was asked holds context, not an answer.
        speaks = top.kind in _SPEAKING and (len(tops) == 1 or top.span.end_ns >= last_call)
        if speaks and (found := _answered(top)) not in (None, question) and not (failed and is_error_of(top, found)):
            return found
    if failed:
        return None
    by_end = sorted(calls, key=lambda call: (call.view.span.end_ns, call.view.span.span_id), reverse=True)
    final = next((call.answer for call in by_end if call.answer is not None and not call.tool_calls), None)
    if final is None:
        final = _structured_answer(tops, by_end)
    return final if final is not None else next((call.answer for call in by_end if call.answer is not None), None)


def _asked(view: View) -> str | None:
    if "asked" not in view.read:
        view.read["asked"] = _question(view.input, 0, whole=not view.input_is_cut)
    return view.read["asked"]


def _answered(view: View) -> str | None:
    if "answered" not in view.read:
        view.read["answered"] = _answer(view.output, 0, whole=not view.output_is_cut)
    return view.read["answered"]


def _question(value: Any, depth: int, *, whole: bool) -> str | None:
    """Find the question in an input; what is left of a conversation that was cut ends with another one."""
    if isinstance(value, str):
        return None if is_repr(value) else text_of(value)
    if depth >= _MAX_DEPTH:
        return None
    if isinstance(value, dict):
        if (sockets := haystack.pipeline_question(value.get("data"))) is not None:
            return sockets
        found = QUESTION.first(value, lambda held: _question(held, depth + 1, whole=whole))
        return found or _question(value.get("messages"), depth + 1, whole=whole) or _last_user(messages_of(value))
    if isinstance(value, list) and whole:
        return _last_user(conversation(value) or ())
    return None


def _answer(value: Any, depth: int, *, whole: bool) -> str | None:
    if isinstance(value, str):
        return None if is_repr(value) or llamaindex.is_printed_message(value) else text_of(value)
    if depth >= _MAX_DEPTH:
        return None
    if isinstance(value, dict):
        if messages := messages_of(value):
            return _last_assistant(messages)
        found = ANSWER.first(value, lambda held: _answer(held, depth + 1, whole=whole))
        return found or _answer(value.get("messages"), depth + 1, whole=whole) or haystack.pipeline_answer(value)
    if isinstance(value, list) and whole:
        return _last_assistant(conversation(value))
    return None


def _structured_answer(tops: Sequence[View], by_end: Sequence[Call]) -> str | None:
    """Return the root's output as it was written, where it is what the model passed to a tool: an answer with a schema.

    Where the instrumentation wraps outputs, or the framework puts it beside its messages, what the model wrote stands
    for it, or what of that is called the answer.
    """
    for top in tops:
        for tool in by_end[0].tool_calls if by_end and isinstance(top.output, dict) else ():
            written = top.parsed(tool.arguments)
            if written == top.output:
                return top.raw_output if top.parsed(top.raw_output) == top.output else tool.arguments
            if written is not None and written == langchain.structured_response(top.output):
                return _answer(written, 0, whole=True) or tool.arguments
    return None


def _last_user(messages: Sequence[Message]) -> str | None:
    return next((m.content for m in reversed(messages) if m.role == "user" and m.content), None)


def _last_assistant(messages: Sequence[Message] | None) -> str | None:
    """Return the last message if the assistant wrote it: a conversation that ends with a tool or user has no answer."""
    if not messages or messages[-1].role != "assistant":
        return None
    return messages[-1].content


def _before_last_user(messages: Sequence[Message]) -> Sequence[Message]:
    last = max((i for i, message in enumerate(messages) if message.role == "user"), default=0)
    return messages[:last]


def _turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    return tuple(
        Turn(role=message.role, content=message.content)
        for message in messages
        if message.role in ("user", "assistant") and message.content
    )
