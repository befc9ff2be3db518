"""The dialect of MLflow Tracing, as its OTLP export writes spans: every attribute is JSON text.

Source: github.com/mlflow/mlflow, mlflow/tracing/constant.py and mlflow/entities/span.py (3.x).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from adapters.dialects.base import EMBEDDED, IN_METADATA, Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.documents.shapes import is_named_search
from adapters.lazy import lazy
from adapters.mapping import DialectKeys
from adapters.quirks import langchain
from adapters.values import text_of
from adapters.vocabulary import StepKind

KEYS = DialectKeys(
    name="mlflow",
    marks=("mlflow.spanType", "mlflow.traceRequestId"),
    kind="mlflow.spanType",
    kinds={
        "LLM": "LLM",
        "CHAT_MODEL": "LLM",
        "CHAIN": "CHAIN",
        "WORKFLOW": "CHAIN",
        "TASK": "CHAIN",
        "UNKNOWN": "CHAIN",
        "AGENT": "AGENT",
        "TOOL": "TOOL",
        "RETRIEVER": "RETRIEVER",
        "RERANKER": "RERANKER",
        "EMBEDDING": "EMBEDDING",
        "GUARDRAIL": "GUARDRAIL",
        "EVALUATOR": "EVALUATOR",
    },
    input="mlflow.spanInputs",
    output="mlflow.spanOutputs",
    model=("mlflow.llm.model", "mlflow.spanOutputs > model", "model", "mlflow.spanInputs > model"),
    provider="mlflow.llm.provider",
    prompt_tokens="mlflow.chat.tokenUsage > input_tokens",
    completion_tokens="mlflow.chat.tokenUsage > output_tokens",
    total_tokens="mlflow.chat.tokenUsage > total_tokens",
    cost="mlflow.llm.cost > total_cost",
    session=("mlflow.trace.session", "session.id"),
    user=("mlflow.trace.user", "user.id"),
)


class MLflowView(KeyedView):
    """A span of MLflow."""

    @lazy
    def kind(self) -> StepKind:
        """The type of the span; of a function without one, what its name and result tell."""
        told = super().kind
        return "RETRIEVER" if told == "CHAIN" and is_named_search(self.name, self.output) else told

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of a run of LangChain's."""
        found = self.json("metadata")
        return found if isinstance(found, dict) else {}

    @property
    def tool(self) -> str | None:
        """The function of a tool; its arguments are its input."""
        return self.told(("mlflow.spanFunctionName",)) if self.kind == "TOOL" else None

    @property
    def query(self) -> str | None:
        """The one text that a retriever was given, whatever its argument is called."""
        given = self.input
        if self.kind == "RETRIEVER" and isinstance(given, dict) and len(given) == 1:
            return text_of(next(iter(given.values())))
        return None

    @property
    def model(self) -> str | None:
        """The model that a result of LangChain's names; else by the table."""
        return langchain.responding_model(self.output) or super().model

    @lazy
    def framework(self) -> str | None:
        """The library whose messages a call has, where it is a framework."""
        told = self.told(("mlflow.message.format",))
        return told if told in ("langchain", "llamaindex", "haystack", "crewai", "dspy") else None


class MLflow(Keyed):
    """Reads the spans that MLflow Tracing exports.

    >>> from adapters.trace import Span
    >>> MLflow().claims(Span("t", "s", None, "ask", 1, 2, {"mlflow.spanType": '"CHAIN"'}))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "mlflow",
            "MLflow",
            lost={
                "response_ids": "MLflow does not record the ids of completions under a key of their own",
                "usage.first_token_ms": "the time of the first token is not recorded",
                "versions.prompt": "MLflow keeps prompts beside traces",
            },
            seldom={
                "error": "only if a span failed",
                "framework": "if `autolog` of a framework wrote the messages",
                "history": "if the prompt contains earlier turns",
                "provider": "if `autolog` of the client writes it",
                "stages.rerank": "if a span is traced as a reranker",
                "tool_calls": "if a model asks for a tool, or a span is traced as one",
                "usage.cost_usd": "if MLflow knows the price of the model",
                "versions.reranker": "if a reranker's span names its model",
                "passages.score": IN_METADATA,
                "session_id": "the OTLP export leaves out what describes the trace, unless it is set on a span",
                "user_id": "the OTLP export leaves out what describes the trace, unless it is set on a span",
                "versions.embedder": EMBEDDED,
            },
        ),
    )

    def __init__(self) -> None:
        super().__init__(KEYS, MLflowView)
