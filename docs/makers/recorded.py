"""What was read of recorded applications, against what they knew: per framework and instrumentation, fact by fact."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from adapters.base import AdaptOptions
from adapters.files.read import read
from adapters.schema import Answer

TRACES = Path(__file__).parents[2] / "tests" / "golden" / "traces"
Outcome = Literal["exact", "partial", "absent"]

FACTS: tuple[str, ...] = (
    "question",
    "answer",
    "passages.text",
    "passages.id",
    "passages.score",
    "passages.metadata",
    "context",
    "model",
    "llm_calls",
    "usage.prompt_tokens",
    "usage.completion_tokens",
    "tool_calls",
    "session_id",
)
"""What an application knows of its answer, and a trace may tell."""

_TEXT = "the tool gives back text"
_REQUESTED = "the requested one: spans do not name the one that answered"
_PROMPT = "only the prompt tells of passages: their words alone"
_OFF = "content is off by default"
_OF_TEXT = {"passages.score": _TEXT, "passages.metadata": _TEXT}
_OF_PLAIN_TEXT = {**_OF_TEXT, "passages.id": _TEXT}
_OF_PROMPT = {"passages.score": _PROMPT, "passages.metadata": _PROMPT, "passages.id": _PROMPT}
_PARTS = "documents in a message have a title, and no more"
_OF_PARTS = {"passages.score": _PARTS, "passages.metadata": _PARTS, "passages.id": _PARTS}
_STORE = "spans of its client hold no results: the prompt may"
_OF_STORE = {"passages.metadata": _STORE, "passages.id": _STORE}
_NO_TOKENS = {
    "usage.prompt_tokens": "spans record no tokens",
    "usage.completion_tokens": "spans record no tokens",
}
_CONTENT = ("question", "answer", "passages.text", "passages.id", "passages.score", "passages.metadata", "context")
_NO_CONTENT = dict.fromkeys(_CONTENT, _OFF)


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded application: what it was made with, and why what is not exact is not.

    ``untold`` holds a reason for each of `FACTS` that is not exact, and for no other.
    """

    name: str
    framework: str
    instrumentation: str
    untold: Mapping[str, str] = field(default_factory=dict)


RECORDINGS: tuple[Recording, ...] = (
    Recording("pydantic-ai-rows", "Pydantic AI 2", "its own (GenAI)"),
    Recording("pydantic-ai-typed", "Pydantic AI 2, typed answer", "its own (GenAI)", _OF_PLAIN_TEXT),
    Recording("pydantic-ai-openinference", "Pydantic AI 2", "OpenInference"),
    Recording("openai-agents-rows", "OpenAI Agents", "OpenInference"),
    Recording("openai-agents-openllmetry", "OpenAI Agents", "OpenLLMetry"),
    Recording("smolagents-labelled", "smolagents", "OpenInference", _OF_TEXT),
    Recording("smolagents-code", "smolagents, an agent that writes code", "OpenInference", _OF_TEXT),
    Recording(
        "crewai-labelled",
        "CrewAI",
        "OpenInference",
        {**_OF_TEXT, "model": "without an instrumentation of the model's client, no span names it"},
    ),
    Recording("crewai-openllmetry", "CrewAI", "OpenLLMetry", {**_OF_TEXT, "model": _REQUESTED}),
    Recording(
        "instructor-typed",
        "Instructor",
        "OpenInference, without that of the client",
        {
            **_OF_PROMPT,
            **_NO_TOKENS,
            "model": _REQUESTED,
            "tool_calls": "that an answer was asked for as a tool is not recorded",
        },
    ),
    Recording("mlflow-openai", "OpenAI's client, functions", "MLflow 3"),
    Recording("strands-rows", "Strands Agents", "its own (GenAI, latest)", {"model": _REQUESTED}),
    Recording("strands-labelled", "Strands Agents", "its own (GenAI)", {**_OF_TEXT, "model": _REQUESTED}),
    Recording("adk-rows", "Google ADK 2", "its own (GenAI, latest, with content)", {"model": _REQUESTED}),
    Recording("adk-default", "Google ADK 2", "its own (GenAI)", {**_NO_CONTENT, "model": _REQUESTED}),
    Recording("adk-older", "Google ADK 1", "its own"),
    Recording(
        "adk-openinference",
        "Google ADK 2",
        "OpenInference 1.0",
        dict.fromkeys(
            ("llm_calls", "usage.prompt_tokens", "usage.completion_tokens"),
            "it writes all calls of an agent on one span, and the last one stays",
        ),
    ),
    Recording("autogen-openinference", "AutoGen 0.7", "OpenInference", {**_OF_TEXT, "model": _REQUESTED}),
    Recording(
        "autogen-labelled",
        "AutoGen 0.7",
        "its own (GenAI)",
        dict.fromkeys(
            (*_NO_CONTENT, *_NO_TOKENS, "model", "llm_calls", "tool_calls"), "spans record no content, no call"
        ),
    ),
    Recording(
        "semantic-kernel-labelled", "Semantic Kernel", "its own (GenAI, with logs)", {**_OF_TEXT, "model": _REQUESTED}
    ),
    Recording(
        "dspy-program",
        "DSPy 3, context looked up in code",
        "OpenInference",
        {**_OF_PROMPT, **_NO_TOKENS, "model": _REQUESTED},
    ),
    Recording(
        "dspy-retriever",
        "DSPy 3, a retriever of one's own",
        "OpenInference",
        {**_OF_PROMPT, **_NO_TOKENS, "model": _REQUESTED},
    ),
    Recording("dspy-agent", "DSPy 3, ReAct", "OpenInference", {**_OF_TEXT, **_NO_TOKENS, "model": _REQUESTED}),
    Recording("litellm-prompt", "LiteLLM", "OpenInference", {**_OF_PROMPT, "model": _REQUESTED}),
    Recording("laminar-tool", "OpenAI's client, a tool", "Laminar"),
    Recording("laminar-retriever", "OpenAI's client, functions", "Laminar"),
    Recording("openlit-tool", "OpenAI's client, a tool", "OpenLIT"),
    Recording("openlit-prompt", "OpenAI's client", "OpenLIT", _OF_PROMPT),
    Recording("logfire-prompt", "OpenAI's client, functions", "Logfire"),
    Recording("vercel-tool", "Vercel AI SDK 6", "its own (`ai.*`)"),
    Recording("vercel-prompt", "Vercel AI SDK 6", "its own (`ai.*`)", _OF_PROMPT),
    Recording("vercel-streaming", "Vercel AI SDK 6, streamed", "its own (`ai.*`)"),
    Recording("vercel-now-tool", "Vercel AI SDK 7", "`@ai-sdk/otel` (GenAI)"),
    Recording("vercel-now-prompt", "Vercel AI SDK 7", "`@ai-sdk/otel` (GenAI)", _OF_PROMPT),
    Recording("vercel-now-streaming", "Vercel AI SDK 7, streamed", "`@ai-sdk/otel` (GenAI)"),
    Recording("langgraph-team", "LangGraph 1, a supervisor with an agent", "OpenInference"),
    Recording("langchain-typed", "LangChain 1, typed answer", "OpenInference"),
    Recording("mlflow-langchain-typed", "LangChain 1, typed answer", "MLflow 3", {"model": _REQUESTED}),
    Recording("anthropic-own", "Anthropic's client 2, a tool", "its own (GenAI, with content)"),
    Recording("anthropic-documents", "Anthropic's client 2, documents", "OpenInference", _OF_PARTS),
    Recording("anthropic-openllmetry", "Anthropic's client 2, search results", "OpenLLMetry", _OF_PARTS),
    Recording("openai-files", "OpenAI's client 3, file search", "OpenInference"),
    Recording(
        "google-calls",
        "Google's client 3, which calls a function",
        "OpenInference",
        dict.fromkeys(_NO_TOKENS, "spans record the tokens of the last call"),
    ),
    Recording("agno-tool", "Agno 3", "OpenInference", {"model": _REQUESTED}),
    Recording("agno-references", "Agno 3, context in the message", "OpenInference", {"model": _REQUESTED}),
    Recording("llamaindex-function", "LlamaIndex, an agent with a function", "OpenInference", {"model": _REQUESTED}),
    Recording("haystack-now-agent", "Haystack 3, an agent within a pipeline", "OpenInference"),
    Recording("agent-framework-tool", "Microsoft Agent Framework 1", "its own (GenAI, with content)", _OF_TEXT),
    Recording(
        "agent-framework-context", "Microsoft Agent Framework 1, a context", "its own (GenAI, with content)", _OF_PROMPT
    ),
    Recording("adk-older-team", "Google ADK 1, an agent that hands over", "its own", {"model": _REQUESTED}),
    Recording("openai-agents-team", "OpenAI Agents, an agent as a tool", "OpenLLMetry"),
    Recording(
        "litellm-own",
        "LiteLLM, a tool",
        "its own (GenAI)",
        dict.fromkeys(_NO_TOKENS, "the call that asks for the tool is a trace of its own"),
    ),
    Recording("openllmetry-chroma", "Chroma", "OpenLLMetry"),
    Recording("openllmetry-milvus", "Milvus", "OpenLLMetry"),
    Recording("openllmetry-qdrant", "Qdrant", "OpenLLMetry", _OF_STORE),
)
"""Every application whose knowledge was recorded beside its trace."""


def known_of(recording: Recording) -> dict[str, Any]:
    """Return what the application knew, as recorded beside its trace."""
    found: dict[str, Any] = json.loads((TRACES / f"{recording.name}.known.json").read_text(encoding="utf-8"))
    return found


def outcomes(recording: Recording) -> dict[str, Outcome]:
    """Return for each fact that the application knew whether it arrived exactly, in part, or not at all."""
    records = list(read((TRACES / f"{recording.name}.otlp.pb").read_bytes(), AdaptOptions()))
    answers = [record for record in records if isinstance(record, Answer)]
    known = _facts_known(known_of(recording))
    told = _facts_of(answers[0]) if len(answers) == 1 else {}
    return {fact: _outcome(wanted, told.get(fact)) for fact, wanted in known.items()}


def _outcome(known: Any, told: Any) -> Outcome:
    if told == known:
        return "exact"
    nothing = told in (None, "", ()) or (isinstance(told, tuple) and all(each in (None, "", ()) for each in told))
    return "absent" if nothing else "partial"


def _facts_known(known: Mapping[str, Any]) -> dict[str, Any]:
    passages = known["passages"]
    found = {
        "question": known["question"],
        "answer": known["answer"],
        "passages.text": tuple(each["content"] for each in passages),
        "passages.id": tuple(each["id"] for each in passages),
        "passages.score": tuple(each.get("score") for each in passages),
        "passages.metadata": tuple(_metadata_known(each["metadata"]) for each in passages),
        "context": tuple(sorted(each["content"] for each in passages)),
        "model": known["model"],
        "llm_calls": known["llm_calls"],
        "usage.prompt_tokens": known["prompt_tokens"],
        "usage.completion_tokens": known["completion_tokens"],
        "tool_calls": tuple(known["tools"]),
        "session_id": known.get("session"),
    }
    without = [fact for fact in FACTS if found[fact] is None]
    if not any(each.get("score") for each in passages):
        without.append("passages.score")
    if not passages:
        without += ["passages.text", "passages.id", "passages.metadata", "context"]
    return {fact: found[fact] for fact in FACTS if fact not in without}


def _metadata_known(metadata: Mapping[str, Any]) -> tuple[Any, ...]:
    return metadata.get("doc_id"), metadata.get("version"), metadata.get("effective_from")


def _facts_of(answer: Answer) -> dict[str, Any]:
    passages, shown = answer.passages or (), answer.context_passages() or ()
    dates = (None if each.effective_from is None else each.effective_from.date().isoformat() for each in passages)
    metadata = tuple(
        (each.doc_id, each.version, date) if each.doc_id or each.version or date else None
        for each, date in zip(passages, dates, strict=True)
    )
    return {
        "question": answer.question,
        "answer": None if answer.answer is None else answer.answer.strip(),
        "passages.text": tuple(each.text for each in passages),
        "passages.id": tuple(each.id for each in passages if not each.id.startswith("text-")),
        "passages.score": tuple(each.score for each in passages),
        "passages.metadata": metadata,
        "context": tuple(sorted(each.text or "" for each in shown)),
        "model": answer.model,
        "llm_calls": answer.llm_calls or None,
        "usage.prompt_tokens": answer.usage.prompt_tokens,
        "usage.completion_tokens": answer.usage.completion_tokens,
        "tool_calls": tuple(call.name for call in answer.tool_calls or ()),
        "session_id": answer.session_id,
    }


def table() -> list[str]:
    """Return the lines of the table: per application what is exact, partial, and absent in the source."""
    lines = [
        "| framework | instrumentation | exact | partial | absent in the source |",
        "| --- | --- | --- | --- | --- |",
    ]
    for recording in RECORDINGS:
        found = outcomes(recording)
        exact = sum(outcome == "exact" for outcome in found.values())
        partial, absent = (_listed(found, recording, outcome) for outcome in ("partial", "absent"))
        count = f"{exact} of {len(found)}"
        lines.append(f"| {recording.framework} | {recording.instrumentation} | {count} | {partial} | {absent} |")
    return lines


def _listed(found: Mapping[str, Outcome], recording: Recording, outcome: str) -> str:
    by_reason: dict[str, list[str]] = {}
    for fact, each in found.items():
        if each == outcome:
            by_reason.setdefault(recording.untold.get(fact, "no reason given"), []).append(f"`{fact}`")
    return "; ".join(f"{', '.join(facts)}: {reason}" for reason, facts in by_reason.items())
