"""The configuration: strict, with a path in every error, and a description on every option.

The reference page and the chart's schema are generated from these models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from adapters.base import ARM_KEY, SHARE_KEY
from collector.catalog.options import CatalogOptions
from collector.models.options import EntailmentOptions
from collector.notify import AnyNotifier
from collector.notify.notice import Names
from collector.pipeline.observe import ChangeOptions
from collector.pipeline.sampling import Sampling
from collector.receivers.settings import HttpListener, Listener, Receive, secret
from collector.sources import AnySource
from collector.writeback import AnyTarget
from gates import AnyGate
from gates.inputs.slices import Dimension
from gates.units.duration import Duration
from gates.units.scale import Scale
from scorers import AnyScorer, production_panel
from scorers.base import Metric
from telemetry.exposure import ALL, BY_SLICE, TRAFFIC, Exposure

RESERVED_GATE = "plan"


class Section(BaseModel):
    """Base of all sections: frozen, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Http(HttpListener):
    """Where metrics, probes and the API are served."""

    port: int = Field(default=8080, ge=0, le=65535, description="Port of metrics, probes and API; 0 picks a free one.")
    verdict_token_file: Path | None = Field(
        default=None,
        description="File of a second token that opens verdicts alone (`/v1/gates`, `/v1/flagger`): for deployment "
        "tools whose manifests show it.",
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong; a second token without a first would guard an open door."""
        yield from super().problems(where)
        if self.verdict_token_file is not None and self.token is None and self.token_file is None:
            yield f"{where}.verdict_token_file: needs {where}.token_file, for everything else"

    def verdict_token(self, where: str) -> str | None:
        """Return the token that opens verdicts alone, if there is one. Raises `ConfigError` naming the key."""
        file = self.verdict_token_file
        return None if file is None else secret(file, f"{where}.verdict_token_file")


class Traces(Section):
    """When a trace is complete, and what is taken from it."""

    idle: Duration = Field(
        default=timedelta(seconds=5), description="A trace closes this long after its last chunk, once its root ended."
    )
    timeout: Duration = Field(
        default=timedelta(seconds=60), description="A trace without a root closes, incomplete, after this much silence."
    )
    attributes: Mapping[str, str] = Field(
        default_factory=dict,
        description="Attributes that slices may be cut from: name, and the key of span metadata, span or resource.",
    )
    versions: Mapping[str, str] = Field(
        default_factory=dict,
        description="Versions of components (index, prompt, ...): name, and the key they are read from, as above.",
    )
    arm: str = Field(
        default=ARM_KEY,
        min_length=1,
        description="Key that says which side of a split of traffic answered: `candidate` (or `canary`) or `baseline` "
        "(or `stable`, `primary`, `control`).",
    )
    share: str = Field(
        default=SHARE_KEY,
        min_length=1,
        description="Key of the probability, between 0 and 1, with which a request was routed to the candidate.",
    )


class Scoring(Section):
    """How the panel of scorers runs."""

    workers: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="Worker processes for adapting and scoring; if left out one for each core that the agent may use, "
        "4 at most, and one alone where it loads a model.",
    )
    timeout: Duration = Field(
        default=timedelta(seconds=5),
        description="Time limit of one scorer on one answer, in time of the processor: waiting for it does not count.",
    )
    retries: int = Field(default=2, ge=0, le=10, description="Further attempts when a worker dies or stalls.")
    entailment: EntailmentOptions | None = Field(
        default=None, description="A model that judges claims instead of the trees, if there is one."
    )


class Judge(Section):
    """When gates are judged."""

    tick: Duration = Field(
        default=timedelta(seconds=10),
        le=timedelta(minutes=1),
        description="Time between two looks at every gate, at most `1m`: a verdict older than that is none.",
    )
    expiry: Duration = Field(
        default=timedelta(hours=1),
        description="How long after it was made a decision record may be acted upon.",
    )
    backlog: int = Field(
        default=6,
        ge=1,
        le=10_000,
        description="Ticks that answers may wait to be scored before nothing passes any more; at least `10s`.",
    )


class Expose(Section):
    """What `/metrics` holds for each slice; everything is there over all traffic."""

    by_slice: Literal["all"] | tuple[str, ...] | None = Field(
        default=None,
        description="Metrics whose mean and missing values are exposed for each slice, beside those that gates judge: "
        f"names, or `all`. If left out: {', '.join(BY_SLICE)}. Each is two series a slice and more, so that `all` is "
        "for a few slices.",
    )
    buckets_by_slice: Literal["all"] | tuple[str, ...] = Field(
        default=(),
        description="Distributions exposed for each slice: names of metrics, `answer_duration`, `answer_tokens`, or "
        "`all`. Each is a dozen series a slice.",
    )


class Retention(Section):
    """How long the store keeps what."""

    chunks: Duration = Field(default=timedelta(days=7), description="Raw spans of adapted traces.")
    answers: Duration = Field(default=timedelta(days=30), description="Answers and their evaluations.")


class Logs(Section):
    """What is written to standard error."""

    level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="Lowest level written.")
    format: Literal["json", "console"] = Field(default="json", description="One JSON object a line, or readable text.")


class Config(Section):
    """The whole configuration; every section has defaults, and an empty file is valid."""

    data: Path = Field(
        default=Path("groundwire-data"), description="Directory of the store; one agent at a time owns it."
    )
    receive: Receive = Field(default_factory=Receive, description="Where traces come in, and how much at once.")
    sources: tuple[AnySource, ...] = Field(
        default=(), description="What the agent reads by itself: files that grow, and the APIs of other tools."
    )
    http: Http = Field(default_factory=Http, description="Where metrics, probes and the API are served.")
    traces: Traces = Field(default_factory=Traces, description="When traces close, and what is taken from them.")
    sampling: Sampling = Field(default_factory=Sampling, description="Which answers are scored.")
    scoring: Scoring = Field(default_factory=Scoring, description="How scorers run.")
    scorers: tuple[AnyScorer, ...] = Field(
        default_factory=production_panel, description="The panel; all that need no gold labels if left out."
    )
    catalog: CatalogOptions | None = Field(
        default=None, description="The catalog of governing documents, if there is one."
    )
    slices: tuple[Dimension, ...] = Field(
        default=(Dimension(name="service"),), description="The dimensions that traffic is cut by, in label order."
    )
    changes: ChangeOptions = Field(
        default_factory=ChangeOptions, description="Which changes are told by the answers themselves."
    )
    gates: tuple[AnyGate, ...] = Field(default=(), description="Decisions over scores.")
    judge: Judge = Field(default_factory=Judge, description="When gates are judged.")
    write_back: tuple[AnyTarget, ...] = Field(
        default=(), description="Tools that scores and verdicts are written to, beside the answers they are about."
    )
    notify: tuple[AnyNotifier, ...] = Field(
        default=(), description="Who is told of decisions: an Alertmanager, webhooks, receivers of events."
    )
    expose: Expose = Field(default_factory=Expose, description="What metrics hold for each slice.")
    retention: Retention = Field(default_factory=Retention, description="How long the store keeps what.")
    logs: Logs = Field(default_factory=Logs, description="What is written to standard error.")
    drain: Duration = Field(default=timedelta(seconds=20), description="Bound on an orderly stop after SIGTERM.")

    @field_validator("gates")
    @classmethod
    def _within_strata(cls, gates: tuple[AnyGate, ...], given: ValidationInfo) -> tuple[AnyGate, ...]:
        """Tell gates which dimensions sampling goes by, unless they say themselves what they compare within."""
        sampling, cut = given.data.get("sampling", Sampling()), [each.name for each in given.data.get("slices", ())]
        names = dict.fromkeys(name for rule in sampling.rules for name in rule.when if name in cut)
        return tuple(cast("AnyGate", gate.stratified(tuple(names))) for gate in gates)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the panel, in order."""
        return tuple(scorer.metric for scorer in self.scorers)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the slice dimensions, in order."""
        return tuple(dimension.name for dimension in self.slices)

    @property
    def exposure(self) -> Exposure:
        """What is exposed for each slice: what was chosen, and what gates judge."""
        chosen = BY_SLICE if self.expose.by_slice is None else self.expose.by_slice
        return Exposure.of(self.gates, chosen, self.expose.buckets_by_slice)

    @property
    def listeners(self) -> dict[str, Listener]:
        """Every address listened on, by its path in the file."""
        found: dict[str, Listener] = {"http": self.http}
        if self.receive.otlp_http.enabled:
            found["receive.otlp_http"] = self.receive.otlp_http
        if self.receive.otlp_grpc.enabled:
            found["receive.otlp_grpc"] = self.receive.otlp_grpc
        return found

    def langfuse_keys(self) -> tuple[str, str] | None:
        """Return the keys that Langfuse SDKs must show, if any. Raises `ConfigError` naming the key."""
        door = self.receive.otlp_http
        return door.keys("receive.otlp_http") if door.enabled else None

    def inconsistencies(self) -> Iterator[str]:
        """Yield what no section can know of itself, each as ``path: problem``."""
        for where, listener in self.listeners.items():
            yield from listener.problems(where)
        yield from (f"{path}: {problem}" for path, problem in self._mismatches())
        if self.catalog is not None:
            yield from self.catalog.problems()
        for index, source in enumerate(self.sources):
            yield from source.problems(f"sources[{index}]")
        yield from self._link_problems()

    def of_gates_alone(self) -> Iterator[str]:
        """Yield what is wrong with the gates wherever evaluations come from: not from this panel, in these slices."""
        yield from (f"{path}: {problem}" for path, problem in self._names_of_gates())

    def _names_of_gates(self) -> Iterator[tuple[str, str]]:
        yield from _twice("gates", [gate.name for gate in self.gates])
        scales: dict[str, Scale] = {}
        for index, gate in enumerate(self.gates):
            if (known := scales.setdefault(gate.metric, gate.scale)) != gate.scale:
                yield f"gates[{index}].bounds", f"another gate says that {gate.metric!r} has values from {known}"
            if gate.name == RESERVED_GATE:
                yield f"gates[{index}].name", f"{RESERVED_GATE!r} is a command of `groundwire gate`; choose another"

    def _link_problems(self) -> Iterator[str]:
        metrics = [metric.name for metric in self.metrics]
        dimensions = [dimension.name for dimension in self.slices]
        for index, target in enumerate(self.write_back):
            where = f"write_back[{index}]"
            yield from target.problems(where)
            yield from target.mismatches(where, metrics, dimensions)

        gates = [gate.name for gate in self.gates]
        for index, notifier in enumerate(self.notify):
            where = f"notify[{index}]"
            yield from notifier.problems(where)
            yield from notifier.mismatches(where, gates, Names.of(self.slices))
        acting = [f"notify[{index}]" for index, notifier in enumerate(self.notify) if notifier.acts]
        for where in acting[1:]:
            yield f"{where}.rollback: {acting[0]} has one already; two would count and cool down by themselves"

    def _mismatches(self) -> Iterator[tuple[str, str]]:
        yield from _twice("scorers", [scorer.metric.name for scorer in self.scorers])
        yield from _twice("slices", [dimension.name for dimension in self.slices])
        yield from self._names_of_gates()
        yield from _twice("sources", [source.name for source in self.sources])
        yield from _twice("write_back", [target.name for target in self.write_back])
        yield from _twice("notify", [notifier.name for notifier in self.notify])
        metrics = {metric.name: metric for metric in self.metrics}
        dimensions = frozenset(dimension.name for dimension in self.slices)
        for index, gate in enumerate(self.gates):
            for key, problem in gate.problems(metrics, dimensions):
                yield f"gates[{index}].{key}", problem
        for key, chosen, known in (
            ("by_slice", self.expose.by_slice or (), metrics),
            ("buckets_by_slice", self.expose.buckets_by_slice, (*metrics, *TRAFFIC)),
        ):
            for index, name in enumerate(() if chosen == ALL else chosen):
                if name not in known:
                    yield f"expose.{key}[{index}]", f"no metric {name!r} in the panel"
        named = [(f"changes.scope[{index}]", name) for index, name in enumerate(self.changes.scope or ())]
        for index, rule in enumerate(self.sampling.rules):
            named += ((f"sampling.rules[{index}].when.{name}", name) for name in rule.when)
        yield from ((path, f"no slice dimension {name!r}") for path, name in named if name not in dimensions)
        for index, scorer in enumerate(self.scorers):
            if "catalog" in scorer.uses and self.catalog is None:
                yield "catalog", f"scorers[{index}] ({scorer.metric.name}) needs it"
            if "embedder" in scorer.uses and (self.catalog is None or self.catalog.embeddings is None):
                yield "catalog.embeddings", f"scorers[{index}] ({scorer.metric.name}) needs it"


def _twice(path: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield f"{path}[{index}]", f"{name!r} stands twice"
