"""Laws over every kind of listing, and a new one by being registered."""

from __future__ import annotations

from typing import get_args

import pytest

from collector.catalog.listings import INDEXES, LISTED_SOURCES
from collector.catalog.listings.base import IndexOptions, ListedSourceOptions, ListingRun
from collector.clock import instant
from collector.configuration.file import COMPONENTS
from collector.errors import ConfigError
from collector.outbound.links import check
from collector.outbound.options import ServerOptions
from tests.collector.catalog.conftest import NOW
from tests.collector.sources.server import free_port

KEY = "s3cret-of-a-test"
KINDS = [*LISTED_SOURCES, *INDEXES]
SERVERS = [kind for kind in KINDS if issubclass(kind, ServerOptions)]
REQUIRED = {
    "directory": {"path": "docs"},
    "git": {"path": "docs"},
    "rows": {"path": "rows.jsonl"},
    "llamaindex": {"path": "docstore.json"},
    "chroma": {"collection": "handbook"},
    "qdrant": {"collection": "handbook"},
    "weaviate": {"collection": "handbook"},
    "pgvector": {"port": 1},
    "s3": {"bucket": "handbook", "endpoint_url": "http://127.0.0.1:1"},
    "confluence": {"spaces": ["HR"]},
    "notion": {},
    "sharepoint": {"drive": "b!1", "tenant": "acme.test", "client_id": "app"},
}
"""The least that a kind needs beside its server; a new one says so here."""
SECRETS = {
    "chroma": "token_file",
    "qdrant": "token_file",
    "weaviate": "token_file",
    "pgvector": "password_file",
    "s3": "secret_key_file",
    "confluence": "token_file",
    "notion": "token_file",
    "sharepoint": "client_secret_file",
}
"""What names the file of a secret."""

each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
each_server = pytest.mark.parametrize("kind", SERVERS, ids=lambda kind: kind.__name__)


def type_of(kind):
    return get_args(kind.model_fields["type"].annotation)[0]


def options(kind, directory, **given):
    (directory / "key").write_text(KEY)
    if type_of(kind) in SECRETS:
        given = {SECRETS[type_of(kind)]: str(directory / "key"), **given}
    if type_of(kind) == "s3":
        given["access_key_id"] = "key"
    if issubclass(kind, ServerOptions):
        given = {"url": "http://127.0.0.1:1", **given}
    if type_of(kind) == "sharepoint":
        given["login_url"] = given["url"]
    return kind.model_validate({"type": type_of(kind), **REQUIRED[type_of(kind)], **given})


@each
def test_a_listing_is_a_source_or_an_index_and_known_by_its_type(tmp_path, kind):
    section = "catalog.sources" if kind in LISTED_SOURCES else "catalog.indexes"
    assert COMPONENTS[section][type_of(kind)] is kind
    assert issubclass(kind, ListedSourceOptions if kind in LISTED_SOURCES else IndexOptions)
    assert options(kind, tmp_path).name == type_of(kind)


@each
def test_check_says_what_is_listed_and_no_secret(tmp_path, kind):
    configured = options(kind, tmp_path)
    lines = list(check("catalog.x", [configured]))
    assert lines[0] == f"catalog.x[0]: ok, {type_of(kind)} at {configured.address}"
    assert not any(KEY in line for line in lines)


@each
def test_what_is_not_there_is_one_line_with_its_place_and_no_secret(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    url = f"http://127.0.0.1:{free_port()}"
    configured = options(kind, tmp_path, **({"url": url} if issubclass(kind, ServerOptions) else {}))
    with pytest.raises(ConfigError) as caught:
        list(configured.entries(ListingRun(instant(NOW), where="catalog.x[0]")))
    (line,) = caught.value.problems
    assert (url if issubclass(kind, ServerOptions) else configured.address.partition(",")[0]) in line
    assert "\n" not in line
    assert KEY not in line


@pytest.mark.parametrize("kind", [kind for kind in KINDS if type_of(kind) in SECRETS], ids=lambda kind: kind.__name__)
def test_a_secret_that_cannot_be_read_is_named_with_its_key(tmp_path, kind):
    configured = options(kind, tmp_path)
    (tmp_path / "key").unlink()
    named = rf"^catalog\.x\[0\]\.{SECRETS[type_of(kind)]}.*cannot be read: No such file"
    with pytest.raises(ConfigError, match=named):
        list(check("catalog.x", [configured]))


@each_server
def test_a_secret_that_anybody_on_the_way_can_read_is_warned_of(tmp_path, kind):
    (line,) = options(kind, tmp_path, url="http://server.internal").warnings("catalog.x[0]")
    assert "credentials are sent in clear text" in line
    assert not list(options(kind, tmp_path, url="https://server.internal").warnings("catalog.x[0]"))
