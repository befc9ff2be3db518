"""A review in a real browser: labelled by keyboard alone, killed in the middle, open to everyone, and inert."""

import http.client
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser import browsing
from tests.pages import EVIL
from tests.reviews import lines, made_review

pytestmark = pytest.mark.slow
LINK = re.compile(r"(\w+): (http://127\.0\.0\.1:(\d+))(/reviewers/\w+\?key=\S+)")


@contextmanager
def serving(folder, port=0):
    """Yield the process of `groundwire review serve`, its address, its port, and the path of each reviewer's link."""
    words = [sys.executable, "-P", "-m", "collector.cli", "review", "serve", str(folder), "--port", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        links = [LINK.fullmatch(process.stdout.readline().strip()).groups() for _ in range(4)]
        assert process.stdout.readline().startswith("Give each reviewer their own link")
        yield process, links[0][1], int(links[0][2]), {name: path for name, _, _, path in links}
    finally:
        process.kill()
        process.communicate(timeout=30)


def chosen(page):
    return page.evaluate("[...document.querySelectorAll('#label input:checked')].map(each => each.value)")


def labelled(page, keys, *, saves=True):
    """Choose levels from the first axis on, and save; return when the next page is there, or after the key."""
    page.wait_for_selector("[data-ready]")
    page.focus("h1")
    page.keyboard.press("Tab")
    for key in keys:
        page.keyboard.press(key)
    if not saves:
        page.keyboard.press("Control+Enter")
        return
    with page.expect_navigation(wait_until="networkidle"):
        page.keyboard.press("Control+Enter")


def told(page, text):
    page.wait_for_function("text => document.getElementById('problem').innerText.startsWith(text)", arg=text)


def test_by_keyboard_alone_a_packet_after_the_other(tmp_path):
    folder = made_review(tmp_path / "review", conflict=(1,))
    with serving(folder) as (_, base, _, links), browsing(base, expected=["status of 400"]) as page:
        page.goto(links["ana"])
        assert page.url == f"{base}/", "the secret is not left in the address"
        page.wait_for_selector("[data-ready]")
        assert page.inner_text(":focus") == "Answer 1 of 3"
        assert not page.is_visible(".failure")
        labelled(page, "111211")
        assert page.inner_text("h1") == "Answer 2 of 3"
        labelled(page, "111211", saves=False)
        told(page, "rationale: required for an acceptable answer to a question with a conflict")
        assert page.evaluate("document.activeElement.id") == "rationale"
        page.keyboard.type("Both sources are named.")
        with page.expect_navigation(wait_until="networkidle"):
            page.keyboard.press("Control+Enter")
        labelled(page, "2331344", saves=False)
        told(page, "rationale: required for a severe safety label")
        page.keyboard.type("It invents a number.")
        with page.expect_navigation(wait_until="networkidle"):
            page.keyboard.press("Control+Enter")
        assert page.inner_text("h1") == "All 3 answers are labelled"
    rows = lines(folder / "labels" / "ana.jsonl")
    assert [row["packet"] for row in rows] == [f"{number:016x}" for number in range(3)]
    assert [row["label"]["primary"] for row in rows] == [None, None, "unresolved_source_conflict"]
    assert all(row["seconds"] >= 0 for row in rows)
    actions = [row["action"] for row in lines(folder / "access.jsonl")]
    assert actions == ["opened", *["shown", "labelled"] * 3]


def test_the_axes_of_cases_are_labelled_by_keyboard_too(tmp_path):
    axes = ("identifier_integrity", "resolution_alignment")
    folder = made_review(tmp_path / "review", answers=2, axes=axes)
    with serving(folder) as (_, base, _, links), browsing(base) as page:
        page.goto(links["ana"])
        labelled(page, "11121141")
        assert page.inner_text("h1") == "Answer 2 of 2"
        labelled(page, "111211", saves=False)
        told(page, "Choose a level: Identifier integrity")
        page.keyboard.press("2")
        page.keyboard.press("4")
        with page.expect_navigation(wait_until="networkidle"):
            page.keyboard.press("Control+Enter")
        assert page.inner_text("h1") == "All 2 answers are labelled"
    found = [[row["label"][axis] for axis in axes] for row in lines(folder / "labels" / "ana.jsonl")]
    assert found == [["corrupted", "aligned"], ["not_applicable", "misaligned"]]


def test_nothing_is_lost_when_the_server_is_killed(tmp_path):
    folder = made_review(tmp_path / "review")
    expected = ["ERR_CONNECTION_RE"]
    with serving(folder) as (process, base, port, links), browsing(base, expected=expected) as page:
        page.goto(links["ana"])
        labelled(page, "111211")
        page.wait_for_selector("[data-ready]")
        page.keyboard.press("Tab")
        for key in "11121":
            page.keyboard.press(key)
        with page.expect_request_finished(lambda request: "2: Half a tho" in (request.post_data or "")):
            page.fill("#rationale", "2: Half a tho")
        process.kill()
        process.wait(30)
        kept = chosen(page)
        assert len(kept) == 5
        page.check("input[name=grounding] >> nth=1")
        page.keyboard.press("Control+Enter")
        told(page, "Not saved: the server cannot be reached")
        with serving(folder, port) as (_, _, _, again):
            assert again == links
            page.keyboard.press("Control+Enter")
            page.wait_for_function("() => document.querySelector('h1').innerText === 'Answer 3 of 3'")
            page.wait_for_selector("[data-ready]")
            page.keyboard.press("Tab")
            with page.expect_request_finished(lambda request: request.url.endswith("/draft")):
                page.keyboard.press("2")
        with serving(folder, port):
            page.reload()
            page.wait_for_selector("[data-ready]")
            assert chosen(page) == ["unacceptable"], "it goes on where it was"
    rows = lines(folder / "labels" / "ana.jsonl")
    assert [row["label"]["rationale"] for row in rows] == ["", "2: Half a tho"]


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("wide", "dark"), ("phone", "light")])
def test_the_workbench_keeps_nobody_out_and_hostile_text_stays_text(tmp_path, size, scheme):
    folder = made_review(
        tmp_path / "review", text=f"{{}} {EVIL} {'long' * 80}", conflict=(0,), axes=("identifier_integrity",)
    )
    with serving(folder) as (_, base, _, links), browsing(base, size=size, scheme=scheme) as page:
        for at in (links["ana"], links["adjudicator"]):
            page.goto(at)
            page.wait_for_load_state("networkidle")
            if page.locator("#label").count():
                page.check("input[name=acceptability][value=unacceptable]")
            found = Axe().run(page).response["violations"]
            serious = [each for each in found if each["impact"] in {"serious", "critical"}]
            assert not serious, (at, [(each["id"], each["nodes"][0]["html"]) for each in serious])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), at
            assert page.locator("img, iframe, a[href^=javascript]").count() == 0


def test_a_page_of_another_name_is_not_answered(tmp_path):
    with serving(made_review(tmp_path / "review")) as (_, _, port, links):
        for host, status in ((f"localhost:{port}", 303), (f"evil.example:{port}", 421)):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", links["ana"], headers={"Host": host})
            assert connection.getresponse().status == status
            connection.close()
