"""What the doctor prints, and the exit code that says how bad it is."""

from __future__ import annotations

from collections.abc import Sequence

from collector.commands.doctor.base import Diagnosed
from collector.commands.doctor.facts import AgentFacts
from collector.commands.objects import object_line
from collector.commands.screen import Terminal, paragraph
from collector.security.text import one_line

EXIT_OK, EXIT_ERROR, EXIT_WARNING = 0, 1, 3
LONGEST = 1_000
MOST = 3
"""Occurrences of one fault that are shown."""


def report(facts: AgentFacts, found: Sequence[Diagnosed], *, as_json: bool, screen: Terminal) -> int:
    """Print findings; return 0 if there is no more than a note, 1 for an error, 3 for a warning."""
    if as_json:
        screen.out.write(object_line({"url": facts.url, "findings": [_body(each) for each in found]}))
    else:
        _text(facts, found, screen)
    severities = {each.rule.severity for each in found}
    return EXIT_ERROR if "error" in severities else EXIT_WARNING if "warning" in severities else EXIT_OK


def _body(finding: Diagnosed) -> dict[str, str]:
    rule, seen = finding.rule, finding.seen
    return {
        "rule": rule.name,
        "stage": rule.stage,
        "severity": rule.severity,
        "title": rule.title,
        "where": seen.where,
        "what": seen.what,
        "step": rule.step,
    }


def _text(facts: AgentFacts, found: Sequence[Diagnosed], screen: Terminal) -> None:
    by_rule: dict[str, list[Diagnosed]] = {}
    for each in found:
        by_rule.setdefault(each.rule.name, []).append(each)
    for findings in by_rule.values():
        rule = findings[0].rule
        screen.sentence(f"{rule.severity}  {rule.title}  [{rule.name}]", state=(0, rule.severity))
        for each in findings[:MOST]:
            _wrapped("  where  ", f"{each.seen.where}: {each.seen.what}", screen)
        if len(findings) > MOST:
            screen.line(f"         and at {len(findings) - MOST} more places")
        _wrapped("  do     ", rule.step, screen)
        screen.line()
    if not by_rule:
        screen.sentence(f"nothing is wrong with the agent at {facts.url}, as far as can be seen from here")
    if facts.exporter is None and facts.reach == "reached":
        _wrapped(
            "",
            "To look at the way to the agent as well, give --exporter ADDRESS, or the environment of the application.",
            screen,
        )


def _wrapped(head: str, text: str, screen: Terminal) -> None:
    screen.out.writelines(paragraph(head, one_line(text, LONGEST), screen.prose))
