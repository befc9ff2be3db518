"""What an index serves: rows of stores, docstores and servers. The servers are fakes of published APIs."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from collector.catalog.listings.chroma import ChromaIndex
from collector.catalog.listings.index import PAGE, entries_of, nodes_in, rows_in
from collector.catalog.listings.notes import Notes
from collector.catalog.listings.qdrant import QdrantIndex
from collector.catalog.listings.weaviate import WeaviateIndex
from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from tests.command import command

TEXT = "Refunds are paid within 30 days of the purchase to the card that was used."
ROWS = [
    {"id": "1", "document": TEXT, "metadata": {"source": "/srv/a.md", "last_modified": "2026-01-01T10:00:00"}},
    {"id": "2", "page_content": "By train.", "metadata": {"source": "C:\\docs\\b.md"}},
    {"id": "3", "content": "By air.", "meta": {"file_path": "c.md", "source_id": "9f" * 32, "split_id": 0}},
    {"id": "4", "text": "Nothing says where this is from."},
]


def test_rows_of_any_store_tell_their_documents() -> None:
    notes = Notes()
    found = list(entries_of(ROWS, notes))
    assert [(one.id, one.version and one.version[:2]) for one in found] == [
        ("/srv/a.md", None),
        ("C:\\docs\\b.md", None),
        ("c.md", "9f"),
    ]
    assert found[0].modified_at is not None
    assert list(notes.lines()) == ["1 chunks that name no document, passed over: 4"]


def test_a_docstore_tells_its_chunks_and_not_the_whole_documents_beside_them(tmp_path: Path) -> None:
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import Document
    from llama_index.core.storage.docstore import SimpleDocumentStore

    whole = Document(text=f"{TEXT} " * 40, metadata={"file_path": "/srv/a.md", "last_modified_date": "2026-01-01"})
    nodes = SentenceSplitter(chunk_size=200, chunk_overlap=0, tokenizer=str.split).get_nodes_from_documents([whole])
    store = SimpleDocumentStore()
    store.add_documents([whole, *nodes])
    store.persist(str(tmp_path / "docstore.json"))
    found = list(entries_of(nodes_in(tmp_path / "docstore.json"), Notes()))
    assert len(found) == len(nodes) > 1
    assert {(one.id, one.uri) for one in found} == {("/srv/a.md", "/srv/a.md")}
    assert [one.text for one in found] == [node.text for node in nodes]


class FakeChroma(BaseHTTPRequestHandler):
    """Answers as the API of Chroma 1 is published: a collection by name, and its rows by offset and limit."""

    rows: ClassVar = [(str(at), f"Chunk {at}.", {"source": f"/srv/{at % 7}.md"}) for at in range(PAGE + 3)]

    def do_GET(self):
        known = self.path.endswith("/collections/docs")
        self.give(200 if known else 404, {"id": "7f"} if known else {"error": "NotFoundError", "message": "no such"})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        page = self.rows[asked["offset"] : asked["offset"] + asked["limit"]]
        names = ("ids", "documents", "metadatas")
        self.give(200, dict(zip(names, map(list, zip(*page, strict=True)), strict=True)))

    def give(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Say nothing."""


class FakeQdrant(FakeChroma):
    """Answers as Qdrant's API is published: points by the offset that the page before named."""

    def do_POST(self):
        if self.path != "/collections/docs/points/scroll":
            self.give(404, {"status": {"error": "Not found"}})
            return
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        start = asked["offset"] or 0
        points = [
            {"id": int(at), "payload": {"page_content": text, "metadata": facts}}
            for at, text, facts in self.rows[start : start + asked["limit"]]
        ]
        following = start + asked["limit"]
        self.give(
            200, {"result": {"points": points, "next_page_offset": following if following < len(self.rows) else None}}
        )


class FakeWeaviate(FakeChroma):
    """Answers as Weaviate's API is published: objects after an id."""

    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        if asked["class"] != ["docs"]:
            self.give(404, {"error": [{"message": "no such class"}]})
            return
        start = int(asked["after"][0] or -1) + 1
        rows = self.rows[start : start + int(asked["limit"][0])]
        self.give(200, {"objects": [{"id": at, "properties": {"text": text, **facts}} for at, text, facts in rows]})


@pytest.mark.parametrize(
    ("fake", "kind"), [(FakeChroma, ChromaIndex), (FakeQdrant, QdrantIndex), (FakeWeaviate, WeaviateIndex)]
)
def test_a_collection_is_read_page_by_page(fake, kind) -> None:
    def rows(client, collection):
        return kind(collection=collection, url="http://127.0.0.1:1").rows(client)

    with ThreadingHTTPServer(("127.0.0.1", 0), fake) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with closing(HttpClient(f"http://127.0.0.1:{server.server_port}")) as client:
            found = list(entries_of(rows(client, "docs"), Notes()))
            assert len(found) == PAGE + 3
            assert (found[-1].id, found[-1].text) == (f"/srv/{(PAGE + 2) % 7}.md", f"Chunk {PAGE + 2}.")
            with pytest.raises(ConfigError):
                list(rows(client, "other"))
        server.shutdown()


def test_what_is_no_listing_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": 1}\nno\n')
    with pytest.raises(ConfigError, match="line 2: not JSON"):
        list(rows_in(tmp_path / "x.jsonl"))
    (tmp_path / "docstore.json").write_text('{"a": 1}')
    with pytest.raises(ConfigError, match=r"expected the docstore\.json"):
        list(nodes_in(tmp_path / "docstore.json"))
    with pytest.raises(ConfigError, match="expected a file"):
        list(rows_in(tmp_path))


def test_the_command_line_tells_where_an_index_lags(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    for name in "abc":
        (source / f"{name}.md").write_text(TEXT.replace("purchase", f"purchase of {name}"))
    rows = [
        {"id": name, "text": (source / f"{name}.md").read_text(), "metadata": {"source": str(source / f"{name}.md")}}
        for name in "abc"
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert command("catalog", "from", "rows", "rows.jsonl", "--out", "index.jsonl", cwd=tmp_path).returncode == 0
    assert command("catalog", "from", "directory", "docs", "--out", "source.jsonl", cwd=tmp_path).returncode == 0
    same = command("catalog", "lag", "source.jsonl", "index.jsonl", cwd=tmp_path)
    assert same.returncode == 0
    assert same.stdout.startswith("3 documents: 3 up to date, 0 outdated, 0 removed, 0 moved, 0 missing; ")
    (source / "a.md").write_text(TEXT.replace("30", "14"))
    (source / "b.md").unlink()
    command("catalog", "from", "directory", "docs", "--previous", "source.jsonl", "--out", "source.jsonl", cwd=tmp_path)
    late = command("catalog", "lag", "source.jsonl", "index.jsonl", cwd=tmp_path)
    assert late.returncode == 1
    assert [line.split()[0] for line in late.stdout.splitlines()] == ["outdated", "removed", "3"]
