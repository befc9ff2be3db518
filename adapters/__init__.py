"""Adapters: foreign traces in, `adapters.schema.Answer` out."""

from adapters.base import Adapter
from adapters.openinference import OpenInference

ADAPTERS: tuple[Adapter, ...] = (OpenInference(),)
"""Every adapter, in the order they are asked; the first that finds an answer in a trace has it (`adapters.detect`)."""
