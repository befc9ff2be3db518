"""Faults that keep gates from judging, and boards from showing anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from collector.commands.asking import part_of, rows_of
from collector.commands.doctor.arriving import behind
from collector.commands.doctor.base import DoctorRule, Sign
from collector.commands.doctor.facts import AgentFacts
from collector.commands.doctor.scoring import FEW, valueless
from collector.security.text import one_line
from gates.inputs.slices import NONE
from gates.verdicts.labelled import UNLABELLED

WHY = 200
TARGETS = 3
"""Targets of a Prometheus that are named."""


def _no_gates(facts: AgentFacts) -> Iterator[Sign]:
    if facts.about is not None and not facts.about.gates:
        yield Sign("gates", "none is configured")


def _open(facts: AgentFacts, gate: Any) -> Mapping[str, Any] | None:
    """Return the verdict of a gate if it is inconclusive."""
    return next(
        (row for row in facts.gates if row.get("gate") == gate.name and row.get("state") == "inconclusive"), None
    )


def _warming(verdict: Mapping[str, Any]) -> bool:
    parts = rows_of(verdict, "slices")
    return bool(parts) and all("warming up" in str(part.get("reason")) for part in parts)


def _reference(facts: AgentFacts) -> Iterator[Sign]:
    for gate in () if facts.about is None else facts.about.gates:
        verdict = _open(facts, gate) if gate.learns_reference else None
        if verdict is not None and (_warming(verdict) or not rows_of(verdict, "slices")):
            yield Sign(f"gate {gate.name}", _reason(verdict))


def _release(facts: AgentFacts) -> Iterator[Sign]:
    for gate in () if facts.about is None else facts.about.gates:
        verdict = _open(facts, gate) if gate.type == "release" else None
        parts = [] if verdict is None else [verdict, *rows_of(verdict, "slices")]
        if verdict is not None and all(part.get("candidate") is None for part in parts):
            yield Sign(f"gate {gate.name}", _reason(verdict))


def _labels(facts: AgentFacts) -> Iterator[Sign]:
    for gate in () if facts.about is None else facts.about.gates:
        verdict = _open(facts, gate)
        if verdict is not None and _waits_for_people(verdict):
            yield Sign(f"gate {gate.name}", _reason(verdict))


def _waits_for_people(verdict: Mapping[str, Any]) -> bool:
    return any(told in str(verdict.get("reason")) for told in UNLABELLED)


def _few(facts: AgentFacts) -> Iterator[Sign]:
    for gate in () if facts.about is None else facts.about.gates:
        verdict = _open(facts, gate)
        if verdict is None or gate.type == "release" or (gate.learns_reference and _warming(verdict)):
            continue
        if _waits_for_people(verdict) or valueless(facts).issuperset(gate.metrics) or any(behind(facts)):
            continue
        if verdict.get("no_data") and facts.evaluations and not gate.learns_reference:
            yield Sign(f"gate {gate.name}", f"no answer counts for it: {_reason(verdict)}")
        elif rows_of(verdict, "slices"):
            yield Sign(f"gate {gate.name}", _reason(verdict))


def _reason(verdict: Mapping[str, Any]) -> str:
    return one_line(str(verdict.get("reason")), WHY)


def _unsliced(facts: AgentFacts) -> Iterator[Sign]:
    if facts.about is None or len(facts.answers) < FEW:
        return
    for name in facts.about.dimensions:
        if all(part_of(row, "slice").get(name) == NONE for row in facts.answers):
            key = facts.about.attributes.get(name)
            where = f"traces.attributes.{name}: {one_line(key)}" if key else f"slices: {name}"
            yield Sign(where, f"none of the newest {len(facts.answers)} answers reports it")


def _overflow(facts: AgentFacts) -> Iterator[Sign]:
    for labels, count in facts.counted.each("groundwire_slice_overflow_total"):
        if count and facts.about is not None:
            name = labels["dimension"]
            cap = facts.about.dimensions.get(name)
            yield Sign(f"slices: {name}", f"{count:,.0f} answers went to __other__: it has room for {cap} values")


def _links(facts: AgentFacts) -> Iterator[Sign]:
    for section in ("write_back", "notify"):
        for each in facts.links.get(section, ()):
            if each.get("state") == "failing":
                yield Sign(f"{section} {one_line(str(each.get('name')))}", one_line(str(each.get("last_error"))))


def _unscraped(facts: AgentFacts) -> Iterator[Sign]:
    if facts.scraped is not None and not facts.scraped.trouble and not facts.scraped.agents:
        told = f"it has no series groundwire_build_info; the agent serves {facts.url}/metrics"
        port = urlsplit(facts.url).port
        tried = [f"; it scrapes {url}: {said}" for url, said in facts.scraped.failing if f":{port}/" in url]
        yield Sign(facts.scraped.url, told + "".join(tried[:TARGETS]))


def _no_prometheus(facts: AgentFacts) -> Iterator[Sign]:
    if facts.scraped is not None and facts.scraped.trouble:
        yield Sign(facts.scraped.url, facts.scraped.trouble)


RULES = (
    DoctorRule(
        name="no-gates",
        stage="judge",
        severity="warning",
        title="No gate is configured, so nothing is judged",
        about="Scores are exposed and stored, and nothing turns them into a verdict or an alert.",
        step="Run `groundwire init`: it watches your traffic and writes a configuration with gates.",
        look=_no_gates,
    ),
    DoctorRule(
        name="no-reference",
        stage="judge",
        severity="note",
        title="A gate has no reference yet",
        about="It compares answers with the past, and until it has seen enough of that it says nothing.",
        step="Wait for what the reason says, shorten `min_reference_time` and `min_reference`, or state what is "
        "expected with `baseline`. A threshold gate judges from the first answers.",
        look=_reference,
    ),
    DoctorRule(
        name="no-release",
        stage="judge",
        severity="note",
        title="A gate knows of no release to judge",
        about="It compares a candidate with what runs; nothing was announced, and answers report no versions.",
        step="Announce it: `groundwire change deploy --version VERSION`, or let the application report "
        "`service.version`.",
        look=_release,
    ),
    DoctorRule(
        name="labels-missing",
        stage="judge",
        severity="note",
        title="A gate has too few labels to tell",
        about="It judges by what people say of the answers that were drawn for them, and scores only help.",
        step="Ask people to label the answers that were drawn, and send the labels with `groundwire label`; or correct "
        "`label_probability`.",
        look=_labels,
    ),
    DoctorRule(
        name="too-few-answers",
        stage="judge",
        severity="note",
        title="A gate has too few answers to tell",
        about="A gate passes or fails on a confidence bound; with few answers in its window both are possible.",
        step="Lengthen its `window`, judge fewer slices (`by`), or raise `sampling.probability`; "
        "`groundwire gate plan` says how many answers it needs.",
        look=_few,
    ),
    DoctorRule(
        name="slice-absent",
        stage="judge",
        severity="warning",
        title="A slice dimension has no value",
        about="The key that is named is in no span, so all answers are in one slice, `__none__`.",
        step="Name the key of your spans under `traces.attributes`; `groundwire init` lists the keys it finds.",
        look=_unsliced,
    ),
    DoctorRule(
        name="slice-overflow",
        stage="judge",
        severity="warning",
        title="A slice dimension has more values than it admits",
        about="Further values share the slice `__other__`, and a fall in one of them is hard to see there.",
        step="Raise its `cap`, list the `values` that matter, or cut by a coarser attribute.",
        look=_overflow,
    ),
    DoctorRule(
        name="link-failing",
        stage="board",
        severity="warning",
        title="Scores or decisions do not reach another tool",
        about="The target of a write-back or a notifier is away or refuses what is sent; it is kept and sent again.",
        step="Mend what the error says: address, key, or the tool itself.",
        look=_links,
    ),
    DoctorRule(
        name="not-scraped",
        stage="board",
        severity="error",
        title="Prometheus does not scrape the agent, so boards are empty",
        about="No job names the agent's address, the scrape fails, or it has no token.",
        step="Add a job with the agent's address to `scrape_configs`, with `authorization.credentials_file` if "
        "`http.token_file` is set; the page Targets of Prometheus says why a scrape fails.",
        look=_unscraped,
    ),
    DoctorRule(
        name="no-prometheus",
        stage="board",
        severity="error",
        title="Prometheus cannot be asked",
        about="The address that was given with `--prometheus` is not that of a Prometheus.",
        step="Give the address that Grafana has as its data source.",
        look=_no_prometheus,
    ),
)
