"""The options of a Langfuse source."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr

from collector.outbound.client import HttpClient
from collector.security.address import BaseUrl, is_loopback
from collector.security.secrets import read_secret
from collector.sources.base import Source, SourceOptions
from collector.sources.langfuse.requests import Requests
from collector.sources.langfuse.source import LangfuseSource, Times
from gates.units.duration import Duration


class Langfuse(SourceOptions):
    """Observations of one Langfuse project, by its public API."""

    type: Literal["langfuse"] = "langfuse"
    url: BaseUrl = Field(
        default="https://cloud.langfuse.com",
        description="Base URL of the server, with its path prefix if it has one, without `/api`.",
    )
    public_key: str = Field(min_length=1, max_length=200, description="Public key of the project.")
    secret_key: SecretStr | None = Field(default=None, min_length=1, description="Secret key of the project.")
    secret_key_file: Path | None = Field(
        default=None, description="File that holds the secret key, in place of `secret_key`."
    )
    ca_file: Path | None = Field(
        default=None, description="PEM file of the authorities to trust instead of the public ones."
    )
    environments: tuple[str, ...] = Field(
        default=(), max_length=50, description="Environments to read; all if left out."
    )
    metadata_keys: tuple[str, ...] = Field(
        default=(),
        max_length=50,
        description="Metadata keys whose values may be longer than 200 characters and are wanted whole.",
    )
    since: Duration = Field(
        default=timedelta(days=1),
        description="How far before the very first look traces may have begun; older ones are never read.",
    )
    poll: Duration = Field(
        default=timedelta(seconds=30), description="Time between two looks while there is nothing new."
    )
    lag: Duration = Field(
        default=timedelta(minutes=2),
        description="What began later than this ago is not read yet: longer than a trace and its way to Langfuse take.",
    )
    legacy_lag: Duration = Field(
        default=timedelta(minutes=10),
        description="The same for servers that only have the older API, which shows traces later.",
    )
    hold: Duration = Field(
        default=timedelta(minutes=10),
        description="Longest time that a trace whose end has not come is waited for before it is taken as it is.",
    )
    window: Duration = Field(
        default=timedelta(hours=1), description="Longest span of time that is read at once; less where it is too much."
    )
    page: int = Field(default=200, ge=1, le=1000, description="Observations asked for in one request.")
    timeout: Duration = Field(
        default=timedelta(seconds=30), le=timedelta(minutes=5), description="Time limit of one request."
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: no secret key, or two."""
        if self.secret_key is not None and self.secret_key_file is not None:
            yield f"{where}.secret_key_file: give the key or its file, not both"
        if self.secret_key is None and self.secret_key_file is None:
            yield f"{where}.secret_key: required, or {where}.secret_key_file"

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed and unwise."""
        parts = urlsplit(self.url)
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            yield f"{where}.url: {self.url}: credentials are sent in clear; use https"

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        secret = read_secret(self.secret_key, self.secret_key_file, f"{where}.secret_key_file")
        client = HttpClient(
            self.url,
            auth=(self.public_key, secret or ""),
            timeout=self.timeout.total_seconds(),
            ca_file=self.ca_file,
        )
        return LangfuseSource(
            requests=Requests(client, self.environments, self.metadata_keys),
            times=Times(
                window=_ns(self.window),
                lag=_ns(self.lag),
                legacy_lag=_ns(self.legacy_lag),
                hold=_ns(self.hold),
                since=_ns(self.since),
            ),
            page=self.page,
        )


def _ns(length: timedelta) -> int:
    return length // timedelta(microseconds=1) * 1_000
