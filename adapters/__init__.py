"""Adapters: foreign traces in, `adapters.schema.Answer` out."""

from adapters.dialects.base import Adapter
from adapters.dialects.google_adk import GoogleADK
from adapters.dialects.haystack import Haystack
from adapters.dialects.laminar import Laminar
from adapters.dialects.langfuse.adapter import Langfuse
from adapters.dialects.langsmith import LangSmith
from adapters.dialects.logfire import Logfire
from adapters.dialects.mlflow import MLflow
from adapters.dialects.openinference.adapter import OpenInference
from adapters.dialects.openlit import OpenLIT
from adapters.dialects.openllmetry.adapter import OpenLLMetry
from adapters.dialects.openllmetry_crewai import OpenLLMetryCrewAI
from adapters.dialects.otel_genai.adapter import OtelGenAI
from adapters.dialects.vercel_ai import VercelAI

ADAPTERS: tuple[Adapter, ...] = (
    Langfuse(),
    OpenInference(),
    LangSmith(),
    VercelAI(),
    MLflow(),
    Laminar(),
    GoogleADK(),
    OpenLIT(),
    OpenLLMetryCrewAI(),
    OpenLLMetry(),
    OtelGenAI(),
    Haystack(),
    Logfire(),
)
"""Every dialect. A span is read by the first that claims it, which keeps one that two of them know (OpenInference with
its GenAI switch on) from being read twice; of two spans that tell of one step, the earlier dialect's stays."""
