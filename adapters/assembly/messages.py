"""Chat messages, as frameworks dump them, as the GenAI conventions have them, and as providers' APIs exchange them.

Source: github.com/open-telemetry/semantic-conventions-genai, model/gen-ai/gen-ai-input-messages.json,
gen-ai-output-messages.json and gen-ai-system-instructions.json; the APIs of OpenAI (chat completions and responses),
Anthropic, Bedrock and Google; LangChain's and LlamaIndex's dumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from adapters.frozen import frozen
from adapters.quirks import langchain
from adapters.quirks.anthropic import DOCUMENT_PARTS
from adapters.schema import ToolCall
from adapters.values import is_repr, json_text, text_of
from adapters.vocabulary import ROLES, Aliases

MAX_MESSAGES = 2_000
_MAX_TOOL_CALLS = 200
_MAX_DEPTH = 4  # content > parts > text: the deepest any provider nests a message's text

_KNOWN_ROLES = frozenset({"user", "assistant", "system", "developer", "tool", "function", "placeholder"})
_CALLS = frozenset({"tool_calls", "function_call", "additional_kwargs"})
_MESSAGE_KEYS = frozenset({"parts", "content", "blocks", "contents", "tool_calls", "function_call"})
_NESTED = Aliases("data", "kwargs", "message")
"""What dumps wrap a message in."""
_ITEMS = frozenset({"function_call", "function_call_output", "reasoning"})
_REDACTED = "[REDACTED]"
"""What Strands Agents writes in place of text that it was not told to show."""

_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal"})
_CALL_PARTS = frozenset({"tool_call", "server_tool_call", "tool_use", "tool-call"})
_RESPONSE_PARTS = frozenset({"tool_call_response", "server_tool_call_response", "tool_result", "tool-result"})
# Parts of Bedrock's and Google's APIs, which some instrumentations pass on, of Genkit and Haystack: a key and no type.
_KEYED_PARTS = {
    "toolUse": "tool_call",
    "functionCall": "tool_call",
    "tool_call": "tool_call",
    "function_call": "tool_call",
    "toolResult": "tool_call_response",
    "toolRequest": "tool_call",
    "toolResponse": "tool_call_response",
    "tool_call_result": "tool_call_response",
    "functionResponse": "tool_call_response",
    "function_response": "tool_call_response",
}
_SAID = ("content", "text", "parts", "refusal", "value")
_RESPONSES = ("response", "result", "output", "server_tool_call_response", "content")
_ARGUMENTS = ("arguments", "args", "input", "server_tool_call")
_CALL_IDS = ("call_id", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "id", "ref")
"""An item of OpenAI's responses has an id of its own too."""
_TOOL_NAMES = ("name", "toolName", "tool_name")


@frozen(frozen=True, slots=True)
class Message:
    """One message; ``content`` is ``None`` where there is no text (a tool call, a redacted or unreported one).

    What a tool answered bears the name of the ``tool`` or the id of the call that it answers, where they are told.
    """

    role: str | None = None
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool: str | None = field(default=None, repr=False, compare=False)
    call_id: str | None = field(default=None, repr=False, compare=False)
    documents: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)
    """The parts that are documents to answer from, as Anthropic's API has them."""
    tokens: Mapping[str, int] | None = field(default=None, repr=False, compare=False)
    """What the call took that gave a message of the assistant: ``prompt``, ``completion`` and ``total`` tokens."""


def messages_of(value: Any, role: str | None = None) -> tuple[Message, ...]:
    """Read a message, a list of them, or one batch of such a list.

    ``role`` is whose words they are where a message does not say; without one, only what names its role is a message,
    and no printed object is its content. What a tool answered is a message of its own; what a model only thought,
    pictures, sound and the definitions of tools are nobody's words.

    >>> messages_of({"type": "human", "data": {"content": "Hi", "type": "human"}})
    (Message(role='user', content='Hi', tool_calls=()),)
    >>> thought = {"type": "reasoning", "content": "180 or 150?"}
    >>> messages_of([{"role": "assistant", "parts": [thought, {"type": "text", "content": "180 EUR."}]}])
    (Message(role='assistant', content='180 EUR.', tool_calls=()),)
    >>> messages_of("How much?"), messages_of("How much?", "user")
    ((), (Message(role='user', content='How much?', tool_calls=()),))
    """
    if not isinstance(value, list):
        return tuple(_messages(value, role)) if value is not None else ()
    if len(value) == 1 and isinstance(value[0], list) and not _are_two_texts(value[0]):
        value = value[0]
    found: list[Message] = []
    for item in value[:MAX_MESSAGES]:
        found += _messages(item, role)
    return tuple(found)


def conversation(value: Any) -> tuple[Message, ...] | None:
    """Read a list of messages, or of (question, answer) pairs; ``None`` where ``value`` is no such list.

    >>> [message.role for message in conversation([["How much?", "180 EUR."]])]
    ['user', 'assistant']
    """
    if not isinstance(value, list):
        return None
    found = messages_of(value)
    return found if found or not value else None


def system_message(value: Any) -> Message | None:
    """Return system instructions (text, parts, or messages of parts) as one message; ``None`` where there are none.

    >>> parts = [{"type": "text", "content": "Be brief."}, {"type": "text", "content": "Cite."}]
    >>> system_message(parts).content.splitlines()
    ['Be brief.', 'Cite.']
    """
    text = text_of("\n".join(_texts(value)))
    return None if text is None else Message(role="system", content=text)


def content_text(content: Any, role: str | None) -> str | None:
    """Return the text of a message's content: a string, or the text parts of a list of parts."""
    return text_of(joined(list(_texts(content)), role))


def hands_on_a_result(part: Any) -> bool:
    """Tell whether a part of a message is what a tool gave back.

    >>> hands_on_a_result({"type": "tool_result", "content": "180 EUR."}), hands_on_a_result({"type": "text"})
    (True, False)
    """
    return _part(part)[0] in _RESPONSE_PARTS


def joined(parts: Sequence[str], role: str | None) -> str:
    """Join the parts of a message: a model's go on where the last one ended (each citation begins a new part)."""
    return ("" if role == "assistant" else "\n").join(parts)


def tool_call_of(value: Any) -> ToolCall | None:
    """Read one tool call as a model asks for it, whatever its API; ``None`` where ``value`` is none.

    >>> tool_call_of({"id": "c-1", "function": {"name": "search", "arguments": '{"q": 1}'}})
    ToolCall(name='search', arguments='{"q": 1}', id='c-1')
    >>> tool_call_of({"type": "tool_use", "name": "search", "input": {"q": 1}}).arguments
    '{"q":1}'
    """
    if not isinstance(value, dict):
        return None
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    name = _first_text(inner, _TOOL_NAMES)
    if name is None:
        return None
    arguments = next((found for key in _ARGUMENTS if (found := inner.get(key)) is not None), None)
    return ToolCall(name=name, arguments=text_of(json_text(arguments)), id=_first_text(value, _CALL_IDS))


def role_of(value: Any) -> str | None:
    """Return a role in OpenAI's words; ``None`` where there is none."""
    if not isinstance(value, str) or not value:
        return None
    lowered = value.lower()
    return ROLES.get(lowered, lowered)


def _messages(item: Any, role: str | None) -> Sequence[Message]:
    if isinstance(item, dict):
        return _dumped(item, role)
    if isinstance(item, str):
        said = role is not None and item != _REDACTED and text_of(item) is not None
        return [Message(role=role, content=item)] if said else ()
    if isinstance(item, list) and _are_two_texts(item):
        if (speaker := role_of(item[0])) in _KNOWN_ROLES:
            return [Message(role=speaker, content=text_of(item[1]))]
        if role is None:  # a question and its answer, as chat histories once were passed
            return [Message("user", text_of(item[0])), Message("assistant", text_of(item[1]))]
    return ()


def _dumped(item: Mapping[str, Any], role: str | None) -> Sequence[Message]:
    if isinstance(kind := item.get("type"), str) and kind in _ITEMS:
        return _response_item(item, role)
    inner = _NESTED.first(item, _object) or item
    told = _role(item, inner)
    speaker = told or role
    content = _content_of(inner, told)
    if speaker is None or (content is None and _MESSAGE_KEYS.isdisjoint(inner) and (told is None or role is None)):
        return ()
    if speaker == "tool" and isinstance(content, dict | list):
        if isinstance(content, dict) and content.get("type") == "function":
            return ()  # Langfuse lists the definitions of tools as messages
        content = _given_back(content)
    texts, calls, found = _parts(content)
    text = text_of(joined(texts, speaker))
    if role is None and text is not None and is_repr(text):
        text = None
    if not _CALLS.isdisjoint(inner) and (listed := _listed_calls(inner)):
        calls = [call for each in listed[:_MAX_TOOL_CALLS] if (call := tool_call_of(each)) is not None]
    if text is not None or calls or not found:
        asked = tuple(calls[:_MAX_TOOL_CALLS])
        if speaker == "tool":
            found.append(Message(speaker, text, asked, _first_text(inner, _TOOL_NAMES), _first_text(inner, _CALL_IDS)))
        else:
            found.append(Message(speaker, text, asked, documents=_handed_on(content)))
    return found


def _handed_on(content: Any) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(content, list):
        return ()
    return tuple(part for part in content[:MAX_MESSAGES] if isinstance(part, dict) and _part(part)[0] in DOCUMENT_PARTS)


def _object(held: Any) -> Mapping[str, Any] | None:
    return held if isinstance(held, dict) else None


def _content_of(inner: Mapping[str, Any], role: str | None) -> Any:
    """Return the content of a message: under its own names, else where LangChain4j and older Cohere have words.

    Those names anything may have, and they are asked of what names a known role.
    """
    if not _MESSAGE_KEYS.isdisjoint(inner):
        return inner.get("parts", inner.get("content", inner.get("blocks", inner.get("contents"))))
    return _first_text(inner, ("text", "message")) if role in _KNOWN_ROLES else None


def _response_item(item: Mapping[str, Any], role: str | None) -> Sequence[Message]:
    """Read an item of OpenAI's responses that is no message; what a model reasoned is nobody's words."""
    if item["type"] == "function_call_output":
        said = text_of(json_text(item.get("output")))
        return [Message(role="tool", content=said, call_id=text_of(item.get("call_id")))]
    call = tool_call_of(item)
    return () if call is None else [Message(role=role or "assistant", tool_calls=(call,))]


def _parts(content: Any) -> tuple[list[str], list[ToolCall], list[Message]]:
    """Divide the content of a message into its texts, the tools it asks for, and what tools answered."""
    if content is None or isinstance(content, str):
        return ([content] if content and content != _REDACTED else []), [], []
    texts: list[str] = []
    calls: list[ToolCall] = []
    responses: list[Message] = []
    for each in content[:MAX_MESSAGES] if isinstance(content, list) else (content,):
        kind, part = _part(each)
        if kind in _RESPONSE_PARTS:
            responses.append(_response(part))
        elif kind not in _CALL_PARTS:
            texts += _texts(part)
        elif (call := tool_call_of(part)) is not None:
            calls.append(call)
    return texts, calls, responses


def _given_back(content: Any) -> Any:
    """Return what a tool gave back: parts as they are, and an object or rows of some, which are none, as JSON."""
    listed = content if isinstance(content, list) else [content]
    data = bool(listed) and all(
        isinstance(each, dict)
        and (not isinstance(each.get("type"), str) or "page_content" in each)
        and each.keys() != {"text"}
        and _KEYED_PARTS.keys().isdisjoint(each)
        for each in listed
    )
    return json_text(content) if data else content


def _role(item: Mapping[str, Any], inner: Mapping[str, Any]) -> str | None:
    """Return the role that a message names, or that its type or class is named after."""
    if (role := role_of(inner.get("role") or item.get("role"))) is not None:
        return role
    role = role_of(langchain.dumped_role(item) or inner.get("type") or item.get("type"))
    return role if role in _KNOWN_ROLES else None


def _listed_calls(inner: Mapping[str, Any]) -> Sequence[Any]:
    """Return the tool calls that stand beside a message's content."""
    for holder in (inner, inner.get("additional_kwargs")):
        if isinstance(holder, dict):
            if isinstance(listed := holder.get("tool_calls"), list) and listed:
                return listed
            if isinstance(single := holder.get("function_call"), dict):
                return [single]
    return ()


def _are_two_texts(value: Sequence[Any]) -> bool:
    return len(value) == 2 and all(isinstance(item, str) for item in value)  # noqa: PLR2004 - a pair


def _part(part: Any) -> tuple[Any, Any]:
    """Return the type of a part, and what is to be read of it."""
    if not isinstance(part, dict):
        return None, part
    kind = part.get("type")
    if kind is not None:
        return kind if isinstance(kind, str) else None, part
    return next(((kind, part[key]) for key, kind in _KEYED_PARTS.items() if key in part), (None, part))


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts of a message's content, however its provider nests them."""
    if isinstance(value, str):
        if value != _REDACTED:
            yield value
    elif depth >= _MAX_DEPTH:
        return
    elif isinstance(value, list):
        for item in value[:MAX_MESSAGES]:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict) and _is_text_part(value):
        for key in _SAID:
            if (said := value.get(key)) is not None:
                yield from _texts(said, depth + 1)
                break


def _is_text_part(part: Mapping[str, Any]) -> bool:
    kind = part.get("type", "text")
    return isinstance(kind, str) and kind.lower() in _TEXT_PARTS and part.get("thought") is not True


def _response(part: Any) -> Message:
    told = part if isinstance(part, dict) else {}
    content = _first_json(part, _RESPONSES)
    asked = told["origin"] if isinstance(told.get("origin"), dict) else told
    return Message("tool", content, tool=_first_text(asked, _TOOL_NAMES), call_id=_first_text(asked, _CALL_IDS))


def _first_text(holder: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    for key in keys:
        if (value := holder.get(key)) is not None and (found := text_of(value)) is not None:
            return found
    return None


def _first_json(part: Any, keys: Sequence[str]) -> str | None:
    """Return what stands under the first of ``keys`` that has something, as text."""
    values = (part.get(key) for key in keys) if isinstance(part, dict) else ()
    found = next((value for value in values if value is not None), None)
    return None if found is None else text_of(json_text(found))
