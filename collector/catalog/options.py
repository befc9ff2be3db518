"""The section of the configuration that says where the catalog of governing documents comes from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field

from collector.catalog.listings import AnyIndex, AnyListedSource
from collector.models.options import Device
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import StrictOptions
from gates.units.duration import Duration
from scorers.catalog import CatalogFormat
from scorers.catalog.search.weights import RELEVANCE_SHARES, SPARSE_SHARES, SearchWeights


class HttpCatalogOptions(TokenOptions):
    """A catalog file that is fetched over HTTP, and asked for again with what its server said of it."""

    type: ClassVar[str] = "http"
    name: ClassVar[str] = "http"

    url: str = Field(description="Address of a YAML, CSV or JSONL file; http or https, no user name or password in it.")
    format: CatalogFormat | None = Field(
        default=None, description="Its format; defaults to that of the address's ending or of the content type."
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
        description="Largest file taken, decompressed; it is held in memory while it is read.",
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
            yield f"{where}.url: must not contain a user name or password; use token_file"


class LearnedOptions(StrictOptions):
    """Versions, windows and checksums that the passages of answers carry, of documents that no file declares."""

    entries: int = Field(
        default=20_000,
        ge=1,
        le=200_000,
        description="Most entries kept; beyond that, those not seen for longest are dropped.",
    )
    poll: Duration = Field(
        default=timedelta(minutes=1),
        ge=timedelta(milliseconds=100),
        description="How often new entries take effect.",
    )


class EmbeddingOptions(StrictOptions):
    """A model that finds entries by meaning, beside their words."""

    model: Path = Field(
        description="Folder of a sentence-transformers or ONNX model on this machine, or "
        "`universal-sentence-encoder-multilingual` for the one in the extra `multilingual`; nothing is downloaded."
    )
    entries: int = Field(
        default=50_000,
        ge=0,
        le=2**20,
        description="Largest catalog that is embedded whole; of a larger one, only the "
        "candidates found by keyword are embedded, when needed.",
    )
    device: Device = Field(default="auto", description="Where the model runs; `auto`: on a GPU if there is one.")


class SearchOptions(StrictOptions):
    """What the search for entries that govern a question weighs, within the bounds of its source."""

    sparse: float = Field(
        default=SearchWeights().sparse,
        ge=SPARSE_SHARES[0],
        le=SPARSE_SHARES[1],
        description="Weight of words (BM25) against meaning (cosine), where `embeddings` names a model.",
    )
    relevance: float = Field(
        default=SearchWeights().relevance,
        ge=RELEVANCE_SHARES[0],
        le=RELEVANCE_SHARES[1],
        description="Weight of what bears on the question against what repeats an entry that was found already.",
    )

    @property
    def weights(self) -> SearchWeights:
        """The weights as search takes them."""
        return SearchWeights(self.sparse, self.relevance)


class CatalogOptions(StrictOptions):
    """The catalog of governing documents."""

    path: Path | None = Field(
        default=None,
        description="A file of documents, or a directory of such files, read recursively; the extension (.yaml, .yml, "
        ".csv, .jsonl) gives the format.",
    )
    poll: Duration = Field(
        default=timedelta(seconds=5), description="How often the file or directory is checked for changes."
    )
    http: HttpCatalogOptions | None = Field(
        default=None, description="A file that is fetched, in addition to `path` or instead of it."
    )
    learn: LearnedOptions | None = Field(
        default=None, description="Learn documents from the metadata of passages; an empty section, `{}`, turns it on."
    )
    sources: tuple[AnyListedSource, ...] = Field(
        default=(),
        max_length=100,
        description="Sources of documents that are listed again and again: what they have is in force.",
    )
    indexes: tuple[AnyIndex, ...] = Field(
        default=(),
        max_length=100,
        description="Indexes that are listed again and again, and compared with the sources: what they serve.",
    )
    embeddings: EmbeddingOptions | None = Field(
        default=None, description="A model for search by meaning, if there is one."
    )
    search: SearchOptions = Field(default=SearchOptions(), description="Weights of the search for entries.")

    def problems(self, where: str = "catalog") -> Iterator[str]:
        """Yield what is wrong with the section."""
        if self.path is None and self.http is None and self.learn is None and not self.sources:
            yield f"{where}: expected path, http, learn or sources"
        if self.http is not None:
            yield from self.http.problems(f"{where}.http")
        known = [source.name for source in self.sources]
        names: set[str] = set()
        for section, listed in (("sources", self.sources), ("indexes", self.indexes)):
            for place, options in enumerate(listed):
                # One name, one series: that of an index is that of no source either.
                if options.name in names:
                    yield f"{where}.{section}[{place}]: duplicate name {options.name!r} among sources and indexes"
                names.add(options.name)
                yield from options.problems(f"{where}.{section}[{place}]")
        for place, index in enumerate(self.indexes):
            if not known:
                yield f"{where}.indexes[{place}]: nothing to compare it with; list its source under {where}.sources"
            for number, name in enumerate(index.sources or ()):
                if name not in known:
                    yield f"{where}.indexes[{place}].sources[{number}]: no source {name!r} under {where}.sources"

    @property
    def interval(self) -> timedelta:
        """How often anything is looked at: as often as what is looked at most."""
        polls = [self.poll] if self.path is not None or self.sources else []
        polls += [section.poll for section in (self.http, self.learn) if section is not None]
        return min(polls)
