"""The configuration: strict, with a path in every error, and a description on every option.

The reference page and the chart's schema are generated from these models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from adapters.base import ARM_KEY, SHARE_KEY, AdaptOptions, PassageKeys
from adapters.mapping import DialectKeys
from collector.canaries.options import CanaryOptions
from collector.catalog.options import CatalogOptions
from collector.changes.observe import ChangeOptions
from collector.evaluating.options import ScheduledEvaluation, ScheduledReport
from collector.external.options import ExternalMetric, clashes, with_inputs
from collector.models.options import EntailmentOptions
from collector.notify import AnyNotifier
from collector.notify.notice import Names
from collector.pipeline.sampling import Sampling
from collector.receivers.hosts import Hosts
from collector.receivers.settings import HttpListener, Listener, Receive, shared_ports
from collector.security.address import BaseUrl, TraceUrl, valid_prefix
from collector.security.secrets import read_secret
from collector.sources import AnySource
from collector.store.externalrows import PREFIX
from collector.writeback import AnyTarget
from gates import AnyGate
from gates.budget import divided
from gates.decisions.record import CANARIES, REPORTS
from gates.inputs.slices import Dimension
from gates.units.duration import Duration
from gates.units.names import suggestion
from gates.units.scale import Scale
from scorers import AnyScorer, production_panel
from scorers.base import Metric
from telemetry.exposure import ALL, IN_USE, SLICES, TRAFFIC, Exposure, OptionalPart

RESERVED_GATE = "plan"
RECORDED = frozenset({CANARIES, REPORTS})
"""Names in the decision log that are of no gate."""


class Section(BaseModel):
    """Base of all sections: frozen, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Http(HttpListener):
    """Where metrics, probes and the API are served."""

    port: int = Field(default=8080, ge=0, le=65535, description="Port of metrics, probes and API; 0 picks a free one.")
    public_url: BaseUrl | None = Field(
        default=None,
        description="Address at which people reach the pages of this agent, such as `https://groundwire.example.com`; "
        "alerts, messages and boards link to it. With a path, such as `https://tools.example.com/groundwire`, the "
        "agent serves its pages below that path as well, for a reverse proxy that passes it on.",
    )
    trace_url: TraceUrl | None = Field(
        default=None,
        description="Address of a trace in the tool that shows your traces, with `{trace_id}` and, if it takes one, "
        "`{span_id}`, such as `https://phoenix.example.com/redirects/traces/{trace_id}`: the page of an answer links "
        "to it.",
    )
    verdict_token_file: Path | None = Field(
        default=None,
        description="File that holds a second token, accepted for verdicts only (`/v1/gates`, `/v1/flagger`): for "
        "deployment tools whose manifests expose it.",
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong; a second token without a first would leave the other paths open."""
        yield from super().problems(where)
        path = urlsplit(self.public_url or "").path
        if path.strip("/") and not valid_prefix(path):
            yield f"{where}.public_url: the path may hold letters, digits, and . _ ~ - between single slashes"
        if self.verdict_token_file is not None and self.token is None and self.token_file is None:
            yield f"{where}.verdict_token_file: needs {where}.token_file for the other paths"

    @property
    def hosts(self) -> Hosts | None:
        """The hosts that are answered for: also the one at which people reach the pages."""
        named = urlsplit(self.public_url or "").hostname
        hosts = super().hosts
        return hosts if hosts is None or named is None else Hosts(hosts.names | {named})

    def verdict_token(self, where: str) -> str | None:
        """Return the token for verdicts only, if there is one. Raises `ConfigError` naming the key."""
        return read_secret(None, self.verdict_token_file, f"{where}.verdict_token_file")


class Traces(Section):
    """When a trace is complete, and what is read from it."""

    idle: Duration = Field(
        default=timedelta(seconds=5),
        description="A trace closes this long after its last spans, once its root has ended.",
    )
    timeout: Duration = Field(
        default=timedelta(seconds=60),
        description="A trace without a root closes as incomplete after this long without new spans.",
    )
    attributes: Mapping[str, str] = Field(
        default_factory=dict,
        description="Attributes to slice by: a name, and the key of span metadata, span or resource that holds it.",
    )
    versions: Mapping[str, str] = Field(
        default_factory=dict,
        description="Versions of components (index, prompt, ...): a name, and the key that holds it, as above.",
    )
    arm: str = Field(
        default=ARM_KEY,
        min_length=1,
        description="Key that says which arm of a traffic split answered: `candidate` (or `canary`) or `baseline` (or "
        "`stable`, `primary`, `control`).",
    )
    share: str = Field(
        default=SHARE_KEY,
        min_length=1,
        description="Key of the probability (0 to 1) with which a request was routed to the candidate.",
    )
    passages: PassageKeys = Field(
        default_factory=PassageKeys,
        description="Keys of the metadata of retrieved passages that say a fact under a name of your own, asked before "
        "those that common loaders write: one key or a list each. Case, blanks, `_`, `-` and `@` do not matter; a dot "
        "leads into an object.",
    )
    retrieval_tools: tuple[Annotated[str, StringConstraints(min_length=1, max_length=200)], ...] = Field(
        default=(),
        max_length=100,
        description="Tools whose results are evidence, beside those whose name or description says that they search, "
        "retrieve or look something up.",
    )
    dialects: tuple[DialectKeys, ...] = Field(
        default=(),
        max_length=20,
        description="Dialects of your own: which spans a tracer wrote, and under which keys they tell what. Each key "
        "is one or a list; `a > b` is member `b` of the JSON object under `a`. They are asked before the known ones.",
    )

    def options(self) -> AdaptOptions:
        """Return what is to be taken from traces, as adapters are told it."""
        return AdaptOptions(
            attributes=self.attributes,
            versions=self.versions,
            arm=self.arm,
            share=self.share,
            passages=self.passages,
            retrieval_tools=self.retrieval_tools,
            dialects=self.dialects,
        )


class Scoring(Section):
    """How scorers run."""

    workers: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="Worker processes for adapting and scoring; by default one per available core, at most 4, and a "
        "single one if it loads a model.",
    )
    timeout: Duration = Field(
        default=timedelta(seconds=5),
        description="Limit of CPU time for one scorer on one answer; waiting for a CPU does not count.",
    )
    retries: int = Field(default=2, ge=0, le=10, description="Further attempts after a worker dies or stalls.")
    entailment: EntailmentOptions | None = Field(
        default=None, description="A model that judges claims in place of the decision trees."
    )


class Judge(Section):
    """When gates are judged, and how many false alarms they may raise together."""

    alarms_per_week: float | None = Field(
        default=None,
        gt=0,
        le=1000,
        description="False alarms accepted in a week over all gates together. Drift gates have what their own"
        " `alarms_per_week` says, the others equal parts of the rest; more than there is is refused. Not given: each"
        " gate accepts its own.",
    )
    tick: Duration = Field(
        default=timedelta(seconds=10),
        le=timedelta(minutes=1),
        description="How often gates are judged, at least once a minute.",
    )
    expiry: Duration = Field(
        default=timedelta(hours=1),
        description="How long a decision record may be acted upon.",
    )
    backlog: int = Field(
        default=6,
        ge=1,
        le=10_000,
        description="Ticks that answers may wait for scoring before gates stop passing; counts as at least `10s`.",
    )


class Exposition(Section):
    """Which series `/metrics` exposes; what is not exposed is scored, judged and stored all the same."""

    metrics: Literal["all"] | tuple[str, ...] | None = Field(
        default=None,
        description="Metrics that are exposed, besides those that gates judge: names, or `all`. By default: "
        f"{', '.join(IN_USE)}, and those of `external`. Each has a distribution of about 15 series, and two to four "
        "series per slice.",
    )
    distributions: Literal["all"] | tuple[str, ...] = Field(
        default=(),
        description="Distributions exposed per slice: names of metrics, `answer_duration`, `answer_tokens`, or `all`. "
        "Each adds about 15 series per slice.",
    )
    slices: int = Field(
        default=SLICES,
        ge=1,
        le=10_000,
        description="Most slices that have series of their own; answers of further ones are counted as `__other__`.",
    )


class Retention(Section):
    """How long the store keeps data."""

    chunks: Duration = Field(default=timedelta(days=7), description="Raw spans of adapted traces.")
    answers: Duration = Field(default=timedelta(days=30), description="Answers and their evaluations.")


class Logs(Section):
    """What is written to standard error."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Lowest level that is logged."
    )
    format: Literal["auto", "json", "console"] = Field(
        default="auto",
        description="One JSON object per line, or readable text; `auto` writes text to a terminal, else JSON.",
    )


class Config(Section):
    """The whole configuration. Every section has defaults, so an empty file is valid."""

    data: Path = Field(
        default=Path("groundwire-data"), description="Directory of the store; only one agent at a time may use it."
    )
    receive: Receive = Field(default_factory=Receive, description="Where traces are received, and how much at once.")
    sources: tuple[AnySource, ...] = Field(
        default=(), description="What the agent reads: files that grow, and the APIs of other tools."
    )
    http: Http = Field(default_factory=Http, description="Where metrics, probes and the API are served.")
    traces: Traces = Field(default_factory=Traces, description="When traces close, and what is read from them.")
    sampling: Sampling = Field(default_factory=Sampling, description="Which answers are scored.")
    scoring: Scoring = Field(default_factory=Scoring, description="How scorers run.")
    scorers: tuple[AnyScorer, ...] = Field(
        default_factory=production_panel,
        description="The scorers to run; by default all that need no labels. `groundwire score` runs those that need "
        "labels too, on rows that have them.",
    )
    external: tuple[ExternalMetric, ...] = Field(
        default=(),
        max_length=100,
        description="Metrics whose scores other evaluators send: a judge of your own, a tool, users' thumbs.",
    )
    catalog: CatalogOptions | None = Field(default=None, description="The catalog of governing documents.")
    canaries: CanaryOptions | None = Field(
        default=None,
        description="Questions that entries of the catalog write about themselves, asked of a retriever or of the "
        "whole application before users ask them.",
    )
    slices: tuple[Dimension, ...] = Field(
        default=(Dimension(name="service"),), description="The dimensions that traffic is sliced by, in label order."
    )
    changes: ChangeOptions = Field(
        default_factory=ChangeOptions, description="Which changes are detected in the answers themselves."
    )
    judge: Judge = Field(
        default_factory=Judge, description="When gates are judged, and how many false alarms they may raise together."
    )
    gates: tuple[AnyGate, ...] = Field(default=(), description="Rules that turn scores into verdicts.")
    write_back: tuple[AnyTarget, ...] = Field(
        default=(), description="Tools that scores and verdicts are written to, next to the answers they are about."
    )
    notify: tuple[AnyNotifier, ...] = Field(
        default=(), description="Who is notified of decisions: an Alertmanager, webhooks, receivers of events."
    )
    evaluations: tuple[ScheduledEvaluation, ...] = Field(
        default=(), max_length=100, description="Suites that the agent runs by the calendar."
    )
    reports: tuple[ScheduledReport, ...] = Field(
        default=(), max_length=20, description="Reports of its traffic that the agent writes by the calendar."
    )
    exposition: Exposition = Field(default_factory=Exposition, description="Which series `/metrics` exposes.")
    retention: Retention = Field(default_factory=Retention, description="How long the store keeps data.")
    logs: Logs = Field(default_factory=Logs, description="What is written to standard error.")
    drain: Duration = Field(default=timedelta(seconds=20), description="Time limit of an orderly stop after SIGTERM.")

    @field_validator("gates")
    @classmethod
    def _within_strata(cls, gates: tuple[AnyGate, ...], given: ValidationInfo) -> tuple[AnyGate, ...]:
        """Give gates the dimensions that sampling goes by, unless they name what they compare within."""
        sampling, cut = given.data.get("sampling", Sampling()), [each.name for each in given.data.get("slices", ())]
        names = dict.fromkeys(name for rule in sampling.rules for name in rule.when if name in cut)
        return tuple(gate.stratified(tuple(names)) for gate in gates)

    @field_validator("gates")
    @classmethod
    def _within_budget(cls, gates: tuple[AnyGate, ...], given: ValidationInfo) -> tuple[AnyGate, ...]:
        """Give gates their share of the false alarms that are accepted over all of them."""
        judge = given.data.get("judge", Judge())
        return gates if judge.alarms_per_week is None else divided(gates, judge.alarms_per_week)

    @model_validator(mode="before")
    @classmethod
    def _with_bounds(cls, tree: Any) -> Any:
        """Declare the scores that external sums are made of; give gates over external metrics their range."""
        if isinstance(tree, dict) and isinstance(tree.get("external"), list | tuple):
            tree = tree | {"external": with_inputs(tree["external"])}
        declared, gates = (tree.get(key) for key in ("external", "gates")) if isinstance(tree, dict) else ((), ())
        if not (isinstance(declared, list | tuple) and isinstance(gates, list | tuple)):
            return tree
        known = {
            f"{PREFIX}{each['name']}": each.get("bounds", (0.0, 1.0))
            for each in declared
            if isinstance(each, dict) and "name" in each
        }
        ranges = {name: bounds for name, bounds in known.items() if bounds is not None}
        return tree | {"gates": [_bounded(gate, ranges) for gate in gates]}

    @property
    def panel(self) -> tuple[Metric, ...]:
        """The metrics that the scorers compute, in order."""
        return tuple(scorer.metric for scorer in self.scorers)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """All metrics: those of the panel, and those of other evaluators."""
        return (*self.panel, *(each.metric for each in self.external))

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the slice dimensions, in order."""
        return tuple(dimension.name for dimension in self.slices)

    @property
    def parts(self) -> frozenset[OptionalPart]:
        """The parts of the agent that need not be configured and are."""
        catalog = self.catalog
        listed = () if catalog is None else (*catalog.sources, *catalog.indexes)
        given: dict[OptionalPart, Any] = {
            "sources": self.sources,
            "write_back": self.write_back,
            "notify": self.notify,
            "listings": listed,
            "canaries": self.canaries,
        }
        return frozenset(name for name, configured in given.items() if configured)

    @property
    def names(self) -> Names:
        """What notifiers call service and environment, and where people find the pages."""
        return Names.of(self.slices, self.http.public_url)

    @property
    def decided(self) -> list[str]:
        """The names that decisions are recorded and sent under: the gates, and canaries where there are any."""
        return [*(gate.name for gate in self.gates), *((CANARIES,) if self.canaries is not None else ())]

    @property
    def exposure(self) -> Exposure:
        """What is exposed: what was chosen, and what gates judge."""
        chosen, declared = self.exposition, tuple(each.metric.name for each in self.external)
        metrics = (*IN_USE, *declared) if chosen.metrics is None else chosen.metrics
        return Exposure.of(self.gates, metrics, chosen.distributions, chosen.slices)

    @property
    def listeners(self) -> dict[str, Listener]:
        """Every address listened on, by its path in the file."""
        listeners: dict[str, Listener] = {"http": self.http}
        if self.receive.otlp_http.enabled:
            listeners["receive.otlp_http"] = self.receive.otlp_http
        if self.receive.otlp_grpc.enabled:
            listeners["receive.otlp_grpc"] = self.receive.otlp_grpc
        return listeners

    def langfuse_keys(self) -> tuple[str, str] | None:
        """Return the keys that Langfuse SDKs must show, if any. Raises `ConfigError` naming the key."""
        door = self.receive.otlp_http
        return door.keys("receive.otlp_http") if door.enabled else None

    def inconsistencies(self) -> Iterator[str]:
        """Yield what no section can know of itself, each as ``path: problem``."""
        for where, listener in self.listeners.items():
            yield from listener.problems(where)
        yield from shared_ports(self.listeners)
        for path in ("scorers", "external", "slices", "sources", "write_back", "notify", "evaluations", "reports"):
            yield from self._duplicates(path)
        yield from self._external_problems()
        yield from self.of_gates_alone()
        yield from self._unknown_names()
        if self.catalog is not None:
            yield from self.catalog.problems()
        if self.canaries is not None:
            yield from self.canaries.problems("canaries")
            if self.catalog is None:
                yield "catalog: required by canaries, which its entries write"
        for index, source in enumerate(self.sources):
            yield from source.problems(f"sources[{index}]")
        yield from self._scheduled_problems()
        yield from self._link_problems()

    def _scheduled_problems(self) -> Iterator[str]:
        for index, evaluation in enumerate(self.evaluations):
            yield from evaluation.problems(f"evaluations[{index}]")
        for index, report in enumerate(self.reports):
            yield from report.problems(f"reports[{index}]")
            if report.url is None and self.http.port == 0:
                yield f"reports[{index}].url: needed where `http.port` is 0, so that the agent finds itself"
            if report.token_file is None and self.http.token is not None:
                yield f"reports[{index}].token_file: needed where `http.token` is given: a report is another process"

    def of_gates_alone(self) -> Iterator[str]:
        """Yield what is wrong with the gates wherever evaluations come from: not from this panel, in these slices."""
        yield from self._duplicates("gates")
        scales: dict[str, Scale] = {}
        for index, gate in enumerate(self.gates):
            for metric, scale in gate.scales.items():
                if (known := scales.setdefault(metric, scale)) != scale:
                    yield f"gates[{index}].bounds: another gate says that {metric!r} has values from {known}"
            if gate.name == RESERVED_GATE:
                yield f"gates[{index}].name: {RESERVED_GATE!r} is a command of `groundwire gate`; choose another name"
            if gate.name in RECORDED:
                yield f"gates[{index}].name: {gate.name!r} is no gate in the decision log; choose another name"

    def _duplicates(self, path: str) -> Iterator[str]:
        names = [item.metric.name if path == "scorers" else item.name for item in getattr(self, path)]
        yield from (f"{path}[{i}]: duplicate name {name!r}" for i, name in enumerate(names) if name in names[:i])

    def _unknown_names(self) -> Iterator[str]:
        metrics = {metric.name: metric for metric in self.metrics}
        for index, gate in enumerate(self.gates):
            for key, problem in gate.problems(metrics, frozenset(self.dimensions)):
                yield f"gates[{index}].{key}: {problem}"
        for key, chosen, known in (
            ("metrics", self.exposition.metrics or (), metrics),
            ("distributions", self.exposition.distributions, (*metrics, *TRAFFIC)),
        ):
            for index, name in enumerate(() if chosen == ALL else chosen):
                if name not in known:
                    yield f"exposition.{key}[{index}]: no metric {name!r} in the panel{suggestion(name, tuple(known))}"
        named = [(f"changes.scope[{index}]", name) for index, name in enumerate(self.changes.scope or ())]
        for index, rule in enumerate(self.sampling.rules):
            named += ((f"sampling.rules[{index}].when.{name}", name) for name in rule.when)
        yield from (
            f"{path}: no slice dimension {name!r}{suggestion(name, self.dimensions)}"
            for path, name in named
            if name not in self.dimensions
        )
        for index, scorer in enumerate(self.scorers):
            if "catalog" in scorer.uses and self.catalog is None:
                yield f"catalog: required by scorers[{index}] ({scorer.metric.name})"
            if "embedder" in scorer.uses and (self.catalog is None or self.catalog.embeddings is None):
                yield f"catalog.embeddings: required by scorers[{index}] ({scorer.metric.name})"

    def _external_problems(self) -> Iterator[str]:
        ranges = {each.metric.name: each.bounds for each in self.external}
        for index, declared in enumerate(self.external):
            yield from declared.problems(f"external[{index}]")
        yield from clashes(self.external)
        for index, gate in enumerate(self.gates):
            stated = getattr(gate, "bounds", None)
            metric = getattr(gate, "metric", "")
            if stated is not None and tuple(stated) != ranges.get(metric, tuple(stated)):
                yield f"gates[{index}].bounds: external says that {metric!r} has other bounds; leave these out"

    def _link_problems(self) -> Iterator[str]:
        metrics, gates = [metric.name for metric in self.panel], self.decided
        for index, target in enumerate(self.write_back):
            where = f"write_back[{index}]"
            yield from target.problems(where)
            yield from target.mismatches(where, metrics, self.dimensions)
        for index, notifier in enumerate(self.notify):
            where = f"notify[{index}]"
            yield from notifier.problems(where)
            yield from notifier.mismatches(where, gates, self.names)
        acting = [f"notify[{index}]" for index, notifier in enumerate(self.notify) if notifier.acts]
        for where in acting[1:]:
            yield f"{where}.rollback: {acting[0]} has one already; two would count and cool down separately"


def _bounded(gate: Any, ranges: Mapping[str, Any]) -> Any:
    """Return a gate as it stands in the file, with the range of its metric where that is declared and not stated."""
    metric = gate.get("metric") if isinstance(gate, dict) else None
    if not isinstance(metric, str) or metric not in ranges or gate.get("bounds") is not None:
        return gate
    return gate | {"bounds": ranges[metric]}
