"""Asking one canary: a request made of the template and marked, and a reply read into passages and an answer."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from adapters.base import PassageKeys
from adapters.canary import HEADER, MARKER, TRACE_PREFIX
from adapters.documents.passages import Identities, passage_of
from adapters.documents.shapes import documents_in
from adapters.schema import Passage
from collector.canaries.options import CanaryOptions, Principal
from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.template import PathError, filled, found_at
from scorers.canaries.canary import Canary
from scorers.text.excerpt import excerpt

MAX_PASSAGES = 100
MAX_ANSWER = 20_000


class CanaryReply(NamedTuple):
    """What came back: passages, best first, and the answer of an application. ``trace_id`` is that of the request."""

    passages: tuple[Passage, ...]
    answer: str | None
    trace_id: str
    seconds: float


class CanaryEndpoint:
    """The retriever or the application, asked as each principal over a connection of its own."""

    def __init__(self, options: CanaryOptions, *, keys: PassageKeys, where: str = "canaries") -> None:
        """Open it. Raises `ConfigError` for a secret that cannot be read; no network yet."""
        self._options = options
        self._keys = keys
        self._clients: dict[str | None, HttpClient] = {}
        try:
            for principal in options.askers:
                self._clients[_name(principal)] = options.client_of(principal, where)
        except BaseException:
            self.close()
            raise

    def ask(self, canary: Canary, principal: Principal | None, *, monotonic: Callable[[], float]) -> CanaryReply:
        """Ask a canary as ``principal``. Raises `Unreachable` for no reply, and for one without passages to read."""
        options, client = self._options, self._clients[_name(principal)]
        values: Mapping[str, str | int] = {
            "question": canary.question,
            "k": options.k,
            "canary": canary.id,
            "principal": _name(principal) or "",
        }
        trace_id = TRACE_PREFIX + secrets.token_hex(8)
        headers = {
            HEADER: canary.id,
            "baggage": f"{MARKER}={canary.id}",
            "traceparent": f"00-{trace_id}-{secrets.token_hex(8)}-01",
        }
        params = filled(options.params, values)
        path = filled(options.path, {**values, "question": quote(canary.question, safe="")})
        began = monotonic()
        if options.body is None:
            reply = client.get(path, params, headers=headers)
        else:
            reply = client.post(path, filled(options.body, values), params=params, headers=headers)
        seconds = monotonic() - began
        if not reply.ok:
            raise reply.failure()
        url = client.url(options.path)
        try:
            passages, answer = self._read(reply.json(), url)
        except PathError as error:
            raise Unreachable(f"{url}: {error}") from error
        return CanaryReply(passages, answer, trace_id, seconds)

    def close(self) -> None:
        """Release the connections; an exchange under way fails."""
        for client in self._clients.values():
            client.close()

    def _read(self, body: Any, url: str) -> tuple[tuple[Passage, ...], str | None]:
        fields = self._options.reply
        held = body if fields.passages is None else found_at(fields.passages, body)
        documents = None if held is None else documents_in(held, most=MAX_PASSAGES)
        if documents is None:
            where = "in it" if fields.passages is None else f"at passages: {fields.passages}"
            raise Unreachable(f"{url}: the reply has no list of passages {where}; it has {_shape(body)}")
        identities = Identities("canary", self._keys)
        passages = tuple(
            passage_of(one, id=identities.of(one), stage=None, rank=rank, keys=self._keys)
            for rank, one in enumerate(documents)
        )
        if fields.answer is None:
            return passages, None
        answer = found_at(fields.answer, body)
        if not isinstance(answer, str):
            raise Unreachable(f"{url}: the reply has no text at answer: {fields.answer}; it has {_shape(body)}")
        return passages, answer[:MAX_ANSWER]


def _name(principal: Principal | None) -> str | None:
    return None if principal is None else principal.name


def _shape(body: Any) -> str:
    """Return what a reply holds, for who maps it: the names of its members, one level down."""
    if isinstance(body, Mapping):
        return "the members " + excerpt(", ".join(str(name) for name in body))
    return {list: "a list", str: "a text", type(None): "nothing"}.get(type(body), "a value")
