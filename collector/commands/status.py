"""`groundwire status`: one screen of a running agent: is it ready, does traffic come, what do the gates say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from collector.api.running import AgentBody
from collector.clock import ago, parsed_time
from collector.commands.asking import AgentRefused, AskedAgent, part_of, rows_of
from collector.commands.decisions import decision_row
from collector.commands.objects import object_line
from collector.commands.screen import Terminal
from collector.security.text import one_line
from gates.base.verdict import CODES
from gates.inputs.slices import NONE
from gates.verdicts.summary import counted as counted_as
from telemetry.registry import samples

NEWEST = 3
"""Decisions that are shown."""
LOOKED_AT, FEW = 20, 5
"""Newest answers that are looked through for what they lack, and with how many nothing is said of slices."""
WHY = 400
"""Characters of a reason."""
EXIT_READY, EXIT_NOT_READY = 0, 1
LINKS = {
    "source": ("/v1/sources", "sources"),
    "write-back": ("/v1/write-back", "write_back"),
    "notifier": ("/v1/notify", "notify"),
}
"""Where the agent says how what it asks and tells goes, by the word for one of these."""
OPEN = (
    "this agent asks for no token, so whoever reaches it reads its answers; set `http.token_file` in its configuration "
    "or leave --token-file out"
)


@dataclass(frozen=True, slots=True)
class Counted:
    """Figures of `/metrics`, by name."""

    series: Mapping[str, Sequence[tuple[Mapping[str, str], float]]]

    @classmethod
    def of(cls, agent: AskedAgent) -> Counted:
        """Ask for them. Raises `ConfigError`."""
        try:
            return cls(samples(agent.text("/metrics")))
        except ValueError as error:
            raise agent.unlike() from error

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of the series with these labels; 0 where there are none.

        >>> Counted({"a": [({"code": "200"}, 2.0), ({"code": "400"}, 1.0)]}).total("a", code="200")
        2.0
        """
        return sum(value for _, value in self.each(name, **labels))

    def each(self, name: str, **labels: str) -> Iterator[tuple[Mapping[str, str], float]]:
        """Yield the series with these labels."""
        for known, value in self.series.get(name, ()):
            if labels.items() <= known.items():
                yield known, value


def ready(agent: AskedAgent) -> dict[str, Any]:
    """Return what the agent says of its readiness, which it also says with 503. Raises `ConfigError`."""
    return agent.get("/readyz", also=503)


def status(agent: AskedAgent, *, as_json: bool, screen: Terminal) -> int:
    """Print how an agent is doing; return 0 if it is ready for traffic, else 1. Raises `ConfigError`."""
    readiness = ready(agent)
    if not readiness.get("ready"):
        return _not_ready(agent, readiness, as_json=as_json, screen=screen)
    try:
        about = AgentBody.model_validate(agent.get("/v1/agent"))
    except ValidationError as error:
        raise agent.unlike() from error
    gates = urgent(rows_of(agent.get("/v1/gates"), "gates"))
    decisions = rows_of(agent.get("/v1/decisions", {"order": "newest", "limit": NEWEST}), "decisions")
    newest = rows_of(agent.get("/v1/answers", {"limit": LOOKED_AT}), "answers")
    counted = Counted.of(agent)
    warnings = [*map(str, readiness.get("warnings") or ()), *([OPEN] if _open(agent) else ())]
    warnings += [*_refused(agent, about), *_failing(agent)]
    if as_json:
        body = {
            "ready": True,
            "warnings": warnings,
            "agent": about.model_dump(mode="json"),
            "traffic": _figures(counted),
            "last_answer_at": newest[0].get("arrived_at") if newest else None,
            "gates": gates,
            "decisions": decisions,
        }
        screen.out.write(object_line(body))
        return EXIT_READY
    now = parsed_time(about.at)
    up = ago(parsed_time(about.started_at), now).removesuffix(" ago")
    screen.sentence(f"ready  groundwire {one_line(about.version)} at {agent.url}, up {up}", state=(0, "ready"))
    for warning in warnings:
        screen.sentence(f"warning  {one_line(warning)}", state=(0, "warning"))
    screen.line()
    for text in traffic(counted, parsed_time(newest[0].get("arrived_at")) if newest else None, now):
        screen.sentence(text)
    for text in _lacking(newest, about):
        screen.sentence(text)
    screen.line()
    _gates(gates, screen)
    if decisions:
        screen.line()
        screen.table(
            ("decision", "when", "gate", "slice", "state", "why"),
            [decision_row(row, now) for row in decisions],
            states=4,
            right={0},
        )
    return EXIT_READY


def _open(agent: AskedAgent) -> bool:
    """Return whether a token was given to an agent that asks for none."""
    if agent.token_file is None:
        return False
    try:
        replace(agent, token_file=None).get("/v1/agent")
    except AgentRefused:
        return False
    return True


def _refused(agent: AskedAgent, about: AgentBody) -> Iterator[str]:
    """Yield that the catalog as it is now was refused, if it was, and why: scores rest on an older one meanwhile."""
    refused = [] if about.catalog is None else agent.get("/v1/catalog").get("refused") or []
    if isinstance(refused, list) and refused:
        more = f" (and {len(refused) - 1:,} more)" if len(refused) > 1 else ""
        yield f"the catalog was refused, an older one stays in force: {refused[0]}{more}"


def _failing(agent: AskedAgent) -> Iterator[str]:
    """Yield which links to other systems fail, and why."""
    for word, (path, name) in LINKS.items():
        for row in rows_of(agent.get(path), name):
            if row.get("state") == "failing":
                yield f"{word} {row.get('name')} fails: {row.get('last_error')}"


def urgent(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return verdicts with those that fail first, then those that are open."""
    order = [state for state, _ in sorted(CODES.items(), key=lambda item: item[1])]
    return sorted(rows, key=lambda row: order.index(row["state"]) if row.get("state") in order else len(order))


def _not_ready(agent: AskedAgent, readiness: Mapping[str, Any], *, as_json: bool, screen: Terminal) -> int:
    if as_json:
        screen.out.write(object_line(readiness))
        return EXIT_NOT_READY
    screen.sentence(f"not ready  {agent.url}", state=(0, "not ready"))
    for reason in readiness.get("reasons") or ():
        screen.sentence(f"  {one_line(str(reason))}")
    return EXIT_NOT_READY


def _figures(counted: Counted) -> dict[str, int]:
    return {
        "spans": int(counted.total("groundwire_receive_spans_total") + counted.total("groundwire_source_spans_total")),
        # Not the traces that gave one: a trace is read again when more of it comes.
        "answers": int(counted.total("rag_answers_total")),
        "answers_read": int(counted.total("groundwire_source_answers_total")),
        "traces_without_answer": int(counted.total("groundwire_traces_total", outcome="not_an_answer")),
        "malformed_traces": int(counted.total("groundwire_traces_total", outcome="malformed")),
        "unread_spans": int(counted.total("groundwire_unread_spans_total")),
        "unread_records": int(counted.total("groundwire_source_malformed_total")),
        "waiting": int(sum(counted.total("groundwire_pending", stage=stage) for stage in ("close", "adapt", "score"))),
        "step_errors": int(counted.total("groundwire_step_errors_total")),
    }


def traffic(counted: Counted, newest: datetime | None, now: datetime | None) -> Iterator[str]:
    """Yield what has come since the start, what waits, and what could not be read; ``newest`` answer's arrival or none.

    >>> next(traffic(Counted({"rag_answers_total": [({}, 2.0)]}), None, None))
    'traffic  0 spans, 2 answers since the start, none yet'
    """
    figures = _figures(counted)
    last = "none yet" if newest is None else f"the last {ago(newest, now)}"
    read = f", {figures['answers_read']:,} of them read whole from sources" if figures["answers_read"] else ""
    came = f"{counted_as(figures['spans'], 'span')}, {counted_as(figures['answers'])}"
    yield f"traffic  {came}{read} since the start, {last}"
    yield f"work     {figures['waiting']:,} waiting, {figures['step_errors']:,} failures of steps"
    if newest is None and figures["waiting"]:
        yield "         the first answers are on the way: a trace is read once nothing more of it comes"
    if figures["unread_spans"]:
        yield f"unread   {figures['unread_spans']:,} spans that no dialect reads: `groundwire doctor` names them"
    if figures["malformed_traces"]:
        yield f"unread   {figures['malformed_traces']:,} traces that could not be read: `groundwire doctor` says why"
    if figures["unread_records"]:
        yield f"unread   {figures['unread_records']:,} records of sources: `groundwire doctor` names the newest"
    if newest is None and not figures["spans"] and not figures["answers"]:
        yield "         nothing has arrived: `groundwire doctor` looks for the reason"


def _lacking(newest: Sequence[Mapping[str, Any]], about: AgentBody) -> Iterator[str]:
    """Yield what the newest answers lack, though they arrive."""
    bare = sum(not str(part_of(row, "answer").get("answer") or "").strip() for row in newest)
    if bare:
        yield f"answers  {bare} of the newest {len(newest)} have no text: `groundwire doctor` says what to look at"
    for name in about.dimensions if len(newest) >= FEW else ():
        if all(part_of(row, "slice").get(name) == NONE for row in newest):
            yield f"slices   none of the newest {len(newest)} answers reports {name}: see `groundwire doctor`"


def _gates(gates: Sequence[Mapping[str, Any]], screen: Terminal) -> None:
    if not gates:
        screen.sentence("no gates are configured: nothing is judged; `groundwire init` writes some for your traffic")
        return
    rows = [
        (one_line(str(row.get("gate"))), str(row.get("state")), one_line(str(row.get("reason")), WHY)) for row in gates
    ]
    screen.table(("gate", "state", "why"), rows, states=1)
