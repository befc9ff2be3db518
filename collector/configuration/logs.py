"""Structured logs on standard error: events of the agent, never an entry per answer, never content."""

from __future__ import annotations

import logging
import sys

import structlog

from collector.configuration.schema import Logs

QUIET = ("alembic", "uvicorn", "grpc", "httpx", "httpcore")
"""Libraries whose routine messages say nothing an operator needs; their errors still come through."""


def set_up(logs: Logs) -> None:
    """Send all logging, ours and libraries', to standard error in the configured form."""
    level = logging.getLevelNamesMapping()[logs.level.upper()]
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.types.Processor
    if logs.format == "json" or (logs.format == "auto" and not sys.stderr.isatty()):
        shared.append(structlog.processors.format_exc_info)
        renderer = structlog.processors.JSONRenderer()
    else:
        # Values may come from senders: as they are, they could write to the terminal.
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), repr_native_str=True)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(level, logging.ERROR))
