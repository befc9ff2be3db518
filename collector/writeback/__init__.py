"""Write-back: scores and verdicts go to the tools people already use. One target, one file, and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from collector.writeback.base import TargetOptions
from collector.writeback.langfuse import LangfuseWriteBack
from collector.writeback.otlp import OtlpWriteBack
from collector.writeback.phoenix import PhoenixWriteBack

TARGETS: tuple[type[TargetOptions], ...] = (PhoenixWriteBack, LangfuseWriteBack, OtlpWriteBack)
"""Every kind of target there is."""

if TYPE_CHECKING:
    AnyTarget = TargetOptions
else:
    AnyTarget = Annotated[Union[TARGETS], Field(discriminator="type")]  # noqa: UP007 - the union of a tuple
"""What a target in a configuration file may be: told apart by ``type``."""
