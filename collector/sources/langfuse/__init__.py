"""Pulls traces from Langfuse, in its cloud or hosted by its users."""

from collector.sources.langfuse.options import LangfuseSource

__all__ = ["LangfuseSource"]
