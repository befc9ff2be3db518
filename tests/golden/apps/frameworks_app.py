"""The library's desk in more frameworks, which write spans of their own or are watched: one function a scenario."""

# ruff: noqa: ARG001, ARG002 - no environment holds them all, and what a tool is asked makes no difference

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from threading import Semaphore
from typing import Any

from apps.agent_server import MODEL
from apps.agents_app import LABELLED, PLAIN, QUESTION, ROWS, TOLD

WRITTEN_SECONDS = 30.0
"""What it may take until the spans of a call are written behind it."""


def search_handbook(query: str) -> list[dict[str, Any]]:
    """Search the handbook."""
    return ROWS


def search_labelled(query: str) -> str:
    """Search the handbook."""
    return LABELLED


def adk(url: str) -> None:
    """An agent of Google's ADK, which writes spans of its own, with rows."""
    from google.adk.agents import Agent
    from google.adk.models.lite_llm import LiteLlm
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    def search_handbook(query: str) -> dict[str, Any]:
        """Search the handbook."""
        return {"results": ROWS}

    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "true"
    model = LiteLlm(model=f"openai/{MODEL}", api_base=url, api_key="none")
    runner = InMemoryRunner(Agent(name="desk", model=model, instruction=TOLD, tools=[search_handbook]), app_name="desk")

    async def ask() -> None:
        await runner.session_service.create_session(app_name="desk", user_id="u-1", session_id="s-1")
        asked = types.Content(role="user", parts=[types.Part(text=QUESTION)])
        async for _ in runner.run_async(user_id="u-1", session_id="s-1", new_message=asked):
            pass

    asyncio.run(ask())


def adk_now(url: str) -> None:
    """The same after the newer conventions, with content."""
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
    adk(url)


def adk_watched(url: str) -> None:
    """The same under OpenInference."""
    from openinference.instrumentation.google_adk import GoogleADKInstrumentor

    GoogleADKInstrumentor().instrument()
    adk(url)


def strands_rows(url: str) -> None:
    """An agent of Strands after the newer conventions, whose tool gives back JSON."""
    from strands import Agent, tool
    from strands.models.openai import OpenAIModel

    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental,gen_ai_tool_definitions"

    @tool
    def search_handbook(query: str) -> dict[str, Any]:
        """Search the handbook."""
        return {"status": "success", "content": [{"json": {"results": ROWS}}]}

    model = OpenAIModel(client_args={"base_url": url, "api_key": "none"}, model_id=MODEL)
    attributes = {"session.id": "s-1", "user.id": "u-1"}
    agent = Agent(
        model=model, system_prompt=TOLD, tools=[search_handbook], callback_handler=None, trace_attributes=attributes
    )
    agent(QUESTION)


def dspy_program(url: str) -> None:
    """A program of DSPy that looks up its context in plain code."""
    import dspy as library
    from openinference.instrumentation.dspy import DSPyInstrumentor

    DSPyInstrumentor().instrument()

    class Desk(library.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.respond = library.Predict("context, question -> answer")

        def forward(self, question: str) -> Any:
            return self.respond(context=[row["content"] for row in ROWS], question=question)

    library.configure(lm=library.LM(f"openai/{MODEL}", api_base=url, api_key="none", cache=False))
    Desk()(question=QUESTION)


def dspy_retriever(url: str) -> None:
    """A program of DSPy with a retriever of its own."""
    import dspy as library
    from openinference.instrumentation.dspy import DSPyInstrumentor

    DSPyInstrumentor().instrument()

    class Shelf(library.Retrieve):  # type: ignore[misc]
        def forward(self, query: str, **_: Any) -> Any:
            return library.Prediction(passages=[row["content"] for row in ROWS])

    class Desk(library.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.search = Shelf(k=2)
            self.respond = library.ChainOfThought("context, question -> answer")

        def forward(self, question: str) -> Any:
            return self.respond(context=self.search(question).passages, question=question)

    library.configure(lm=library.LM(f"openai/{MODEL}", api_base=url, api_key="none", cache=False))
    Desk()(question=QUESTION)


def dspy_agent(url: str) -> None:
    """An agent of DSPy's, which reasons and acts."""
    import dspy as library
    from openinference.instrumentation.dspy import DSPyInstrumentor

    DSPyInstrumentor().instrument()
    library.configure(lm=library.LM(f"openai/{MODEL}", api_base=url, api_key="none", cache=False))
    library.ReAct("question -> answer", tools=[search_labelled], max_iters=3)(question=QUESTION)


def autogen(url: str) -> None:
    """An agent of AutoGen's, which writes spans of its own."""
    from autogen_agentchat.agents import AssistantAgent
    from autogen_core.models import ModelFamily
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    info = {"vision": False, "function_calling": True, "json_output": False, "structured_output": False}
    client = OpenAIChatCompletionClient(
        model=MODEL, base_url=url, api_key="none", model_info={**info, "family": ModelFamily.UNKNOWN}
    )
    agent = AssistantAgent(
        "desk", model_client=client, tools=[search_labelled], system_message=TOLD, reflect_on_tool_use=True
    )
    asyncio.run(agent.run(task=QUESTION))


def autogen_watched(url: str) -> None:
    """The same under OpenInference."""
    from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor

    AutogenAgentChatInstrumentor().instrument()
    autogen(url)


def semantic_kernel(url: str) -> None:
    """An agent of Semantic Kernel's, which writes spans of its own."""
    os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"
    os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS"] = "true"
    import logging

    from openai import AsyncOpenAI
    from opentelemetry.sdk._logs import LoggingHandler
    from semantic_kernel.agents import ChatCompletionAgent
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
    from semantic_kernel.functions import kernel_function

    told = logging.getLogger("semantic_kernel")
    told.addHandler(LoggingHandler())
    told.setLevel(logging.INFO)

    class Handbook:
        @kernel_function(description="Search the handbook.")
        def search_handbook(self, query: str) -> str:
            return LABELLED

    service = OpenAIChatCompletion(ai_model_id=MODEL, async_client=AsyncOpenAI(base_url=url, api_key="none"))
    agent = ChatCompletionAgent(service=service, name="desk", instructions=TOLD)
    agent.kernel.add_plugin(Handbook(), plugin_name="handbook")
    asyncio.run(_asked(agent))


async def _asked(agent: Any) -> None:
    await agent.get_response(messages=QUESTION)


def litellm(url: str) -> None:
    """Functions around LiteLLM's client under OpenInference, with the context in the prompt."""
    import litellm as library
    from openinference.instrumentation.litellm import LiteLLMInstrumentor

    LiteLLMInstrumentor().instrument()
    _ask(lambda messages: library.completion(model=f"openai/{MODEL}", api_base=url, api_key="none", messages=messages))


def _ask(complete: Callable[[list[dict[str, str]]], Any]) -> str:
    told = {"role": "system", "content": f"Answer from the following passages:\n{PLAIN}"}
    return str(complete([told, {"role": "user", "content": QUESTION}]).choices[0].message.content)


def pydantic_watched(url: str) -> None:
    """An agent of Pydantic AI's whose spans OpenInference adds its keys to."""
    from apps.agents_app import pydantic_rows
    from openinference.instrumentation.pydantic_ai import OpenInferenceSpanProcessor
    from opentelemetry import trace

    tracing: Any = trace.get_tracer_provider()
    first = tracing._active_span_processor._span_processors
    tracing._active_span_processor._span_processors = (OpenInferenceSpanProcessor(), *first)
    pydantic_rows(url)


def smolagents_code(url: str) -> None:
    """An agent of smolagents that writes code."""
    from openinference.instrumentation.smolagents import SmolagentsInstrumentor
    from smolagents import CodeAgent, OpenAIServerModel, tool

    SmolagentsInstrumentor().instrument()

    @tool
    def search_handbook(query: str) -> str:
        """Search the handbook.

        Args:
            query: What to look for.
        """
        return LABELLED

    model = OpenAIServerModel(model_id=MODEL, api_base=url, api_key="none")
    CodeAgent(tools=[search_handbook], model=model, max_steps=4).run(QUESTION)


def traced_agents(url: str) -> None:
    """OpenAI's agents under OpenLLMetry."""
    from apps.agents_app import ask_openai_agents
    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument()
    ask_openai_agents(url)


def traced_crew(url: str) -> None:
    """A crew under OpenLLMetry."""
    from apps.agents_app import ask_crew
    from opentelemetry.instrumentation.crewai import CrewAIInstrumentor

    CrewAIInstrumentor().instrument(skip_dep_check=True)
    ask_crew(url)


def litellm_itself(url: str) -> None:
    """LiteLLM, which writes spans by itself, with a tool."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "true"
    import litellm as library
    from opentelemetry import trace
    from opentelemetry.sdk.trace import SpanProcessor

    written = Semaphore(0)

    class Written(SpanProcessor):
        def on_end(self, span: Any) -> None:
            written.release()

    trace.get_tracer_provider().add_span_processor(Written())
    library.callbacks = ["otel"]
    parameters = {"type": "object", "properties": {"query": {"type": "string"}}}
    function = {"name": "search_handbook", "description": "Search the handbook.", "parameters": parameters}
    how = {"model": f"openai/{MODEL}", "api_base": url, "api_key": "none"}
    messages: list[Any] = [{"role": "system", "content": TOLD}, {"role": "user", "content": QUESTION}]
    while True:
        tools = [{"type": "function", "function": function}]
        reply = library.completion(messages=messages, tools=tools, **how).choices[0].message
        for _ in ("the call", "the same as its provider has it"):  # written behind the call
            assert written.acquire(timeout=WRITTEN_SECONDS)
        if not reply.tool_calls:
            return
        messages.append(reply.model_dump())
        messages += [
            {"role": "tool", "tool_call_id": each.id, "content": json.dumps(ROWS)} for each in reply.tool_calls
        ]


SCENARIOS: dict[str, Callable[[str], None]] = {
    "adk-rows": adk_now,
    "adk-default": adk,
    "adk-older": adk,
    "adk-openinference": adk_watched,
    "strands-rows": strands_rows,
    "pydantic-ai-openinference": pydantic_watched,
    "smolagents-code": smolagents_code,
    "openai-agents-openllmetry": traced_agents,
    "crewai-openllmetry": traced_crew,
    "dspy-program": dspy_program,
    "dspy-retriever": dspy_retriever,
    "dspy-agent": dspy_agent,
    "autogen-labelled": autogen,
    "autogen-openinference": autogen_watched,
    "semantic-kernel-labelled": semantic_kernel,
    "litellm-prompt": litellm,
    "litellm-own": litellm_itself,
}
