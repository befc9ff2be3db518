"""Where the application sends its traces: what OpenTelemetry's variables say, and who answers there."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from collector.errors import ConfigError
from collector.receivers.refusals import PROBE_AGENT
from collector.security.address import is_loopback
from collector.security.text import one_line

SECONDS = 5.0
PORTS = {"grpc": 4317, "http": 4318}

Kind = Literal["answered", "refused", "unresolved", "silent", "not_http"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """An OTLP exporter: the full address it sends to, its protocol, and the headers it adds.

    The protocol is ``assumed`` where neither an option nor the environment names one.
    """

    endpoint: str
    protocol: Literal["http", "grpc"] = "http"
    assumed: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """The host it connects to."""
        return urlsplit(self.endpoint).hostname or ""

    @property
    def port(self) -> int:
        """The port it connects to."""
        parts = urlsplit(self.endpoint)
        return parts.port or {"http": 80, "https": 443}[parts.scheme]

    @property
    def tls(self) -> bool:
        """Whether it speaks TLS."""
        return urlsplit(self.endpoint).scheme == "https"

    @property
    def loopback(self) -> bool:
        """Whether it sends to its own machine."""
        return is_loopback(self.host)


@dataclass(frozen=True, slots=True)
class Probed:
    """What came of sending nothing there: ``status`` of HTTP where something answered, ``detail`` in words."""

    kind: Kind
    status: int = 0
    detail: str = ""


def exporter_of(endpoint: str | None, protocol: str | None, environment: Mapping[str, str]) -> Exporter | None:
    """Return the exporter of an application: as given, or as the variables of OpenTelemetry say; ``None`` if neither.

    Raises `ConfigError` for an address that is none.

    >>> exporter_of(None, None, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://agent:4318"}).endpoint
    'http://agent:4318/v1/traces'
    >>> exporter_of("http://agent:4317", "grpc", {}).endpoint
    'http://agent:4317'
    """
    named = protocol or _of(environment, "PROTOCOL")
    spoken = named or "http/protobuf"
    if spoken not in {"grpc", "http", "http/protobuf", "http/json"}:
        raise ConfigError(f"--protocol {one_line(spoken)}: expected grpc or http/protobuf")
    whole, base = environment.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), environment.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    given = endpoint or whole or base
    if not given:
        return None
    where = given if "://" in given else f"http://{given}"
    try:
        parts = urlsplit(where)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"--exporter {one_line(given)}: expected http:// or https://, a host and a port")
    bare = parts.path in {"", "/"}
    if spoken != "grpc" and ((endpoint and bare) or (not endpoint and not whole)):
        # An SDK appends the path to the general address, and to none that was given for traces alone.
        where = f"{where.rstrip('/')}/v1/traces"
    return Exporter(
        endpoint=where,
        protocol="grpc" if spoken == "grpc" else "http",
        assumed=named is None,
        headers=_headers(_of(environment, "HEADERS")),
    )


def probe(exporter: Exporter) -> Probed:
    """Send an empty request as the exporter would over HTTP, and tell who answered."""
    kind = http.client.HTTPSConnection if exporter.tls else http.client.HTTPConnection
    connection = kind(exporter.host, exporter.port, timeout=SECONDS)
    parts = urlsplit(exporter.endpoint)
    try:
        headers = {"Content-Type": "application/x-protobuf", **exporter.headers, "User-Agent": PROBE_AGENT}
        connection.request("POST", parts.path or "/", b"", headers)
        return Probed("answered", connection.getresponse().status)
    except socket.gaierror as error:
        return Probed("unresolved", detail=error.strerror or "unknown host")
    except TimeoutError:
        return Probed("silent", detail=f"no answer within {SECONDS:g} s")
    except ConnectionRefusedError:
        return Probed("refused", detail="connection refused")
    except (http.client.HTTPException, ssl.SSLError, ConnectionError, ValueError) as error:
        return Probed("not_http", detail=one_line(str(error)))
    except OSError as error:
        return Probed("refused", detail=error.strerror or one_line(str(error)))
    finally:
        connection.close()


def _of(environment: Mapping[str, str], name: str) -> str | None:
    return environment.get(f"OTEL_EXPORTER_OTLP_TRACES_{name}") or environment.get(f"OTEL_EXPORTER_OTLP_{name}")


def _headers(text: str | None) -> dict[str, str]:
    """Return headers as OpenTelemetry writes them: ``name=value``, percent-encoded, with commas between."""
    pairs = [pair.partition("=") for pair in (text or "").split(",") if pair.strip()]
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}
