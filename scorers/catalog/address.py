"""What of an address tells how to get at a document, and not where it lies: signatures, tracking, hosts of stores."""

from __future__ import annotations

import re

_AMAZON = re.compile(
    r"(?:(?P<bucket>[a-z0-9][a-z0-9.-]{0,62})\.)?s3(?:[.-](?!website)(?:dualstack\.)?[a-z]{2}(?:-[a-z]{1,20}){1,4}-\d)?\.amazonaws\.com"
)
_GOOGLE = re.compile(r"(?:(?P<bucket>[a-z0-9][a-z0-9._-]{0,220})\.)?storage\.(?:googleapis|cloud\.google)\.com")
_SCHEMES = {"s3a://": "s3://", "s3n://": "s3://", "gcs://": "gs://"}
_ALWAYS = re.compile(r"(?:x-amz|x-goog|utm)[-_][\w-]*|fbclid|gclid|usp", re.IGNORECASE)
"""Parameters that sign an address or say who led to it, wherever they stand."""
_SIGNED: tuple[tuple[str, frozenset[str]], ...] = (
    ("signature", frozenset({"signature", "expires", "policy", "key-pair-id", "awsaccesskeyid", "googleaccessid"})),
    (
        "sig",
        frozenset({
            "sig", "sv", "se", "st", "sp", "sr", "spr", "sip", "ss", "srt", "si", "skoid", "sktid", "skt", "ske", "sks",
            "skv", "rscd", "rsct", "rscc", "rsce", "rscl",
        }),
    ),
)  # fmt: skip
"""What signs an address, and what stands beside it: for CloudFront, older forms of S3 and Google, and Azure (SAS)."""
_SHAREPOINT = ".sharepoint.com"
_PROGRAM = ".aspx"
_MAX_PARAMETERS = 50
_MAX_HOST = 255


def stored_at(uri: str) -> str:
    """Return an object of a store by the name of its bucket, where an address leads to it over HTTP.

    ``uri`` is without query and fragment, its host in lower case.

    >>> stored_at("https://b.s3.eu-west-1.amazonaws.com/hr/a.pdf"), stored_at("https://storage.googleapis.com/b/a.pdf")
    ('s3://b/hr/a.pdf', 'gs://b/a.pdf')
    >>> stored_at("s3a://b/a.pdf"), stored_at("https://docs.test/a.pdf")
    ('s3://b/a.pdf', 'https://docs.test/a.pdf')
    """
    scheme, mark, rest = uri.partition("://")
    if not mark:
        return uri
    if scheme != "https":
        return _SCHEMES.get(f"{scheme}://", f"{scheme}://") + rest
    host, slash, path = rest.partition("/")
    for store, named in (("s3://", _AMAZON), ("gs://", _GOOGLE)):
        if slash and len(host) <= _MAX_HOST and (found := named.fullmatch(host)) is not None:
            return f"{store}{path}" if found["bucket"] is None else f"{store}{found['bucket']}/{path}"
    return uri


def asked_of(place: str, query: str) -> str:
    """Return the parameters of a query that may say which document is meant, with their order.

    >>> asked_of("https://docs.test/a", "utm_source=x&id=3"), asked_of("https://a.test/b.pdf", "sv=2022&se=1&sig=c%3D")
    ('id=3', '')
    >>> asked_of("https://t.sharepoint.com/a.docx", "d=w0b&csf=1&web=1"), asked_of("https://a.test/b", "policy=travel")
    ('', 'policy=travel')
    """
    host = place.partition("://")[2].partition("/")[0]
    if host.endswith(_SHAREPOINT) and not place.lower().endswith(_PROGRAM):
        return ""
    parameters = query.split("&", _MAX_PARAMETERS)
    names = [each.partition("=")[0].lower() for each in parameters]
    of_signature = frozenset[str]().union(
        *(group for sign, group in _SIGNED if sign in names and len(group.intersection(names)) > 1)
    )
    return "&".join(
        each
        for each, name in zip(parameters, names, strict=True)
        if name not in of_signature and _ALWAYS.fullmatch(name) is None
    )
