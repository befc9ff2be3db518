"""The library's desk in teams of agents, and with what clients and providers do by themselves, by its scenario."""

# ruff: noqa: ARG001, ARG002 - no environment holds them all, and what a tool is asked makes no difference

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

from apps.agent_server import MODEL
from apps.agents_app import LABELLED, PLAIN, QUESTION, ROWS, TOLD


def _langchain(url: str) -> tuple[Any, Any]:
    """Return a model of LangChain's, and a tool around a retriever."""
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import create_retriever_tool
    from langchain_openai import ChatOpenAI

    class Handbook(BaseRetriever):  # type: ignore[misc]
        def _get_relevant_documents(self, query: str, **_: Any) -> list[Any]:
            return [
                Document(page_content=row["content"], id=row["id"], metadata={**row["metadata"], "score": row["score"]})
                for row in ROWS
            ]

    tool = create_retriever_tool(
        Handbook(), "search_handbook", "Search the handbook.", response_format="content_and_artifact"
    )
    return ChatOpenAI(model=MODEL, base_url=url, api_key="none"), tool


def langgraph_team(url: str) -> None:
    """A supervisor that gives the conversation to an agent and takes it back."""
    from langchain.agents import create_agent
    from langgraph_supervisor import create_supervisor
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
    model, tool = _langchain(url)
    agent = create_agent(model, [tool], name="researcher", system_prompt=TOLD)
    team = create_supervisor([agent], model=model, prompt="You manage a researcher.").compile(name="desk")
    team.invoke({"messages": [{"role": "user", "content": QUESTION}]}, {"metadata": {"session_id": "s-1"}})


def langchain_typed(url: str) -> None:
    """An agent of LangChain's whose answer has a type."""
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
    _ask_typed(url)


def langchain_typed_mlflow(url: str) -> None:
    """The same under MLflow."""
    import mlflow

    mlflow.langchain.autolog()
    _ask_typed(url)
    mlflow.flush_trace_async_logging()


def _ask_typed(url: str) -> None:
    from langchain.agents import create_agent
    from langchain.agents.structured_output import ToolStrategy
    from pydantic import BaseModel

    class Reply(BaseModel):
        """The reply."""

        answer: str
        weeks: int

    model, tool = _langchain(url)
    agent = create_agent(model, [tool], response_format=ToolStrategy(Reply))
    agent.invoke({"messages": [{"role": "user", "content": QUESTION}]}, {"metadata": {"session_id": "s-1"}})


def _anthropic(url: str) -> Any:
    from anthropic import Anthropic

    return Anthropic(base_url=url.removesuffix("/v1"), api_key="none", max_retries=0)


def anthropic_itself(url: str) -> None:
    """Anthropic's client, which writes spans by itself, with content, and a tool."""
    from openinference.instrumentation import OITracer, TraceConfig
    from opentelemetry import trace

    os.environ["ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE"] = "content"
    tracer = OITracer(trace.get_tracer("desk"), TraceConfig())
    client = _anthropic(url)
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tools = [{"name": "search_handbook", "description": "Search the handbook.", "input_schema": schema}]

    @tracer.tool
    def search_handbook(query: str) -> list[dict[str, Any]]:
        """Search the handbook."""
        return ROWS

    @tracer.agent
    def desk(question: str) -> str:
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            reply = client.messages.create(model=MODEL, max_tokens=100, system=TOLD, tools=tools, messages=messages)
            asked = [block for block in reply.content if block.type == "tool_use"]
            if not asked:
                return str(reply.content[0].text)
            found = [
                {"type": "tool_result", "tool_use_id": block.id, "content": json.dumps(search_handbook(**block.input))}
                for block in asked
            ]
            messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": found}]

    desk(QUESTION)


def _documents() -> list[dict[str, Any]]:
    return [
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": row["content"]},
            "title": row["id"],
            "citations": {"enabled": True},
        }
        for row in ROWS
    ]


def _results() -> list[dict[str, Any]]:
    return [
        {
            "type": "search_result",
            "source": f"https://library.example/{row['id']}",
            "title": row["id"],
            "content": [{"type": "text", "text": row["content"]}],
            "citations": {"enabled": True},
        }
        for row in ROWS
    ]


def anthropic_documents(url: str) -> None:
    """Anthropic's client with documents in the message, under OpenInference."""
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    _ask_anthropic(url, _documents())


def anthropic_results(url: str) -> None:
    """The same with search results, under OpenLLMetry, whose spans stand beside those of the client."""
    from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    _ask_anthropic(url, _results())


def _ask_anthropic(url: str, parts: list[dict[str, Any]]) -> None:
    content = [*parts, {"type": "text", "text": QUESTION}]
    _anthropic(url).messages.create(model=MODEL, max_tokens=100, messages=[{"role": "user", "content": content}])


def openai_files(url: str) -> None:
    """OpenAI's client, whose provider searches in the files that it keeps."""
    from openai import OpenAI
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    tools = [{"type": "file_search", "vector_store_ids": ["vs-1"]}]
    client = OpenAI(base_url=url, api_key="none", max_retries=0)
    client.responses.create(model=MODEL, input=QUESTION, tools=tools, include=["file_search_call.results"])


def google_calls(url: str) -> None:
    """Google's client, which calls a function by itself."""
    from google import genai
    from google.genai import types
    from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

    GoogleGenAIInstrumentor().instrument()

    def search_handbook(query: str) -> list[dict[str, Any]]:
        """Search the handbook."""
        return ROWS

    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url.removesuffix("/v1")))
    config = types.GenerateContentConfig(system_instruction=TOLD, tools=[search_handbook])
    client.models.generate_content(model=MODEL, contents=QUESTION, config=config)


def _agno(url: str) -> Any:
    from agno.models.openai.like import OpenAILike
    from openinference.instrumentation.agno import AgnoInstrumentor

    AgnoInstrumentor().instrument()
    return OpenAILike(id=MODEL, base_url=url, api_key="none")


def agno_tool(url: str) -> None:
    """An agent of Agno's with a tool, in a conversation."""
    from agno.agent import Agent

    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return json.dumps(ROWS)

    agent = Agent(model=_agno(url), tools=[search_handbook], instructions=TOLD, name="desk")
    agent.run(QUESTION, session_id="s-1", user_id="u-1")


def agno_references(url: str) -> None:
    """An agent of Agno's that puts what it knows into the message."""
    from agno.agent import Agent

    def search(agent: Any = None, query: str = "", num_documents: int | None = None, **_: Any) -> list[dict[str, Any]]:
        return ROWS

    how = {"knowledge_retriever": search, "add_knowledge_to_context": True, "search_knowledge": False}
    Agent(model=_agno(url), name="desk", **how).run(QUESTION, session_id="s-1")


def llamaindex_function(url: str) -> None:
    """An agent of LlamaIndex's whose tool is a function that gives back JSON."""
    from llama_index.core.agent.workflow import FunctionAgent
    from llama_index.llms.openai_like import OpenAILike
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

    LlamaIndexInstrumentor().instrument()

    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return json.dumps(ROWS)

    how = {"is_chat_model": True, "is_function_calling_model": True, "context_window": 8000}
    agent = FunctionAgent(
        tools=[search_handbook],
        llm=OpenAILike(model=MODEL, api_base=url, api_key="none", **how),
        system_prompt=TOLD,
        streaming=False,
    )
    asyncio.run(_run(agent.run, QUESTION))


async def _run(run: Callable[..., Any], *given: Any) -> None:
    await run(*given)


def haystack_agent(url: str) -> None:
    """An agent within a pipeline of Haystack 3; instrumented before it is imported, it has one span."""
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    from openinference.instrumentation.haystack import HaystackInstrumentor

    HaystackInstrumentor().instrument()
    from haystack import Document, Pipeline, component
    from haystack.components.agents import Agent
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.dataclasses import ChatMessage
    from haystack.tools import ComponentTool
    from haystack.utils import Secret

    @component
    class HandbookRetriever:
        """Search the handbook."""

        @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
        def run(self, query: str) -> dict[str, Any]:
            found = [
                Document(id=row["id"], content=row["content"], meta=row["metadata"], score=row["score"]) for row in ROWS
            ]
            return {"documents": found}

    model = OpenAIChatGenerator(model=MODEL, api_base_url=url, api_key=Secret.from_token("none"), max_retries=0)
    tool = ComponentTool(component=HandbookRetriever(), name="search_handbook", description="Search the handbook.")
    pipeline = Pipeline()
    pipeline.add_component("agent", Agent(chat_generator=model, tools=[tool]))
    pipeline.run({"agent": {"messages": [ChatMessage.from_user(QUESTION)]}})


def _agent_framework(url: str, **how: Any) -> Any:
    from agent_framework import Agent
    from agent_framework.observability import enable_instrumentation
    from agent_framework.openai import OpenAIChatCompletionClient
    from openai import AsyncOpenAI

    enable_instrumentation(enable_sensitive_data=True)
    client = OpenAIChatCompletionClient(model=MODEL, async_client=AsyncOpenAI(base_url=url, api_key="none"))
    return Agent(client=client, name="desk", instructions=TOLD, **how)


def agent_framework_tool(url: str) -> None:
    """An agent of Microsoft's framework with a tool."""
    from agent_framework import tool

    @tool  # type: ignore[untyped-decorator]
    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return LABELLED

    asyncio.run(_run(_agent_framework(url, tools=[search_handbook]).run, QUESTION))


def agent_framework_context(url: str) -> None:
    """The same with a provider of context, which speaks before the user does."""
    from agent_framework import ContextProvider, Message

    class Handbook(ContextProvider):  # type: ignore[misc]
        async def before_run(self, *, context: Any, **_: Any) -> None:
            context.extend_messages(self, [Message("user", [f"Context:\n{PLAIN}"])])

    asyncio.run(_run(_agent_framework(url, context_providers=[Handbook("handbook")]).run, QUESTION))


def adk_team(url: str) -> None:
    """An agent of Google's ADK 1 that hands over to another."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "true"
    from google.adk.agents import Agent
    from google.adk.models.lite_llm import LiteLlm
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    def search_handbook(query: str) -> dict[str, Any]:
        """Search the handbook."""
        return {"results": ROWS}

    model = LiteLlm(model=f"openai/{MODEL}", api_base=url, api_key="none")
    agent = Agent(name="researcher", description="Searches", model=model, instruction=TOLD, tools=[search_handbook])
    desk = Agent(name="desk", model=model, instruction="Hand over.", sub_agents=[agent])
    runner = InMemoryRunner(desk, app_name="desk")

    async def ask() -> None:
        await runner.session_service.create_session(app_name="desk", user_id="u-1", session_id="s-1")
        asked = types.Content(role="user", parts=[types.Part(text=QUESTION)])
        async for _ in runner.run_async(user_id="u-1", session_id="s-1", new_message=asked):
            pass

    asyncio.run(ask())


def openai_team(url: str) -> None:
    """An agent of OpenAI's that asks another one through a tool, under OpenLLMetry."""
    from agents import Agent, Runner, function_tool, set_default_openai_client
    from openai import AsyncOpenAI
    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument()
    set_default_openai_client(AsyncOpenAI(base_url=url, api_key="none"), use_for_tracing=False)

    @function_tool
    def search_handbook(query: str) -> str:
        """Search the handbook."""
        return json.dumps(ROWS)

    agent = Agent(name="researcher", instructions=TOLD, tools=[search_handbook], model=MODEL)
    ask = agent.as_tool(tool_name="ask_researcher", tool_description="Ask the researcher.")
    Runner.run_sync(Agent(name="desk", instructions="Ask.", tools=[ask], model=MODEL), QUESTION)


SCENARIOS: dict[str, Callable[[str], None]] = {
    "langgraph-team": langgraph_team,
    "langchain-typed": langchain_typed,
    "mlflow-langchain-typed": langchain_typed_mlflow,
    "anthropic-own": anthropic_itself,
    "anthropic-documents": anthropic_documents,
    "anthropic-openllmetry": anthropic_results,
    "openai-files": openai_files,
    "google-calls": google_calls,
    "agno-tool": agno_tool,
    "agno-references": agno_references,
    "llamaindex-function": llamaindex_function,
    "haystack-now-agent": haystack_agent,
    "agent-framework-tool": agent_framework_tool,
    "agent-framework-context": agent_framework_context,
    "adk-older-team": adk_team,
    "openai-agents-team": openai_team,
}
