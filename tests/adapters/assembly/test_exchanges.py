"""What models were asked and answered, as the APIs of their providers and the frameworks around them have it."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.assembly.exchanges import messages_answered, messages_asked, text_answered
from adapters.assembly.messages import Message, messages_of
from adapters.schema import ToolCall

SYSTEM, QUESTION, SAID = "Be brief.", "For how long are books lent?", "Four weeks."
TURN = [{"role": "user", "parts": [{"text": QUESTION}]}]

REQUESTS: dict[str, dict[str, Any]] = {
    "Gemini, a text": {"contents": QUESTION, "config": {"system_instruction": SYSTEM}},
    "Gemini, texts": {"contents": [QUESTION], "config": {"system_instruction": [SYSTEM]}},
    "Gemini, parts": {"contents": TURN, "config": {"system_instruction": {"parts": [{"text": SYSTEM}]}}},
    "Gemini over REST": {"contents": TURN, "systemInstruction": {"parts": [{"text": SYSTEM}]}},
    "Vertex": {"contents": TURN, "system_instruction": SYSTEM},
    "LangChain4j": {
        "messages": [
            {"type": "SYSTEM", "text": SYSTEM},
            {"type": "USER", "contents": [{"type": "TEXT", "text": QUESTION}]},
        ]
    },
    "Genkit": {
        "messages": [
            {"role": "system", "content": [{"text": SYSTEM}]},
            {"role": "user", "content": [{"text": QUESTION}]},
        ]
    },
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
def test_a_request_is_its_messages_whichever_api_it_goes_to(request_: dict[str, Any]) -> None:
    assert messages_asked(request_) == (Message("system", SYSTEM), Message("user", QUESTION))


@pytest.mark.parametrize("request_", [{"contents": []}, {"contents": 3}, {"contents": None}, {"config": "a"}, {}])
def test_a_request_without_a_conversation_is_none(request_: dict[str, Any]) -> None:
    assert messages_asked(request_) == ()


RESPONSES: dict[str, dict[str, Any]] = {
    "Gemini": {"candidates": [{"content": {"role": "model", "parts": [{"text": SAID}]}, "finish_reason": "STOP"}]},
    "Haystack": {"replies": [{"role": "assistant", "content": [{"text": SAID}], "meta": {}, "name": None}]},
    "Haystack, in text": {"replies": [SAID]},
    "Genkit": {"candidates": [{"message": {"role": "model", "content": [{"text": SAID}]}}]},
}


@pytest.mark.parametrize("response", RESPONSES.values(), ids=RESPONSES.keys())
def test_a_response_is_its_message(response: dict[str, Any]) -> None:
    assert messages_answered(response) == (Message("assistant", SAID),)


@pytest.mark.parametrize("response", [{"candidates": []}, {"candidates": [{}]}, {"candidates": [3]}])
def test_a_response_without_an_answer_has_no_words(response: dict[str, Any]) -> None:
    assert not any(message.content for message in messages_answered(response))


def test_an_answer_in_bare_text_is_no_message() -> None:
    for response in ({"text": SAID, "finish_reason": "COMPLETE"}, {"answer": SAID, "text": "a draft"}):
        assert messages_answered(response) == ()
        assert text_answered(response) == SAID


SOUGHT = (ToolCall(name="search", arguments='{"q":1}', id="c1"),)
TOOLS: dict[str, list[Any]] = {
    "Google": [
        {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "search", "args": {"q": 1}}}]},
        {"role": "user", "parts": [{"function_response": {"id": "c1", "name": "search", "response": "Four weeks."}}]},
    ],
    "Genkit": [
        {"role": "model", "content": [{"toolRequest": {"ref": "c1", "name": "search", "input": {"q": 1}}}]},
        {"role": "tool", "content": [{"toolResponse": {"ref": "c1", "name": "search", "output": "Four weeks."}}]},
    ],
    "Haystack": [
        {"role": "assistant", "content": [{"tool_call": {"tool_name": "search", "arguments": {"q": 1}, "id": "c1"}}]},
        {
            "role": "tool",
            "content": [{"tool_call_result": {"result": "Four weeks.", "origin": {"tool_name": "search", "id": "c1"}}}],
        },
    ],
}


@pytest.mark.parametrize("messages", TOOLS.values(), ids=TOOLS.keys())
def test_a_tool_is_asked_for_and_answers_in_the_words_of_each_api(messages: list[Any]) -> None:
    asked, answered = messages_of(messages)
    assert asked == Message("assistant", None, SOUGHT)
    assert (answered.role, answered.content, answered.tool, answered.call_id) == ("tool", "Four weeks.", "search", "c1")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"id": "b-1", "content": "Books."}], '[{"id":"b-1","content":"Books."}]'),
        ({"found": ["Books."]}, '{"found":["Books."]}'),
        ([{"page_content": "Books.", "type": "Document"}], '[{"page_content":"Books.","type":"Document"}]'),
        ([{"text": "Books."}], "Books."),
        ([{"type": "text", "text": "Books."}], "Books."),
        ([], None),
    ],
)
def test_rows_that_a_tool_gave_back_stay_rows(content: Any, text: str | None) -> None:
    (message,) = messages_of([{"role": "tool", "content": content}])
    assert message.content == text
