"""The library's desk as an agent, in frameworks that search with a tool: one function each, by its scenario."""

# ruff: noqa: ARG001 - no environment holds them all, and what a tool is asked makes no difference

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from apps.agent_server import MODEL

QUESTION = "For how long are books lent?"
ROWS: list[dict[str, Any]] = [
    {
        "id": "LOAN-1@2",
        "content": "Books are lent for four weeks.",
        "metadata": {"doc_id": "LOAN-1", "version": "2", "effective_from": "2026-01-01"},
        "score": 0.75,
    },
    {
        "id": "LOAN-2@1",
        "content": "Films are lent for one week.",
        "metadata": {"doc_id": "LOAN-2", "version": "1"},
        "score": 0.5,
    },
]
TOLD = "Answer from the handbook."
LABELLED = "\n\n".join(f"[{row['id']}] {row['content']}" for row in ROWS)
PLAIN = "\n\n".join(row["content"] for row in ROWS)


def pydantic_rows(url: str) -> None:
    """Pydantic AI, whose tool gives back rows."""
    agent = _pydantic(url)

    @agent.tool_plain
    def search_handbook(query: str) -> list[dict[str, Any]]:
        """Search the handbook."""
        return ROWS

    agent.run_sync(QUESTION)


def pydantic_typed(url: str) -> None:
    """Pydantic AI, whose tool gives back text, and whose answer has a type."""
    from pydantic import BaseModel

    class Period(BaseModel):
        answer: str
        weeks: int

    agent = _pydantic(url, output_type=Period)

    @agent.tool_plain
    def retrieve(query: str) -> str:
        """Retrieve passages."""
        return PLAIN

    agent.run_sync(QUESTION)


def _pydantic(url: str, **how: Any) -> Any:
    from pydantic_ai import Agent, InstrumentationSettings
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    Agent.instrument_all(InstrumentationSettings())
    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=url, api_key="none"))
    return Agent(model, instructions=TOLD, name="desk", **how)


def openai_agents(url: str) -> None:
    """OpenAI's agents over responses, whose tool gives back rows."""
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument()
    ask_openai_agents(url)


def ask_openai_agents(url: str) -> None:
    from agents import Agent, Runner, function_tool, set_default_openai_client
    from openai import AsyncOpenAI

    set_default_openai_client(AsyncOpenAI(base_url=url, api_key="none"), use_for_tracing=False)

    @function_tool
    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return json.dumps(ROWS)

    Runner.run_sync(Agent(name="desk", instructions=TOLD, tools=[search_handbook], model=MODEL), QUESTION)


def smolagents(url: str) -> None:
    """An agent of smolagents, whose tool labels its passages."""
    from openinference.instrumentation.smolagents import SmolagentsInstrumentor
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    SmolagentsInstrumentor().instrument()

    @tool
    def search_handbook(query: str) -> str:
        """Search the handbook.

        Args:
            query: What to look for.
        """
        return LABELLED

    model = OpenAIServerModel(model_id=MODEL, api_base=url, api_key="none")
    ToolCallingAgent(tools=[search_handbook], model=model, max_steps=4).run(QUESTION)


def instructor(url: str) -> None:
    """Instructor, whose answer has a type and whose context stands in the prompt."""
    import instructor as library
    from openai import OpenAI
    from openinference.instrumentation.instructor import InstructorInstrumentor
    from pydantic import BaseModel

    InstructorInstrumentor().instrument()

    class Answer(BaseModel):
        answer: str
        weeks: int

    client = library.from_openai(OpenAI(base_url=url, api_key="none"))
    told = {"role": "system", "content": f"Context:\n{PLAIN}"}
    client.chat.completions.create(
        model=MODEL, response_model=Answer, messages=[told, {"role": "user", "content": QUESTION}]
    )


def mlflow(url: str) -> None:
    """Functions traced by MLflow around a client of OpenAI's."""
    import mlflow as library
    from mlflow.entities import SpanType
    from openai import OpenAI

    library.openai.autolog()

    @library.trace(span_type=SpanType.RETRIEVER)
    def retrieve(query: str) -> list[dict[str, Any]]:
        facts = [{**row["metadata"], "score": row["score"]} for row in ROWS]
        return [
            {"page_content": row["content"], "metadata": told, "id": row["id"]}
            for row, told in zip(ROWS, facts, strict=True)
        ]

    @library.trace
    def ask(question: str) -> str:
        context = "\n".join(row["page_content"] for row in retrieve(question))
        messages = [{"role": "system", "content": f"Context:\n{context}"}, {"role": "user", "content": question}]
        reply = OpenAI(base_url=url, api_key="none").chat.completions.create(model=MODEL, messages=messages)
        return str(reply.choices[0].message.content)

    ask(QUESTION)
    library.flush_trace_async_logging()


def crewai(url: str) -> None:
    """A crew of one, whose tool labels its passages."""
    from openinference.instrumentation.crewai import CrewAIInstrumentor

    CrewAIInstrumentor().instrument(skip_dep_check=True)
    ask_crew(url)


def ask_crew(url: str) -> None:
    from crewai import LLM, Agent, Crew, Task
    from crewai.tools import tool

    @tool("search_handbook")
    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return LABELLED

    llm = LLM(model=f"openai/{MODEL}", base_url=url, api_key="none")
    desk = Agent(role="Librarian", goal="Answer", backstory="Knows the shelves", tools=[search_handbook], llm=llm)
    task = Task(description="Question: {question}", expected_output="One sentence", agent=desk)
    Crew(agents=[desk], tasks=[task]).kickoff(inputs={"question": QUESTION})


def strands(url: str) -> None:
    """An agent of Strands, whose tool gives back text."""
    from strands import Agent, tool
    from strands.models.openai import OpenAIModel

    @tool
    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return LABELLED

    model = OpenAIModel(client_args={"base_url": url, "api_key": "none"}, model_id=MODEL)
    Agent(model=model, system_prompt=TOLD, tools=[search_handbook], callback_handler=None)(QUESTION)


SCENARIOS: dict[str, Callable[[str], None]] = {
    "pydantic-ai-rows": pydantic_rows,
    "pydantic-ai-typed": pydantic_typed,
    "openai-agents-rows": openai_agents,
    "smolagents-labelled": smolagents,
    "instructor-typed": instructor,
    "mlflow-openai": mlflow,
    "crewai-labelled": crewai,
    "strands-labelled": strands,
}
