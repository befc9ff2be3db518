"""The Phoenix source against a server that does what a test tells it. `test_phoenix_server` has the real one."""

import base64
import json
from itertools import pairwise
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from pydantic import ValidationError

from collector.errors import ConfigError
from collector.outbound.errors import Unreachable
from collector.sources.phoenix import PhoenixSource
from collector.sources.phoenix_cursor import MAX_ANCHORS, Anchor, PhoenixCursor
from tests.collector.sources.server import free_port, serving

NOW = 1_790_000_000_000_000_000


class Server:
    """What Phoenix's two endpoints do: projects by id, and spans by a row number all projects share."""

    def __init__(self):
        self.projects = {}
        self.spans = []
        self.next_row = 1
        self.asked = []
        self.broken = {}
        self.prefix = ""

    def project(self, name):
        identity = base64.b64encode(f"Project:{len(self.projects) + 1}".encode()).decode()
        self.projects[identity] = name
        return identity

    def store(self, project, *names):
        for name in names:
            self.spans.append((self.next_row, project, name))
            self.next_row += 1

    def delete(self, *names):
        """Delete as SQLite does without AUTOINCREMENT: the highest numbers are given away again."""
        self.spans = [span for span in self.spans if span[2] not in names]
        self.next_row = max((row for row, _, _ in self.spans), default=0) + 1

    def answer(self, request):
        url = urlsplit(request.path)
        path, query = unquote(url.path), {name: values[0] for name, values in parse_qs(url.query).items()}
        self.asked.append((path, query, request.headers.get("authorization")))
        assert path.startswith(self.prefix)
        path = path[len(self.prefix) :]
        for part, (status, body) in self.broken.items():
            if part in path:
                if body is None:
                    request.close_connection = True
                    return None
                return request.give(status, body, content_type="text/html")
        if path == "/v1/projects":
            rows = [{"id": identity, "name": name} for identity, name in self.projects.items()]
            return self._give(request, rows)
        project = path.removeprefix("/v1/projects/").removesuffix("/spans")
        if project not in self.projects:
            return request.give(404, b"Project not found")
        first = 0
        if "cursor" in query:
            try:
                first = int(base64.b64decode(query["cursor"]).decode().removeprefix("Span:"))
            except ValueError:
                return request.give(422, b"Invalid cursor")
        rows = sorted(span for span in self.spans if span[1] == project and span[0] >= first)
        return self._give(request, [row_of(*span) for span in rows[: int(query["limit"])]])

    @staticmethod
    def _give(request, rows):
        request.give(200, json.dumps({"data": rows, "next_cursor": None}).encode(), content_type="application/json")


def row_of(number, project, name):
    return {
        "id": base64.b64encode(f"Span:{number}".encode()).decode(),
        "name": name,
        "context": {"trace_id": "0a" * 16, "span_id": name.encode().hex().rjust(16, "0")},
        "span_kind": "CHAIN",
        "parent_id": None,
        "start_time": "2026-11-20T10:00:00.000001+00:00",
        "end_time": "2026-11-20T10:00:01+00:00",
        "status_code": "OK",
        "attributes": {"input.value": project},
        "events": [],
    }


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def opened(server):
    with serving(server.answer) as url:
        sources = []

        def open_(**options):
            sources.append(PhoenixSource(url=url + server.prefix, **options).open("sources[0]"))
            return sources[-1]

        yield open_
        for source in sources:
            source.close()


def pulled(source, cursor=None):
    """Return the names of all spans there are, and the cursor."""
    names, more = [], True
    while more:
        batch = source.fetch(cursor, now=NOW)
        names += [span.name for span in batch.spans]
        more, cursor = batch.more, batch.cursor
    return names, cursor


def test_pages_follow_each_other_in_order_of_insertion_and_give_every_span_once(server, opened):
    project = server.project("desk")
    server.store(project, *"abcdefg")
    source = opened(page=3)
    names, cursor = pulled(source)
    assert names == list("abcdefg")
    assert pulled(source, cursor) == ([], cursor)
    server.store(project, "h")
    assert pulled(source, cursor)[0] == ["h"]
    spans = [query for path, query, _ in server.asked if path.endswith("/spans")]
    assert {(query["sort"], query["order"]) for query in spans} == {("id", "asc")}
    assert [query["limit"] for query in spans[:3]] == ["3", "4", "4"]


def test_another_source_goes_on_from_a_stored_cursor(server, opened):
    project = server.project("desk")
    server.store(project, *"abcde")
    first = opened(page=2).fetch(None, now=NOW)
    assert [span.name for span in first.spans] == ["a", "b"]
    assert pulled(opened(page=2), first.cursor)[0] == ["c", "d", "e"]
    assert pulled(opened(page=2), first.cursor)[0] == ["c", "d", "e"], "what was not stored comes once more"


@pytest.mark.parametrize("cursor", [None, b"", b"no cursor", b"[]", b'{"v":99}', b'{"v":1,"projects":{"a":1}}'])
def test_a_cursor_that_cannot_be_read_counts_as_none(server, opened, cursor):
    server.store(server.project("desk"), "a")
    source = opened()
    assert pulled(source, cursor)[0] == ["a"]
    assert source.position(cursor or b"") == {}


def test_projects_take_turns_and_new_ones_are_noticed(server, opened):
    desk = server.project("desk")
    library = server.project("library")
    server.store(desk, *"abcd")
    server.store(library, "x")
    source = opened(page=2)
    names, cursor = pulled(source)
    assert names == ["a", "b", "x", "c", "d"]
    server.store(server.project("late"), "y")
    names, cursor = pulled(source, cursor)
    assert names == ["y"]
    assert source.position(cursor) == {"spans_read": {"desk": 4, "library": 1, "late": 1}}


def test_every_span_carries_the_name_of_its_project(server, opened):
    server.store(server.project("desk/1?#"), "a")
    (span,) = opened().fetch(None, now=NOW).spans
    assert span.resource == {"openinference.project.name": "desk/1?#"}


def test_only_the_configured_projects_are_read_by_name_or_id(server, opened):
    desk, library, other = (server.project(name) for name in ("desk", "library", "other"))
    for project, name in ((desk, "a"), (library, "b"), (other, "c")):
        server.store(project, name)
    assert pulled(opened(projects=("desk", library)))[0] == ["a", "b"]


def test_a_project_that_vanishes_is_told_and_does_not_stop_the_others(server, opened):
    desk, library = server.project("desk"), server.project("library")
    server.store(desk, "a")
    server.store(library, "b")
    source = opened(projects=("desk", "library"))
    names, cursor = pulled(source)
    assert names == ["a", "b"]
    del server.projects[desk]
    server.store(library, "c")
    names, cursor = pulled(source, cursor)
    assert names == ["c"]
    assert source.position(cursor) == {"spans_read": {"library": 2}, "missing_projects": ["desk"]}
    del server.projects[library]
    with pytest.raises(Unreachable, match="no project 'desk', 'library'; known: none"):
        source.fetch(cursor, now=NOW)


def test_a_project_that_vanishes_between_two_requests_is_passed_over(server, opened):
    desk, library = server.project("desk"), server.project("library")
    server.store(library, "b")
    server.broken[desk] = (404, b"gone")
    assert pulled(opened())[0] == ["b"]


def test_a_project_that_fails_is_left_to_the_next_round(server, opened):
    desk, library = server.project("desk"), server.project("library")
    server.store(desk, "a")
    server.store(library, "b")
    server.broken[desk] = (500, b"Internal Server Error")
    source = opened()
    with pytest.raises(Unreachable, match=f"{desk}/spans: 500 Internal Server Error"):
        source.fetch(None, now=NOW)
    names, cursor = pulled(source)
    assert names == ["b"]
    server.broken.clear()
    assert pulled(source, cursor)[0] == ["a"]


def test_the_last_span_read_may_be_deleted_and_its_number_given_to_another(server, opened):
    project = server.project("desk")
    server.store(project, *"abcdef")
    source = opened(page=2)
    _, cursor = pulled(source)
    server.delete("f")
    assert pulled(source, cursor)[0][-1:] != ["f"]
    server.store(project, "g")
    assert pulled(source, cursor)[0][-1] == "g"
    _, cursor = pulled(source, cursor)
    assert pulled(source, cursor)[0] == []


def test_a_server_that_comes_back_empty_is_read_from_its_start(server, opened):
    project = server.project("desk")
    server.store(project, *"abcdef")
    source = opened(page=2)
    _, cursor = pulled(source)
    server.delete(*"abcdef")
    names, cursor = pulled(source, cursor)
    assert names == []
    server.store(project, *"uvw")
    assert pulled(source, cursor)[0] == ["u", "v", "w"]


def test_deleting_old_spans_reads_nothing_again(server, opened):
    project = server.project("desk")
    server.store(project, *"abcdef")
    source = opened(page=2)
    _, cursor = pulled(source)
    server.delete("a", "b", "c")
    server.store(project, "g")
    assert pulled(source, cursor)[0] == ["g"]


def test_a_cursor_of_another_version_of_the_server_is_left_behind(server, opened):
    project = server.project("desk")
    server.store(project, "a")
    state = PhoenixCursor(since=0).of({project: "desk"}, ()).advanced(project, "desk", [Anchor("new-style", "0b" * 8)])
    assert pulled(opened(), state.encoded())[0] == ["a"]


def test_older_anchors_are_kept_at_growing_distances_in_a_bounded_cursor():
    state = PhoenixCursor(since=0).of({"p": "desk"}, ())
    for page in range(3000):
        state = state.advanced("p", "desk", [Anchor(str(page * 250 + i), f"{page * 250 + i:016x}") for i in range(250)])
    marks = [row[0] for row in json.loads(state.encoded())["projects"]["p"]["anchors"]]
    assert marks[-1] == 750_000
    assert len(marks) < 20 < MAX_ANCHORS
    gaps = [750_000 - mark for mark in marks[:-1]]
    assert gaps[0] >= 750_000 / 4
    assert all(older <= 4 * newer for older, newer in pairwise(gaps))
    assert PhoenixCursor.read(state.encoded()) == state


def test_spans_older_than_since_are_never_asked_for_and_since_does_not_move(server, opened):
    project = server.project("desk")
    server.store(project, "a")
    source = opened(since="1h")
    cursor = source.fetch(None, now=NOW).cursor
    source.fetch(cursor, now=NOW + 10**15)
    starts = {query["start_time"] for path, query, _ in server.asked if path.endswith("/spans")}
    assert starts == {"2026-09-21T13:13:20+00:00"}


def test_a_base_url_may_have_a_path_and_requests_carry_the_key(server, opened, tmp_path):
    server.prefix = "/tools/phoenix"
    server.store(server.project("desk"), "a")
    file = tmp_path / "key"
    file.write_text("s3cret\n")
    assert pulled(opened(api_key_file=file))[0] == ["a"]
    assert {key for _, _, key in server.asked} == {"Bearer s3cret"}


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (401, b"Invalid token", "401 Unauthorized: the credentials are refused: Invalid token"),
        (404, b"Not Found", "404 Not Found"),
        (422, b'{"detail":"no"}', "422 Unprocessable"),
        (503, b"busy\n\nplease wait", "503 Service Unavailable: busy please wait"),
        (200, b"<html>sign in</html>", "200 with a body that is not JSON"),
        (200, b"[1]", "200 with a body that is not a Phoenix list"),
        (200, b'{"data": [1]}', "200 with a body that is not a list of Phoenix projects"),
        (
            200,
            b'{"data": [{"id": "%s", "name": "x"}]}' % (b"x" * 5000),
            "200 with a body that is not a list of Phoenix projects",
        ),
    ],
)
def test_whatever_the_server_answers_becomes_one_readable_line(server, opened, status, body, says):
    server.broken["/v1/projects"] = (status, body)
    with pytest.raises(Unreachable) as error:
        opened().fetch(None, now=NOW)
    assert f"/v1/projects: {says}" in error.value.reason
    assert "\n" not in error.value.reason


LONG = json.dumps({"data": [{"id": "x" * 5000, "context": {"span_id": "y"}}]}).encode()


@pytest.mark.parametrize(
    "data", [b'{"data":[7]}', b'{"data":[{"id":"x"}]}', b'{"data":[{"id":"","context":{}}]}', LONG]
)
def test_rows_that_are_no_spans_of_phoenix_do_not_move_the_cursor(server, opened, data):
    server.broken[server.project("desk")] = (200, data)
    with pytest.raises(Unreachable, match="with a body that is not a list of Phoenix spans"):
        opened().fetch(None, now=NOW)


def test_a_span_that_cannot_be_read_is_told_and_passed(server, opened):
    project = server.project("desk")
    bad = row_of(1, project, "a") | {"start_time": "yesterday"}
    rows = [bad, row_of(2, project, "b")]
    server.broken[project] = (200, json.dumps({"data": rows, "next_cursor": None}).encode())
    batch = opened().fetch(None, now=NOW)
    assert [span.name for span in batch.spans] == ["b"]
    (malformed,) = batch.malformed
    assert str(malformed) == f"project desk: span {bad['id']}: 'yesterday' is not a valid time"


def test_pages_get_smaller_until_the_server_can_give_them(server, opened):
    project = server.project("desk")
    server.store(project, *"abcdefgh")
    source = opened(page=8)
    source._client._max_bytes = 900
    assert pulled(source)[0] == list("abcdefgh")
    assert [int(query["limit"]) for path, query, _ in server.asked if path.endswith("/spans")][:5] == [8, 4, 2, 3, 2]
    source._client._max_bytes = 100
    with pytest.raises(Unreachable, match="more than 100 bytes"):
        source.fetch(None, now=NOW)


def test_pages_get_smaller_where_the_server_is_too_slow(server, opened):
    project = server.project("desk")
    server.store(project, "a")
    source = opened(page=8)
    server.broken[project] = (200, None)
    for _ in range(2):
        with pytest.raises(Unreachable):
            source.fetch(None, now=NOW)
    server.broken.clear()
    assert pulled(source)[0] == ["a"]
    assert [int(query["limit"]) for path, query, _ in server.asked if path.endswith("/spans")] == [8, 4, 2]


def test_a_server_that_is_down_is_told_in_one_line():
    port = free_port()
    source = PhoenixSource(url=f"http://127.0.0.1:{port}").open("sources[0]")
    with pytest.raises(Unreachable, match=f"^http://127.0.0.1:{port}/v1/projects: "):
        source.fetch(None, now=NOW)
    source.close()


def test_a_key_is_given_once_and_its_file_must_be_there(tmp_path):
    options = PhoenixSource(url="http://phoenix:6006", api_key="a", api_key_file=tmp_path / "key")
    assert list(options.problems("sources[0]")) == ["sources[0].api_key_file: give the key or its file, not both"]
    assert "sent in clear" in next(options.warnings("sources[0]"))
    assert list(PhoenixSource(url="https://phoenix", api_key="a").warnings("sources[0]")) == []
    with pytest.raises(ConfigError, match=r"sources\[0\]\.api_key_file"):
        PhoenixSource(url="http://localhost", api_key_file=tmp_path / "key").open("sources[0]")


@pytest.mark.parametrize(
    "wrong", [{"url": "phoenix:6006"}, {"url": "http://u:p@phoenix"}, {"page": 1000}, {"page": 0}, {"projects": ()}]
)
def test_options_out_of_bounds_are_refused(wrong):
    with pytest.raises(ValidationError):
        PhoenixSource(**({"url": "http://phoenix"} | wrong))
