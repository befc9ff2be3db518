"""Embeddings of the entries of a catalog, made in a process of their own, batch by batch, and kept beside its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from collector.catalog.embedder import local_embedder
from collector.catalog.options import EmbeddingOptions
from collector.catalog.snapshot import ENDING, Mapped, mapped
from collector.models.options import Device
from collector.workers.cores import usable_cores
from collector.workers.pool import WorkerPool
from scorers.catalog import Catalog
from scorers.catalog.search.index import said
from scorers.catalog.stored import catalog_of
from scorers.models.arrays import Array
from scorers.ports.embedding import Vectors

VECTORS = ".vectors.npy"
BATCH = 256
BATCH_SECONDS = 600.0
"""What a batch of texts of any length may take on a machine without a graphics card."""


def encoder(model: str, device: Device) -> Callable[[Sequence[str]], Vectors]:
    """Return what embeds texts, as the set-up of a worker; the model is loaded with the first of them."""

    def encode(texts: Sequence[str]) -> Vectors:
        return local_embedder(model, device).encode(texts)

    return encode


class VectorMaker:
    """Makes the embeddings of one catalog after another; whatever did not change is taken over from the one before."""

    def __init__(self, options: EmbeddingOptions) -> None:
        self._options = options
        self._model = (str(options.model), options.device)
        self._pool = WorkerPool(size=1, setup=encoder, setup_args=self._model, threads=usable_cores())
        self._catalog: Catalog | None = None
        self._path = Path()
        self._table = np.empty((0, 0), np.float32)
        self._left: list[int] = []
        self._before: Path | None = None

    def probe(self) -> None:
        """Load the model. Raises `ConfigError` where that fails."""
        self._pool.call(["probe"], timeout=BATCH_SECONDS)

    def begin(self, path: Path) -> Mapped:
        """Take the next catalog; return it as it can be used now, with its embeddings if they are there already."""
        self._catalog = None
        vectors = path.with_suffix(VECTORS)
        if vectors.is_file():
            self._before = path
            return Mapped(str(path), str(vectors), self._model)
        packed = mapped(path)
        contents = packed.arrays["contents"]
        if 0 < len(contents) <= self._options.entries:
            self._path, self._catalog = path, catalog_of(packed)
            self._table, known = self._taken_over(contents)
            self._left = np.flatnonzero(~known).tolist()
        return Mapped(str(path), None, self._model)

    def advance(self) -> Mapped | None:
        """Embed the next batch, if any is left; return the catalog with its embeddings once they are all there."""
        if self._catalog is None:
            return None
        batch, self._left = self._left[:BATCH], self._left[BATCH:]
        if batch:
            try:
                vectors = self._pool.call([said(self._catalog.documents[row]) for row in batch], timeout=BATCH_SECONDS)
            except BaseException:
                self._left = batch + self._left
                raise
            if self._table.shape[1] != vectors.shape[1]:
                self._table = np.zeros((len(self._catalog), vectors.shape[1]), np.float32)
            self._table[batch] = vectors
        if self._left:
            return None
        target = self._path.with_suffix(VECTORS)
        draft = target.with_suffix(".part")
        with draft.open("wb") as file:
            np.save(file, self._table)
        draft.replace(target)
        self._catalog, self._before = None, self._path
        return Mapped(str(self._path), str(target), self._model)

    @property
    def busy(self) -> bool:
        """Whether there is anything left to embed."""
        return self._catalog is not None

    def close(self) -> None:
        """End what is under way."""
        self._pool.close()

    def _taken_over(self, contents: Array) -> tuple[Vectors, Array]:
        """Return the table with the vectors that the catalog before had for the same entries, and which those are."""
        known = np.zeros(len(contents), bool)
        if self._before is not None:
            try:
                old = np.load(self._before.with_suffix(VECTORS), mmap_mode="r")
                _, here, there = np.intersect1d(contents, mapped(self._before).arrays["contents"], return_indices=True)
            except (OSError, ValueError):
                return np.zeros((len(contents), 0), np.float32), known
            table = np.zeros((len(contents), old.shape[1]), np.float32)
            table[here] = old[there]
            known[here] = True
            return table, known
        return np.zeros((len(contents), 0), np.float32), known


def embedded(path: Path, options: EmbeddingOptions) -> Mapped:
    """Return the catalog in ``path`` with its embeddings, which are put beside it, if it is not too large for them.

    Raises `ConfigError` where the model cannot be loaded.
    """
    maker = VectorMaker(options)
    try:
        found = maker.begin(path)
        while maker.busy:
            found = maker.advance() or found
    finally:
        maker.close()
    return found


def leftovers(directory: Path, kept: set[Path]) -> list[Path]:
    """Return the files of catalogs in ``directory`` that belong to none of ``kept``."""
    stems = {path.stem for path in kept}
    return [
        path
        for ending in (ENDING, VECTORS)
        for path in directory.glob(f"*{ending}")
        if path.name.removesuffix(ending) not in stems
    ]
