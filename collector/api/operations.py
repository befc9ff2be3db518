"""How an operation of the API is declared: once, on its handler. Routes and the OpenAPI document derive from it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel
from starlette.responses import Response

from collector.api.parameters import Parameters

Endpoint = Callable[..., Awaitable[Response]]
H = TypeVar("H", bound=Endpoint)

Access = Literal["open", "token", "verdicts", "page"]
"""Who may ask: everyone, whoever has the token, or also whoever has the token for verdicts alone. A ``page`` is for
browsers, and so is what it loads and links: there the token may be a password."""

HTML = Annotated[str, "text/html"]
"""A page for people, as what a response holds."""
WRONG = "What is wrong with a parameter."
CLOSED = "A token is configured and was not sent."
BUSY = "The store is not open (the agent is starting or stopping), or is too busy."


@dataclass(frozen=True)
class Operation:
    """Declares what the method below it handles: a POST if there is a ``body``, else a GET.

    A ``body`` may be a choice of models; ``lines`` are content types that it may come in as well, a JSON object a line.

    ``responses`` describe each status; of one without errors also what it holds, if not any JSON object: a model,
    ``str`` for plain text, or `HTML`. What needs a token may also answer 401, and what reads the store (``stored``)
    503.

    The first line of the handler's docstring is the summary. A handler that takes parameters beside the request says by
    the annotation which; they are read and checked before it is called.
    """

    path: str
    responses: Mapping[int, str | tuple[str, Any]]
    body: type[BaseModel] | UnionType | None = None
    lines: tuple[str, ...] = ()
    access: Access = "token"
    stored: bool = True

    def __call__(self, handler: H) -> H:
        """Declare the operation on its handler."""
        vars(handler)["operation"] = self
        return handler

    @property
    def method(self) -> str:
        """The method of HTTP."""
        return "GET" if self.body is None else "POST"

    @property
    def is_page(self) -> bool:
        """Whether a browser shows what it answers, rather than a page or a program."""
        return self.access == "page" and not self.path.startswith("/v1/")

    @property
    def statuses(self) -> Mapping[int, str | tuple[str, Any]]:
        """The responses, with those that the frame adds."""
        closed: dict[int, str | tuple[str, Any]] = {401: CLOSED} if self.access != "open" else {}
        if self.is_page:
            closed = {401: (CLOSED, HTML)}
        return {**self.responses, **closed, **({503: BUSY} if self.stored else {})}


def declared(api: object) -> Iterator[tuple[Operation, Endpoint]]:
    """Yield the operations of an object or class with their handlers, in the order of the class."""
    for name, attribute in vars(api if isinstance(api, type) else type(api)).items():
        operation = getattr(attribute, "operation", None)
        if isinstance(operation, Operation):
            yield operation, getattr(api, name)


def parameters_of(handler: Endpoint) -> type[Parameters] | None:
    """Return the parameters that a handler takes, if any."""
    annotation = [*inspect.signature(handler, eval_str=True).parameters.values()][-1].annotation
    return annotation if issubclass(annotation, Parameters) else None
