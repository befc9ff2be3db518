"""What a running agent says of its configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.trace import Nanoseconds
from collector.api.running import ListenerBody, RunningAgent, RunningGate
from collector.catalog.options import CatalogOptions
from collector.clock import instant
from collector.configuration.file import given
from collector.configuration.schema import Config
from collector.judging.verdicts import rfc3339


def running(config: Config, *, started_at: Nanoseconds, ports: Mapping[str, int]) -> RunningAgent:
    """Describe an agent that runs ``config`` since ``started_at`` (ns), with the ports that were bound, by path."""
    return RunningAgent(
        started_at=rfc3339(instant(started_at)),
        listeners={
            where: ListenerBody(
                host=listener.host,
                port=ports.get(where, listener.port),
                token=listener.guarded,
                tls=listener.tls_cert is not None,
            )
            for where, listener in config.listeners.items()
        },
        metrics=[metric.name for metric in config.metrics],
        gates=[_gate(gate) for gate in config.gates],
        dimensions={each.name: each.cap if each.values is None else len(each.values) for each in config.slices},
        attributes=config.traces.attributes,
        probability=config.sampling.probability,
        catalog=None if config.catalog is None else _place(config.catalog),
        sources=len(config.sources),
        canaries=None if config.canaries is None else config.canaries.address,
        configured=given(config, ("data", "http", "receive", "sources")),
    )


def _place(catalog: CatalogOptions) -> str:
    """Return where a catalog comes from: its file, or what else is read in its place."""
    if catalog.path is not None:
        return str(catalog.path.absolute())
    return "http" if catalog.http is not None else "sources" if catalog.sources else "learn"


def _gate(gate: Any) -> RunningGate:
    return RunningGate(
        name=gate.name, type=gate.type, metrics=sorted(gate.metrics), learns_reference=gate.learns_reference
    )
