"""How long a large catalog takes: from a JSONL file to one that workers map, and what is asked of it then.

    python benchmarks/catalog.py [--passages N] [--words N] [--folder FOLDER]

Writes N passages of made-up words that occur as the words of a language do (Zipf), five sections in each of two
versions of a document, makes the catalog in a process of its own as the agent does, and prints the machine, the method
and the figures. The budget for 300,000 passages of 120 words is 15 s and 1 GB. With ``--peer`` the same texts are
indexed by bm25s as well.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import random
import resource
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from adapters.schema import Answer, Passage
from collector.catalog.files import listed
from collector.catalog.snapshot import BuildOrder, BuiltCatalog, Mapped, build, builder
from scorers.base import Env
from scorers.catalog.search.hybrid import search
from scorers.lineage import lineage_of

VOCABULARY = 200_000
SECTIONS, VERSIONS = 5, 2
BUDGET_SECONDS, BUDGET_MB = 15, 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=300_000)
    parser.add_argument("--words", type=int, default=120)
    parser.add_argument("--folder", type=Path, help="where to write; a temporary directory if left out")
    parser.add_argument("--peer", action="store_true", help="index the same texts with bm25s as well")
    arguments = parser.parse_args()
    with TemporaryDirectory(dir=arguments.folder) as folder:
        path = Path(folder, "catalog.jsonl")
        question = write(path, arguments.passages, arguments.words)
        size = path.stat().st_size / 1e6
        print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
        print(f"{arguments.passages:,} passages of {arguments.words} words, {size:.0f} MB of JSONL")
        with multiprocessing.get_context("spawn").Pool(1, builder) as pool:
            made, seconds, megabytes = pool.apply(measured, (BuildOrder(listed(path), Path(folder)),))
        print(
            f"made: {made.seconds:.1f} s on the clock, {seconds:.1f} s of a processor (budget {BUDGET_SECONDS}),"
            f" {megabytes:.0f} MB at most (budget {BUDGET_MB}), a file of {made.path.stat().st_size / 1e6:.0f} MB"
        )
        ask(made, question)
        if arguments.peer:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(
                    "bm25s, words and index alone: {:.1f} s of a processor, {:.0f} MB".format(
                        *pool.apply(peer, (path,))
                    )
                )


def write(path: Path, passages: int, words: int) -> str:
    """Write a catalog; return a question with common and rare words."""
    rng = np.random.default_rng(0)
    names = np.array([f"w{number:x}{'abcde'[: number % 5]}" for number in range(VOCABULARY)])
    shares = (1 / np.arange(1, VOCABULARY + 1)).cumsum()
    per_document = SECTIONS * VERSIONS
    with path.open("w", encoding="utf-8") as file:
        for document in range(passages // per_document):
            drawn = np.searchsorted(shares, rng.random((per_document, words)) * shares[-1])
            for place, row in enumerate(drawn):
                version = 1 + place // SECTIONS
                entry = {
                    "id": f"POL-{document:06}",
                    "version": f"{version}.0",
                    "section": f"s{place % SECTIONS}",
                    "title": f"Policy {document}",
                    "effective_from": f"202{version}-01-01",
                    "authority": 0.9,
                    "role": "governing",
                    "supersedes": [f"POL-{document:06}@1.0"] if version > 1 else [],
                    "checksum": f"{document * per_document + place:064x}",
                    "uri": f"https://policies.example.test/{document:06}",
                    "text": " ".join(names[row].tolist()),
                }
                file.write(f"{json.dumps(entry)}\n")
    return " ".join(names[[5, 300, 511, 1914, 4284, 20156]])


def measured(order: BuildOrder) -> tuple[BuiltCatalog, float, float]:
    began = time.process_time()
    made = build(order)
    assert isinstance(made, BuiltCatalog), made
    return made, time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def ask(made: BuiltCatalog, question: str) -> None:
    opened = timed(lambda: Mapped(str(made.path)).open(), 3)
    catalog = Mapped(str(made.path)).open()
    rng = random.Random(0)
    env = Env(now=datetime(2026, 1, 1, tzinfo=UTC), catalog=catalog)
    answers = []
    for number in range(1000):
        ids = [f"POL-{rng.randrange(catalog.n_documents):06}" for _ in range(5)]
        passages = tuple(
            Passage(id=f"p{place}", doc_id=name, version="1.0", section=f"s{place}") for place, name in enumerate(ids)
        )
        answers.append(Answer(id=str(number), question=question, passages=passages))

    def stand(answer: Answer) -> None:
        lineage = lineage_of(answer, env)
        for passage in answer.passages or ():
            lineage.status(passage)

    def over(few: list[Answer]) -> Callable[[], None]:
        left = iter(few)
        return lambda: stand(next(left))

    print(f"opened: {opened:.2f} ms")
    print(f"five passages: {timed(over(answers[:800]), 800):.3f} ms the first time,", end=" ")
    print(f"{timed(over(answers[800:] * 4), 800):.3f} ms of documents that are asked for again")
    print(f"search: {timed(lambda: search(catalog, question), 20):.1f} ms")


def timed(call: Callable[[], object], times: int) -> float:
    """Return the median milliseconds of a call."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1e3


def peer(path: Path) -> tuple[float, float]:
    import bm25s

    with path.open(encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    began = time.process_time()
    words = bm25s.tokenize(texts, stopwords=None, show_progress=False)
    bm25s.BM25().index(words, show_progress=False)
    return time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
