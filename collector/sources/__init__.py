"""Sources: what the agent reads by itself, beside what is sent to it. One source, one file, and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from collector.sources.base import SourceOptions
from collector.sources.files import FilesSource
from collector.sources.langfuse import LangfuseSource
from collector.sources.phoenix import PhoenixSource

SOURCES: tuple[type[SourceOptions], ...] = (FilesSource, LangfuseSource, PhoenixSource)
"""Every kind of source there is."""

if TYPE_CHECKING:
    AnySource = SourceOptions
else:
    AnySource = Annotated[Union[SOURCES], Field(discriminator="type")]  # noqa: UP007 - the union of a tuple
"""What a source in a configuration file may be: told apart by ``type``."""
