"""Pages below a path of a host: behind a proxy that takes the path off and says so, and behind one that does not."""

import re
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.agent import Agent
from tests.browser import browsing, press_to
from tests.collector.pages.test_pages import PATHS, Bench
from tests.collector.sources.server import free_port
from tests.command import command
from tests.pages import check_inert
from tests.peers import require
from tests.traffic import merged, policy_trace

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "how-to" / "reverse-proxy.md").read_text(encoding="utf-8")
LOCATIONS = dict(re.findall(r"```nginx\n# (\S+)\.conf\n(.*?)```", PAGE, re.DOTALL))
PUBLIC = "https://tools.example.com/groundwire"
HTML = {"Accept": "text/html"}


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "data")
    bench.api.public_url = PUBLIC
    bench.client = TestClient(bench.api.app(), follow_redirects=False)
    bench.put("a/b", stale=1.0)
    bench.judged(travel="fail")
    yield bench
    bench.store.close()


@pytest.mark.parametrize("path", [*PATHS, "/gates/fresh", "/slices/fresh?domain=travel", "/gates/fresh/trial", "/none"])
def test_every_link_of_a_page_stays_below_the_prefix(bench, path):
    taken_off = bench.client.get(path, headers=HTML | {"X-Forwarded-Prefix": "/a/b/"})
    check_inert(taken_off.text, "/a/b")
    passed_on = bench.client.get(f"/groundwire{path}", headers=HTML)
    page = check_inert(passed_on.text, "/groundwire")
    assert passed_on.status_code == taken_off.status_code == (404 if path == "/none" else 200)
    if path in PATHS:
        current = [attributes["href"] for _, attributes in page.elements if attributes.get("aria-current") == "page"]
        assert current == [f"/groundwire{path}"]
    check_inert(bench.client.get(path, headers=HTML).text, "")


def test_the_api_is_below_the_prefix_too_and_stays_at_the_root(bench):
    for path in ("/groundwire/v1/gates/fresh", "/v1/gates/fresh"):
        assert bench.client.get(path).json()["state"] == "fail"
    assert bench.client.get("/groundwire/answers/a%2Fb", headers=HTML).status_code == 200
    assert bench.client.get("/groundwire", headers=HTML).status_code == 200
    assert bench.client.get("/groundwires", headers=HTML).status_code == 404


@pytest.mark.parametrize("told", ["//evil.example", "/a b", "evil", "/../x", '/"><script>', "/a" * 500, ""])
def test_a_header_that_is_no_path_changes_nothing(bench, told):
    check_inert(bench.client.get("/", headers=HTML | {"X-Forwarded-Prefix": told}).text, "")


def test_what_a_link_left_empty_is_not_in_the_address(bench):
    for path, prefix in (("/slices/fresh", ""), ("/groundwire/slices/fresh", "/groundwire")):
        moved = bench.client.get(f"{path}?service=&domain=travel+%26+leave")
        assert moved.status_code == 307
        assert moved.headers["location"] == f"{prefix}/slices/fresh?domain=travel+%26+leave"
    assert bench.client.get("/answers?text=&metric=").headers["location"] == "/answers"
    assert bench.client.get("/v1/answers?text=").status_code == 400, "programs are told what is wrong"


def test_requests_for_the_host_of_the_public_address_are_answered(tmp_path):
    with Agent(tmp_path, http={"public_url": PUBLIC}) as agent:
        for host, status in (("tools.example.com", 200), ("evil.example.com", 421)):
            connection = HTTPConnection(agent.http, timeout=30)
            connection.request("GET", "/groundwire/", headers=HTML | {"Host": host})
            assert connection.getresponse().status == status
            connection.close()


@contextmanager
def proxied(folder, agent, locations):
    """Yield the address of nginx before an agent, with ``locations`` as the page writes them."""
    port = free_port()
    places = " ".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    server = f"server {{ listen 127.0.0.1:{port};\n{locations.replace('127.0.0.1:8080', agent)}}}"
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; events {{}}\nhttp {{ access_log off; {places}\n{server} }}\n"
    )
    words = [require("nginx"), "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        while True:
            assert process.poll() is None, process.stderr.read()
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["as-it-is", "taken-off"])
def test_behind_nginx_as_the_page_writes_it_everything_is_found(tmp_path, way):
    gate = {"type": "threshold", "name": "freshness", "metric": "stale_source_use", "at_most": 0.25, "by": ["domain"]}
    http = {"public_url": PUBLIC} if way == "as-it-is" else {}
    with Agent(tmp_path, gates=[gate], http=http) as agent:
        agent.post(merged([policy_trace(i, stale=True, at=time.time_ns()) for i in range(30)]).SerializeToString())
        agent.until(lambda: agent.get("/v1/gates/freshness")[1]["state"] == "fail")
        with proxied(tmp_path, agent.http, LOCATIONS[way]) as host:
            asked = command("status", "--url", f"{host}/groundwire", "--json", cwd=tmp_path)
            assert asked.returncode == 0, asked.stderr
            with browsing(f"{host}/groundwire/") as page:
                page.goto(f"{host}/groundwire/" if way == "taken-off" else f"{host}/groundwire")
                press_to(page, "Open")
                page.wait_for_selector("[data-drawn]")
                press_to(page, "What is the hotel limit")
                assert page.url.startswith(f"{host}/groundwire/answers/")
                press_to(page, "Answers")
                with page.expect_download() as saved:
                    press_to(page, "CSV", leads=False)
                assert saved.value.path().read_text().count("What is the hotel limit") == 30
