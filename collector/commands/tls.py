"""What to do where one side speaks TLS and the other does not, or a certificate is not trusted."""

from __future__ import annotations

import http.client
import socket
import ssl
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}
SECONDS = 3.0
PLAIN = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"})
"""What OpenSSL says of an answer that is no TLS."""


def advice(url: str, error: BaseException) -> str | None:
    """Return what to do about ``error``, which came of speaking to ``url``; ``None`` where TLS is not the matter.

    Who closed a plain connection is asked whether it speaks TLS: a handshake, and nothing is sent.

    >>> advice("https://agent:9090", ssl.SSLCertVerificationError(1, "certificate verify failed")).partition(": ")[0]
    'its certificate is not trusted here'
    >>> advice("http://agent:9090", ConnectionRefusedError())
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message if hasattr(error, "verify_message") else error.strerror
        return (
            "its certificate is not trusted here: set SSL_CERT_FILE to the PEM file of the authority that signed it, "
            f"and use a name that the certificate has ({why})"
        )
    if isinstance(error, ssl.SSLError):
        plain = url.replace("https://", "http://", 1)
        return f"it speaks no TLS: give {plain}" if error.reason in PLAIN else None
    closed = isinstance(error, ConnectionResetError | http.client.BadStatusLine)
    if closed and url.startswith("http://") and speaks_tls(url):
        return f"it speaks TLS only: give {url.replace('http://', 'https://', 1)}"
    return None


def speaks_tls(url: str) -> bool:
    """Return whether who listens at ``url`` begins a TLS session, whatever its certificate."""
    parts = urlsplit(url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        port = parts.port or PORTS[parts.scheme]
        with (
            socket.create_connection((parts.hostname or "", port), timeout=SECONDS) as connection,
            context.wrap_socket(connection, server_hostname=parts.hostname),
        ):
            return True
    except (OSError, ValueError):
        return False
