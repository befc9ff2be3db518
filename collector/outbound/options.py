"""What everything that the agent writes to by itself has in its configuration: an address, a name, and its pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from collector.security.address import BaseUrl, is_loopback
from gates.units.duration import Duration


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """A server refuses a request as it is, today and tomorrow: something in it is wrong, or it is too large."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LinkOptions(BaseModel):
    """The options of one link to a server. The fields of a subclass are its YAML options, tagged by ``type``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str = Field(description="What kind of link this is.")
    name: str = Field(
        default="",
        pattern=r"^([a-z0-9][a-z0-9_.-]{0,62})?$",
        description="Name in metrics, in the API and in the store; the type if left out.",
    )
    url: BaseUrl = Field(description="URL of the server.")
    ca_file: Path | None = Field(
        default=None, description="PEM file of the authorities to trust instead of the public ones."
    )
    poll: Duration = Field(default=timedelta(seconds=5), description="Time between two looks for what is new.")
    timeout: Duration = Field(
        default=timedelta(seconds=10), le=timedelta(minutes=5), description="Time limit of one request."
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and not raw.get("name"):
            return {**raw, "name": raw.get("type", cls.model_fields["type"].default)}
        return raw

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        raise NotImplementedError

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``, each as ``path: problem``."""
        del where
        yield from ()

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed and unwise."""
        parts = urlsplit(self.url)
        if self.secret and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            yield f"{where}.url: {self.url}: credentials are sent in clear; use https"
