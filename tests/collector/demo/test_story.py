from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import yaml

from collector.demo import corpus
from collector.demo.client import GateView, Offender, SliceView
from collector.demo.corpus import Policy
from collector.demo.screen import Screen
from collector.demo.stop import Stopped
from collector.demo.story import Story, StoryFailed, StoryPace

PACE = StoryPace(rate=10, poll=0.5, warm_up=40, patience=20, look=2)
OFFENDER = Offender(
    trace_id="ab",
    question="How much?",
    answer="150 EUR [1].",
    used="TRV-001 version 2",
    should_have_used="TRV-001 version 3",
    because="TRV-001@3 should have been used: 180 EUR",
)


class World:
    """Assistant, agent, screen and clock in one: the gate sees at once what was asked since the last two changes."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.now = 0.0
        self.lines: list[str] = []
        self.index_version = "2"
        self.window: list[tuple[str, bool]] = []
        self.blind = False
        self.wrong: str | None = None
        self.offending = (OFFENDER,)

    def pause(self, seconds: float) -> None:
        self.now += seconds

    def ask(self, question: str, *, domain: str) -> str:  # noqa: ARG002
        stale = domain == "travel" and self._published() and self.index_version == "2"
        self.window = [*self.window, (domain, stale and not self.blind)][-60:]
        return "answer"

    def rebuild(self, policies: Iterable[Policy]) -> None:
        self.index_version = max(p.version for p in policies if p.doc_id == "TRV-001")
        self.lines.append(f"rebuilt with {self.index_version}")

    def gate(self) -> GateView:
        slices = []
        for domain in corpus.DOMAINS:
            values = [stale for d, stale in self.window if d == domain]
            share = sum(values) / len(values) if values else None
            state = "inconclusive" if len(values) < 8 else "fail" if share else "pass"
            if domain == self.wrong:
                state = "fail"
            slices.append(SliceView(name=domain, state=state, n=len(values), estimate=share, lower=share, upper=share))
        states = {s.state for s in slices}
        state = next(s for s in ("fail", "inconclusive", "pass") if s in states)
        return GateView(state=state, reason="", slices=tuple(slices))

    def offenders(self) -> tuple[Offender, ...]:
        return self.offending

    def say(self, line: str, *, style: str = "") -> None:  # noqa: ARG002
        self.lines.append(line)

    def offender(self, offender: Offender) -> None:
        self.lines.append(f"offender: {offender.should_have_used}")

    def show(self, view: GateView, *, asked: int, doing: str) -> None:  # noqa: ARG002
        self.lines.append(doing)

    def _published(self) -> bool:
        return self.source.exists()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "policies.yaml")


def story(world: World) -> Story:
    return Story(
        assistant=world,
        verdicts=world,
        screen=world,
        source=world.source,
        pause=world.pause,
        pace=PACE,
        clock=lambda: world.now,
    )


def said(world: World, word: str) -> int:
    return next(i for i, line in enumerate(world.lines) if word in line)


def test_the_story_is_told_in_order(world: World) -> None:
    story(world).tell()
    order = ["gate passes", "version 3", "gate FAILS", "offender: TRV-001 version 3", "rebuilt with 3", "recovers"]
    assert [said(world, word) for word in order] == sorted(said(world, word) for word in order)


def test_the_policy_changes_only_after_forty_answers_were_judged(world: World) -> None:
    story(world).tell()
    line = world.lines[said(world, "answers judged")]
    assert 40 <= int(line.split()[0]) <= 60


def test_the_source_holds_version_3_and_the_file_is_never_half_written(world: World) -> None:
    story(world).tell()
    documents = yaml.safe_load(world.source.read_text())["documents"]
    assert ("TRV-001", "3") in {(d["id"], d["version"]) for d in documents}
    assert [p.name for p in world.source.parent.iterdir()] == ["policies.yaml"]


def test_a_gate_that_sees_nothing_fails_the_story(world: World) -> None:
    world.blind = True
    with pytest.raises(StoryFailed, match=r"did not fail in travel alone within 20 s: leave pass"):
        story(world).tell()


def test_a_gate_that_fails_in_another_domain_fails_the_story(world: World) -> None:
    world.wrong = "leave"
    with pytest.raises(StoryFailed, match="the gate failed in leave"):
        story(world).tell()


def test_answers_that_do_not_name_version_3_fail_the_story(world: World) -> None:
    world.offending = ()
    with pytest.raises(StoryFailed, match="names version 3"):
        story(world).tell()


def test_an_index_that_stays_stale_fails_the_story(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "rebuild", lambda _: None)
    with pytest.raises(StoryFailed, match="did not recover within 20 s"):
        story(world).tell()


def test_serving_goes_on_until_it_is_stopped(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def pause(seconds: float) -> None:
        world.now += seconds
        if world.now > 300:
            raise Stopped

    monkeypatch.setattr(world, "pause", pause)
    with pytest.raises(Stopped):
        story(world).keep_serving()
    assert len(world.window) == 60


@pytest.mark.parametrize("method", [Screen.say, Screen.offender, Screen.show], ids=lambda m: m.__name__)
def test_the_screen_of_these_tests_is_called_like_the_real_one(method: Callable[..., None]) -> None:
    assert inspect.signature(getattr(World, method.__name__)) == inspect.signature(method)
