"""Faults that keep what the agent reads from sources from being taken in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeGuard

from collector.commands.asking import rows_of
from collector.commands.doctor.base import DoctorRule, Sign
from collector.commands.doctor.facts import AgentFacts
from collector.security.text import one_line


def _sources(facts: AgentFacts) -> Iterator[Sign]:
    for each in facts.links.get("sources", ()):
        if each.get("state") == "failing":
            yield Sign(f"source {one_line(str(each.get('name')))}", one_line(str(each.get("last_error"))))


def _unlike(facts: AgentFacts) -> Iterator[Sign]:
    yield from _bad_records(filter(all_malformed, facts.links.get("sources", ())))


def _records(facts: AgentFacts) -> Iterator[Sign]:
    yield from _bad_records(each for each in facts.links.get("sources", ()) if not all_malformed(each))


def all_malformed(source: Mapping[str, Any]) -> bool:
    """Tell whether a source gave records and not one that could be read."""
    return bool(source.get("malformed")) and not any(source.get(kind) for kind in ("spans", "answers", "scores"))


def _bad_records(sources: Iterable[Mapping[str, Any]]) -> Iterator[Sign]:
    for each in sources:
        for bad in rows_of(each, "last_malformed")[:1]:
            place = f"source {one_line(str(each.get('name')))}, {one_line(str(bad.get('place')))}"
            count = each.get("malformed")
            many = f"the newest of {count:,} records that could not be read" if _many(count) else "could not be read"
            yield Sign(place, f"{many}: {one_line(str(bad.get('reason')))}")


def _many(count: object) -> TypeGuard[int]:
    return isinstance(count, int) and count > 1


RULES = (
    DoctorRule(
        name="source-failing",
        stage="arrive",
        severity="error",
        title="A source cannot be read",
        about="The server is away, refuses the key, or a file is not there.",
        step="Mend what the error says; the agent asks again by itself and goes on where it was.",
        look=_sources,
    ),
    DoctorRule(
        name="source-unread",
        stage="arrive",
        severity="error",
        title="No record of a source could be read",
        about="They are of another format, or have other keys: lines of answers have `question`, `answer` and "
        "`passages`.",
        step="Look at the record at the place that is named, and rename its keys or convert the file; `groundwire "
        "adapt FILE` says what can be read.",
        look=_unlike,
    ),
    DoctorRule(
        name="source-records",
        stage="arrive",
        severity="warning",
        title="Records of a source could not be read",
        about="They are of another format than their file, or were cut short.",
        step="Look at the record at the place that is named; `groundwire adapt FILE` names every one.",
        look=_records,
    ),
)
