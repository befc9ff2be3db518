"""Sources: what the agent reads by itself, beside what is sent to it. One source, one file, and one line here."""

from __future__ import annotations

from collector.sources.base import SourceOptions
from collector.sources.files import Files

SOURCES: tuple[type[SourceOptions], ...] = (Files,)
"""Every kind of source there is."""

AnySource = Files
"""What a source in a configuration file may be. From the second on: a union discriminated by ``type``."""
