"""The OpenInference dialect, one file a concern."""

from adapters.openinference.adapter import OpenInference

__all__ = ["OpenInference"]
