"""The pages of a gate and of one of its slices, and the timeline that they draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from collector.api.bodies import encoded
from collector.api.exchange import problems_of
from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import link, named
from collector.api.pages.tables import TableFormat, csv_response
from collector.api.parameters import Parameters, SliceParameters, Text
from collector.api.queries import Patience
from collector.api.timeline import (
    WINDOWS,
    TimelineBody,
    TimelineParameters,
    TimelineWindow,
    as_csv,
    judged_metric,
    timeline,
)
from collector.judging.trial import Trials
from collector.judging.verdicts import verdict_body
from collector.security.text import one_line
from collector.store.rows import Decision
from collector.store.store import Store
from gates.base.gate import Gate
from scorers.text.yamltext import YamlError, load_yaml

WORST_ROWS = 5_000
"""The newest evaluations among which the worst answers are looked for; each is a page of disk."""
WORST = 10
SLICE_COLUMNS = ("state", "estimate", "lower", "upper", "n", "effective_n", "reason")
"""What a table of a gate's slices has of each."""
TRIAL_SECONDS = 0.1
"""After this a page says how far a trial is, and the browser asks for the rest by itself."""
NEWEST = 20
"""Decisions that are shown, and of one slice looked for among ten times as many."""


class GatePageParameters(SliceParameters):
    """Which gate is shown; of a slice, which."""

    gate: str = Field(description="Name of the gate.")
    window: TimelineWindow = Field(default="all", description="How far back the timeline goes.")
    format: TableFormat = Field(default="page", description="A page; of a gate also its slices as CSV.")
    slice: Mapping[str, Text] = Field(default_factory=dict, description="The {name} of the slice.")


class TrialParameters(Parameters):
    """Which gate is tried with which settings."""

    gate: str = Field(description="Name of the gate.")
    settings: Annotated[str, Field(min_length=1, max_length=4_000)] | None = Field(
        default=None,
        description="Options of the gate as YAML; its name and type stay.",
        examples=["window: 1h"],
    )
    run: Literal["yes", "no"] = Field(
        default="no", description="Whether it is tried at once; else the page asks for that when it is loaded."
    )


@dataclass(frozen=True)
class GatePages(PageFrame):
    """Handlers of the pages about gates."""

    trials: Trials = field(default_factory=Trials)

    @Operation("/gates/{gate}", {200: ("The page.", HTML), 400: WRONG, 404: "No such gate."}, access="page")
    async def gate_page(self, request: Request, wanted: GatePageParameters) -> Response:
        """Show one gate: its verdict, its slices, its decisions and its configuration as a page."""
        gate = self.gate(wanted.gate)
        if wanted.format == "csv":
            return csv_response(gate.name, ("slice", *SLICE_COLUMNS), self._slices(gate))

        def read(store: Store, _: Patience) -> PageContent:
            return self._about(gate) | {
                "decisions": store.decisions(gate=gate.name, newest_first=True, limit=NEWEST),
                "options": [
                    (name, _written(value), type(gate).model_fields[name].description or "")
                    for name, value in gate.model_dump(mode="json", exclude_none=True).items()
                ],
                "csv": link("/gates", gate.name, format="csv"),
                "json": link("/v1/gates", gate.name),
            }

        return await self.shown(request, "gate.html", read)

    @Operation("/slices/{gate}", {200: ("The page.", HTML), 400: WRONG, 404: "No such gate."}, access="page")
    async def slice_page(self, request: Request, wanted: GatePageParameters) -> Response:
        """Show one slice of a gate: its timeline, its evidence, and its worst answers as a page."""
        gate = self.gate(wanted.gate)

        def read(store: Store, _: Patience) -> PageContent:
            about, metric = self._about(gate), judged_metric(gate)
            known = self.metrics.get(metric)
            part = next((each for each in about["verdict"]["slices"] if each["slice"] == wanted.slice), None)
            higher = known is not None and known.better == "lower"
            worst = store.worst(metric, wanted.slice, highest=higher, rows=WORST_ROWS, limit=WORST)
            stored = store.answers_by_id([each.answer_id for each in worst])
            query = dict(wanted.slice) | {"window": wanted.window}
            return about | {
                "slice": wanted.slice,
                "part": part,
                "windows": [(each, link("/slices", gate.name, **wanted.slice, window=each)) for each in WINDOWS],
                "window": wanted.window,
                "timeline": link("/v1/gates", gate.name, "timeline", **query),
                "metric": metric,
                "worst": worst,
                "questions": {name: each.answer.question for name, each in stored.items()},
                "answers": link("/answers", metric=metric, **wanted.slice),
                "decisions": _of_slice(store, gate, wanted.slice),
            }

        return await self.shown(request, "slice.html", read)

    @Operation("/gates/{gate}/trial", {200: ("The page.", HTML), 400: WRONG, 404: "No such gate."}, access="page")
    async def trial_page(self, request: Request, wanted: TrialParameters) -> Response:
        """Show what a gate would have said with other settings, beside what it says with its own, as a page."""
        gate = self.gate(wanted.gate)
        own = yaml.safe_dump(gate.model_dump(mode="json", exclude_defaults=True), sort_keys=False)
        changed = gate if wanted.settings is None else self._changed(gate, wanted.settings)

        def read(store: Store, patience: Patience) -> PageContent:
            tried = None
            if wanted.run == "yes":
                gates = [gate] if changed == gate else [gate, changed]
                enough = partial(patience.spent, TRIAL_SECONDS)
                tried = self.trials.advanced(store, gates, now=self.serving.clock(), enough=enough)
            run = link("/gates", gate.name, "trial", settings=wanted.settings, run="yes")
            return {"gate": gate, "settings": wanted.settings or own, "trial": tried, "run": run}

        return await self.shown(request, "trial.html", read)

    def _changed(self, gate: Gate, settings: str) -> Gate:
        """Return the gate with other options. Raises `HTTPException` 400 that says what is wrong with them."""
        try:
            options = load_yaml(settings)
            if not isinstance(options, dict):
                raise HTTPException(400, "settings must be options, one a line, such as window: 1h")
            named = {str(key): value for key, value in options.items()} | {"name": gate.name, "type": gate.type}
            changed: Gate = TypeAdapter(type(gate)).validate_python(named)
        except YamlError as error:
            raise HTTPException(400, f"settings are no YAML: {one_line(error.problems[0])}") from error
        except ValidationError as error:
            raise HTTPException(400, f"settings: {problems_of(error)}") from error
        for name, problem in changed.problems(self.metrics, frozenset(self.serving.dimensions)):
            raise HTTPException(400, f"settings: {name}: {problem}")
        if changed.metrics != gate.metrics:
            raise HTTPException(400, "settings: the metric stays; configure another gate for another metric")
        return changed

    @Operation(
        "/v1/gates/{gate}/timeline",
        {200: ("Means over spans of time, the oldest first.", TimelineBody), 400: WRONG, 404: "No such gate."},
        access="page",
    )
    async def gate_timeline(self, request: Request, wanted: TimelineParameters) -> Response:
        """Tell how the metric of a gate went, in a slice or in all traffic."""
        gate, verdict = self.gate(wanted.gate), self.serving.parts.judge.verdicts.get(wanted.gate)
        store = self.serving.parts.store

        def made(patience: Patience) -> Response:
            body = timeline(store.asked(patience.over), gate, verdict, wanted, now=self.serving.clock())
            if wanted.format == "csv":
                named = {"Content-Disposition": 'attachment; filename="timeline.csv"'}
                return Response(as_csv(body), media_type="text/csv; charset=utf-8", headers=named)
            return Response(encoded(body.model_dump()), media_type="application/json")

        return await self.serving.lists.run(request, made)

    def _slices(self, gate: Gate) -> Iterator[Sequence[Any]]:
        """Yield the rows of a table of what a gate says of its slices."""
        judge = self.serving.parts.judge
        for part in verdict_body(gate.name, judge.verdicts.get(gate.name), fresh=judge.fresh, trouble=judge.trouble)[
            "slices"
        ]:
            yield (named(part["slice"]), *("" if part[name] is None else part[name] for name in SLICE_COLUMNS))

    def _about(self, gate: Gate) -> dict[str, Any]:
        judge = self.serving.parts.judge
        fresh, verdict = judge.fresh, judge.verdicts.get(gate.name)
        return {
            "gate": gate,
            "verdict": verdict_body(gate.name, verdict, fresh=fresh, trouble=judge.trouble),
            "metrics": [metric for name in sorted(gate.metrics) if (metric := self.metrics.get(name)) is not None],
        }


def _written(value: Any) -> str:
    """Return a setting as the configuration writes it.

    >>> _written(["domain"]), _written("1h"), _written(True)
    ('[domain]', '1h', 'true')
    """
    return yaml.safe_dump(value, default_flow_style=True, width=1_000).removesuffix("\n").removesuffix("\n...")


def _of_slice(store: Store, gate: Gate, slice_: Mapping[str, str]) -> list[Decision]:
    newest = store.decisions(gate=gate.name, newest_first=True, limit=10 * NEWEST)
    return [each for each in newest if each.slice in (slice_, {})][:NEWEST]
