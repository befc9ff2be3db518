"""What the doctor looks at: asked once of everything, so that rules only compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import ValidationError

from collector.api.running import AgentBody
from collector.clock import parsed_time
from collector.commands.asking import AgentRefused, AgentTls, AgentUnreachable, AskedAgent, part_of, rows_of
from collector.commands.decisions import quoted
from collector.commands.doctor.exporter import Exporter, Probed, probe
from collector.commands.doctor.prometheus import Scraped
from collector.commands.status import Counted, ready
from collector.errors import ConfigError

NEWEST = 200
"""Answers that are looked at."""
UNAUTHORIZED = 401

Reach = Literal["reached", "unreachable", "refused", "foreign", "starting", "tls"]


LATELY = timedelta(minutes=5)
"""How long ago something may have failed that is tried again all the time, to be a fault of now."""
TAKEN_IN = ("receive_spans", "source_spans", "source_answers")
"""Counters of what came in: a source may bring answers, which hold no span."""


@dataclass(frozen=True, kw_only=True)
class AgentFacts:
    """Everything that was seen of an agent and of those around it."""

    url: str
    reach: Reach
    trouble: str = ""
    """Why the agent could not be asked."""
    ready: Mapping[str, Any] = field(default_factory=dict)
    about: AgentBody | None = None
    skew: float | None = None
    """By how many seconds the agent's clock is ahead of the one here."""
    counted: Counted = field(default_factory=lambda: Counted({}))
    gates: Sequence[Mapping[str, Any]] = ()
    """Verdicts with their slices."""
    answers: Sequence[Mapping[str, Any]] = ()
    """The newest, as the API shows them."""
    unread: Mapping[str, Any] = field(default_factory=dict)
    malformed: Mapping[str, Any] = field(default_factory=dict)
    """Traces that could not be read, the newest first."""
    links: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Reports of `sources`, `write_back` and `notify`."""
    catalog: Mapping[str, Any] | None = None
    coverage: Mapping[str, Any] | None = None
    canaries: Mapping[str, Any] | None = None
    """The report of canaries, where they are configured."""
    exporter: Exporter | None = None
    probed: Probed | None = None
    """What came of sending to the exporter's address."""
    scraped: Scraped | None = None
    """What Prometheus has of this agent, where one was named."""

    @property
    def now(self) -> datetime | None:
        """The time by the agent's clock."""
        return None if self.about is None else parsed_time(self.about.at)

    def lately(self, name: str, within: timedelta, labels: Mapping[str, str]) -> bool:
        """Whether something happened so lately, by a metric that tells when; also if the agent does not tell."""
        seen = [at for _, at in self.counted.each(f"{name}_timestamp_seconds", **labels)]
        return not seen or self.now is None or self.now.timestamp() - max(seen) <= within.total_seconds()

    @property
    def evaluations(self) -> list[Mapping[str, Any]]:
        """Evaluations of the newest answers that have one."""
        return [part_of(row, "evaluation") for row in self.answers if row.get("evaluation") is not None]

    @property
    def silent(self) -> bool:
        """Whether nothing has ever come in: not since the start, and no answer is kept from before it."""
        return not self.answers and not any(self.counted.total(f"groundwire_{what}_total") for what in TAKEN_IN)


def gathered(
    agent: AskedAgent,
    *,
    exporter: Exporter | None,
    scraped: Callable[[], Scraped] | None,
    told: Callable[[str], None] = lambda _: None,
) -> AgentFacts:
    """Ask the agent and those around it; ``told`` hears what is looked at. Raises `ConfigError` for bad options."""
    told("asking the agent")
    around: dict[str, Any] = {"url": agent.url, "exporter": exporter}
    if exporter is not None:
        told(f"sending nothing to {exporter.endpoint}, to see who answers")
        around["probed"] = probe(exporter)
    if scraped is not None:
        around["scraped"] = scraped()
    try:
        readiness = ready(agent)
        if "ready" not in readiness:
            return AgentFacts(reach="foreign", trouble=f"{agent.url}/readyz is not that of an agent", **around)
        around["ready"] = readiness
        reply = agent.reply("/v1/agent")
        about = AgentBody.model_validate(reply.body)
        return AgentFacts(reach="reached", about=about, skew=reply.skew, **around, **_seen(agent, about, told))
    except AgentRefused as error:
        kind: Reach = "refused" if error.status == UNAUTHORIZED else "foreign"
        return AgentFacts(reach=kind, trouble=_short(agent, error), **around)
    except AgentTls as error:
        return AgentFacts(reach="tls", trouble=_short(agent, error), **around)
    except AgentUnreachable as error:
        kind = "starting" if "ready" in around else "unreachable"
        return AgentFacts(reach=kind, trouble=_short(agent, error), **around)
    except ValidationError as error:
        return AgentFacts(
            reach="foreign", trouble=f"{agent.url}: not from this version: {error.error_count()} fields", **around
        )
    except ConfigError as error:
        if "--url" in str(error) or "--token-file" in str(error):
            raise
        return AgentFacts(reach="foreign", trouble=str(error), **around)


def _short(agent: AskedAgent, error: ConfigError) -> str:
    """Return an error without the address, which stands before it."""
    return str(error).removeprefix(f"--url {agent.url}: ")


def _seen(agent: AskedAgent, about: AgentBody, told: Callable[[str], None]) -> dict[str, Any]:
    told("reading its figures")
    seen: dict[str, Any] = {"counted": Counted.of(agent)}
    told("reading its answers and verdicts")
    seen["answers"] = rows_of(agent.get("/v1/answers", {"limit": NEWEST}), "answers")
    seen["gates"] = [agent.get(f"/v1/gates/{quoted(gate.name)}") for gate in about.gates]
    seen["unread"] = agent.get("/v1/unread-spans")
    seen["malformed"] = agent.get("/v1/malformed-traces")
    paths = {"sources": "/v1/sources", "write_back": "/v1/write-back", "notify": "/v1/notify"}
    seen["links"] = {name: rows_of(agent.get(path), name) for name, path in paths.items()}
    if about.canaries is not None:
        seen["canaries"] = agent.get("/v1/canaries", {"limit": 1})
    if about.catalog is not None:
        told("comparing the catalog with what is retrieved")
        seen["catalog"] = agent.get("/v1/catalog")
        try:
            seen["coverage"] = agent.get("/v1/catalog/coverage")
        except AgentUnreachable:
            # Workers have no time for it: what else is wrong will say why.
            seen["coverage"] = None
    return seen
