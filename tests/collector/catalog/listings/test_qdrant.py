"""A collection of Qdrant's own local mode, behind the path and the models that its API publishes."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from collector.catalog.listings.index import PAGE, entries_of
from collector.catalog.listings.notes import Notes
from collector.catalog.listings.qdrant import QdrantIndex
from collector.errors import ConfigError

qdrant = pytest.importorskip("qdrant_client")


@pytest.fixture(scope="module")
def url():
    """A server whose answers come from Qdrant's local mode, and that asks for a key."""
    from qdrant_client.http import models

    local = qdrant.QdrantClient(":memory:")
    local.create_collection("docs", vectors_config=models.VectorParams(size=2, distance=models.Distance.COSINE))
    local.upsert(
        "docs",
        [
            models.PointStruct(
                id=number,
                vector=[1.0, number],
                payload={"page_content": f"Chunk {number}.", "metadata": {"source": f"/srv/{number % 7}.md"}},
            )
            for number in range(2 * PAGE + 3)
        ],
    )

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = models.ScrollRequest.model_validate_json(self.rfile.read(int(self.headers["content-length"])))
            name = self.path.split("/")[2]
            if self.headers["api-key"] != "s3cret-key":
                self.give(401, {"status": {"error": "Must provide an API key or an Authorization bearer token"}})
            elif not local.collection_exists(name):
                self.give(404, {"status": {"error": f"Not found: Collection `{name}` doesn't exist!"}})
            else:
                points, following = local.scroll(
                    name,
                    limit=asked.limit,
                    offset=asked.offset,
                    with_payload=asked.with_payload,
                    with_vectors=asked.with_vector,
                )
                rows = [models.Record(id=one.id, payload=one.payload).model_dump() for one in points]
                self.give(200, {"result": {"points": rows, "next_page_offset": following}, "status": "ok", "time": 0.1})

        def give(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
    local.close()


def listed(url, directory, collection, key="s3cret-key"):
    (directory / "key").write_text(key)
    index = QdrantIndex(collection=collection, url=url, token_file=directory / "key")
    with closing(index.client("catalog.indexes[0]")) as client:
        return list(entries_of(index.rows(client), Notes()))


def test_a_collection_is_read_whole(url, tmp_path):
    found = listed(url, tmp_path, "docs")
    assert len({one.text for one in found}) == len(found) == 2 * PAGE + 3
    assert {one.uri for one in found} == {f"/srv/{number}.md" for number in range(7)}


def test_a_collection_that_is_not_there_and_a_wrong_key_are_told(url, tmp_path):
    with pytest.raises(ConfigError, match="Collection `other` doesn't exist"):
        listed(url, tmp_path, "other")
    with pytest.raises(ConfigError, match=r"401 .*the credentials are refused") as caught:
        listed(url, tmp_path, "docs", key="a-wrong-key-of-a-test")
    assert "a-wrong-key" not in str(caught.value)
