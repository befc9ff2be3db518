"""The options of listeners and receivers."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from collector.errors import ConfigError
from collector.receivers.hosts import HostName, Hosts
from collector.security.address import is_loopback
from collector.security.secrets import read_secret

MIB = 1024 * 1024


class Listener(BaseModel):
    """An address to listen on, and who may speak there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(default="127.0.0.1", description="Address to listen on; anything but loopback needs a token.")
    port: int = Field(ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    tls_cert: Path | None = Field(default=None, description="PEM file of the certificate chain; serves TLS only.")
    tls_key: Path | None = Field(default=None, description="PEM file of the certificate's private key.")
    token: SecretStr | None = Field(
        default=None, min_length=1, description="Clients must send it as `Authorization: Bearer TOKEN`."
    )
    token_file: Path | None = Field(default=None, description="File that holds the token, in place of `token`.")
    allow_unauthenticated: bool = Field(
        default=False, description="Listen beyond loopback without a token: whoever reaches the port may speak."
    )

    @property
    def guarded(self) -> bool:
        """Whether clients must send a token."""
        return self.token is not None or self.token_file is not None

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``: half a key pair, two tokens, an open door."""
        if (self.tls_cert is None) != (self.tls_key is None):
            missing = "tls_cert" if self.tls_cert is None else "tls_key"
            yield f"{where}.{missing}: required; TLS needs both a certificate and its key"
        if self.token is not None and self.token_file is not None:
            yield f"{where}.token_file: set either token or token_file, not both"
        if not (self.guarded or self.allow_unauthenticated or is_loopback(self.host)):
            yield (
                f"{where}.host: {self.host} is reachable from outside: set {where}.token or {where}.token_file, "
                f"or {where}.allow_unauthenticated: true"
            )

    def bearer(self, where: str) -> str | None:
        """Return the token in force, read from its file if it is there. Raises `ConfigError` naming the key."""
        return read_secret(self.token, self.token_file, f"{where}.token_file")

    def key_pair(self, where: str) -> tuple[bytes, bytes] | None:
        """Return private key and certificate chain, checked to fit; ``None`` without TLS. Raises `ConfigError`."""
        if self.tls_cert is None or self.tls_key is None:
            return None
        try:
            # An empty password, or a key that needs one would be asked for on the terminal.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.tls_cert, self.tls_key, password="")
            return self.tls_key.read_bytes(), self.tls_cert.read_bytes()
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(f"{where}.tls_cert: {self.tls_cert} with {self.tls_key}: {error}") from error


_ANYWHERE = frozenset({"", "0.0.0.0", "::", "[::]"})  # noqa: S104 - what is listened on is compared with these
_HERE = "127.0.0.1"


def shared_ports(listeners: Mapping[str, Listener]) -> Iterator[str]:
    """Yield which listeners, by their paths, would take the port of one before them: only the first could open it.

    >>> list(shared_ports({"http": Listener(port=8080), "receive.otlp_http": Listener(port=8080, host="localhost")}))
    ['receive.otlp_http.port: 8080 is http.port already; give each a port of its own']
    >>> list(shared_ports({"http": Listener(port=0), "receive.otlp_http": Listener(port=0)}))
    []
    """
    before: list[tuple[str, Listener]] = []
    for where, listener in listeners.items():
        taken = (path for path, each in before if each.port == listener.port and _meet(each.host, listener.host))
        if listener.port and (path := next(taken, None)) is not None:
            yield f"{where}.port: {listener.port} is {path}.port already; give each a port of its own"
        before.append((where, listener))


def _meet(*hosts: str) -> bool:
    """Whether these are one address, or one of them stands for all."""
    return bool(_ANYWHERE & set(hosts)) or len({_HERE if host == "localhost" else host for host in hosts}) == 1


class HttpListener(Listener):
    """An address that web pages can send to."""

    allowed_hosts: tuple[HostName, ...] = Field(
        default=(),
        description="Names that requests may have in their `Host` besides those of loopback. On loopback without a "
        "token all others are refused (421); elsewhere any is taken, unless names are given here.",
    )

    @property
    def hosts(self) -> Hosts | None:
        """The hosts that are answered for; ``None`` for any."""
        checked = self.allowed_hosts or (is_loopback(self.host) and not self.guarded)
        return Hosts(frozenset(self.allowed_hosts)) if checked else None


class LangfuseKeys(BaseModel):
    """The key pair that Langfuse SDKs must show on `/api/public`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    public_key: str = Field(min_length=1, pattern=r"^[^:]*$", description="Public key, as `pk-lf-...`.")
    secret_key: SecretStr | None = Field(default=None, min_length=1, description="Secret key, as `sk-lf-...`.")
    secret_key_file: Path | None = Field(
        default=None, description="File that holds the secret key, in place of `secret_key`."
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``: no secret key, or two."""
        if self.secret_key is not None and self.secret_key_file is not None:
            yield f"{where}.secret_key_file: set either secret_key or secret_key_file, not both"
        if self.secret_key is None and self.secret_key_file is None:
            yield f"{where}.secret_key: required; or set secret_key_file"

    def pair(self, where: str) -> tuple[str, str]:
        """Return public and secret key, read from its file if it is there. Raises `ConfigError` naming the key."""
        key = read_secret(self.secret_key, self.secret_key_file, f"{where}.secret_key_file")
        if key is None:
            raise ConfigError(*self.problems(where))
        return self.public_key, key


class OtlpHttp(HttpListener):
    """OTLP over HTTP, protobuf and JSON: `/v1/traces`, `/v1/logs`, and the same below Langfuse's `/api/public/otel`."""

    enabled: bool = Field(default=True, description="Whether to listen at all.")
    port: int = Field(default=4318, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    langfuse: LangfuseKeys | None = Field(
        default=None,
        description="Keys of Langfuse SDKs. They guard `/api/public` and nothing else; without them these paths are "
        "open where the listener has no token, and closed where it has one.",
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong; a key pair does not stand in for a token, as it guards its own paths only."""
        yield from super().problems(where)
        if self.langfuse is not None:
            yield from self.langfuse.problems(f"{where}.langfuse")

    def keys(self, where: str) -> tuple[str, str] | None:
        """Return the key pair in force, if there is one. Raises `ConfigError` naming the key."""
        return None if self.langfuse is None else self.langfuse.pair(f"{where}.langfuse")


class OtlpGrpc(Listener):
    """OTLP over gRPC."""

    enabled: bool = Field(default=True, description="Whether to listen at all.")
    port: int = Field(default=4317, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")


class Limits(BaseModel):
    """How much a receiver takes in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: float = Field(
        default=1.0,
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="Share of traces taken in, chosen by trace id; the rest is dropped at the door and counted.",
    )
    max_body_bytes: int = Field(
        default=16 * MIB,
        ge=1024,
        description="Largest request as sent (413 or RESOURCE_EXHAUSTED beyond). Over gRPC as many are read at once as "
        "fit into `queue_bytes` if each is this large.",
    )
    max_decompressed_bytes: int = Field(
        default=64 * MIB, ge=1024, le=1024 * MIB, description="Largest request after decompression (413 beyond)."
    )
    max_json_bytes: int = Field(
        default=16 * MIB,
        ge=1024,
        description="Largest JSON request after decompression, with at most one object or array for 24 bytes of this "
        "bound (413 beyond): JSON takes most memory.",
    )
    max_span_bytes: int = Field(
        default=8 * MIB,
        ge=1024,
        description="Largest span or log record; larger ones are rejected, the others of their request not.",
    )
    max_spans: int = Field(
        default=100_000, ge=1, description="Most spans, or log records, in one request (413 beyond)."
    )
    body_seconds: float = Field(default=30.0, gt=0, le=3600, description="Time a sender has to deliver a request.")


class Receive(Limits):
    """Where traces come in, and how much at once."""

    otlp_http: OtlpHttp = Field(default_factory=OtlpHttp, description="OTLP over HTTP.")
    otlp_grpc: OtlpGrpc = Field(default_factory=OtlpGrpc, description="OTLP over gRPC.")
    queue_bytes: int = Field(
        default=64 * MIB,
        ge=1024,
        description="Bytes that may wait for their commit; senders beyond are told to retry (429, RESOURCE_EXHAUSTED).",
    )
