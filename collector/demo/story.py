"""The story: a policy changes in the source but not in the index; the gate fails, and recovers when it is rebuilt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Protocol

from collector.demo import corpus
from collector.demo.client import GateView, Offender
from collector.demo.corpus import Policy
from collector.demo.screen import measured


class StoryFailed(Exception):  # noqa: N818 - the name says what happened
    """The story did not go as expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryPace:
    """How fast the story goes, in answers a second and in seconds.

    ``warm_up`` is how many answers are judged before the policy changes, ``patience`` how long each turn of the story
    may take, ``look`` how long the failing gate stays before the index is rebuilt.
    """

    rate: float = 8.0
    poll: float = 0.5
    warm_up: int = 40
    patience: float = 60.0
    look: float = 5.0


class Assistant(Protocol):
    """The monitored application, as the story drives it."""

    def ask(self, question: str, *, domain: str) -> str:
        """Answer a question."""
        ...

    def rebuild(self, policies: Iterable[Policy]) -> None:
        """Rebuild the index."""
        ...


class GateReader(Protocol):
    """The agent, as the story reads it."""

    def gate(self) -> GateView:
        """Return the verdict of the gate."""
        ...

    def offenders(self) -> tuple[Offender, ...]:
        """Return answers of the stale domain that rest on a superseded passage, newest first."""
        ...


class Show(Protocol):
    """The screen, as the story writes to it."""

    def say(self, line: str, *, style: str = "") -> None:
        """Print one line."""
        ...

    def offender(self, offender: Offender) -> None:
        """Print one offending answer."""
        ...

    def show(self, view: GateView, *, asked: int, doing: str) -> None:
        """Redraw what is live."""
        ...


class Story:
    """Asks questions without pause, and turns the page when the agent has seen what happened.

    ``pause`` sleeps, and may raise to end the story early. ``source`` is the catalog file that the agent watches.
    """

    def __init__(
        self,
        *,
        assistant: Assistant,
        verdicts: GateReader,
        screen: Show,
        source: Path,
        pause: Callable[[float], None],
        pace: StoryPace,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._assistant = assistant
        self._verdicts = verdicts
        self._screen = screen
        self._source = source
        self._pause = pause
        self._pace = pace
        self._clock = clock
        self._questions = cycle(corpus.QUESTIONS)
        self._asked = 0

    def tell(self) -> None:
        """Tell the story once. Raises `StoryFailed` with what went wrong."""
        view = self._until(
            "answering from current policies",
            lambda view: view.answers >= self._pace.warm_up and _all(view, "pass"),
            failing=frozenset(),
            otherwise="the gate did not pass on current policies",
        )
        self._screen.say(
            f"{view.answers} answers judged: the gate passes in every domain ({', '.join(corpus.DOMAINS)})",
            style="green",
        )

        version_3 = corpus.expenses_v3(datetime.now(UTC))
        write_source(self._source, corpus.source_after(version_3))
        self._screen.say(
            f"{version_3.doc_id} version 3 is published and supersedes version 2; "
            "the assistant keeps searching its old index",
            style="bold",
        )
        view = self._until(
            "answering from version 2, which is no longer in force",
            lambda view: view.state == "fail" and set(view.states().values()) == {"pass", "fail"},
            failing=frozenset({corpus.STALE_DOMAIN}),
            otherwise=f"the gate did not fail in {corpus.STALE_DOMAIN} alone",
        )
        self._screen.say("the gate FAILS, as answers rest on a superseded policy: " + _by_state(view), style="bold red")
        self._name_offenders()
        self._dwell("the gate is failing; the index is about to be rebuilt", self._pace.look)

        self._assistant.rebuild(corpus.index_after(version_3))
        self._screen.say("the assistant's index is rebuilt", style="bold")
        self._until(
            "answering from version 3; stale answers are leaving the gate's window",
            lambda view: _all(view, "pass"),
            failing=frozenset({corpus.STALE_DOMAIN}),
            otherwise="the gate did not recover",
        )
        self._screen.say("the gate recovers: it passes in every domain again", style="green")

    def keep_serving(self) -> None:
        """Go on asking and showing until ``pause`` raises."""
        while True:
            self._dwell("serving; press Ctrl-C to stop", self._pace.patience)

    def _until(
        self, doing: str, done: Callable[[GateView], bool], *, failing: frozenset[str], otherwise: str
    ) -> GateView:
        """Ask until the verdict is ``done``; no slice but those ``failing`` may fail on the way."""
        end = self._clock() + self._pace.patience
        while True:
            view = self._step(doing)
            wrong = {name for name, state in view.states().items() if state == "fail"} - failing
            if wrong:
                raise StoryFailed(f"the gate failed in {', '.join(sorted(wrong))}: {_by_state(view)}")
            if done(view):
                return view
            if self._clock() > end:
                raise StoryFailed(f"{otherwise} within {self._pace.patience:.0f} s: {_by_state(view)}")

    def _dwell(self, doing: str, seconds: float) -> None:
        end = self._clock() + seconds
        while self._clock() < end:
            self._step(doing)

    def _step(self, doing: str) -> GateView:
        """Ask for the length of one poll, then look at the gate."""
        end = self._clock() + self._pace.poll
        while self._clock() < end:
            due = self._clock() + 1 / self._pace.rate
            question = next(self._questions)
            self._assistant.ask(question.text, domain=question.domain)
            self._asked += 1
            self._pause(max(0.0, due - self._clock()))
        view = self._verdicts.gate()
        self._screen.show(view, asked=self._asked, doing=doing)
        return view

    def _name_offenders(self) -> None:
        by_question: dict[str, Offender] = {}
        for offender in self._verdicts.offenders():
            by_question.setdefault(offender.question, offender)
        named = [o for o in by_question.values() if o.should_have_used == f"{corpus.STALE_DOC} version 3"]
        if not named:
            raise StoryFailed("no failing answer names version 3 as the passage that should have been used")
        for offender in named[:3]:
            self._screen.offender(offender)


def write_source(path: Path, policies: Iterable[Policy]) -> None:
    """Put a new catalog file in place at once: whoever reads ``path`` sees the old file or the new one, never half."""
    draft = path.with_suffix(".new")
    draft.write_text(corpus.catalog_yaml(policies), encoding="utf-8")
    draft.replace(path)


def _all(view: GateView, state: str) -> bool:
    return view.state == state and view.states() == dict.fromkeys(corpus.DOMAINS, state)


def _by_state(view: GateView) -> str:
    if not view.slices:
        return f"{view.state}, no slices ({view.reason})"
    worst_first = sorted(view.slices, key=lambda each: each.state != "fail")
    return "; ".join(f"{each.name} {each.state} {measured(each)}" for each in worst_first)
