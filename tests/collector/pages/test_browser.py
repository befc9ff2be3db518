"""The pages in a real browser, over a real agent: found by keyboard, readable by everyone, and inert."""

import time

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.agent import Agent
from tests.browser import browsing, press_to
from tests.docs.screens import posted
from tests.pages import EVIL
from tests.traffic import merged, passage, policy_trace, rag_trace

pytestmark = pytest.mark.slow

GATE = {
    "type": "threshold",
    "name": "freshness",
    "metric": "stale_source_use",
    "at_most": 0.25,
    "by": ["domain"],
    "window": "1h",
    "min_answers": 20,
}
ENDLESS = "W" * 900 + "Z" + "\u0301\u0489" * 300
"""What no browser finds a place to break in: a word without end, and a letter with a tower of marks."""
PAGES = (
    "/",
    "/gates/freshness",
    "/gates/freshness/trial",
    "/slices/freshness?service=assistant&domain=travel",
    "/slices/freshness?domain=travel",
    "/answers",
    "/answers?metric=stale_source_use&min_value=0.5",
    "/answers?text=nowhere",
    "/answers/{answer}",
    "/answers/{hostile}",
    "/answers/{endless}",
    "/decisions",
    "/decisions/1",
    "/changes",
    "/reports",
    "/documents",
    "/catalog",
    "/canaries",
    "/sources",
    "/configuration",
    "/nothing",
)


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """An agent whose travel answers rest on a superseded policy, with hostile text in every field that traffic sets."""
    now = time.time_ns()
    traces = [policy_trace(i, stale=True, at=now) for i in range(30)]
    traces += [policy_trace(i, domain="leave", at=now) for i in range(30)]
    hostile = {"question": EVIL, "answer": f"{EVIL} is so [1].", "passages": (passage(EVIL, EVIL, EVIL, uri=EVIL),)}
    traces += [rag_trace("hostile", **hostile, at=now, metadata={"domain": EVIL})]
    passages = (passage(ENDLESS, ENDLESS, ENDLESS, uri=ENDLESS),)
    traces += [rag_trace("endless", question=ENDLESS, answer=f"{ENDLESS} [1].", passages=passages, at=now)]
    with Agent(tmp_path_factory.mktemp("pages"), gates=[GATE]) as agent:
        agent.post(merged(traces).SerializeToString())
        change = {"kind": "deploy", "id": "long", "component": "release", "version": "W" * 120}
        posted(agent, "/v1/changes", change)
        agent.until(lambda: _failing(agent))
        agent.until(lambda: len(_answers(agent)) == len(traces))
        yield agent


def _failing(agent):
    slices = agent.get("/v1/gates/freshness")[1]["slices"]
    return {each["slice"]["domain"]: each["state"] for each in slices}.get("travel") == "fail"


def _answers(agent, query="?limit=100"):
    return [row for row in agent.get(f"/v1/answers{query}")[1]["answers"] if row["evaluation"]]


@pytest.fixture(scope="module")
def base(agent):
    return f"http://{agent.http}"


@pytest.fixture(scope="module")
def pages(agent):
    stale = _answers(agent, "?metric=stale_source_use&min_value=0.5&limit=1")[0]["answer"]["id"]
    hostile = next(row["answer"]["id"] for row in _answers(agent) if EVIL in (row["answer"]["question"] or ""))
    endless = next(row["answer"]["id"] for row in _answers(agent) if "WWW" in (row["answer"]["question"] or ""))
    return [path.format(answer=stale, hostile=hostile, endless=endless) for path in PAGES]


def test_by_keyboard_alone_from_the_failing_slice_to_its_cause_and_its_evidence(base):
    with browsing(base) as page:
        page.goto("/")
        assert "Gate freshness fails: domain=travel" in page.inner_text(".steps")
        press_to(page, "Open")
        assert page.inner_text("h1").split() == ["domain=travel", "fail"]
        page.wait_for_selector("[data-drawn]")
        assert "30 answers" in page.inner_text("figcaption")
        press_to(page, "What is the hotel limit")
        assert "stale" in page.inner_text(".claims li")
        assert "150 EUR" in page.inner_text("article mark")
        press_to(page, "Decisions")
        press_to(page, "2")
        assert "Recommended:" in page.inner_text("main")
        press_to(page, "Answers")
        with page.expect_download() as saved:
            press_to(page, "CSV", leads=False)
        header, *rows = saved.value.path().read_text().splitlines()
        assert header.startswith("id,arrived_at,service,domain,question,answer,")
        assert len(rows) >= 60


def test_a_chart_is_saved_as_a_picture(base):
    with browsing(base) as page:
        page.goto("/slices/freshness?domain=travel")
        page.wait_for_selector("[data-drawn]")
        with page.expect_download() as saved:
            press_to(page, "PNG", leads=False)
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")


KEEP_PLOTS = """window.plots = [];
let kept;
Object.defineProperty(window, "uPlot", {
  get: () => kept,
  set: (made) => {
    kept = new Proxy(made, { construct: (of, given) => window.plots[window.plots.push(new of(...given)) - 1] });
  },
});"""
LABELS_AND_DROP = """() => {
  const [plot] = window.plots;
  const heights = plot.data[1].map((value) => plot.valToPos(value, "y"));
  return [plot.axes[1]._values.filter(Boolean), Math.max(...heights) - Math.min(...heights)];
}"""


def test_a_metric_that_stays_the_same_is_drawn_as_a_level_line_between_labels(base, agent):
    """Means of many equal values differ by the last bit."""
    body = agent.get("/v1/gates/freshness/timeline?slice.domain=travel")[1]
    body |= {"limit": None, "reference": None, "lower": None, "upper": None}
    means = [0.9005, 0.9005, 0.9005000000000001, 0.9004999999999999]
    body["points"] = [{"at": f"2026-01-01T00:0{i}:00Z", "answers": 9, "mean": mean} for i, mean in enumerate(means)]
    with browsing(base) as page:
        page.add_init_script(KEEP_PLOTS)
        page.route("**/timeline?*", lambda route: route.fulfill(json=body))
        page.goto("/slices/freshness?domain=travel")
        page.wait_for_selector("[data-drawn]")
        labels, drop = page.evaluate(LABELS_AND_DROP)
    assert len(set(labels)) >= 3
    assert drop < 1.0


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("wide", "dark"), ("phone", "light")])
def test_no_page_keeps_anybody_out_or_scrolls_sideways(base, pages, size, scheme):
    with browsing(base, size=size, scheme=scheme) as page:
        for path in pages:
            if path == "/nothing":
                continue  # the browser reports the status of that one as an error
            page.goto(path)
            page.wait_for_load_state("networkidle")
            found = Axe().run(page).response["violations"]
            serious = [each for each in found if each["impact"] in {"serious", "critical"}]
            assert not serious, (path, [(each["id"], each["nodes"][0]["html"]) for each in serious])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_hostile_text_is_shown_as_text_wherever_it_stands(base, pages):
    with browsing(base) as page:
        for path in pages[:-1]:
            page.goto(path)
            page.wait_for_load_state("networkidle")
            assert page.locator("img, iframe, a[href^=javascript]").count() == 0, path
        page.goto(pages[9])
        assert "alert(1)" in page.inner_text("h1")


OUT_OF_SIGHT = """() => [...document.querySelectorAll("td, tbody th")].filter((cell) => cell.innerText.trim()
    && cell.getBoundingClientRect().right > innerWidth).map((cell) => cell.innerText)"""


def test_on_a_phone_each_value_of_a_table_is_in_sight_and_named_by_its_column(base, pages):
    with browsing(base, size="phone") as page:
        for path in pages[:-1]:
            page.goto(path)
            page.wait_for_load_state("networkidle")
            assert page.evaluate(OUT_OF_SIGHT) == [], path
        page.goto("/gates/freshness")
        assert page.get_attribute("td.why >> nth=0", "data-column") == "Why"
        page.goto("/")
        named = {each.get_attribute("data-column") for each in page.locator("#slices ~ .scroll td[data-column]").all()}
        assert named == {"freshness stale_source_use"}


def test_the_overview_renews_itself_and_leaves_the_focus_where_it_is(base):
    with browsing(base, size="phone") as page:
        page.goto("/")
        page.focus("#main a")
        focused = page.evaluate("document.activeElement.href")
        before = page.inner_text("dl.figures")
        with page.expect_response(lambda reply: reply.request.headers.get("hx-request") == "true", timeout=30_000):
            pass
        page.wait_for_function("before => document.querySelector('dl.figures').innerText !== before", arg=before)
        assert page.evaluate("document.activeElement.href") == focused
        page.wait_for_function("() => document.querySelectorAll('.scroll table:not(.named)').length === 0")
        assert page.evaluate(OUT_OF_SIGHT) == []
