"""Sources: what the agent reads by itself, beside what is sent to it. One source, one file, and one line here."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from collector.sources.base import SourceOptions
from collector.sources.files import Files
from collector.sources.langfuse import Langfuse
from collector.sources.phoenix import Phoenix

SOURCES: tuple[type[SourceOptions], ...] = (Files, Langfuse, Phoenix)
"""Every kind of source there is."""

AnySource = Annotated[Files | Langfuse | Phoenix, Field(discriminator="type")]
"""What a source in a configuration file may be."""
