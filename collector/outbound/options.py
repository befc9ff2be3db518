"""What every link to another system has in its configuration: a name, its pace, and the server behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from collector.clock import Clock, system_clock
from collector.outbound.client import MAX_BYTES, HttpClient
from collector.security.address import BaseUrl, is_loopback
from gates.units.duration import Duration


class Closable(Protocol):
    """An opened link. One thread uses it; `close` may come from another and while an exchange is under way."""

    def close(self) -> None:
        """Release connections and files; an exchange under way may fail."""
        ...


class Credentials(NamedTuple):
    """What requests carry to be let in: headers, or a user name and a password."""

    headers: Mapping[str, str] = MappingProxyType({})
    auth: tuple[str, str] | None = None

    @classmethod
    def bearer(cls, token: str | None) -> Credentials:
        """Return the header that carries ``token``, if there is one."""
        return cls() if token is None else cls({"authorization": f"Bearer {token}"})


class StrictOptions(BaseModel):
    """A section of the configuration: frozen, strict about unknown keys, and able to say what is wrong with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``, each as ``path: problem``."""
        del where
        yield from ()

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed but unwise, each as ``path: problem``."""
        del where
        yield from ()


class LinkOptions(StrictOptions):
    """The options of one link. The fields of a subclass are its YAML options, tagged by ``type``."""

    type: str = Field(description="What kind of link this is.")
    name: str = Field(
        default="",
        pattern=r"^([a-z0-9][a-z0-9_.-]{0,62})?$",
        description="Name in metrics, in the API and in the store; defaults to the type.",
    )
    poll: Duration = Field(default=timedelta(seconds=5), description="Time between two looks for something new.")

    @model_validator(mode="before")
    @classmethod
    def _named(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and not raw.get("name"):
            return {**raw, "name": raw.get("type", cls.model_fields["type"].default)}
        return raw

    @property
    def address(self) -> str:
        """What is at the other end, for people."""
        raise NotImplementedError

    def open(self, where: str) -> Closable:
        """Return the opened link; ``where`` is the path of this section. No network yet.

        Raises `ConfigError` naming the key for a secret or a certificate that cannot be read.
        """
        raise NotImplementedError


class ServerOptions(StrictOptions):
    """The options of a link to an HTTP server."""

    url: BaseUrl = Field(description="URL of the server.")
    ca_file: Path | None = Field(
        default=None, description="PEM file of the authorities to trust instead of the public ones."
    )
    timeout: Duration = Field(
        default=timedelta(seconds=10), le=timedelta(minutes=5), description="Time limit of one request."
    )

    @property
    def address(self) -> str:
        """The URL."""
        return self.url

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        return False

    def credentials(self, where: str) -> Credentials:
        """Return what requests carry. Raises `ConfigError` naming the key for a secret that cannot be read."""
        del where
        return Credentials()

    def client(
        self, where: str, *, base: str | None = None, max_bytes: int = MAX_BYTES, clock: Clock = system_clock
    ) -> HttpClient:
        """Return a client of the server, below ``base`` where that is not the URL itself. Raises `ConfigError`."""
        headers, auth = self.credentials(where)
        return HttpClient(
            base or self.url,
            headers=headers,
            auth=auth,
            timeout=self.timeout.total_seconds(),
            max_bytes=max_bytes,
            ca_file=self.ca_file,
            clock=clock,
        )

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed but unwise: a secret that anybody on the way can read."""
        yield from super().warnings(where)
        if self.secret and self.in_clear:
            yield f"{where}.url: {self.url}: credentials are sent in clear text; use https"

    @property
    def in_clear(self) -> bool:
        """Whether anybody between this machine and the server can read what is sent."""
        parts = urlsplit(self.url)
        return parts.scheme == "http" and not is_loopback(parts.hostname or "")
