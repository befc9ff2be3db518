"""Faults that keep traces from being taken in, or from being read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta

from collector.clock import ago, parsed_time
from collector.commands.asking import part_of, rows_of
from collector.commands.doctor.base import DoctorRule, Sign
from collector.commands.doctor.facts import LATELY, AgentFacts
from collector.commands.doctor.pulling import all_malformed
from collector.commands.doctor.sending import receivers
from collector.security.text import one_line

SILENCE = timedelta(minutes=30)
RECENT = timedelta(hours=1)
"""How long a request that was refused is a fault: some applications send seldom."""
FEW = 10
"""Traces without an answer below which nothing is said of them: an application is asked for its health as well."""
SKEW = timedelta(seconds=60)
WHY = 300
"""Characters of a reason."""
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
ENOUGH = 5
"""Answers of a service that all came late before its clock is doubted."""
ZONES = 14
"""Hours that no time zone is further from UTC."""
NEAR_HOUR = timedelta(minutes=2)
"""How close to a whole hour a difference is that is more likely a time zone than a clock."""


def _nothing(facts: AgentFacts) -> Iterator[Sign]:
    if facts.about is not None and facts.silent and not any(map(all_malformed, facts.links.get("sources", ()))):
        yield Sign(receivers(facts) or "no receiver is enabled", "no span has come in since the start of the agent")


def _refused(facts: AgentFacts, codes: AbstractSet[str], within: timedelta, what: str) -> Iterator[Sign]:
    """Yield the receivers that answered requests with one of these codes lately: what is over is no fault."""
    for labels, count in facts.counted.each("groundwire_receive_requests_total"):
        if count and labels["code"] in codes and facts.lately("groundwire_receive_refused", within, labels):
            yield Sign(f"receiver {labels['protocol']}", f"{_requests(count)} {what} ({labels['code']})")


def _unreadable(facts: AgentFacts) -> Iterator[Sign]:
    yield from _refused(facts, {"400", "415", "INVALID_ARGUMENT"}, RECENT, "no OTLP and refused")


def _unauthenticated(facts: AgentFacts) -> Iterator[Sign]:
    yield from _refused(facts, {"401", "UNAUTHENTICATED"}, RECENT, "refused: the token is missing or wrong")


def _elsewhere(facts: AgentFacts) -> Iterator[Sign]:
    yield from _refused(facts, {"404"}, RECENT, "sent to a path without a receiver")


def _requests(count: float) -> str:
    """Return so many requests, as the subject of what became of them.

    >>> _requests(1), _requests(1200)
    ('1 request was', '1,200 requests were')
    """
    return "1 request was" if count == 1 else f"{count:,.0f} requests were"


def _full(facts: AgentFacts) -> Iterator[Sign]:
    codes = {"429", "503", "RESOURCE_EXHAUSTED", "UNAVAILABLE"}
    yield from _refused(facts, codes, LATELY, "told to come again")


def _large(facts: AgentFacts) -> Iterator[Sign]:
    yield from _refused(facts, {"413"}, RECENT, "larger than is taken")


def _rejected(facts: AgentFacts) -> Iterator[Sign]:
    for labels, count in facts.counted.each("groundwire_receive_rejected_spans_total"):
        if count:
            yield Sign(f"receiver {labels['protocol']}", f"{count:,.0f} spans were rejected: {labels['reason']}")


def _unread(facts: AgentFacts) -> Iterator[Sign]:
    for each in rows_of(facts.unread, "scopes"):
        yield Sign(f"scope {one_line(str(each.get('scope')))}", f"{each.get('spans'):,} spans of a model or a search")


def _malformed(facts: AgentFacts) -> Iterator[Sign]:
    count = facts.counted.total("groundwire_traces_total", outcome="malformed")
    read = facts.counted.total("groundwire_traces_total")
    if count:
        newest = rows_of(facts.malformed, "traces")[:1]
        why = "".join(
            f"; the newest, {each.get('trace_id')}: {one_line(str(each.get('reason')), WHY)}" for each in newest
        )
        yield Sign("traces", f"{count:,.0f} of {read:,.0f} traces could not be read{why}")


def _no_answers(facts: AgentFacts) -> Iterator[Sign]:
    made = facts.counted.total("groundwire_traces_total", outcome="answer")
    other = facts.counted.total("groundwire_traces_total", outcome="not_an_answer")
    if other and not made:
        yield Sign("traces", f"{other:,.0f} traces were read, and none of them holds an answer")


def _partly(facts: AgentFacts) -> Iterator[Sign]:
    made = facts.counted.total("groundwire_traces_total", outcome="answer")
    other = facts.counted.total("groundwire_traces_total", outcome="not_an_answer")
    if made and other >= max(FEW, made):
        yield Sign("traces", f"{other:,.0f} traces hold no answer, {made:,.0f} hold one")


def _silent(facts: AgentFacts) -> Iterator[Sign]:
    last = parsed_time(facts.answers[0].get("arrived_at")) if facts.answers else None
    if last is not None and facts.now is not None and facts.now - last > SILENCE:
        yield Sign("answers", f"the last one came {ago(last, facts.now)}")


def _agent_clock(facts: AgentFacts) -> Iterator[Sign]:
    if facts.skew is not None and abs(facts.skew) > SKEW.total_seconds():
        way = "ahead of" if facts.skew > 0 else "behind"
        yield Sign(facts.url, f"the clock of the agent is {abs(facts.skew):,.0f} s {way} the one here")


def _span_clock(facts: AgentFacts) -> Iterator[Sign]:
    ahead: dict[str, timedelta] = {}
    for row in facts.answers:
        answer, came = part_of(row, "answer"), parsed_time(row.get("arrived_at"))
        began = parsed_time(answer.get("started_at"))
        if came is not None and began is not None and began - came > SKEW:
            service = one_line(str(answer.get("service") or "unknown service"))
            ahead[service] = max(ahead.get(service, SKEW), began - came)
    for service, most in ahead.items():
        told = f"its answers begin up to {most.total_seconds():,.0f} s after they arrive"
        yield Sign(f"service {service}", told + _as_local_time(most))


def behind(facts: AgentFacts) -> Iterator[Sign]:
    """Yield the services whose answers all end long before they arrive: a clock that is behind, or a wait on the way.

    What a source reads may be history, and says nothing of clocks.
    """
    if not facts.counted.total("groundwire_receive_spans_total"):
        return
    late: dict[str, list[timedelta]] = {}
    for row in facts.answers:
        answer, came = part_of(row, "answer"), parsed_time(row.get("arrived_at"))
        ended = parsed_time(answer.get("ended_at"))
        if came is not None and ended is not None and ended >= EARLIEST:
            late.setdefault(one_line(str(answer.get("service") or "unknown service")), []).append(came - ended)
    for service, lags in late.items():
        if len(lags) >= ENOUGH and (least := min(lags)) > SKEW:
            told = f"its answers end at least {least.total_seconds():,.0f} s before they arrive"
            yield Sign(f"service {service}", told + _as_local_time(least))


def _ancient(facts: AgentFacts) -> Iterator[Sign]:
    counted = Counter(
        one_line(str(answer.get("service") or "unknown service"))
        for answer in (part_of(row, "answer") for row in facts.answers)
        if (began := parsed_time(answer.get("started_at"))) is not None and began < EARLIEST
    )
    for service, count in counted.items():
        yield Sign(f"service {service}", f"{count:,} of its newest answers began before {EARLIEST:%Y}")


def _as_local_time(ahead: timedelta) -> str:
    """Return what a difference of whole hours points to.

    >>> _as_local_time(timedelta(hours=2, seconds=-8)), _as_local_time(timedelta(minutes=20))
    (', close to 2 h: local times are probably written as UTC', '')
    """
    hours = round(ahead / timedelta(hours=1))
    if not 0 < hours <= ZONES or abs(ahead - timedelta(hours=hours)) > NEAR_HOUR:
        return ""
    return f", close to {hours} h: local times are probably written as UTC"


RULES = (
    DoctorRule(
        name="nothing-arrives",
        stage="arrive",
        severity="error",
        title="No span has arrived",
        about="The exporter is not set up, sends elsewhere, drops what it cannot send, or waits: SDKs send every five "
        "seconds, and what a short program did not flush is lost.",
        step="Run `groundwire doctor` where the application runs, with its environment, or with `--exporter ADDRESS`. "
        "Call `force_flush()` at the end of a short program.",
        look=_nothing,
    ),
    DoctorRule(
        name="requests-without-token",
        stage="arrive",
        severity="error",
        title="Requests came without the token of the receiver",
        about="The receiver has `token` or `token_file`, and what comes shows none or another one; SDKs drop what is "
        "refused and log it at most once.",
        step="Set `OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20TOKEN` for the application. The log of the agent "
        "names the sender of the first one: look for `request refused`.",
        look=_unauthenticated,
    ),
    DoctorRule(
        name="requests-refused",
        stage="arrive",
        severity="warning",
        title="Requests were refused because they are no OTLP",
        about="Something else than an OTLP exporter sends here, or a proxy changes the body.",
        step="Look for `request refused` in the log of the agent: it has the sender and the reason. "
        "Check content type and compression of the exporter.",
        look=_unreadable,
    ),
    DoctorRule(
        name="requests-wrong-path",
        stage="arrive",
        severity="error",
        title="Requests came to a path that nobody receives at",
        about="Exporters append `/v1/traces` to `OTEL_EXPORTER_OTLP_ENDPOINT`, and take "
        "`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or the endpoint that code gives them, as it is.",
        step="Set `OTEL_EXPORTER_OTLP_ENDPOINT` without a path, and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or the "
        "endpoint in code, with `/v1/traces`. The log of the agent names path and sender of the first one: look for "
        "`request refused`.",
        look=_elsewhere,
    ),
    DoctorRule(
        name="requests-too-large",
        stage="arrive",
        severity="warning",
        title="Requests were larger than is taken",
        about="A batch of spans with long texts can be larger than the limit of a request; SDKs drop it then.",
        step="Set `OTEL_BSP_MAX_EXPORT_BATCH_SIZE` of the application lower, or the limit of the receiver higher.",
        look=_large,
    ),
    DoctorRule(
        name="receiver-full",
        stage="arrive",
        severity="warning",
        title="Senders were told to come again",
        about="The queue of the receiver is full, or the store cannot be written to: more comes than the disk takes.",
        step="Give the agent a faster disk or more of the processor, or raise `receive.queue_bytes`. Exporters that do "
        "not retry lose these spans.",
        look=_full,
    ),
    DoctorRule(
        name="spans-rejected",
        stage="arrive",
        severity="warning",
        title="Spans were rejected",
        about="A trace id or a span id of the wrong length is no identity, and a span beyond the limit is not stored.",
        step="Check what makes the spans: ids have 16 and 8 bytes. Let it write shorter attributes if they are too "
        "large.",
        look=_rejected,
    ),
    DoctorRule(
        name="spans-unread",
        stage="arrive",
        severity="error",
        title="Nobody reads some spans",
        about="They are of a model or a search, in a form that no dialect reads: what they hold is in no answer.",
        step="Describe their keys under `traces.dialects` (docs/sources.md says what is read), or use an "
        "instrumentation that is listed there.",
        look=_unread,
    ),
    DoctorRule(
        name="traces-malformed",
        stage="arrive",
        severity="error",
        title="Traces could not be read",
        about="Their answers are in no score and no gate. Usually an update changed what the instrumentation writes, "
        "or the agent has a bug over it.",
        step="Look at the reason; `GET /v1/malformed-traces` has the newest ones. Save such a trace, run "
        "`groundwire adapt` on it, and report what it prints.",
        look=_malformed,
    ),
    DoctorRule(
        name="no-answers",
        stage="arrive",
        severity="error",
        title="Traces arrive, and none holds an answer",
        about="The application's spans of HTTP and databases arrive, and those of its framework or model do not. A "
        "chain with input and output is no answer either, unless a call of a model or a search stands below it.",
        step="Instrument the framework (docs/sources.md says with what), before the first chain or client is made. "
        "In spans of your own, write one of kind LLM or RETRIEVER below the chain, in the same trace.",
        look=_no_answers,
    ),
    DoctorRule(
        name="traces-without-answer",
        stage="arrive",
        severity="note",
        title="Most traces hold no answer",
        about="Health checks and other requests of the application hold none and do no harm. But a chain with input "
        "and output is no answer either, unless a call of a model or a search stands below it in the same trace.",
        step="Write spans of kind LLM or RETRIEVER below the chain if answers are missing, and pass the trace context "
        "on to threads and other services; else leave out spans of health checks where they are made.",
        look=_partly,
    ),
    DoctorRule(
        name="silence",
        stage="arrive",
        severity="warning",
        title="No answer has come for half an hour",
        about="The application has no users at this hour, was stopped, or its exporter can no longer reach the agent.",
        step="Ask the application one question and look with `groundwire tail`. If nothing comes, run "
        "`groundwire doctor` with its environment.",
        look=_silent,
    ),
    DoctorRule(
        name="agent-clock",
        stage="arrive",
        severity="warning",
        title="The clock of the agent is wrong, or the one here",
        about="Verdicts, announced changes and expiry of decisions go by the agent's clock.",
        step="Let both machines follow a time server: `timedatectl` says whether they do.",
        look=_agent_clock,
    ),
    DoctorRule(
        name="span-clock",
        stage="arrive",
        severity="warning",
        title="Answers come from the future",
        about="The clock of the application is ahead: gates wait for the time that its spans name.",
        step="Let the application's machine follow a time server, or correct the unit or the zone of its "
        "times: OTLP has nanoseconds since 1970 in UTC.",
        look=_span_clock,
    ),
    DoctorRule(
        name="span-late",
        stage="arrive",
        severity="warning",
        title="Answers arrive long after they end",
        about="The clock of the application is behind, its times are of another zone, or its spans wait on the way. "
        "Gates go by the times of spans: what is older than a window when it comes counts for nothing.",
        step="Check `date -u` on the application's machine against the agent's, and let it follow a time server; for a "
        "difference of whole hours correct the zone of its times: OTLP has nanoseconds since 1970 in UTC. If the "
        "clocks agree, look for a queue between them, as a Collector that retries.",
        look=behind,
    ),
    DoctorRule(
        name="span-unit",
        stage="arrive",
        severity="error",
        title="Answers come from before the year 2000",
        about="Their times are in seconds, milliseconds or microseconds, or were never set: no window of a gate holds "
        "them, and nothing is judged.",
        step="Give the times of spans in nanoseconds since 1970 in UTC, as OTLP has them.",
        look=_ancient,
    ),
)
