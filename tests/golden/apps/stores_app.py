"""The library's desk over vector stores whose clients OpenLLMetry watches: one function each, by its scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps.agents_app import ROWS
from apps.observers_app import prompted

EMBEDDED = {"LOAN-1@2": [1.0, 0.0, 0.25], "LOAN-2@1": [0.75, 0.5, 0.0]}
ASKED = [1.0, 0.0, 0.0]


def _watch() -> None:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()


def _answer(url: str, search: Callable[[], list[dict[str, Any]]]) -> None:
    from openai import OpenAI
    from opentelemetry import trace

    _watch()
    with trace.get_tracer("desk").start_as_current_span("GET /ask"):
        client = OpenAI(base_url=url, api_key="none", max_retries=0)
        prompted(client, search())


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {**row["metadata"], "text": row["content"]}


def chroma(url: str) -> None:
    """Chroma, in memory."""
    import chromadb
    from opentelemetry.instrumentation.chromadb import ChromaInstrumentor

    ChromaInstrumentor().instrument()
    rules = chromadb.EphemeralClient().create_collection("rules", embedding_function=None)
    rules.add(
        ids=[row["id"] for row in ROWS],
        documents=[row["content"] for row in ROWS],
        metadatas=[row["metadata"] for row in ROWS],
        embeddings=[EMBEDDED[row["id"]] for row in ROWS],
    )

    def search() -> list[dict[str, Any]]:
        found = rules.query(query_embeddings=[ASKED], n_results=2)
        return [{"content": text} for text in found["documents"][0]]

    _answer(url, search)


def qdrant(url: str) -> None:
    """Qdrant, in memory."""
    from opentelemetry.instrumentation.qdrant import QdrantInstrumentor
    from qdrant_client import QdrantClient, models

    QdrantInstrumentor().instrument()
    store = QdrantClient(":memory:")
    store.create_collection("rules", vectors_config=models.VectorParams(size=3, distance=models.Distance.COSINE))
    points = [models.PointStruct(id=n, vector=EMBEDDED[row["id"]], payload=_flat(row)) for n, row in enumerate(ROWS)]
    store.upsert("rules", points)

    def search() -> list[dict[str, Any]]:
        found = store.query_points("rules", query=ASKED, limit=2)
        return [{"content": point.payload["text"]} for point in found.points]

    _answer(url, search)


def milvus(url: str) -> None:
    """Milvus Lite, in a file."""
    import tempfile

    from opentelemetry.instrumentation.milvus import MilvusInstrumentor
    from pymilvus import MilvusClient

    MilvusInstrumentor().instrument()
    with tempfile.TemporaryDirectory() as folder:
        store = MilvusClient(f"{folder}/rules.db")
        store.create_collection("rules", dimension=3, metric_type="COSINE", id_type="string", max_length=64)
        rows = [{"id": row["id"], "vector": EMBEDDED[row["id"]], **_flat(row)} for row in ROWS]
        store.insert("rules", rows)

        def search() -> list[dict[str, Any]]:
            found = store.search(
                "rules", data=[ASKED], limit=2, output_fields=["text", "doc_id", "version", "effective_from"]
            )
            return [{"content": hit["entity"]["text"]} for hit in found[0]]

        _answer(url, search)
        store.close()


SCENARIOS: dict[str, Callable[[str], None]] = {
    "openllmetry-chroma": chroma,
    "openllmetry-qdrant": qdrant,
    "openllmetry-milvus": milvus,
}
