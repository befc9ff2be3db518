"""Sources: what the agent reads by itself, beside what is sent to it. One source, one file, and one line here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from collector.sources.base import SourceOptions
from collector.sources.files import FilesSource
from collector.sources.langfuse import LangfuseSource
from collector.sources.mlflow import MLflowSource
from collector.sources.phoenix import PhoenixSource

SOURCES: tuple[type[SourceOptions], ...] = (FilesSource, LangfuseSource, MLflowSource, PhoenixSource)
"""Every kind of source there is."""

if TYPE_CHECKING:
    AnySource = SourceOptions
else:
    AnySource = Annotated[Union[SOURCES], Field(discriminator="type")]  # noqa: UP007 - the union of a tuple
"""What a source in a configuration file may be: told apart by ``type``."""


def with_scores(configured: Sequence[SourceOptions]) -> tuple[SourceOptions, ...]:
    """Return sources as they are configured, and behind them those of the scores that are wanted of them."""
    return (*configured, *(scores for each in configured if (scores := each.of_scores()) is not None))
