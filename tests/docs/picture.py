"""Draws the picture of the README: a page of a real agent over real traffic, in a real browser.

`PYTHONPATH=. python -m tests.docs.picture` draws it again; it needs Chromium.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.agent import Agent
from tests.browser import browsing
from tests.traffic import merged, passage, policy_trace, rag_trace

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "slice.png"
SIZE = {"width": 1280, "height": 720}
MINUTES = 40
GATE = {
    "type": "threshold",
    "name": "freshness",
    "metric": "stale_source_use",
    "at_most": 0.1,
    "by": ["domain"],
    "window": "1h",
}


def traffic(now: int, minutes: range, *, release: str, stale: bool) -> list[object]:
    """Answers of two domains, four a minute each; those about travel may rest on the old policy."""
    traces = []
    for minute in minutes:
        for i in range(4):
            served = {"at": now - (MINUTES - minute) * 60_000_000_000 + i * 14_000_000_000, "release": release}
            traces.append(policy_trace(f"{minute}-{i}", stale=stale, **served))
            traces.append(
                rag_trace(
                    f"leave-{minute}-{i}",
                    question="How long is parental leave?",
                    answer="Parental leave is 16 weeks [1].",
                    passages=(passage("LEV-1", "1", "Parental leave is 16 weeks.", effective_from="2024-01-01"),),
                    metadata={"domain": "leave"},
                    **served,
                )
            )
    return traces


def draw(folder: Path, to: Path) -> str:
    """Draw the page of the failing slice to ``to``; return its text."""
    with Agent(folder, gates=[GATE]) as agent:
        now, breaks = time.time_ns(), MINUTES - 15
        # Each is read before the next comes, as it would be live: a change begins with the first answer of a release.
        for minutes in (range(breaks), range(breaks, breaks + 1), range(breaks + 1, MINUTES)):
            late = minutes.start >= breaks
            traces = traffic(now, minutes, release="2.1" if late else "2.0", stale=late)
            agent.post(merged(traces).SerializeToString())
            agent.until(lambda wanted=8 * minutes.stop: _scored(agent) >= wanted)
        agent.until(lambda: agent.get("/v1/gates/freshness")[1]["state"] == "fail")
        with browsing(f"http://{agent.http}") as page:
            page.set_viewport_size(SIZE)
            page.goto("/slices/freshness?domain=travel")
            page.wait_for_selector("[data-drawn]")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=str(to))
            return page.inner_text("main")


def _scored(agent: Agent) -> int:
    """How many answers the gate has counted."""
    return sum(each["n"] for each in agent.get("/v1/gates/freshness")[1]["slices"])


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        draw(Path(scratch), PICTURE)
