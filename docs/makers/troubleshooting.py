"""The page on troubleshooting: what the doctor finds, how it comes to be, and what mends it."""

from __future__ import annotations

from collector.commands.doctor import RULES
from collector.commands.doctor.base import DoctorRule

_INTRODUCTION = """# Troubleshooting

Ask the agent first:

```sh
groundwire doctor                                        # what is wrong, where, and what to do
groundwire doctor --exporter http://agent:4318           # also whether the application's exporter can reach it
groundwire doctor --prometheus http://prometheus:9090    # also whether a board can have data
```

Run it where the application runs, with the application's environment: it then reads where the exporter sends from
`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_PROTOCOL` and `OTEL_EXPORTER_OTLP_HEADERS`, and sends an empty
request there. It changes nothing. The exit code is 0 if nothing is wrong, 1 for an error, 3 for warnings only, and 2 if
it could not look. `--json` prints the findings for programs.

This page lists all that it finds, in the order of the way of an answer: what is wrong first may explain what is wrong
later. It is generated from the rules by `make docs`. For alerts see the [runbook](runbook.md).
"""
_STAGES = {
    "reach": "The agent cannot be asked",
    "arrive": "Nothing arrives",
    "score": "Nothing is scored",
    "judge": "Nothing is judged",
    "board": "The board is empty, or another tool hears nothing",
}


def troubleshooting_page() -> str:
    """Return the page as Markdown: a section a stage, a heading a rule."""
    lines = [_INTRODUCTION]
    for stage, title in _STAGES.items():
        lines += [f"## {title}", ""]
        for rule in RULES:
            if rule.stage == stage:
                lines += _section(rule)
    return "\n".join(lines).rstrip() + "\n"


def _section(rule: DoctorRule) -> list[str]:
    return [f"### {rule.title}", "", f"`{rule.name}`, {rule.severity}. {rule.about}", "", rule.step, ""]
