"""An application without a framework: functions, a client of a model's provider, and at times a vector store."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from apps.corpus import RULES, reply, search

QUESTION = "For how long are books lent?"
SYSTEM = "Answer from the numbered context and cite it like [1].\n\nContext:\n{context}"


class _Provider(BaseHTTPRequestHandler):
    """A model behind an API of the usual shape."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"] == "busy-1":
            self._send(429, {"error": {"message": "too many questions today", "type": "rate_limit"}})
            return
        question = next(m["content"] for m in reversed(asked["messages"]) if m["role"] == "user")
        text = reply(question)
        used = sum(len(m["content"].split()) for m in asked["messages"])
        usage = {"prompt_tokens": used, "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        head = {"id": "chat-1", "created": 1, "model": "librarian-1-0424"}
        if not asked.get("stream"):
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send(200, head | {"object": "chat.completion", "choices": [choice], "usage": usage})
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        words = [word if i == 0 else " " + word for i, word in enumerate(text.split(" "))]
        deltas = [{"role": "assistant", "content": ""}, *({"content": word} for word in words)]
        choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
        choices.append([{"index": 0, "delta": {}, "finish_reason": "stop"}])
        for choice in [*choices, []]:
            chunk = head | {"object": "chat.completion.chunk", "choices": choice}
            chunk |= {} if choice else {"usage": usage}
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, status: int, body: dict[str, Any]) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def provider() -> Iterator[str]:
    """Serve the model and yield its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


def found(query: str) -> list[dict[str, Any]]:
    """What the shelf holds on ``query``, as LangSmith asks functions of kind retriever to return it."""
    return [
        {"page_content": rule.text, "type": "Document", "metadata": {**rule.metadata, "score": score}}
        for rule, score in search(query, 2)
    ]


def prompted(question: str, documents: list[dict[str, Any]]) -> list[dict[str, str]]:
    context = "\n".join(f"[{i}] {document['page_content']}" for i, document in enumerate(documents, start=1))
    return [
        {"role": "system", "content": SYSTEM.format(context=context)},
        {"role": "user", "content": question},
    ]


def decorated(wrap: Callable[[Any], Any], step: Callable[..., Any], *, model: str = "librarian-1", **how: Any) -> Any:
    """One application without a framework: ``step(kind)`` decorates its functions, ``wrap`` the provider's client."""
    import openai

    with provider() as url:
        client = wrap(openai.OpenAI(base_url=url, api_key="none", max_retries=0))

        @step("retriever")
        def retrieve(query: str) -> list[dict[str, Any]]:
            return found(query)

        @step("chain")
        def answer(question: str) -> str:
            reply = client.chat.completions.create(model=model, messages=prompted(question, retrieve(question)), **how)
            if how.get("stream"):
                return "".join(chunk.choices[0].delta.content or "" for chunk in reply if chunk.choices)
            return str(reply.choices[0].message.content)

        with suppress(openai.RateLimitError):
            answer(QUESTION)


def with_store(
    workflow: Callable[..., Any], task: Callable[..., Any], identify: Callable[[dict[str, str]], None]
) -> None:
    """Answer from a vector store that embeds texts by what is in them."""
    import chromadb
    import openai

    def embedded(text: str) -> list[float]:
        return [float(word in text.lower()) for word in ("books", "lent", "overdue", "card", "rooms", "films")]

    rules = chromadb.EphemeralClient().create_collection("rules", embedding_function=None)
    rules.add(
        ids=[rule.id for rule in RULES],
        documents=[rule.text for rule in RULES],
        metadatas=[{key: value for key, value in rule.metadata.items() if value is not None} for rule in RULES],
        embeddings=[embedded(rule.text) for rule in RULES],
    )
    with provider() as url:
        client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)

        @task(name="retrieve")
        def retrieve(query: str) -> list[str]:
            return rules.query(query_embeddings=[embedded(query)], n_results=2)["documents"][0]

        @workflow(name="answer")
        def answer(question: str) -> str:
            identify({"user_id": "reader-12", "session_id": "visit-7", "tenant": "branch-north"})
            messages = prompted(question, [{"page_content": text} for text in retrieve(question)])
            reply = client.chat.completions.create(model="librarian-1", messages=messages)
            return str(reply.choices[0].message.content)

        answer(QUESTION)
