"""Headers of requests as a configuration gives them: values, or names of variables that hold secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field, StringConstraints

from collector.outbound.options import StrictOptions
from collector.outbound.template import filled
from collector.security.secrets import environment_secret

_RESERVED = frozenset({"traceparent", "baggage", "content-length", "host"})


class SecretHeader(StrictOptions):
    """A header whose value stands in the environment."""

    env: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,100}$", description="Name of the variable.")


HttpHeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,80}$")]
Headers = Mapping[HttpHeaderName, str | SecretHeader]


def is_secret(headers: Headers) -> bool:
    """Tell whether any of the headers is a secret."""
    return any(isinstance(value, SecretHeader) for value in headers.values())


def header_values(
    headers: Headers, where: str, environment: Mapping[str, str], values: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the headers by their lower-case names; ``values`` are filled into those that are no secrets.

    Raises `ConfigError` for a variable that is not set or cannot be sent.

    >>> given = {"X-User": "{user}", "x-key": SecretHeader(env="KEY")}
    >>> header_values(given, "headers", {"KEY": "s3cret"}, {"user": "eva"})
    {'x-user': 'eva', 'x-key': 's3cret'}
    """
    return {
        name.lower(): environment_secret(value.env, f"{where}.{name}.env", environment)
        if isinstance(value, SecretHeader)
        else filled(value, values or {})
        for name, value in headers.items()
    }


def header_problems(headers: Headers, where: str) -> Iterator[str]:
    """Yield what is wrong with headers, each as ``path: problem``."""
    for name, value in headers.items():
        if name.lower() in _RESERVED:
            yield f"{where}.{name}: Groundwire sets this header itself"
        if isinstance(value, str) and not (value.isascii() and value.isprintable()):
            yield f"{where}.{name}: must be one line of printable ASCII"
