"""Who may speak on a path: the one check of the Authorization header for all doors."""

from __future__ import annotations

import base64
import hmac
from dataclasses import dataclass

GROUNDWIRE_USER = "groundwire"
"""The name that goes with a token as password."""


@dataclass(frozen=True, slots=True)
class Guard:
    """``expected`` is the value of the header that is admitted; everyone is where ``open``.

    ``challenge`` and ``message`` tell those who are not what is asked for.
    """

    expected: bytes | None
    challenge: str
    message: str
    open: bool = False

    def admits(self, shown: str | bytes) -> bool:
        """Whether whoever shows this header may speak; takes the same time for every wrong value of one length."""
        if self.open:
            return True
        value = shown.encode() if isinstance(shown, str) else shown
        # `bearer` and `Bearer` are one scheme (RFC 9110, section 11.1).
        scheme, space, credentials = value.partition(b" ")
        return self.expected is not None and hmac.compare_digest(scheme.title() + space + credentials, self.expected)


def bearer(token: str | None) -> Guard:
    """Return the guard of a listener with this token; without one everyone is admitted.

    >>> bearer("s3cret").admits("Bearer s3cret"), bearer("s3cret").admits(""), bearer(None).admits("")
    (True, False, True)
    >>> bearer("s3cret").admits("bearer s3cret"), bearer("s3cret").admits("Bearer S3cret")
    (True, False)
    """
    expected = None if token is None else f"Bearer {token}".encode()
    return Guard(expected, "Bearer", "bearer token missing or wrong", open=token is None)


def basic(keys: tuple[str, str] | None, *, token: str | None) -> Guard:
    """Return the guard of the Langfuse paths on a listener with this token.

    Without a key pair everyone is admitted where the listener has no token either, and nobody where it has one: a
    Langfuse SDK cannot show it.

    >>> basic(("pk", "sk"), token=None).admits("Basic cGs6c2s="), basic(("pk", "sk"), token=None).admits("")
    (True, False)
    >>> basic(None, token=None).admits("Basic cGs6c2s="), basic(None, token="s3cret").admits("Bearer s3cret")
    (True, False)
    """
    challenge = 'Basic realm="groundwire"'
    if keys is None:
        message = "no Langfuse keys are configured; set receive.otlp_http.langfuse.public_key and secret_key"
        return Guard(None, challenge, message, open=token is None)
    expected = b"Basic " + base64.b64encode(":".join(keys).encode())
    return Guard(expected, challenge, "Langfuse keys missing or wrong; use those of receive.otlp_http.langfuse")


@dataclass(frozen=True, slots=True)
class ApiTokens:
    """Who may ask the API what: ``everything`` opens all of it, ``verdicts`` verdicts alone; none opens it to everyone.

    >>> tokens = ApiTokens("s3cret", "gates")
    >>> [any(guard.admits("Bearer gates") for guard in each) for each in (tokens.guards, tokens.verdict_guards)]
    [False, True]
    >>> any(guard.admits("Basic Z3JvdW5kd2lyZTpnYXRlcw==") for guard in tokens.verdict_guards)
    True
    """

    everything: str | None = None
    verdicts: str | None = None

    @property
    def guards(self) -> tuple[Guard, ...]:
        """Of all paths; whom one of them admits may speak."""
        return (bearer(self.everything),)

    @property
    def page_guards(self) -> tuple[Guard, ...]:
        """Of pages: there the token may be a password too, as browsers ask people for nothing else.

        >>> [any(guard.admits("Basic Z3JvdW5kd2lyZTpzM2NyZXQ=") for guard in ApiTokens("s3cret").page_guards)]
        [True]
        """
        if self.everything is None:
            return self.guards
        return (*self.guards, basic((GROUNDWIRE_USER, self.everything), token=None))

    @property
    def verdict_guards(self) -> tuple[Guard, ...]:
        """Of verdicts: there a token may be a password too, as some tools send no header but that of their URL."""
        given = [token for token in (self.everything, self.verdicts) if token is not None]
        words = (*map(bearer, given), *(basic((GROUNDWIRE_USER, token), token=None) for token in given))
        return self.guards if self.everything is None else words
