"""Dialects that are a table of keys: those of `adapters.dialects.tables`, and a user's own.

What a table cannot say is a method of a subclass of `KeyedView`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from adapters.assembly.exchanges import messages_answered, messages_asked, text_answered
from adapters.assembly.messages import MAX_MESSAGES, Message, tool_call_of
from adapters.assembly.view import View
from adapters.caching import cached
from adapters.dialects.base import Adapter, Carrier
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_or_text
from adapters.lazy import lazy
from adapters.mapping import INTO, DialectKeys, Keys
from adapters.values import count_of, dig, json_text, number_of, text_of
from adapters.vocabulary import DocumentList, StepKind, TokenCount

_NS_PER_MS = 1_000_000


class KeyedView(View):
    """A span read by a table of keys."""

    dialect: ClassVar[str] = ""
    keys: ClassVar[DialectKeys]
    exact: ClassVar[Mapping[str, StepKind]]
    beginnings: ClassVar[Sequence[tuple[str, StepKind]]]

    def value(self, keys: Keys) -> Any:
        """Return what the first of ``keys`` that is there holds; a JSON text of a text is that text."""
        attributes = self.span.attributes
        for key in keys:
            found = attributes.get(key)
            if found is None and INTO in key:
                outer, *path = key.split(INTO)
                found = dig(self.json(outer), *path) if outer in attributes else None
            if found is None:
                continue
            if isinstance(found, str) and found.startswith('"') and found.endswith('"'):
                found = self.text_or_json(found)
            if found not in (None, ""):
                return found
        return None

    def told(self, keys: Keys) -> str | None:
        """Return what ``keys`` hold as text."""
        found = self.value(keys)
        return str(found) if isinstance(found, int) and not isinstance(found, bool) else text_of(found)

    @lazy
    def kind(self) -> StepKind:
        """The kind by the table."""
        told = (self.told(self.keys.kind) or "").lower()
        if (found := self.exact.get(told)) is not None:
            return found
        return next((kind for begin, kind in self.beginnings if told.startswith(begin)), self.keys.otherwise)

    @lazy
    def framework(self) -> str | None:
        """The framework of the table."""
        return self.keys.framework

    @lazy
    def raw_input(self) -> str | None:
        """What went in, as text."""
        return text_of(json_text(self.value(self.keys.input)))

    @lazy
    def raw_output(self) -> str | None:
        """What came out, as text."""
        return text_of(json_text(self.value(self.keys.output)))

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """Attributes that begin as the table says."""
        begin = self.keys.metadata
        if begin is None:
            return {}
        start = len(begin)
        return {key[start:]: value for key, value in self.span.attributes.items() if key.startswith(begin)}

    @property
    def session(self) -> str | None:
        """The session by the table."""
        return self.told(self.keys.session)

    @property
    def user(self) -> str | None:
        """The user by the table."""
        return self.told(self.keys.user)

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages that a model was given."""
        held = self.value(self.keys.asked)
        given = self.input if held is None else self._read(held)
        return messages_asked(given)

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The messages that a model answered with, and the tools that it asked for beside them."""
        held = self.value(self.keys.answered)
        answered = self.output if held is None else self._read(held)
        found = messages_answered(answered)
        listed = self._read(self.value(self.keys.tool_calls))
        calls = [
            call
            for each in (listed[:MAX_MESSAGES] if isinstance(listed, list) else ())
            if (call := tool_call_of(each)) is not None
        ]
        if calls and not any(message.tool_calls for message in found):
            return (*found, Message("assistant", None if found else text_answered(answered), tuple(calls)))
        return found

    @lazy
    def said(self) -> str | None:
        """What a model answered in text."""
        held = self.value(self.keys.answered)
        return text_answered(self.output if held is None else self._read(held))

    @lazy
    def prompts(self) -> Sequence[str]:
        """The prompt of a completion."""
        return (self.input,) if isinstance(self.input, str) and not self.inputs else ()

    @property
    def model(self) -> str | None:
        """The model by the table."""
        return self.told(self.keys.model)

    @property
    def provider(self) -> str | None:
        """The provider by the table."""
        return self.told(self.keys.provider)

    def tokens(self, which: TokenCount) -> int | None:
        """The counts by the table."""
        keys = self.keys
        wanted = {"prompt": keys.prompt_tokens, "completion": keys.completion_tokens, "total": keys.total_tokens}
        return count_of(self.value(wanted[which]))

    @property
    def cost(self) -> float | None:
        """The price by the table."""
        return number_of(self.value(self.keys.cost))

    @property
    def first_token_ns(self) -> int | None:
        """The start, and the milliseconds by the table."""
        after = number_of(self.value(self.keys.first_token_ms))
        return None if after is None or after < 0 else self.span.start_ns + round(after * _NS_PER_MS)

    @property
    def query(self) -> str | None:
        """The query by the table."""
        return self.told(self.keys.query)

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """The documents by the table, else those in what came out."""
        if listing != ("reranked" if self.kind == "RERANKER" else "retrieved"):
            return None
        held = self.value(self.keys.documents)
        return documents_or_text(self.output if held is None else self._read(held), most=most)

    @property
    def embedder(self) -> str | None:
        """The model of an embedding."""
        return self.told(self.keys.embedder) or (self.model if self.kind == "EMBEDDING" else None)

    @property
    def reranker(self) -> str | None:
        """The model of a reranking."""
        return self.model if self.kind == "RERANKER" else None

    @property
    def tool(self) -> str | None:
        """The tool by the table."""
        return self.told(self.keys.tool)

    @property
    def tool_description(self) -> str | None:
        """What it is for, by the table."""
        return self.told(self.keys.tool_description)

    def _read(self, held: Any) -> Any:
        return self.text_or_json(held) if isinstance(held, str) else held


def view_by(keys: DialectKeys, base: type[KeyedView] = KeyedView) -> type[KeyedView]:
    """Return the views of spans that ``keys`` describe."""
    kinds = {value.lower(): kind for value, kind in keys.kinds}
    return type(
        f"{base.__name__}Of{keys.name.title()}",
        (base,),
        {
            "__doc__": f"A span of {keys.name}.",
            "dialect": keys.name,
            "keys": keys,
            "session_keys": _attributes_of(keys.session),
            "user_keys": _attributes_of(keys.user),
            "exact": {value: kind for value, kind in kinds.items() if not value.endswith("*")},
            "beginnings": tuple((value[:-1], kind) for value, kind in kinds.items() if value.endswith("*")),
        },
    )


def _attributes_of(keys: Keys) -> tuple[str, ...]:
    """Return the attributes in which ``keys`` may be found: their own, and those that hold an object with them."""
    return (*keys, *[key.split(INTO)[0] for key in keys if INTO in key])


class Keyed(Adapter):
    """Reads the spans that a table of keys describes.

    >>> from adapters.trace import Span
    >>> acme = Keyed(DialectKeys(name="acme", kind="acme.step", kinds={"ask": "CHAIN"}))
    >>> acme.claims(Span("t", "s", None, "ask", 1, 2, {"acme.step": "ask"}))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = ()

    def __init__(self, keys: DialectKeys, base: type[KeyedView] = KeyedView) -> None:
        self.marks = keys.marks
        self.scopes = keys.scopes
        self.view = view_by(keys, base)  # type: ignore[misc]  # each table has views of its own

    def writes(self, scope: str) -> bool:
        """Whether it is one of the scopes of the table."""
        return bool(self.scopes) and scope.startswith(self.scopes)


@cached(maxsize=8)
def adapters_by(dialects: tuple[DialectKeys, ...]) -> tuple[Keyed, ...]:
    """Return the readers of a user's own dialects."""
    return tuple(Keyed(keys) for keys in dialects)
