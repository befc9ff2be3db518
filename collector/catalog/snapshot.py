"""A catalog as one file that every worker maps: made apart from the agent, put in place at once, opened in no time."""

from __future__ import annotations

import gc
import mmap
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

import numpy as np

from collector.catalog.embedder import local_embedder
from collector.catalog.files import CatalogFile, lines
from collector.models.options import Device
from scorers.catalog import Catalog, CatalogError, Document
from scorers.catalog.change import NAMED, CatalogChange, compare
from scorers.catalog.fields import Problems
from scorers.catalog.learned import consistent
from scorers.catalog.merging import Places, merged
from scorers.catalog.packed import Packed, from_buffer, to_pieces
from scorers.catalog.parse import pack, read_entries
from scorers.catalog.place import EntryPlace
from scorers.catalog.search.weights import DEFAULT_WEIGHTS, SearchWeights
from scorers.catalog.stored import catalog_of
from scorers.ports.embedding import Embedder

ENDING = ".packed"


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What a catalog is to be built from, and the one before, to say what changed.

    ``listed`` are listings of sources by the names of these.
    """

    files: tuple[CatalogFile, ...]
    directory: Path
    learned: tuple[Document, ...] = ()
    before: Path | None = None
    listed: tuple[tuple[str, CatalogFile], ...] = ()


@dataclass(frozen=True, slots=True)
class BuiltCatalog:
    """A catalog that was built. ``seconds`` is how long that took."""

    path: Path
    digest: str
    entries: int
    documents: int
    warnings: tuple[str, ...]
    change: CatalogChange
    seconds: float


@dataclass(frozen=True, slots=True)
class RefusedCatalog:
    """Why no catalog could be built, a line each."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mapped:
    """A catalog file for a worker to open, with the embeddings of its entries and the model they are of, if any.

    ``weights`` are what its entries are searched with.
    """

    path: str
    vectors: str | None = None
    model: tuple[str, Device] | None = None
    weights: SearchWeights = DEFAULT_WEIGHTS

    @property
    def digest(self) -> str:
        """The digest of the catalog, as its file is named after it.

        >>> Mapped("/data/catalog/1f2e3d-00aa11bb.packed").digest
        '1f2e3d'
        """
        return Path(self.path).name.partition("-")[0]

    def open(self) -> Catalog:
        """Map the catalog; raises ``OSError`` or ``ValueError`` where it is not what it was."""
        vectors = None if self.vectors is None else np.load(self.vectors, mmap_mode="r")
        catalog = catalog_of(mapped(Path(self.path)), vectors=vectors)
        catalog.weights = self.weights
        return catalog

    def embedder(self, threads: int | None = None) -> Embedder | None:
        """Return the model, loaded once in each process, which may compute with ``threads`` or as many as it likes."""
        return None if self.model is None else local_embedder(*self.model, threads)


def builder() -> Callable[[BuildOrder], BuiltCatalog | RefusedCatalog]:
    """Return `build`, as the set-up of a worker that ends with its answer."""
    # Objects come in millions, none of them in circles: looking for those takes a tenth of the time.
    gc.disable()
    return build


def build(order: BuildOrder) -> BuiltCatalog | RefusedCatalog:
    """Read, check and pack a catalog, and put its file into ``order.directory`` at once."""
    began = time.perf_counter()
    try:
        packed = packed_from(order.files, order.learned, order.listed)
    except CatalogError as error:
        return RefusedCatalog(error.problems)
    digest = str(packed.facts["digest"])
    # The digest says nothing of the order, which what is kept beside the file relies on.
    ordered = sha256(packed.arrays["contents"].tobytes()).hexdigest()[:8]
    path = order.directory / f"{digest}-{ordered}{ENDING}"
    draft = path.with_suffix(f".{os.getpid()}.part")
    try:
        order.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with draft.open("wb") as file:
            for piece in to_pieces(packed):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        return RefusedCatalog((f"{path}: cannot be written: {error.strerror}",))
    return BuiltCatalog(
        path=path,
        digest=digest,
        entries=len(packed.arrays["contents"]),
        documents=len(packed.arrays["ids"]),
        warnings=tuple(packed.facts["warnings"]),
        change=compare(opened(order.before), packed, named=NAMED),
        seconds=time.perf_counter() - began,
    )


def packed_from(
    files: Sequence[CatalogFile],
    learned: Sequence[Document] = (),
    listed: Sequence[tuple[str, CatalogFile]] = (),
) -> Packed:
    """Return the packed catalog of these files, of what sources have that they do not declare, and of what was learned.

    Raises `CatalogError` with all problems together.
    """
    problems = Problems()
    where = files[0].shown if len(files) == 1 else "catalog"
    declared: set[str] = set()

    def entries(file: CatalogFile) -> Iterator[tuple[EntryPlace, Document]]:
        try:
            yield from read_entries(lines(file), file.format, file.shown, problems)
        except CatalogError as error:
            for problem in error.problems:
                problems.add(problem)

    def stated() -> Iterator[tuple[EntryPlace, Document]]:
        for file in files:
            for place, document in entries(file):
                declared.add(document.id)
                yield place, document

    def added() -> Iterator[tuple[EntryPlace, Document]]:
        # What is declared of a document is all there is: a version heard of elsewhere would overrule it. So is what its
        # source has: a passage of an old copy would otherwise be in force by its own word.
        listings = ((name, (document for _, document in entries(file))) for name, file in listed)
        have = list(merged(listings, declared=declared))
        places = Places(have)
        heard = (one for one in learned if one.id not in declared and not places.hold(one))
        for number, document in enumerate(consistent([*have, *heard])):
            yield EntryPlace("listed" if number < len(have) else "learned", 0, number), document

    return pack(chain(stated(), added()), problems, where)


def mapped(path: Path) -> Packed:
    """Map a catalog file; the mapping lasts as long as what is returned."""
    with path.open("rb") as file:
        return from_buffer(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))


def opened(path: Path | None) -> Packed | None:
    """Map a catalog file if it is there and of this version of the package."""
    try:
        return None if path is None else mapped(path)
    except (OSError, ValueError):
        return None
