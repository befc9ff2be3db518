"""A model behind an API of the usual shape, and a client of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import openai
from apps.corpus import reply

MODEL = "librarian-1"


class _Provider(BaseHTTPRequestHandler):
    """A model behind an API of the usual shape; it searches first where it is given a tool."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"] == "busy-1":
            self._send(429, {"error": {"message": "too many questions today", "type": "rate_limit"}})
            return
        if self.path.endswith("/embeddings"):
            vectors = [{"object": "embedding", "index": 0, "embedding": [0.5, 0.25]}]
            usage = {"prompt_tokens": 6, "total_tokens": 6}
            self._send(200, {"object": "list", "data": vectors, "model": asked["model"], "usage": usage})
            return
        messages = asked["messages"]
        question = next(m["content"] for m in reversed(messages) if m["role"] == "user").rpartition("Question:")[2]
        message: dict[str, Any] = {"role": "assistant", "content": reply(question)}
        reason = "stop"
        if asked.get("tools") and messages[-1]["role"] != "tool":
            function = {"name": "handbook", "arguments": '{"query": "books lent weeks"}'}
            message = {"role": "assistant", "content": None}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
            reason = "tool_calls"
        text = message["content"] or ""
        used = sum(len((m.get("content") or "").split()) for m in messages)
        usage = {"prompt_tokens": used, "completion_tokens": len(text.split()) or 5}
        usage["total_tokens"] = sum(usage.values())
        head = {"id": "chat-1", "created": 1, "model": "librarian-1-0424"}
        if asked.get("stream"):
            self._stream(head, text, usage)
            return
        choice = {"index": 0, "message": message, "finish_reason": reason}
        self._send(200, head | {"object": "chat.completion", "choices": [choice], "usage": usage})

    def _stream(self, head: dict[str, Any], text: str, usage: dict[str, int]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        words = [word if i == 0 else " " + word for i, word in enumerate(text.split(" "))]
        deltas = [{"role": "assistant", "content": ""}, *({"content": word} for word in words)]
        choices: list[list[dict[str, Any]]] = [[{"index": 0, "delta": d, "finish_reason": None}] for d in deltas]
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
def client() -> Iterator[openai.OpenAI]:
    """A client of the model, which is served meanwhile."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", max_retries=0)
    finally:
        server.shutdown()
