"""The dialect of Langfuse's SDKs, sent over OTLP or read back from Langfuse's API and exports."""

from adapters.dialects.langfuse.adapter import Langfuse

__all__ = ["Langfuse"]
