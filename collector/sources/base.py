"""What a source is: something the agent reads by itself, piece by piece, and resumes where it left off.

A source knows how to fetch and where it stands. Storing, timing, retrying, counting and telling people belong to the
frame, `collector.sources.pull`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from adapters.base import MalformedRecord
from adapters.schema import Answer
from adapters.trace import Span
from collector.errors import ConfigError, Transient
from gates.duration import Duration


class Unreachable(Transient):
    """The other side gave nothing usable: down, slow, wrong credentials, wrong answers.

    ``reason`` is one readable line with URL and status; ``retry_after`` the seconds it asked to be left alone.
    """

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after


class TooLarge(Unreachable):
    """The answer is larger than what is taken in; asking for less may help, asking again does not."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What one fetch brought, and where the source stands after it.

    ``cursor`` is stored in one transaction with everything else here. ``more`` says to look again at once.
    """

    cursor: bytes
    spans: Sequence[Span] = ()
    answers: Sequence[Answer] = ()
    malformed: Sequence[MalformedRecord] = ()
    more: bool = False


@runtime_checkable
class Source(Protocol):
    """An opened source. One thread fetches; `close` may come from another and while a fetch is under way."""

    def fetch(self, cursor: bytes | None, *, now: int) -> Batch:
        """Return what lies behind ``cursor`` (``None``: from the start): one bounded page, or one closed window.

        ``now`` is Unix nanoseconds. Pure but for reading: with the same cursor it may be called again, and whatever the
        batch before did not get stored comes once more. A cursor it cannot read counts as none. Raises `Unreachable`.
        """
        ...

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands, as a small JSON object; ``{}`` where it cannot be read."""
        ...

    def close(self) -> None:
        """Release connections and files; a fetch under way may fail."""
        ...


class SourceOptions(BaseModel):
    """The options every source has. The fields of a subclass are its YAML options, tagged by ``type``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str = Field(description="What kind of source this is.")
    name: str = Field(
        default="",
        pattern=r"^([a-z0-9][a-z0-9_.-]{0,62})?$",
        description="Name of the source in metrics, in the API and in the store; the type if left out.",
    )
    poll: Duration = Field(
        default=timedelta(seconds=10), description="Time between two looks while there is nothing new."
    )
    resource: Mapping[str, str] = Field(
        default_factory=dict,
        description="Resource attributes given to every span that comes from here, such as `service.name`.",
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and not raw.get("name"):
            return {**raw, "name": raw.get("type", cls.model_fields["type"].default)}
        return raw

    def open(self, where: str) -> Source:
        """Return the source; ``where`` is the path of this section. No network yet.

        Raises `ConfigError` naming the key for a secret that cannot be read.
        """
        raise NotImplementedError

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``, each as ``path: problem``."""
        del where
        yield from ()

    def warnings(self, where: str) -> Iterator[str]:
        """Yield what is allowed and unwise, each as ``path: problem``."""
        del where
        yield from ()


def read_secret(value: SecretStr | None, file: Path | None, where: str) -> str | None:
    """Return a secret given as it is, or read from its file; ``where`` is the path of the key that names the file.

    Raises `ConfigError` for a file that cannot be read, or is empty, and for what is no line of printable ASCII: it
    could not be sent in a header.

    >>> read_secret(SecretStr("s3cret"), None, "sources[0].api_key_file")
    's3cret'
    """
    if value is not None:
        return _sendable(value.get_secret_value(), where.removesuffix("_file"))
    if file is None:
        return None
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not text"
        raise ConfigError(f"{where}: {file}: cannot be read: {reason}") from error
    if not secret:
        raise ConfigError(f"{where}: {file} is empty")
    return _sendable(secret, f"{where}: {file}")


def _sendable(secret: str, where: str) -> str:
    if not (secret.isascii() and secret.isprintable()):
        raise ConfigError(f"{where}: a key is one line of printable ASCII")
    return secret
