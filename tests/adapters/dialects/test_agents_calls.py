"""Calls of agents that have no spans of their own: what a crew sums up, what Haystack prints of earlier ones."""

from __future__ import annotations

from typing import Any

from tests.adapters.conftest import Application

QUESTION = "For how long are books lent?"


def crew(output: Any) -> Application:
    app = Application("crewai")
    root = app.span("Crew.kickoff", "CHAIN", input={"question": QUESTION}, output=output)
    app.span("Desk._execute_core", "AGENT", root)
    return app


def test_a_crew_tells_what_its_calls_took_together() -> None:
    taken = {"total_tokens": 146, "prompt_tokens": 130, "completion_tokens": 16, "successful_requests": 2}
    answer = crew({"raw": "Four weeks.", "token_usage": taken}).answer()
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) == (2, 130, 16)
    assert (answer.usage.total_tokens, answer.answer, answer.flags) == (146, "Four weeks.", frozenset())


def test_calls_with_spans_are_not_counted_by_the_crews_sum_too() -> None:
    app = crew({"raw": "Four weeks.", "token_usage": {"prompt_tokens": 20, "successful_requests": 2}})
    app.model(app.spans[0]["span_id"], ("user", QUESTION), says="Four weeks.", tokens=(10, 2))
    answer = app.answer()
    assert (answer.llm_calls, answer.usage.prompt_tokens) == (1, 10)


ASKED = "ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text='For how long?')], _name=None, _meta={})"
CALLED = (
    "ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[ToolCall(tool_name='search_books', arguments={'q':"
    " 'lent'}, id='c-1', extra=None)], _name=None, _meta={'model': 'm-1', 'usage': {'completion_tokens': 5, "
    "'prompt_tokens': 8, 'total_tokens': 13, 'prompt_tokens_details': None}})"
)
FOUND = (
    "ChatMessage(_role=<ChatRole.TOOL: 'tool'>, _content=[ToolCallResult(result='Books: four weeks.', origin=ToolCall("
    "tool_name='search_books', arguments={'q': 'lent'}, id='c-1', extra=None), error=False)], _name=None, _meta={})"
)


def agent_of_haystack(*printed: str) -> Application:
    app = Application("haystack")
    attributes = {
        f"llm.input_messages.{number}.message.role": role for number, role in enumerate(("user", "assistant", "tool"))
    }
    attributes["llm.input_messages.0.message.content"] = "For how long?"
    app.model(None, says="Four weeks.", tokens=(32, 11), attributes=attributes, input={"messages": list(printed)})
    return app


def test_calls_that_haystack_ran_in_other_traces_count_with_the_answers() -> None:
    answer = agent_of_haystack(ASKED, CALLED, FOUND).answer()
    assert [call.name for call in answer.tool_calls] == ["search_books"]
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) == (2, 40, 16)
    assert (answer.usage.total_tokens, answer.flags) == (56, frozenset())


def test_calls_in_other_traces_that_do_not_tell_their_tokens_are_flagged() -> None:
    answer = agent_of_haystack(ASKED, CALLED.replace("'usage'", "'used'"), FOUND).answer()
    assert (answer.llm_calls, answer.usage.prompt_tokens, answer.flags) == (2, 32, {"tokens_partial"})
