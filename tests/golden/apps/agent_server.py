"""A provider on the loopback that an agent can talk to: it asks for a search first, and answers from what was found.

It speaks OpenAI's chat completions and responses, streamed or not, Anthropic's messages and Google's contents. Its
words depend on the request alone.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL, SERVED = "librarian-1", "librarian-1-0424"
SAID = "Books are lent for four weeks [1]."
TYPED = {"answer": SAID, "weeks": 4}
SEARCHED = {"query": "lending period of books"}
HANDED = {"transfer_to_agent": {"agent_name": "researcher"}, "ask_researcher": {"input": "How long?"}}
"""What agents are asked with that others hand over to."""
CALLS: list[dict[str, Any]] = []
"""What each call took and asked for, in order: what the application knows."""
FINAL = ("final_answer", "final_result", "finish", "submit", "answer", "reply")


_FIELD = re.compile(r"\[\[ ## (\w+) ## \]\]")


class _Provider(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            self._json({"object": "list", "model": "shelf-embed-1", "usage": {"prompt_tokens": 4, "total_tokens": 4},
                        "data": [{"object": "embedding", "index": 0, "embedding": [0.5, 0.5]}]})  # fmt: skip
        elif self.path.endswith("/responses"):
            self._respond(request)
        elif self.path.endswith("/messages"):
            self._message(request)
        elif self.path.endswith(":generateContent"):
            self._generate(request)
        else:
            self._complete(request)

    def _complete(self, request: dict[str, Any]) -> None:
        messages = request["messages"]
        call = _call(messages, [tool["function"]["name"] for tool in request.get("tools", ())])
        message: dict[str, Any] = {"role": "assistant", "content": None if call else _said(messages)}
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            message["tool_calls"] = [{"id": f"call-{len(messages)}", "type": "function", "function": function}]
        usage = {"prompt_tokens": 10 * len(messages), "completion_tokens": 7, "total_tokens": 10 * len(messages) + 7}
        tool = _acts(messages) or (call[0] if call else None)
        CALLS.append({**usage, "tool": tool})
        head = {"id": f"chat-{len(messages)}", "created": 1, "model": SERVED}
        reason = "tool_calls" if call else "stop"
        if not request.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self._json({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        if call:
            message["tool_calls"] = [{"index": 0, **message["tool_calls"][0]}]
        first = {"index": 0, "delta": message, "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": reason}
        chunks = [{"choices": [first]}, {"choices": [last]}, {"choices": [], "usage": usage}]
        self._events([{**head, "object": "chat.completion.chunk", **chunk} for chunk in chunks])

    def _respond(self, request: dict[str, Any]) -> None:
        given = request["input"]
        messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
        seen = [
            {"role": "tool"} if item.get("type") == "function_call_output" else item
            for item in messages
            if item.get("type") != "function_call"
        ]
        call = _call(seen, [tool["name"] for tool in request.get("tools", ()) if "name" in tool])
        number = len(messages)
        if call:
            item: dict[str, Any] = {"type": "function_call", "id": f"fc-{number}", "call_id": f"call-{number}"}
            item |= {"name": call[0], "arguments": json.dumps(call[1]), "status": "completed"}
        else:
            part = {"type": "output_text", "text": SAID, "annotations": []}
            item = {"type": "message", "id": f"msg-{number}", "role": "assistant", "status": "completed",
                    "content": [part]}  # fmt: skip
        items = [*_files(request), item]
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        usage = {"input_tokens": 10 * number, "output_tokens": 7, "total_tokens": 10 * number + 7, **details}
        tool = call[0] if call else next((each["type"] for each in items[:-1]), None)
        CALLS.append({"prompt_tokens": 10 * number, "completion_tokens": 7, "tool": tool})
        response = {"id": f"resp-{number}", "object": "response", "created_at": 1, "model": SERVED,
                    "status": "completed",
                    "output": items, "usage": usage, "tools": request.get("tools", []), "tool_choice": "auto",
                    "parallel_tool_calls": True, "instructions": request.get("instructions"), "error": None,
                    "incomplete_details": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0}  # fmt: skip
        if request.get("stream"):
            self._events([{"type": "response.created", "sequence_number": 0, "response": {**response, "output": []}},
                          {"type": "response.completed", "sequence_number": 1, "response": response}])  # fmt: skip
        else:
            self._json(response)

    def _message(self, request: dict[str, Any]) -> None:
        """Answer as Anthropic's API does."""
        messages = [
            {"role": "tool"} if any(part["type"] == "tool_result" for part in _parts_of(each)) else each
            for each in request["messages"]
        ]
        number = len(messages)
        call = _call(messages, [tool["name"] for tool in request.get("tools", ())])
        block: dict[str, Any] = {"type": "text", "text": SAID}
        if call:
            block = {"type": "tool_use", "id": f"toolu-{number}", "name": call[0], "input": call[1]}
        CALLS.append({"prompt_tokens": 10 * number, "completion_tokens": 7, "tool": call[0] if call else None})
        usage = {"input_tokens": 10 * number, "output_tokens": 7}
        head = {"id": f"msg-{number}", "type": "message", "role": "assistant", "model": SERVED, "usage": usage}
        self._json({**head, "content": [block], "stop_reason": "tool_use" if call else "end_turn"})

    def _generate(self, request: dict[str, Any]) -> None:
        """Answer as Google's API does."""
        messages = [
            {"role": "tool"} if any("functionResponse" in part for part in each["parts"]) else each
            for each in request["contents"]
        ]
        number = len(messages)
        tools = [tool["name"] for each in request.get("tools", ()) for tool in each["functionDeclarations"]]
        call = _call(messages, tools)
        part: dict[str, Any] = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": SAID}
        CALLS.append({"prompt_tokens": 10 * number, "completion_tokens": 7, "tool": call[0] if call else None})
        usage = {"promptTokenCount": 10 * number, "candidatesTokenCount": 7, "totalTokenCount": 10 * number + 7}
        content = {"role": "model", "parts": [part]}
        self._json({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "modelVersion": SERVED,
                    "usageMetadata": usage, "responseId": f"r-{number}"})  # fmt: skip

    def _events(self, chunks: list[dict[str, Any]]) -> None:
        text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        self._send(text.encode(), "text/event-stream")

    def _json(self, body: dict[str, Any]) -> None:
        self._send(json.dumps(body).encode(), "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _call(messages: list[dict[str, Any]], tools: list[str]) -> tuple[str, dict[str, Any]] | None:
    """Return the tool to ask for: a search, then, where answers are given by a tool, that."""
    last = max((n for n, each in enumerate(messages) if each.get("role") == "user"), default=0)
    answered = "Observation" in str(messages[-1]) or any(
        each.get("role") in ("tool", "tool-response") and "transferred" not in str(each.get("content"))
        for each in messages[last:]
    )
    finals = [name for name in tools if name.lower() in FINAL or name[:1].isupper()]
    asked = [call["function"]["name"] for each in messages[last:] for call in each.get("tool_calls") or ()]
    searches = sorted((name for name in tools if name not in (*finals, *asked)), key=lambda name: name in HANDED)
    if searches and not answered:
        return searches[0], HANDED.get(searches[0], SEARCHED)
    if finals:
        return finals[0], {"answer": SAID} if finals[0] in ("final_answer", "reply") else TYPED
    return None


def _parts_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _files(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the search of the provider in its files, where it is asked for."""
    from apps.agents_app import ROWS

    if not any(tool["type"] == "file_search" for tool in request.get("tools", ())):
        return []
    found = [
        {"file_id": row["id"], "filename": f"{row['id']}.md", "score": row["score"], "text": row["content"],
         "attributes": row["metadata"]}
        for row in ROWS
    ]  # fmt: skip
    searched = {"type": "file_search_call", "id": "fs-1", "status": "completed", "queries": [SEARCHED["query"]]}
    return [{**searched, "results": found}]


def _acts(messages: list[dict[str, Any]]) -> str | None:
    """Return the tool that is to run next where that is told in words, or in code."""
    if "<code>" in str(messages[0].get("content")):  # an agent that writes code
        return "final_answer" if "LOAN-1@2" in str(messages[-1].get("content")) else "search_handbook"
    if "[[ ## next_tool_name ## ]]" not in str(messages[0].get("content")):
        return None
    return "finish" if "observation_0" in str(messages[-1].get("content")) else "search_labelled"


def _said(messages: list[dict[str, Any]]) -> str:
    """Return the answer, in the form that DSPy asks for where it does."""
    if messages and "<code>" in str(messages[0].get("content")):
        searches = _acts(messages) == "search_handbook"
        code = f"print(search_handbook(query={SEARCHED['query']!r}))" if searches else f"final_answer({SAID!r})"
        return f"Thought: look it up.\n<code>\n{code}\n</code>"
    fields = dict.fromkeys(_FIELD.findall(str(messages[0].get("content")) if messages else ""))
    if not fields:
        return SAID if messages else ""
    name = _acts(messages) or "finish"
    acts = {"next_tool_name": name, "next_tool_args": "{}" if name == "finish" else json.dumps(SEARCHED)}
    said = {"answer": SAID, "reasoning": "It says so.", "next_thought": "Look it up.", **acts}
    return "\n\n".join(f"[[ ## {name} ## ]]\n{said[name]}" for name in said if name in fields)


@contextmanager
def provider() -> Iterator[str]:
    """Serve on a free port of the loopback, and give the base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
