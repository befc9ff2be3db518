"""Adapters: foreign traces in, `adapters.schema.Answer` out."""

from adapters.base import Adapter
from adapters.langfuse import Langfuse
from adapters.langsmith import LangSmith
from adapters.openinference import OpenInference
from adapters.openllmetry import OpenLLMetry
from adapters.otel_genai import OtelGenAI

ADAPTERS: tuple[Adapter, ...] = (Langfuse(), OpenInference(), LangSmith(), OpenLLMetry(), OtelGenAI())
"""Every dialect. A span is read by the first that claims it, which keeps one that two of them know (OpenInference with
its GenAI switch on) from being read twice; of two spans that tell of one step, the earlier dialect's stays."""
