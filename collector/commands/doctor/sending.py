"""Faults between the exporter of an application and the receivers of the agent."""

from __future__ import annotations

from collections.abc import Iterator

from collector.api.running import ListenerBody
from collector.commands.doctor.base import DoctorRule, Sign
from collector.commands.doctor.facts import AgentFacts
from collector.security.address import is_loopback

NAMES = {"receive.otlp_http": "OTLP over HTTP", "receive.otlp_grpc": "OTLP over gRPC", "http": "the API"}
UNAUTHORIZED, NOT_FOUND, MISDIRECTED = 401, 404, 421


def _listener(facts: AgentFacts) -> tuple[str, ListenerBody] | None:
    """Return the listener that the exporter's port is of, by its path in the configuration."""
    if facts.exporter is None or facts.about is None:
        return None
    return next(
        ((where, each) for where, each in facts.about.listeners.items() if each.port == facts.exporter.port), None
    )


def receivers(facts: AgentFacts) -> str:
    """Return where the agent takes traces in."""
    listeners = {} if facts.about is None else facts.about.listeners
    return ", ".join(
        f"{NAMES[where]} at {each.host}:{each.port}" for where, each in listeners.items() if where != "http"
    )


def _nobody(facts: AgentFacts) -> Iterator[Sign]:
    exporter, probed = facts.exporter, facts.probed
    if exporter is None or probed is None or probed.kind not in {"refused", "unresolved", "silent"}:
        return
    if not list(_loopback(facts)):
        yield Sign(exporter.endpoint, f"{probed.detail}; the agent takes {receivers(facts)}")


def _loopback(facts: AgentFacts) -> Iterator[Sign]:
    exporter, probed, found = facts.exporter, facts.probed, _listener(facts)
    if exporter is None or probed is None or found is None or probed.kind not in {"refused", "silent"}:
        return
    where, listener = found
    if is_loopback(listener.host) and not exporter.loopback:
        yield Sign(
            exporter.endpoint, f"{probed.detail}: {where}.host is {listener.host}, reached from its machine only"
        )


def _elsewhere(facts: AgentFacts) -> Iterator[Sign]:
    exporter, probed, found = facts.exporter, facts.probed, _listener(facts)
    if exporter is None or probed is None or probed.kind not in {"answered", "not_http"}:
        return
    if found is None:
        said = f"it answers with {probed.status}" if probed.status else "it does not speak HTTP"
        detail = f"no listener of the agent has port {exporter.port}: {said}; there are {receivers(facts)}"
        yield Sign(exporter.endpoint, detail)
    elif found[0] == "http":
        yield Sign(exporter.endpoint, f"this is the port of the API; traces go to {receivers(facts)}")


def _protocol(facts: AgentFacts) -> Iterator[Sign]:
    found = _listener(facts)
    if facts.exporter is None or found is None:
        return
    spoken, where = facts.exporter.protocol, found[0]
    if where not in {"http", f"receive.otlp_{spoken}"}:
        other = "gRPC" if spoken == "grpc" else "HTTP"
        guess = (
            " (as SDKs do unless told otherwise; if yours does not, give --protocol)" if facts.exporter.assumed else ""
        )
        detail = f"{other} is sent{guess} to the port of {NAMES[where]}; there are {receivers(facts)}"
        yield Sign(facts.exporter.endpoint, detail)


def _answered(facts: AgentFacts, status: int) -> bool:
    """Whether the right port answers the exporter with this status."""
    found, exporter, probed = _listener(facts), facts.exporter, facts.probed
    return (
        exporter is not None
        and probed is not None
        and probed.status == status
        and found is not None
        and found[0] == f"receive.otlp_{exporter.protocol}"
    )


def _path(facts: AgentFacts) -> Iterator[Sign]:
    if facts.exporter is not None and _answered(facts, NOT_FOUND):
        yield Sign(facts.exporter.endpoint, "404: no receiver at this path")


def _token(facts: AgentFacts) -> Iterator[Sign]:
    if facts.exporter is not None and _answered(facts, UNAUTHORIZED):
        shown = "an Authorization header that is wrong" if _authorized(facts) else "no Authorization header"
        yield Sign(facts.exporter.endpoint, f"401: the receiver wants a token, and the exporter sends {shown}")
    yield from _grpc_token(facts)


def _grpc_token(facts: AgentFacts) -> Iterator[Sign]:
    """The port of gRPC answers no plain request, so what the exporter sends is compared with what is asked for."""
    found, exporter = _listener(facts), facts.exporter
    if exporter is None or found is None or exporter.protocol != "grpc" or found[0] != "receive.otlp_grpc":
        return
    if found[1].token and not _authorized(facts):
        yield Sign(exporter.endpoint, "the receiver wants a token, and the exporter sends no authorization header")


def _authorized(facts: AgentFacts) -> bool:
    return facts.exporter is not None and any(name.lower() == "authorization" for name in facts.exporter.headers)


def _host(facts: AgentFacts) -> Iterator[Sign]:
    if facts.exporter is not None and _answered(facts, MISDIRECTED):
        yield Sign(facts.exporter.endpoint, f"421: the receiver does not answer for the host {facts.exporter.host}")


def _tls(facts: AgentFacts) -> Iterator[Sign]:
    found, exporter = _listener(facts), facts.exporter
    if exporter is None or found is None or exporter.tls == found[1].tls:
        return
    has, speaks = ("TLS", "http://") if found[1].tls else ("no TLS", "https://")
    yield Sign(exporter.endpoint, f"{found[0]} has {has}, and the exporter speaks {speaks}")


RULES = (
    DoctorRule(
        name="exporter-loopback",
        stage="arrive",
        severity="error",
        title="The receiver listens on loopback, and the exporter is elsewhere",
        about="127.0.0.1 of a container or of another machine is not that of the agent.",
        step="Set `host: 0.0.0.0` and a `token_file` on the listener that is named, or run the agent beside the "
        "application.",
        look=_loopback,
    ),
    DoctorRule(
        name="exporter-nobody",
        stage="arrive",
        severity="error",
        title="Nobody listens where the exporter sends",
        about="The host or the port of the exporter is not that of a receiver, or a port of a container is not mapped.",
        step="Set `OTEL_EXPORTER_OTLP_ENDPOINT` of the application to a receiver that is named here.",
        look=_nobody,
    ),
    DoctorRule(
        name="exporter-elsewhere",
        stage="arrive",
        severity="error",
        title="Another program listens where the exporter sends",
        about="An OpenTelemetry Collector, Phoenix or another agent has the usual port, or it is the port of the API.",
        step="Find who listens with `ss -ltnp`. Set `OTEL_EXPORTER_OTLP_ENDPOINT` to a receiver that is named here, or "
        "let that program forward traces to it.",
        look=_elsewhere,
    ),
    DoctorRule(
        name="exporter-tls",
        stage="arrive",
        severity="error",
        title="One side speaks TLS and the other does not",
        about="A receiver with `tls_cert` takes TLS only, and one without takes none.",
        step="Write `https://` or `http://` in the exporter's address as the receiver has it; for gRPC also set "
        "`OTEL_EXPORTER_OTLP_INSECURE`.",
        look=_tls,
    ),
    DoctorRule(
        name="exporter-protocol",
        stage="arrive",
        severity="error",
        title="The exporter speaks another protocol than the port",
        about="4317 is for OTLP over gRPC, 4318 for OTLP over HTTP; an exporter of the other kind gets no answer "
        "that it understands.",
        step="Change the port, or set `OTEL_EXPORTER_OTLP_PROTOCOL` to `grpc` or `http/protobuf` as the port has it.",
        look=_protocol,
    ),
    DoctorRule(
        name="exporter-path",
        stage="arrive",
        severity="error",
        title="The exporter sends to a path that no receiver has",
        about="`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, and `endpoint=` in code, are taken as they are.",
        step="Let the address end in `/v1/traces`, or set `OTEL_EXPORTER_OTLP_ENDPOINT`, to which SDKs append it.",
        look=_path,
    ),
    DoctorRule(
        name="exporter-token",
        stage="arrive",
        severity="error",
        title="The exporter does not show the token of the receiver",
        about="The receiver has `token` or `token_file`; SDKs drop what is refused and log it at most once.",
        step="Set `OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20TOKEN` for the application.",
        look=_token,
    ),
    DoctorRule(
        name="exporter-host",
        stage="arrive",
        severity="error",
        title="The receiver does not answer for the name that the exporter uses",
        about="On loopback without a token only names of loopback are taken, so that web pages cannot speak to it.",
        step="Add the name to `receive.otlp_http.allowed_hosts`, or send to 127.0.0.1.",
        look=_host,
    ),
)
