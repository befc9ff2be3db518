"""The section of the configuration that says where the catalog of governing documents comes from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from collector.models.options import Device
from gates.units.duration import Duration
from scorers.catalog import CatalogFormat


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fetched(_Section):
    """A catalog file that is fetched over HTTP, and asked for again with what its server said of it."""

    url: str = Field(description="Address of a YAML, CSV or JSONL file; http or https, no user name or password in it.")
    format: CatalogFormat | None = Field(
        default=None, description="Its format; if left out, told by the ending of the address or by its content type."
    )
    token_file: Path | None = Field(default=None, description="File that holds a bearer token.")
    ca_file: Path | None = Field(
        default=None, description="PEM file of the authorities to trust instead of the public ones."
    )
    poll: Duration = Field(
        default=timedelta(minutes=1), ge=timedelta(seconds=1), description="How often the server is asked."
    )
    timeout: Duration = Field(
        default=timedelta(seconds=30), gt=timedelta(0), description="Time limit of one exchange, first byte to last."
    )
    max_bytes: int = Field(
        default=64 * 1024 * 1024,
        ge=1,
        le=1024**3,
        description="Largest file taken, unpacked; held in memory meanwhile.",
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section at path ``where``."""
        try:
            parts = urlsplit(self.url)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable:
            yield f"{where}.url: expected http:// or https:// and a host"
        elif parts.username is not None or parts.password is not None:
            yield f"{where}.url: holds a user name or password; use token_file"


class Learned(_Section):
    """Versions, windows and checksums that the passages of answers carry, of documents that no file declares."""

    entries: int = Field(
        default=20_000, ge=1, le=200_000, description="How many are kept; beyond that the longest unseen go."
    )
    poll: Duration = Field(
        default=timedelta(minutes=1),
        ge=timedelta(milliseconds=100),
        description="How often what is new is put in force.",
    )


class Embeddings(_Section):
    """A model that finds entries by meaning, beside their words."""

    model: Path = Field(description="Folder of a sentence-transformers model on this machine; nothing is downloaded.")
    entries: int = Field(
        default=50_000,
        ge=0,
        le=2**20,
        description="Largest catalog that is embedded whole; of a larger one the "
        "candidates found by words are, as they are looked at.",
    )
    device: Device = Field(
        default="auto", description="Where the model runs; `auto`: on a graphics card if there is one."
    )


class CatalogOptions(_Section):
    """The catalog of governing documents."""

    path: Path | None = Field(
        default=None,
        description="A file of documents, or a directory of such files with all below it; the ending of a name (.yaml, "
        ".yml, .csv, .jsonl) tells its format.",
    )
    poll: Duration = Field(
        default=timedelta(seconds=5), description="How often the file or the directory is looked at for changes."
    )
    http: Fetched | None = Field(default=None, description="A file that is fetched, beside or instead of `path`.")
    learn: Learned | None = Field(
        default=None, description="Whether to learn from the metadata of passages; an empty section, `{}`, is enough."
    )
    embeddings: Embeddings | None = Field(default=None, description="A model for search by meaning, if there is one.")

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the section."""
        if self.path is None and self.http is None and self.learn is None:
            yield "catalog: expected path, http or learn"
        if self.http is not None:
            yield from self.http.problems("catalog.http")

    @property
    def interval(self) -> timedelta:
        """How often anything is looked at: as often as what is looked at most."""
        polls = [self.poll] if self.path is not None else []
        polls += [section.poll for section in (self.http, self.learn) if section is not None]
        return min(polls)
