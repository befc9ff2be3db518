"""What `groundwire check` checks: everything a configuration names that can be checked without starting anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from collector.catalog import checking
from collector.configuration import models
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.evaluating import checking as scheduled
from collector.outbound import links
from collector.store.inspection import inspected
from gates.verdicts.summary import counted

WARNING = "warning: "
"""What a finding begins with that is in order, and yet may not be what was meant."""


def check(config: Config) -> list[str]:
    """Return what is in order, a line each. Raises `ConfigError` for what is not."""
    return list(_findings(config))


def as_report(load: Callable[[], Config]) -> dict[str, Any]:
    """Return what is in order of the configuration that ``load`` gives, or what is not, for programs.

    >>> as_report(lambda: Config(gates=[]))["ok"]
    True
    """
    try:
        findings = check(load())
    except ConfigError as error:
        return {"ok": False, "problems": list(error.problems), "warnings": [], "findings": []}
    warnings = [each.removeprefix(WARNING) for each in findings if each.startswith(WARNING)]
    return {
        "ok": True,
        "problems": [],
        "warnings": warnings,
        "findings": [each for each in findings if not each.startswith(WARNING)],
    }


def _findings(config: Config) -> Iterator[str]:
    yield f"configuration: ok, {counted(len(config.scorers), 'scorer')}, {counted(len(config.gates), 'gate')}"
    accepted = {gate.name: gate.accepted_alarms for gate in config.gates if gate.accepted_alarms is not None}
    if accepted:
        those = "1 gate accepts" if len(accepted) == 1 else f"{len(accepted)} gates accept together"
        shares = ", ".join(f"{name} {alarms:g}" for name, alarms in accepted.items())
        budget = config.judge.alarms_per_week
        of = "" if budget is None else f" of {budget:g} allowed by judge.alarms_per_week"
        yield f"false alarms: {those} {sum(accepted.values()):g} per week{of}: {shares}"
    for where, listener in config.listeners.items():
        listener.bearer(where)
        listener.key_pair(where)
    config.http.verdict_token("http")
    config.langfuse_keys()
    if config.catalog is not None:
        yield from checking.check(config.catalog)
    if config.scoring.entailment is not None:
        yield from models.check(config.scoring.entailment)
    yield from inspected(config.data)
    yield from links.check("sources", config.sources)
    yield from links.check("write_back", config.write_back)
    yield from links.check("notify", config.notify)
    yield from scheduled.check("evaluations", config.evaluations)
    yield from scheduled.check("reports", config.reports)
