"""How many faults of an index canaries find in one round, and how many they imagine on clean syncs.

A catalog of policies changes a few entries at a time, and an index of it is read by BM25 (the library bm25s) behind
HTTP. The agent's own step writes canaries after each sync and asks all of them once. Of the faulty syncs each has one
fault: a chunk that kept its old text, a chunk that got lost, a version that went back, a restricted section for all.

    python benchmarks/canaries.py [--faults 200] [--clean 50] [--seed 7]
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import bm25s
import structlog

from adapters.base import PassageKeys
from adapters.trace import Nanoseconds
from benchmarks.canary_corpus import PolicyEntry, amended, chunks_of, policy_entries
from collector.canaries.endpoint import CanaryEndpoint
from collector.canaries.options import CanaryOptions
from collector.canaries.step import CanaryStep
from collector.canaries.task import written
from collector.catalog.files import CatalogFile
from collector.catalog.snapshot import BuildOrder, BuiltCatalog, build
from collector.outbound.link import Runtime
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry

FAULTS = ("stale chunk", "lost chunk", "wrong version", "permission")
K = 5


@dataclass
class PolicyIndex:
    """The chunks that a retriever searches, with what its store knows of each."""

    chunks: list[dict[str, Any]] = field(default_factory=list)
    _searched: Any = None

    def put(self, entry: PolicyEntry) -> None:
        """Index an entry anew."""
        self.chunks = [one for one in self.chunks if not of(one, entry)]
        for place, text in enumerate(chunks_of(entry.text)):
            metadata = {
                "doc_id": entry.doc_id,
                "version": str(entry.version),
                "section": entry.section,
                "title": entry.title,
                "permitted": list(entry.permitted or ()),
            }
            self.chunks.append({"id": f"{entry.doc_id}/{entry.section}#{place}", "text": text, "metadata": metadata})
        self._searched = None

    def touch(self) -> None:
        """Note that chunks were changed by hand."""
        self._searched = None

    def search(self, question: str, k: int, groups: list[str]) -> list[dict[str, Any]]:
        """Return the best chunks that a member of ``groups`` may see, by BM25 over title, section and text."""
        if self._searched is None:
            texts = [f"{one['metadata']['title']} {one['metadata']['section']} {one['text']}" for one in self.chunks]
            retriever = bm25s.BM25()
            retriever.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
            self._searched = retriever
        asked = bm25s.tokenize([question], stopwords="en", show_progress=False)
        many = min(len(self.chunks), k * 4)
        places, scores = self._searched.retrieve(asked, k=many, show_progress=False)
        found = []
        for place, score in zip(places[0].tolist(), scores[0].tolist(), strict=True):
            chunk = self.chunks[place]
            allowed = chunk["metadata"]["permitted"]
            if not allowed or set(allowed) & set(groups):
                found.append({"score": score, **chunk})
        return found[:k]


def of(chunk: dict[str, Any], entry: PolicyEntry) -> bool:
    """Whether a chunk is of an entry, whatever its version."""
    return chunk["metadata"]["doc_id"] == entry.doc_id and chunk["metadata"]["section"] == entry.section


@contextmanager
def retriever(index: PolicyIndex) -> Iterator[str]:
    """Serve an index over HTTP, to members of the groups that a header names."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            groups = [one for one in self.headers.get("x-groups", "").split(",") if one]
            hits = index.search(asked["query"], asked["top_k"], groups)
            body = json.dumps({"results": hits}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class CanaryRig:
    """Policies, their index, the catalog, and the step that watches over them, by a clock of its own."""

    def __init__(
        self, directory: Path, url: str, index: PolicyIndex, draw: random.Random, countries: int, per_entry: int
    ) -> None:
        self.draw, self.index = draw, index
        self.entries = policy_entries(draw, countries)
        self.now = Nanoseconds(1_790_000_000 * 10**9)
        self._directory = directory
        self._made: BuiltCatalog | None = None
        self.store = open_store(directory / "data")
        options = CanaryOptions.model_validate(
            {
                "url": url,
                "path": "/search",
                "body": {"query": "{question}", "top_k": "{k}"},
                "reply": {"passages": "results"},
                "k": K,
                "settle": "1ms",
                "every": "1h",
                "per_hour": 100_000,
                "per_sync": 10_000,
                "entries": 1_000,
                "per_entry": per_entry,
                "principals": [
                    {"name": "employee", "headers": {"x-groups": "staff"}, "groups": ["staff"]},
                    {"name": "manager", "headers": {"x-groups": "staff,managers"}, "groups": ["staff", "managers"]},
                ],
            }
        )
        self.endpoint = CanaryEndpoint(options, keys=PassageKeys())
        self.sync()
        for entry in self.entries:
            index.put(entry)
        self.step = CanaryStep(
            options,
            self.endpoint,
            store=self.store,
            runtime=Runtime(
                telemetry=Telemetry(metrics=(), dimensions=(), version="bench"),
                clock=lambda: self.now,
                stop=threading.Event(),
                monotonic=lambda: self.now / 1e9,
            ),
            in_force=lambda: None if self._made is None else self._made.path,
            write=written,
            hold=lambda _: None,
            expiry=3600 * 10**9,
        )

    def sync(self) -> None:
        """Put the entries in force as a catalog."""
        rows = [
            {
                "id": entry.doc_id,
                "version": str(entry.version),
                "section": entry.section,
                "title": entry.title,
                "text": entry.text,
                **({} if entry.permitted is None else {"permitted": list(entry.permitted)}),
            }
            for entry in self.entries
        ]
        path = self._directory / "catalog.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        before = None if self._made is None else self._made.path
        made = build(BuildOrder((CatalogFile(path, "jsonl", str(path)),), self._directory / "catalog", before=before))
        assert isinstance(made, BuiltCatalog), made
        self._made = made

    def amend(self, many: int) -> list[PolicyEntry]:
        """Change entries, each a new version of its document, and index them."""
        chosen = self.draw.sample(self.entries, many)
        for entry in chosen:
            amended(entry, self.draw)
        # A version is of a whole document: its other sections come along.
        for doc_id in {entry.doc_id for entry in chosen}:
            for entry in self.entries:
                if entry.doc_id == doc_id:
                    if entry not in chosen:
                        entry.earlier.append((entry.version, entry.text))
                    entry.version += 1
                    self.index.put(entry)
        self.sync()
        return chosen

    def round(self) -> tuple[set[str], int]:
        """Ask every canary once; return the faults that were found, with the documents, and how many were asked."""
        self.now = Nanoseconds(self.now + 2 * 3600 * 10**9)
        self.step.run_now()
        asked = 0
        while self.step.run_once():
            asked += 1
        failing = {
            f"{one.outcome}:{json.loads(one.body)['doc_id']}"
            for one in self.store.canaries()
            if one.outcome not in ("ok", "unclear", None)
        }
        return failing, asked

    def close(self) -> None:
        """Release what is open."""
        self.endpoint.close()
        self.store.close()


def injected(kind: str, rig: CanaryRig, changed: list[PolicyEntry]) -> Callable[[], None] | None:
    """Put one fault of a kind into the index; return what mends it, ``None`` where there is no place for it."""
    draw, index = rig.draw, rig.index
    if kind == "permission":
        restricted = [entry for entry in rig.entries if entry.permitted is not None]
        if not restricted:
            return None
        entry = draw.choice(restricted)
    else:
        entry = draw.choice(changed)
    own = [one for one in index.chunks if of(one, entry)]
    version, before = entry.earlier[-1] if entry.earlier else (entry.version, entry.text)
    if kind == "permission":
        for one in own:
            one["metadata"]["permitted"] = []
    elif kind == "lost chunk":
        gone = draw.choice(own)
        index.chunks = [one for one in index.chunks if one is not gone]
    else:
        old = list(chunks_of(before))
        new = [one["text"] for one in own]
        for one, text in zip(own, old, strict=False):
            if kind == "stale chunk" and text == one["text"]:
                continue
            one["text"] = text
            if kind == "wrong version":
                one["metadata"]["version"] = str(version)
        if kind == "stale chunk" and new == [one["text"] for one in own]:
            return None
    index.touch()
    return lambda: index.put(entry)


def main() -> None:  # noqa: PLR0915 - it prints what it counts
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--clean", type=int, default=50)
    parser.add_argument("--countries", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--per-entry", type=int, default=CanaryOptions.model_fields["per_entry"].default)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    found, seen, named = Counter[str](), Counter[str](), Counter[str]()
    alarms, asked_in_all = 0, 0
    missed: list[str] = []
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        index = PolicyIndex()
        url = stack.enter_context(retriever(index))
        rig = CanaryRig(directory, url, index, random.Random(given.seed), given.countries, given.per_entry)
        stack.callback(rig.close)
        began = time.process_time()
        first, asked = rig.round()
        policies = len({one.doc_id for one in rig.entries})
        print(f"{policies} policies of {len(rig.entries)} sections, {len(index.chunks)} chunks; {asked} canaries stand")
        plan = [FAULTS[number % len(FAULTS)] for number in range(given.faults)] + ["clean"] * given.clean
        rig.draw.shuffle(plan)
        alarms += bool(first)
        for number, kind in enumerate(plan):
            changed = rig.amend(rig.draw.randint(2, 6))
            mend = None if kind == "clean" else injected(kind, rig, changed)
            while kind != "clean" and mend is None:
                changed = rig.amend(rig.draw.randint(2, 6))
                mend = injected(kind, rig, changed)
            failing, asked = rig.round()
            asked_in_all += asked
            if number % 25 == 24:
                print(f"  {number + 1} syncs, {sum(found.values())} of {sum(seen.values())} faults found", flush=True)
            if mend is None:
                alarms += bool(failing)
                if failing:
                    print(f"  false alarm in sync {number}: {sorted(failing)}", flush=True)
                continue
            seen[kind] += 1
            found[kind] += bool(failing)
            named.update(f"{kind} as {one.partition(':')[0]}" for one in failing)
            if not failing:
                missed.append(f"sync {number}: {kind}")
            # Mended before the next sync: what still fails in its round would be seen there.
            mend()
        spent = time.process_time() - began
    for kind in FAULTS:
        print(f"{kind:<14} found {found[kind]:>3} of {seen[kind]:>3} within one round")
    total, all_seen = sum(found.values()), sum(seen.values())
    print(f"{'all faults':<14} found {total:>3} of {all_seen:>3}: {total / max(1, all_seen):.1%}")
    print(f"{'clean syncs':<14} false alarms in {alarms} of {given.clean + 1} rounds without a fault")
    print(f"named: {dict(named)}")
    print(f"missed: {missed}")
    print(f"{asked_in_all / max(1, len(plan)):.0f} questions a round, {spent:.0f} s of processor time in all")


if __name__ == "__main__":
    main()
