"""Whether a stale index is told from its source alone: real files, three loaders, and nothing written by hand.

    python benchmarks/listings.py FOLDER [--files N] [--seed N]

Copies N text files of FOLDER, loads a third of them with each of LangChain (DirectoryLoader, recursive splitter),
LlamaIndex (SimpleDirectoryReader, sentence splitter, persisted docstore) and Haystack (TextFileToDocument, word
splitter), as far as they are installed, with their defaults. Then ten of the files change, a word or a line each, three
are removed and two are moved; the folder is listed, and the index compared with it. Prints what was told, and exits 1
unless it is exactly those fifteen.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from collector.catalog.listings.directory import directory_listing
from collector.catalog.listings.index import entries_of, nodes_in
from collector.catalog.listings.notes import Notes
from scorers.catalog import Catalog
from scorers.catalog.lag import LaggingDocument, index_lag

CHANGED, REMOVED, MOVED = 10, 3, 2
LEAST_WORDS, MOST_BYTES = 40, 200_000
Row = dict[str, Any]


def langchain_rows(paths: Sequence[Path], root: Path) -> Iterator[Row]:
    """Load with LangChain, as its tutorials do."""
    from langchain_community.document_loaders import TextLoader
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
    del root
    for path in paths:
        for number, chunk in enumerate(splitter.split_documents(TextLoader(str(path), encoding="utf-8").load())):
            yield {"id": f"{path}-{number}", "page_content": chunk.page_content, "metadata": chunk.metadata}


def llamaindex_rows(paths: Sequence[Path], root: Path) -> Iterator[Row]:
    """Load with LlamaIndex into a docstore, and read the file that it persists."""
    from llama_index.core import SimpleDirectoryReader
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document
    from llama_index.core.storage.docstore import SimpleDocumentStore

    class Text(BaseReader):
        """Markdown and HTML as they are: the readers that take them apart are another package."""

        def load_data(self, file: Path, extra_info: Row | None = None) -> list[Document]:
            """Return the text of a file."""
            return [Document(text=file.read_text(encoding="utf-8"), metadata=extra_info or {})]

    extractors = dict.fromkeys({path.suffix for path in paths}, Text())
    documents = SimpleDirectoryReader(input_files=list(map(str, paths)), file_extractor=extractors).load_data()
    store = SimpleDocumentStore()
    store.add_documents(SentenceSplitter(tokenizer=str.split).get_nodes_from_documents(documents))
    persisted = root / "docstore.json"
    store.persist(str(persisted))
    yield from map(dict, nodes_in(persisted))


def haystack_rows(paths: Sequence[Path], root: Path) -> Iterator[Row]:
    """Load with Haystack, which keeps the names of files without their folders."""
    from haystack.components.converters import TextFileToDocument
    from haystack.components.preprocessors import DocumentSplitter

    del root
    splitter = DocumentSplitter(split_by="word", split_length=200, split_overlap=20)
    for document in splitter.run(TextFileToDocument().run(list(paths))["documents"])["documents"]:
        yield {"id": document.id, "content": document.content, "meta": document.meta}


LOADERS: dict[str, Callable[[Sequence[Path], Path], Iterator[Row]]] = {
    "langchain": langchain_rows,
    "llama-index": llamaindex_rows,
    "haystack": haystack_rows,
}


def copied(folder: Path, into: Path, count: int, chance: random.Random) -> list[Path]:
    """Copy ``count`` text files with their folders; return where they are."""
    found: list[Path] = []
    names = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    chance.shuffle(names)
    for path in names:
        if len(found) == count:
            break
        try:
            if path.stat().st_size > MOST_BYTES or any(part.startswith(".") for part in path.parts):
                continue
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if "\0" in text or len(text.split()) < LEAST_WORDS or path.suffix in {".html", ".htm"}:
            continue
        target = into / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
        os.utime(target, (1_700_000_000, 1_700_000_000))
        found.append(target)
    return found


def changed(text: str, way: int) -> str:
    """Return a text with a line more at its end, a line less within, another word, or another figure."""
    lines = text.split("\n")
    at = next(place for place in range(len(lines) // 3, len(lines)) if any(map(str.isalnum, lines[place])))
    if way == 0:
        return f"{text}\nThis was added later, by whoever keeps it.\n"
    if way == 1:
        return "\n".join(lines[:at] + lines[at + 1 :])
    words = lines[at].split(" ")
    place = next(number for number, word in enumerate(words) if any(map(str.isalnum, word)))
    words[place] = "Replaced" if way == 2 else "4711"
    return "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]])


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    chance = random.Random(options.seed)
    with TemporaryDirectory() as temporary:
        root = Path(temporary, "source")
        files = copied(options.folder, root, options.files, chance)
        rows: list[Row] = []
        for number, (name, load) in enumerate(LOADERS.items()):
            part = files[number :: len(LOADERS)]
            try:
                loaded = list(load(part, Path(temporary)))
            except ImportError as error:
                print(f"{name}: not installed ({error})")
                return 2
            print(f"{name}: {len(part)} files, {len(loaded)} chunks")
            rows += loaded
        # Of files that share name and text, an index without folders holds one copy for all.
        alike = Counter((path.name, path.read_bytes()) for path in files)
        unique = [path for path in files if alike[path.name, path.read_bytes()] == 1]
        picked = chance.sample(unique, CHANGED + REMOVED)
        # Haystack keeps no folders by default: what only moved is in such an index as it was.
        placed = [path for number, path in enumerate(files) if number % len(LOADERS) != 2 and path not in picked]
        picked += chance.sample(placed, MOVED)
        expected: dict[str, str] = {}
        for number, path in enumerate(picked):
            kind = "outdated" if number < CHANGED else "removed" if number < CHANGED + REMOVED else "moved"
            expected[path.relative_to(root).as_posix()] = kind
            if kind == "outdated":
                path.write_text(changed(path.read_text(encoding="utf-8"), number % 4), encoding="utf-8")
            elif kind == "removed":
                path.unlink()
            else:
                target = root / "moved" / str(number) / path.name
                target.parent.mkdir(parents=True)
                path.rename(target)
        now = datetime.now(UTC)
        began = time.process_time()
        source = directory_listing(root, at=now, notes=Notes())
        listed = time.process_time() - began
        found = index_lag(Catalog(source), entries_of(rows, Notes()), now)
        print(f"listing {listed:.1f} s, comparison {time.process_time() - began - listed:.1f} s of a core")
    print(json.dumps(found.model_dump(exclude={"lagging"})))
    left, wrong = dict(expected), []
    for one in found.lagging:
        print(f"  {one.kind:9}{one.uri or one.id}: {one.detail}")
        name = _name(one, root, left)
        if left.get(name) == one.kind:
            del left[name]
        else:
            wrong.append(f"{one.kind} {name}")
    print(f"{len(expected)} documents changed, {len(found.lagging)} told; not told: {[*left]}; told wrongly: {wrong}")
    return 1 if left or wrong else 0


def _name(one: LaggingDocument, root: Path, expected: Iterable[str]) -> str:
    """Return which file was told: that of the source where it is named, else by path, else by the name of a file."""
    if one.kind == "outdated" and one.source is not None:
        return one.source
    name = (one.uri or one.id).removeprefix(f"{root.resolve()}/")
    return next((path for path in expected if "/" not in name and path.rpartition("/")[2] == name), name)


if __name__ == "__main__":
    sys.exit(main())
