"""The client is bounded in time and size, follows nobody, and says every failure in one line."""

from __future__ import annotations

import gzip
import threading
import tracemalloc
import zlib
from pathlib import Path

import pytest

from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from collector.outbound.errors import ReplyTooLarge, Unreachable
from collector.outbound.reply import MAX_RETRY_AFTER_SECONDS, retry_after
from tests.collector.sources.server import Handler, free_port, serving

PAIR = ("pk", "sk-4711")


def failure(answer, path="/spans", **options):
    with serving(answer) as url:
        client = HttpClient(url, **options)
        with pytest.raises(Unreachable) as caught:
            client.get(path)
        client.close()
    assert "\n" not in caught.value.reason
    return caught.value


def test_an_answer_of_any_status_is_a_reply_with_its_body():
    with serving(lambda handler: handler.give(404, b'{"detail": "no"}', Content_Type="application/json")) as url:
        client = HttpClient(url)
        reply = client.get("/spans", {"limit": 5, "cursor": None, "trace_id": ["a", "b"]})
        client.close()
    assert (reply.status, reply.ok, reply.json()) == (404, False, {"detail": "no"})
    assert reply.url == f"{url}/spans"
    assert reply.failure().reason == f'{url}/spans: 404 Not Found: {{"detail": "no"}}'


def test_parameters_headers_and_credentials_arrive_as_given():
    seen = []

    def answer(handler: Handler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        seen.append((handler.command, handler.path, handler.headers.get("Authorization"), body))
        handler.give(200, b"[]")

    with serving(answer) as url:
        bearer = HttpClient(f"{url}/base/", headers={"Authorization": "Bearer key"})
        assert bearer.get("spans", {"limit": 5, "cursor": None, "flag": True, "trace_id": ["a", "b"]}).json() == []
        assert bearer.get("/spans").ok
        bearer.close()
        basic = HttpClient(url, auth=("pk", "sk"))
        assert basic.post("/scores", [{"id": "ä"}]).ok
        basic.close()
    assert seen == [
        ("GET", "/base/spans?limit=5&flag=true&trace_id=a&trace_id=b", "Bearer key", b""),
        ("GET", "/base/spans", "Bearer key", b""),
        ("POST", "/scores", "Basic cGs6c2s=", '[{"id":"ä"}]'.encode()),
    ]


def test_a_server_that_is_not_there_is_unreachable():
    url = f"http://127.0.0.1:{free_port()}"
    client = HttpClient(url)
    with pytest.raises(Unreachable, match=f"^{url}/spans: Connection refused"):
        client.get("/spans")
    client.close()


def test_a_server_that_never_answers_is_given_up():
    held = threading.Event()
    assert "no complete answer within 0.2 s" in failure(lambda _: held.wait(), timeout=0.2).reason
    held.set()


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"])
def test_a_server_that_drips_is_given_up_although_every_read_brings_something(head):
    done = threading.Event()

    def drip(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(head or b"HTTP/1.1 200 OK\r\nX-Long: ")
        try:
            while not done.wait(0.02):
                handler.wfile.write(b"x")
                handler.wfile.flush()
        except OSError:
            return

    assert "no complete answer within 0.3 s" in failure(drip, timeout=0.3).reason
    done.set()


def test_closing_ends_an_exchange_under_way():
    asked, held = threading.Event(), threading.Event()

    def hold(_: Handler) -> None:
        asked.set()
        held.wait()

    ended = []
    with serving(hold) as url:
        client = HttpClient(url, timeout=600)

        def ask() -> None:
            with pytest.raises(Unreachable):
                client.get("/spans")
            ended.append(True)

        thread = threading.Thread(target=ask)
        thread.start()
        assert asked.wait(10)
        client.close()
        thread.join(10)
        held.set()
    assert ended


def test_an_answer_larger_than_the_bound_is_refused_also_when_it_is_packed():
    packed = gzip.compress(bytes(1_000_000))
    error = failure(lambda handler: handler.give(200, packed, Content_Encoding="gzip"), max_bytes=100_000)
    assert error.reason.endswith("200 with more than 100000 bytes")


def test_what_is_packed_takes_no_more_memory_than_the_bound():
    packed = gzip.compress(bytes(64_000_000))
    tracemalloc.start()
    try:
        error = failure(lambda handler: handler.give(200, packed, Content_Encoding="gzip"), max_bytes=100_000)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert error.reason.endswith("200 with more than 100000 bytes")
    assert most < 8_000_000


@pytest.mark.parametrize("value", [b"{},", b'"",', b"[[[[]]]],"])
def test_an_answer_of_ever_more_small_values_is_too_large(value):
    body = b"[" + value * 2_000_000 + b"0]"
    packed = gzip.compress(body, 1)
    with serving(lambda handler: handler.give(200, packed, Content_Encoding="gzip")) as url:
        client = HttpClient(url)
        with pytest.raises(ReplyTooLarge, match="200 with more than 2000000 values"):
            client.get("/spans")
        client.close()


def test_a_body_packed_twice_was_not_asked_for():
    asked = []
    twice = gzip.compress(gzip.compress(b"[]"))

    def answer(handler: Handler) -> None:
        asked.append(handler.headers["Accept-Encoding"])
        handler.give(200, twice, Content_Encoding="gzip, gzip")

    assert failure(answer).reason.endswith("/spans: 200 compressed with 'gzip, gzip', which was not requested")
    assert asked == ["gzip, deflate"]


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("Deflate", zlib.compress), ("identity", bytes)]
)
def test_an_answer_is_unpacked(encoding, pack):
    with serving(lambda handler: handler.give(200, pack(b"[1]"), Content_Encoding=encoding)) as url:
        client = HttpClient(url)
        assert client.get("/spans").json() == [1]
        client.close()


def test_a_body_cut_short_and_one_wrongly_packed_are_unreachable():
    def short(handler: Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    assert "/spans: " in failure(short).reason
    assert "/spans: " in failure(lambda handler: handler.give(200, b"no gzip", Content_Encoding="gzip")).reason
    assert "/spans: " in failure(lambda handler: handler.wfile.write(b"no HTTP at all\r\n\r\n")).reason


def test_a_redirect_is_not_followed_and_is_named():
    asked = []

    def answer(handler: Handler) -> None:
        asked.append(handler.path)
        handler.give(302, Location="http://127.0.0.1:9/login")

    with serving(answer) as url:
        client = HttpClient(url)
        reply = client.get("/spans")
        client.close()
    assert asked == ["/spans"]
    assert reply.failure().reason == (
        f"{url}/spans: 302 Found: redirects are not followed; it points to 'http://127.0.0.1:9/login'"
    )


def test_a_page_where_json_was_expected_is_unreachable_and_credentials_are_never_repeated():
    with serving(lambda handler: handler.give(200, b"<html>", Content_Type="text/html")) as url:
        client = HttpClient(url.replace("http://", "http://user:secret@"))
        reply = client.get("/spans", {"token": "secret"})
        with pytest.raises(Unreachable, match="200 with a body that is not JSON \\(text/html\\)") as caught:
            reply.json()
        client.close()
    assert "secret" not in caught.value.reason


def test_a_refusal_says_what_to_do_and_what_the_server_said_on_one_printable_line():
    with serving(lambda handler: handler.give(401, b"Invalid\n\x1b[31m token" + b"x" * 900, Retry_After="7")) as url:
        client = HttpClient(url)
        error = client.get("/spans").failure()
        client.close()
    assert error.reason.startswith(
        f"{url}/spans: 401 Unauthorized: the credentials are refused: Invalid \\x1b[31m token"
    )
    assert len(error.reason) < 400
    assert error.retry_after == 7


@pytest.mark.parametrize("where", ["body", "location", "content_type"])
@pytest.mark.parametrize("basic", [True, False])
def test_a_server_that_repeats_what_was_sent_to_it_makes_no_secret_seen(where, basic):
    def answer(handler: Handler) -> None:
        sent = f"you sent {handler.headers['Authorization']}"
        if where == "body":
            handler.give(500, f"{sent} to this server".encode())
        elif where == "location":
            handler.give(302, Location=sent)
        else:
            handler.give(200, b"<html>", Content_Type=sent)

    with serving(answer) as url:
        client = HttpClient(url, auth=PAIR) if basic else HttpClient(url, headers={"Authorization": "Bearer abc-123"})
        reply = client.get("/spans")
        with pytest.raises(Unreachable) as caught:
            raise reply.failure() if where != "content_type" else Unreachable(reply.json())
        client.close()
    assert "you sent" in caught.value.reason
    assert "***" in caught.value.reason
    assert not any(secret in caught.value.reason for secret in ("abc-123", "sk-4711", "cGs6c2stNDcxMQ"))


def test_retry_after_is_read_in_both_forms_and_bounded():
    assert retry_after("99999999999999999999", now=0) == MAX_RETRY_AFTER_SECONDS
    assert retry_after("Fri, 31 Dec 9999 23:59:59 GMT", now=0) == MAX_RETRY_AFTER_SECONDS
    assert retry_after("Thu, 01 Jan 1970 00:00:10 GMT", now=60_000_000_000) == 0
    assert [retry_after(text, now=0) for text in ("", "-1", "1.5", "soon", "Thu, 99 Jan", "²")] == [None] * 6


def test_an_address_that_cannot_be_read_is_a_configuration_error():
    with pytest.raises(ConfigError, match=r"^http://xn--é: Invalid"):
        HttpClient("http://xn--é")


def test_a_file_that_holds_no_certificates_is_a_configuration_error(tmp_path: Path):
    (tmp_path / "ca.pem").write_text("nothing")
    with pytest.raises(ConfigError, match=r"ca\.pem: no certificates"):
        HttpClient("https://localhost", ca_file=tmp_path / "ca.pem")
