"""Confluence, Notion and SharePoint as sources. The servers are fakes of their published APIs."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from collector.catalog.listings.base import ListingRun
from collector.catalog.listings.confluence import ConfluenceSource
from collector.catalog.listings.notion import NotionSource
from collector.catalog.listings.sharepoint import SharePointSource
from collector.clock import instant
from collector.errors import ConfigError
from scorers.catalog import Catalog, Document
from scorers.catalog.lag import index_lag
from tests.collector.catalog.conftest import NOW

AT = instant(NOW)
KEY = "s3cret-of-a-test"
TEXT = "Refunds are paid within 30 days of the purchase of {} to the card that was used."


class Fake(BaseHTTPRequestHandler):
    """Answers with what a subclass gives for a request, in pages of two, and asks for its key."""

    asked: ClassVar[list[str]] = []
    authorization = f"Bearer {KEY}"

    def do_GET(self):
        self.answer({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.answer(json.loads(body) if body.startswith(b"{") else parse_qs(body.decode()))

    def answer(self, body):
        parts = urlsplit(self.path)
        self.asked.append(self.path)
        open_ = parts.path.endswith("/token")
        if not open_ and self.headers["authorization"] != self.authorization:
            self.give(401, {"message": "Unauthorized"})
            return
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        found = self.found(parts.path, {**query, **body})
        self.give(404 if found is None else 200, found or {"message": "Not found"})

    def found(self, path: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        raise NotImplementedError

    def give(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Say nothing."""


class FakeConfluence(Fake):
    """Confluence Cloud, version 2: a space by its key, and its pages by a cursor in a link."""

    authorization = "Basic YUBiLmM6czNjcmV0LW9mLWEtdGVzdA=="
    pages: ClassVar[dict[str, tuple[int, str]]] = {}

    def found(self, path, asked):
        if path == "/wiki/api/v2/spaces":
            known = [{"id": "65", "key": "HR"}] if asked["keys"] == "HR" else []
            return {"results": known, "_links": {"base": "https://acme.test/wiki"}}
        if path != "/wiki/api/v2/spaces/65/pages" or asked["body-format"] != "storage":
            return None
        start = int(asked.get("cursor", "0"))
        rows = [
            {
                "id": name,
                "status": "current",
                "title": f"Page {name}",
                "spaceId": "65",
                "version": {"number": number, "createdAt": f"2026-0{number}-01T10:00:00.000Z"},
                "body": {"storage": {"representation": "storage", "value": f"<p>{text}</p><script>x</script>"}},
                "_links": {"webui": f"/spaces/HR/pages/{name}/Page+{name}"},
            }
            for name, (number, text) in sorted(self.pages.items())
        ]
        following = f"https://elsewhere.test/wiki/api/v2/spaces/65/pages?cursor={start + 2}"
        links = {"next": following} if start + 2 < len(rows) else {}
        return {"results": rows[start : start + 2], "_links": links}


class FakeNotion(Fake):
    """Notion's search: pages by the cursor that the answer before named."""

    pages: ClassVar[dict[str, str]] = {}

    def found(self, path, asked):
        if path != "/v1/search" or self.headers["notion-version"] != "2022-06-28":
            return None
        assert asked["filter"] == {"property": "object", "value": "page"}
        start = int(asked.get("start_cursor", "0"))
        rows = [
            {
                "object": "page",
                "id": name,
                "url": f"https://www.notion.so/{name}",
                "last_edited_time": edited,
                "archived": False,
                "in_trash": name.startswith("trash"),
                "properties": {"Name": {"type": "title", "title": [{"plain_text": "Leave "}, {"plain_text": name}]}},
            }
            for name, edited in sorted(self.pages.items())
        ]
        more = start + 2 < len(rows)
        return {
            "object": "list",
            "results": rows[start : start + 2],
            "has_more": more,
            "next_cursor": str(start + 2) if more else None,
        }


class FakeGraph(Fake):
    """Microsoft Graph and its login: a token for a secret, and the items of a drive by a link with a token."""

    authorization = "Bearer granted"
    files: ClassVar[dict[str, str]] = {}

    def found(self, path, asked):
        if path == "/acme.test/oauth2/v2.0/token":
            granted = asked["client_secret"] == [KEY] and asked["grant_type"] == ["client_credentials"]
            return {"token_type": "Bearer", "access_token": "granted"} if granted else {"error": "invalid_client"}
        if path != "/v1.0/drives/b!1/root/delta":
            return None
        start = int(asked.get("token", "0"))
        rows: list[dict[str, Any]] = [
            {
                "id": f"item-{name}",
                "name": name,
                "webUrl": f"https://acme.sharepoint.com/Shared%20Documents/HR/{name}",
                "eTag": f'"{{{name}}},{changed}"',
                "lastModifiedDateTime": changed,
                "file": {"mimeType": "application/pdf"},
                "parentReference": {"path": "/drives/b!1/root:/HR"},
            }
            for name, changed in sorted(self.files.items())
        ]
        rows.append({"id": "folder", "name": "HR", "folder": {"childCount": 3}})
        rows.append({"id": "gone", "name": "old.pdf", "file": {}, "deleted": {"state": "deleted"}})
        following = {"@odata.nextLink": f"https://elsewhere.test/v1.0/drives/b!1/root/delta?token={start + 2}"}
        return {"value": rows[start : start + 2], **(following if start + 2 < len(rows) else {})}


@contextmanager
def serving(fake):
    fake.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), fake) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def key(tmp_path):
    (tmp_path / "key").write_text(KEY)
    return tmp_path / "key"


def listed(source, previous=(), days=0):
    return source.entries(ListingRun(AT + timedelta(days=days), previous=tuple(previous), where="catalog.sources[0]"))


def kinds(entries, copies):
    found = index_lag(Catalog(entries), copies, AT + timedelta(days=2))
    return [(one.kind, one.id) for one in found.lagging]


def test_pages_of_confluence_have_texts_versions_and_a_past(key):
    FakeConfluence.pages = {name: (2, TEXT.format(name)) for name in ("11", "12", "13")}
    with serving(FakeConfluence) as url:
        source = ConfluenceSource(url=f"{url}/wiki", user="a@b.c", token_file=key, spaces=("HR",))
        before = listed(source)
        assert (before[0].id, before[0].version, before[0].title) == ("11", "2", "Page 11")
        assert before[0].uri == f"{url}/wiki/spaces/HR/pages/11/Page+11"
        assert before[0].text == TEXT.format("11")
        assert str(before[0].modified_at) == "2026-02-01 10:00:00+00:00"
        FakeConfluence.pages = {"11": (3, TEXT.format("11").replace("30", "14")), "12": (2, TEXT.format("12"))}
        after = listed(source, before, days=1)
        copies = [Document(id=one.uri or "", uri=one.uri, text=one.text) for one in before]
        assert kinds(after, copies) == [("outdated", copies[0].id), ("removed", copies[2].id)]
        with pytest.raises(ConfigError, match="no space 'IT', or no right to see it"):
            listed(source.model_copy(update={"spaces": ("IT",)}))


def test_pages_of_notion_are_told_by_their_dates(key):
    FakeNotion.pages = dict.fromkeys(("a1", "b2", "c3", "trash"), "2026-01-10T10:00:00.000Z")
    with serving(FakeNotion) as url:
        source = NotionSource(url=url, token_file=key)
        before = listed(source)
        assert (before[0].id, before[0].title, before[0].uri) == ("a1", "Leave a1", "https://www.notion.so/a1")
        assert len(before) == 3
        FakeNotion.pages = {"a1": "2026-03-01T09:31:07.000Z", "b2": "2026-01-10T10:00:00.000Z"}
        after = listed(source, before, days=1)
        copies = [Document(id=one.id, uri=one.uri, text="x", modified_at=one.modified_at) for one in before]
        assert kinds(after, copies) == [("outdated", "a1"), ("removed", "c3")]


def test_files_of_sharepoint_are_told_by_their_dates(key):
    FakeGraph.files = dict.fromkeys(("leave.pdf", "pay.docx", "travel.pdf"), "2026-01-10T10:00:00Z")
    with serving(FakeGraph) as url:
        source = SharePointSource(
            url=url, login_url=url, drive="b!1", tenant="acme.test", client_id="app", client_secret_file=key
        )
        before = listed(source)
        assert [one.title for one in before] == ["leave.pdf", "pay.docx", "travel.pdf"]
        assert before[0].uri == "https://acme.sharepoint.com/Shared Documents/HR/leave.pdf"
        assert len(listed(source.model_copy(update={"include": ("HR/*.pdf",)}))) == 2
        FakeGraph.files = {"leave.pdf": "2026-03-01T09:31:07Z", "pay.docx": "2026-01-10T10:00:00Z"}
        after = listed(source, before, days=1)
        address = "https://acme.sharepoint.com/Shared%20Documents/HR/{}"
        copies = [
            Document(id=address.format(one.title), uri=address.format(one.title), text="x", modified_at=one.modified_at)
            for one in before
        ]
        assert kinds(after, copies) == [("outdated", copies[0].id), ("removed", copies[2].id)]
        assert not any("elsewhere" in path for path in FakeGraph.asked)


@pytest.mark.parametrize("wrong", ["confluence", "notion", "sharepoint"])
def test_a_key_that_is_refused_is_one_line_that_does_not_repeat_it(tmp_path, wrong):
    (tmp_path / "key").write_text("another-key-of-a-test")
    fake = {"confluence": FakeConfluence, "notion": FakeNotion, "sharepoint": FakeGraph}[wrong]
    with serving(fake) as url:
        more = {"tenant": "acme.test", "client_id": "app", "client_secret_file": tmp_path / "key", "login_url": url}
        source = {
            "confluence": lambda: ConfluenceSource(
                url=f"{url}/wiki", user="a@b.c", token_file=tmp_path / "key", spaces=("HR",)
            ),
            "notion": lambda: NotionSource(url=url, token_file=tmp_path / "key"),
            "sharepoint": lambda: SharePointSource(url=url, drive="b!1", **more),
        }[wrong]()
        with pytest.raises(ConfigError) as caught:
            listed(source)
    (line,) = caught.value.problems
    assert "another-key" not in line
    assert "401" in line or "no access token" in line


@pytest.mark.parametrize("broken", ["confluence", "notion", "sharepoint"])
@pytest.mark.parametrize(("how", "said"), [("circle", "lead in a circle"), ("cut", "without a list of")])
def test_a_server_whose_pages_have_no_end_or_are_cut_removes_nothing(key, monkeypatch, broken, how, said):
    class Endless(Fake):
        authorization = FakeConfluence.authorization if broken == "confluence" else f"Bearer {KEY}"

        def found(self, path, asked):
            if path.endswith("/token"):
                return {"access_token": KEY}
            if path.endswith("/spaces"):
                return {"results": [{"id": "65", "key": "HR"}]}
            link = f"https://x.test/?cursor={1 + int(asked.get('cursor', '0')) % 2}"
            rows = {"results": [], "value": []} if how == "circle" else {"other": []}
            return {
                **rows,
                "has_more": True,
                "next_cursor": str(1 + int(asked.get("start_cursor", "0")) % 2),
                "@odata.nextLink": link,
                "_links": {"next": link},
            }

    for module in ("confluence", "notion", "sharepoint"):
        monkeypatch.setattr(f"collector.catalog.listings.{module}.MAX_REQUESTS", 5)
    with serving(Endless) as url:
        more = {"tenant": "acme.test", "client_id": "app", "client_secret_file": key, "login_url": url}
        source = {
            "confluence": lambda: ConfluenceSource(url=f"{url}/wiki", user="a@b.c", token_file=key, spaces=("HR",)),
            "notion": lambda: NotionSource(url=url, token_file=key),
            "sharepoint": lambda: SharePointSource(url=url, drive="b!1", **more),
        }[broken]()
        with pytest.raises(ConfigError, match=said):
            listed(source)
