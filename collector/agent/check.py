"""What `groundwire check` checks: everything a configuration names that can be checked without starting anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from collector.catalog import checking
from collector.configuration import models
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.evaluating import checking as scheduled
from collector.outbound import links
from collector.store.inspection import inspected
from gates.units.duration import format_duration
from gates.verdicts.summary import counted

WARNING = "warning: "
"""What a finding begins with that is in order, and yet may not be what was meant."""


def check(config: Config, *, source: str = "") -> list[str]:
    """Return what is in order, a line each; ``source`` says where the configuration is from.

    Raises `ConfigError` for what is not in order.
    """
    return list(_findings(config, source))


def unwise(config: Config) -> Iterator[str]:
    """Yield what is in order, and yet may not be what was meant: also said when the agent starts.

    >>> from collector.configuration.file import load
    >>> gate = "{type: threshold, name: g, metric: claim_support, at_least: 0.9, window: 7d}"
    >>> [told.partition(":")[0] for told in unwise(load(f"{{gates: [{gate}], retention: {{answers: 1d}}}}", where="x"))]
    ['retention.answers']
    """
    kept = config.retention.answers
    for gate in config.gates:
        window = getattr(gate, "window", None)
        if isinstance(window, timedelta) and kept < window:
            yield (
                f"retention.answers: {format_duration(kept)} is shorter than the window of gate {gate.name} "
                f"({format_duration(window)}): its worst answers are gone before its verdict is, and after a change of "
                "the gate it has only what is kept"
            )


def as_report(load: Callable[[], Config], *, source: str = "") -> dict[str, Any]:
    """Return what is in order of the configuration that ``load`` gives, or what is not, for programs.

    >>> as_report(lambda: Config(gates=[]))["ok"]
    True
    """
    try:
        findings = check(load(), source=source)
    except ConfigError as error:
        return {"ok": False, "problems": list(error.problems), "warnings": [], "findings": []}
    warnings = [each.removeprefix(WARNING) for each in findings if each.startswith(WARNING)]
    return {
        "ok": True,
        "problems": [],
        "warnings": warnings,
        "findings": [each for each in findings if not each.startswith(WARNING)],
    }


def _findings(config: Config, source: str) -> Iterator[str]:
    of = f"{source}, " if source else ""
    yield f"configuration: ok, {of}{counted(len(config.scorers), 'scorer')}, {counted(len(config.gates), 'gate')}"
    accepted = {gate.name: gate.accepted_alarms for gate in config.gates if gate.accepted_alarms is not None}
    if accepted:
        those = "1 gate accepts" if len(accepted) == 1 else f"{len(accepted)} gates accept together"
        shares = ", ".join(f"{name} {alarms:g}" for name, alarms in accepted.items())
        budget = config.judge.alarms_per_week
        of = "" if budget is None else f" of {budget:g} allowed by judge.alarms_per_week"
        yield f"false alarms: {those} {sum(accepted.values()):g} per week{of}: {shares}"
    yield from (f"{WARNING}{each}" for each in unwise(config))
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
