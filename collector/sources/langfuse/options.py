"""The options of a Langfuse source."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import AwareDatetime, Field, SecretStr

from collector.clock import nanoseconds
from collector.errors import ConfigError
from collector.sources.base import Source, SourceOptions, read_secret
from collector.sources.client import HttpClient
from collector.sources.langfuse.requests import Requests
from collector.sources.langfuse.source import LangfuseSource, Times
from gates.duration import Duration

_FIRST_LOOK = timedelta(hours=1)


class Langfuse(SourceOptions):
    """Observations of one Langfuse project, by its public API."""

    type: Literal["langfuse"] = "langfuse"
    base_url: str = Field(
        default="https://cloud.langfuse.com",
        description="Address of the server, without `/api`; a path before that is kept.",
    )
    public_key: str = Field(min_length=1, max_length=200, description="Public key of the project.")
    secret_key: SecretStr | None = Field(default=None, description="Secret key of the project.")
    secret_key_file: Path | None = Field(default=None, description="File with the secret key, in place of it.")
    environments: tuple[str, ...] = Field(
        default=(), max_length=50, description="Environments to read; all if left out."
    )
    metadata_keys: tuple[str, ...] = Field(
        default=(),
        max_length=50,
        description="Metadata keys whose values may be longer than 200 characters and are wanted whole.",
    )
    since: AwareDatetime | None = Field(
        default=None, description="Where the first run begins; an hour before it if left out."
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
    timeout: Duration = Field(default=timedelta(seconds=30), description="Time limit of one request.")

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a secret key that cannot be read."""
        secret = read_secret(self.secret_key, self.secret_key_file, f"{where}.secret_key_file")
        if secret is None:
            raise ConfigError(f"{where}.secret_key: this, or secret_key_file, is needed")
        client = HttpClient(self.base_url, auth=(self.public_key, secret), timeout=self.timeout.total_seconds())
        return LangfuseSource(
            requests=Requests(client, self.environments, self.metadata_keys),
            times=Times(
                window=_ns(self.window),
                lag=_ns(self.lag),
                legacy_lag=_ns(self.legacy_lag),
                hold=_ns(self.hold),
                since=None if self.since is None else nanoseconds(self.since),
                first=_ns(_FIRST_LOOK),
            ),
            page=self.page,
        )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with keys and address."""
        if (self.secret_key is None) == (self.secret_key_file is None):
            yield f"{where}.secret_key: either this or secret_key_file, and not both"
        try:
            parts = urlsplit(self.base_url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        else:
            usable = usable and not (parts.username or parts.password or parts.query or parts.fragment)
        if not usable:
            yield f"{where}.base_url: an http or https address without credentials or query, such as https://host/path"


def _ns(length: timedelta) -> int:
    return length // timedelta(microseconds=1) * 1_000
