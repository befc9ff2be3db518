"""Draws every page, in light, dark and on a phone: to be looked at after a change of pages.

`PYTHONPATH=. python -m tests.docs.screens FOLDER` writes the pictures; it needs Chromium. The agent has traffic of two
services in three domains over two hours, a release that broke one of them, a catalog, gates of all kinds, reports, and
what goes wrong: a source that fails, spans nobody reads, hostile and long texts.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import Request, urlopen

from tests.agent import Agent
from tests.browser import browsing
from tests.collector.pages.test_report_pages import report
from tests.pages import EVIL
from tests.reviews import BAD, made_review
from tests.traffic import merged, passage, rag_trace

MINUTE = 60_000_000_000
MINUTES, BREAKS = 120, 70
KINDS = {"wide-light": ("wide", "light"), "wide-dark": ("wide", "dark"), "phone-light": ("phone", "light")}
GATES = [
    {
        "type": "threshold",
        "name": "freshness",
        "metric": "stale_source_use",
        "at_most": 0.1,
        "by": ["domain"],
        "window": "6h",
        "min_answers": 20,
    },
    {"type": "drift", "name": "grounded", "metric": "claim_support", "worse": "lower", "by": ["service", "domain"]},
    {"type": "objective", "name": "cited", "metric": "citation_coverage", "worse": "lower", "objective": 0.95},
    {"type": "release", "name": "canary", "metric": "claim_support", "worse": "lower", "by": ["service"]},
]
TOPICS = {
    "travel": (
        "What is the hotel limit per night?",
        "The hotel limit is {} EUR per night [1]. Meals are reimbursed up to 40 EUR a day [1].",
        ("TRV-1", "The hotel limit is {} EUR per night. Meals are reimbursed up to 40 EUR a day."),
        (180, 150),
    ),
    "leave": (
        "How long is parental leave, and who has to be told?",
        "Parental leave is {} weeks [1]. Tell your manager eight weeks before it begins [1].",
        ("LEV-1", "Parental leave is {} weeks. Employees tell their manager eight weeks before it begins."),
        (16, 16),
    ),
    "procurement": (
        "From which amount on do I need three quotes?",
        "Three quotes are required from {} EUR on [1]. An exception needs the signature of the head of finance [2].",
        ("PRC-7", "Three quotes are required for purchases from {} EUR on."),
        (5000, 5000),
    ),
}


def answer(number: int, at: int, domain: str, service: str, *, release: str, broken: bool) -> object:
    """A trace of one answer; the travel index is old once it is ``broken``."""
    question, text, (document, said), (good, old) = TOPICS[domain]
    stale = broken and domain == "travel" and service == "assistant"
    amount = old if stale else good
    newest = passage(document, "3", said.format(good), effective_from="2026-01-01", supersedes=f"{document}@2")
    former = passage(document, "2", said.format(old), effective_to="2025-12-31")
    passages = [former, newest] if stale else [newest]
    passages.append(passage(f"{document}-B", "1", "An exception needs the signature of the head of finance."))
    wrong = number % 17 == 3
    return rag_trace(
        f"{domain}-{service}-{number}",
        question=question if number % 3 else f"{question} I travel with two colleagues and stay for three nights.",
        answer=text.format(amount + (70 if wrong else 0)),
        passages=passages,
        at=at,
        metadata={"domain": domain},
        service=service,
        release=release,
        failed=number % 41 == 7,
    )


def traffic(now: int, minutes: range) -> list[object]:
    """Answers of each minute."""
    traces = []
    for minute in minutes:
        for domain in TOPICS:
            for service in ("assistant", "helpdesk-for-employees"):
                broken = minute >= BREAKS
                release = "2.1.0" if broken else "2.0.4"
                at = now - (MINUTES - minute) * MINUTE
                traces.append(answer(minute, at, domain, service, release=release, broken=broken))
    return traces


def catalog(folder: Path) -> Path:
    """A catalog of the documents; one was changed, so that canaries are written."""
    entries = []
    for document, said in ((topic[2][0], topic) for topic in TOPICS.values()):
        text, (good, old) = said[2][1], said[3]
        entries.append({"id": document, "version": "2", "text": text.format(old), "effective_to": "2025-12-31"})
        entries.append({"id": document, "version": "3", "text": text.format(good), "effective_from": "2026-01-01"})
    path = folder / "catalog.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def posted(agent: Agent, path: str, body: object) -> None:
    """Send JSON to the API of the agent."""
    sent = Request(f"http://{agent.http}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(sent, timeout=30) as reply:
        reply.read()


def filled(folder: Path) -> Agent:
    """Return an agent that was started, with all of the traffic scored."""
    own = folder / "data" / "reports"
    config = {
        "catalog": {"path": str(catalog(folder))},
        "canaries": {"url": "http://127.0.0.1:9", "path": "/search", "body": {"query": "{question}"}},
        "sources": [{"type": "phoenix", "name": "phoenix", "url": "http://127.0.0.1:9", "projects": ["default"]}],
        "reports": [
            {
                "name": "weekly",
                "schedule": "0 7 * * mon",
                "timezone": "Europe/Berlin",
                "to": str(folder / "weekly"),
                "url": "http://127.0.0.1:9",
            }
        ],
        "gates": GATES,
    }
    agent = Agent(folder, **config).start()
    try:
        _fill(agent, folder, own)
    except BaseException:
        agent.kill()
        raise
    return agent


def _fill(agent: Agent, folder: Path, own: Path) -> None:
    """Put reports into the folders of an agent, send it all of the traffic, and wait until it is judged."""
    own.mkdir(parents=True)
    (folder / "weekly").mkdir()
    (folder / "weekly" / "20261123T060000Z.html").write_text(report("Traffic of the last 7d"))
    (folder / "weekly" / "20261130T060000Z.log").write_text("groundwire: no agent answers at http://127.0.0.1:9\n")
    hold = "Hold 2.1.0: it is worse than 2.0.4 in stale_source_use (0.31 against 0.02) and claim_support."
    names = ("2.0.4", "2.1.0")
    told = report("Release 2.1.0", verdict="hold", decision=hold, kind="comparison", names=names)
    (own / "release-2.1.0.html").write_text(told)
    (own / "notes.html").write_text("<p>Mine.</p>")
    now, done = time.time_ns(), 0
    for minutes in (range(BREAKS), range(BREAKS, BREAKS + 2), range(BREAKS + 2, MINUTES)):
        traces = traffic(now, minutes)
        agent.post(merged(traces).SerializeToString())
        done += len(traces)
        agent.until(lambda enough=done - done // 30: _scored(agent) >= enough, 300)
    odd = rag_trace("hostile", question=EVIL, answer=f"{EVIL} {'long' * 90}", at=now, metadata={"domain": EVIL})
    agent.post(merged([odd]).SerializeToString())
    change = {"kind": "deploy", "id": "d-7", "component": "index", "version": "2026-11-28"}
    note = "The index of travel was rebuilt from the backup."
    posted(agent, "/v1/changes", {**change, "scope": {"domain": "travel"}, "note": note})
    agent.until(lambda: agent.get("/v1/gates/freshness")[1]["state"] == "fail")
    agent.until(lambda: any("long" in (row["answer"].get("answer") or "") for row in _answers(agent)))


def _scored(agent: Agent) -> int:
    return sum(each["n"] for each in agent.get("/v1/gates/freshness")[1]["slices"])


def _answers(agent: Agent, query: str = "?limit=100") -> list[dict[str, object]]:
    return agent.get(f"/v1/answers{query}")[1]["answers"]


def pages(agent: Agent) -> dict[str, str]:
    """Return every page, with a name for its picture."""
    stale = _answers(agent, "?metric=stale_source_use&min_value=0.5&limit=1")[0]["answer"]["id"]
    fine = _answers(agent, "?domain=leave&metric=claim_support&min_value=0.9&limit=1")[0]["answer"]["id"]
    odd = next(row["answer"]["id"] for row in _answers(agent) if "long" in (row["answer"].get("answer") or ""))
    decided = agent.get("/v1/decisions?order=newest&limit=50")[1]["decisions"]
    failing = next(row["seq"] for row in decided if row["state"] == "fail")
    named = {
        "overview": "/",
        "gate-threshold": "/gates/freshness",
        "gate-drift": "/gates/grounded",
        "gate-objective": "/gates/cited",
        "gate-release": "/gates/canary",
        "trial": "/gates/freshness/trial",
        "slice": "/slices/freshness?domain=travel",
        "slice-drift": "/slices/grounded?service=assistant&domain=travel",
        "answers": "/answers",
        "answers-filtered": "/answers?metric=stale_source_use&min_value=0.5&domain=travel",
        "answers-none": "/answers?text=nowhere",
        "answer-stale": f"/answers/{stale}",
        "answer-fine": f"/answers/{fine}",
        "answer-hostile": f"/answers/{odd}",
        "decision": f"/decisions/{failing}",
        "report": "/reports/-/release-2.1.0.html",
        "missing": "/nothing",
    }
    lists = ("decisions", "changes", "reports", "documents", "catalog", "canaries", "sources", "configuration")
    return named | {name: f"/{name}" for name in lists}


EMPTY = ("", "answers", "decisions", "changes", "reports", "documents", "catalog", "canaries", "sources")


def draw(base: str, places: dict[str, str], to: Path, *, first: str | None = None) -> None:
    """Draw pages in each kind; ``first`` is opened before."""
    for kind, (size, scheme) in KINDS.items():
        with browsing(base, size=size, scheme=scheme, expected=["status of 40"]) as page:
            if first is not None:
                page.goto(first)
            for name, path in places.items():
                page.goto(path)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=str(to / f"{name}.{kind}.png"), full_page=True)
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                print(name, kind, "scrolls sideways" if wide > 0 else "", flush=True)


def draw_all(folder: Path, to: Path) -> None:
    """Draw the pages of an agent with traffic, of one without, and of a review."""
    from tests.collector.workbench.test_browser import serving

    to.mkdir(parents=True, exist_ok=True)
    for part in ("full", "empty"):
        (folder / part).mkdir()
    agent = filled(folder / "full")
    try:
        draw(f"http://{agent.http}", pages(agent), to)
    finally:
        agent.terminate()
    with Agent(folder / "empty") as agent:
        draw(f"http://{agent.http}", {f"empty-{name or 'overview'}": f"/{name}" for name in EMPTY}, to)
    review = made_review(folder / "review", conflict=(0,), text="{}: parcels come back within 14 days [1].")
    with serving(review) as (_, base, _, links):
        from datetime import UTC, datetime

        from collector.reviews.folder import ReviewFolder

        opened = ReviewFolder.opened(review)
        for reviewer in opened.reviewers:
            severe = BAD | {"safety_boundary": "severe", "rationale": "It promises what no policy grants."}
            opened.label(reviewer, f"{1:016x}", severe, now=datetime.now(UTC), seconds=31.0)
        for reviewer in ("ana", "adjudicator"):
            draw(base, {f"review-{reviewer}": "/"}, to, first=links[reviewer])
        draw(base, {"review-closed": "/reviewers/ana?key=wrong"}, to)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        draw_all(Path(scratch), Path(sys.argv[1]))
