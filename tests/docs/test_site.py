"""The documentation as a site: it builds without a warning, is searched, and asks nothing of other hosts."""

import json
import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from tests.browser import browsing
from tests.pages import Page

ROOT = Path(__file__).resolve().parents[2]
LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "use": "href"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    # The theme prints an advertisement for its successor unless told not to.
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def base(site):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_every_page_is_in_the_site_and_loads_nothing_from_another_host(site):
    pages = {path.relative_to(site).with_suffix(".md").as_posix() for path in site.rglob("*.html")} - {"404.md"}
    assert pages == {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    for path in site.rglob("*.html"):
        for tag, attributes in Page(path.read_text(encoding="utf-8")).elements:
            if tag == "link" and attributes.get("rel") in {"prev", "next", "canonical"}:
                continue
            assert not (attributes.get(LOADING.get(tag, "")) or "").startswith(("http", "//")), (path.name, attributes)


def test_links_that_leave_the_pages_lead_to_files_of_the_repository(site):
    start = "https://github.com/groundwire/groundwire/blob/main/"
    links = {
        link.split("#")[0].removeprefix(start)
        for path in site.rglob("*.html")
        for tag, attributes in Page(path.read_text(encoding="utf-8")).elements
        if tag == "a" and (link := attributes.get("href") or "").startswith(start)
    }
    assert "examples/rollouts/argo-web.yaml" in links
    for link in links:
        assert (ROOT / link).exists(), link


def test_the_site_is_searched_and_read_without_asking_another_host(base):
    with browsing(base) as page:
        for path in ("/index.html", "/tutorials/sre.html", "/reference/metrics.html"):
            page.goto(path)
            page.wait_for_load_state("networkidle")
        page.goto("/index.html")
        page.locator("[data-md-component=search-query]").click()
        page.keyboard.type("claim_support")
        page.wait_for_selector(".md-search-result__link")
        assert "claim_support" in page.inner_text(".md-search-result__list")


def test_the_search_finds_every_tutorial(site):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"].split("#")[0] for entry in index["docs"]}
    assert {f"tutorials/{name}.html" for name in ("sre", "ml-engineer", "platform-engineer")} <= found


def test_the_navigation_goes_by_jobs():
    # Tags of the theme, such as !!python, are not used.
    tabs = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"][1:]
    assert [next(iter(tab)) for tab in tabs] == ["Tutorials", "How to", "Concepts", "Reference"]
