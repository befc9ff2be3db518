"""Ids that are not given as such: of traces and spans of tools without OpenTelemetry, and of documents by their URI."""

from __future__ import annotations

import re
from hashlib import blake2b

_TRACE_ID, _SPAN_ID = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9a-f]{16}")
_PAGE_OF = (".action", ".aspx", ".asp", ".php", ".jsp", ".cgi", ".do", "/watch")
"""How the path of a program ends that shows many documents: which of them is said by the query alone."""
_MAX_PARAMETERS = 50
_OF_RESPONSE = b"response"
_OF_RESPONSE_HEX = _OF_RESPONSE.hex()
"""How these ids begin: eight bytes that no random id has by chance."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def trace_id_of(identity: str) -> str:
    """Return the trace id for an id of another tool: the same hex, a UUID's digits, else a hash of the text.

    >>> trace_id_of("0AF7651916CD43DD8448EB211C80319C"), trace_id_of("0af76519-16cd-43dd-8448-eb211c80319c")
    ('0af7651916cd43dd8448eb211c80319c', '0af7651916cd43dd8448eb211c80319c')
    """
    lowered = identity.lower()
    if _TRACE_ID.fullmatch(lowered) or _UUID.fullmatch(lowered):
        return lowered.replace("-", "")
    return _digest(identity, 16)


def span_id_of(identity: str) -> str:
    """Return the span id for an id of another tool: the same hex, else a hash of the text.

    A UUID is hashed as a whole: its first half is a time, which two spans of a millisecond share.

    >>> span_id_of("B7AD6B7169203331"), span_id_of("root")
    ('b7ad6b7169203331', '17b307c541c97c1e')
    >>> span_id_of("01A1F868675E710E9B0F98B65F2AD19A") == span_id_of("01a1f868-675e-710e-9b0f-98b65f2ad19a")
    True
    """
    lowered = identity.lower()
    if _SPAN_ID.fullmatch(lowered):
        return lowered
    if _TRACE_ID.fullmatch(lowered):
        parts = (lowered[:8], lowered[8:12], lowered[12:16], lowered[16:20], lowered[20:])
        return _digest("-".join(parts), 8)
    return _digest(lowered if _UUID.fullmatch(lowered) else identity, 8)


def trace_of_response(response_id: str) -> bytes:
    """Return the trace id under which results are kept that name a model's response and no trace: of no real trace.

    >>> names_a_response(trace_of_response("chatcmpl-1")), names_a_response(bytes(16))
    (True, False)
    """
    return _OF_RESPONSE + blake2b(response_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def names_a_response(trace_id: bytes | str) -> bool:
    """Whether a trace id, or its hex, stands for a model's response, as `trace_of_response` makes them."""
    return trace_id.startswith(_OF_RESPONSE_HEX) if isinstance(trace_id, str) else trace_id.startswith(_OF_RESPONSE)


_STORES = frozenset({
    "http", "https", "file", "ftp", "sftp", "s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss", "az", "wasb", "wasbs",
    "adl", "hdfs", "dbfs", "dropbox", "smb", "git", "ssh", "dav", "davs",
})  # fmt: skip
"""Schemes of places where documents lie, each at a path of its own."""


def document_of_uri(uri: str) -> str:
    """Return the document that a URI leads to: the URI without query and fragment, which say how and where to look.

    The query stays as far as it names the document, where a path is that of a program (``viewpage.action?pageId=12``);
    or an application is called (``joplin://x-callback-url/openNote?id=12``); so does a fragment that is an address
    within an application (``#/refunds``).

    >>> document_of_uri("https://docs.test/refunds.pdf?v=3&sig=x#page=3"), document_of_uri("/srv/travel.pdf")
    ('https://docs.test/refunds.pdf', '/srv/travel.pdf')
    >>> document_of_uri("https://wiki.test/viewpage.action?src=mail&pageId=12#when")
    'https://wiki.test/viewpage.action?pageId=12'
    """
    head, mark, fragment = uri.partition("#")
    route = f"{mark}{fragment}" if fragment.startswith(("/", "!")) else ""
    path, _, query = head.partition("?")
    if query and (path.lower().endswith(_PAGE_OF) or _is_of_an_application(path)):
        naming = [each for each in query.split("&", _MAX_PARAMETERS)[:_MAX_PARAMETERS] if _names_a_document(each)]
        path = f"{path}?{'&'.join(naming)}" if naming else path
    return f"{path}{route}" or uri


def _is_of_an_application(path: str) -> bool:
    """Tell whether a URI calls an application, which its query tells what to open: ``joplin://x-callback-url/openNote``."""
    scheme, mark, _ = path.partition("://")
    return bool(mark) and scheme.lower() not in _STORES


def _names_a_document(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name.endswith(("id", "doc")) or name in ("title", "page", "p", "v", "file", "name", "key")


def _digest(identity: str, size: int) -> str:
    return blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
