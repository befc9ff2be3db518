"""Links are opened together, run on their own, and ended without waiting for anybody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest

from adapters.documents.passages import NO_KEYS
from collector.clock import system_clock
from collector.errors import ConfigError
from collector.outbound.link import Runtime
from collector.outbound.links import Links, check
from collector.scheduling.loop import scheduled
from collector.security.secrets import read_secret
from collector.sources.base import FetchedPage, SourceOptions
from collector.sources.pull import PullStep
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry
from tests.admission import admission
from tests.external import reception


class Hanging:
    def __init__(self) -> None:
        self.asked, self.held, self.closed = threading.Event(), threading.Event(), threading.Event()

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        del cursor, now
        self.asked.set()
        self.held.wait()
        return FetchedPage(b"late")

    def position(self, cursor: bytes) -> dict[str, Any]:
        return {"cursor": cursor.decode()}

    def close(self) -> None:
        self.closed.set()
        raise OSError("closed in the middle of a request")


class Held(SourceOptions):
    type: Literal["held"] = "held"
    key_file: Path | None = None

    @property
    def address(self) -> str:
        return "nowhere"

    def warnings(self, where: str) -> Iterator[str]:
        if self.name == "two":
            yield f"{where}.name: unwise"

    def open(self, where: str) -> Hanging:
        read_secret(None, self.key_file, f"{where}.key_file")
        OPENED.append(Hanging())
        return OPENED[-1]


OPENED: list[Hanging] = []


def test_a_fetch_that_hangs_is_left_behind_and_stores_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    telemetry = Telemetry(metrics=(), dimensions=(), version="1")
    runtime = Runtime(telemetry=telemetry, clock=system_clock, stop=threading.Event())
    admitting = admission(store, dimensions=(), telemetry=telemetry, clock=system_clock)
    links = Links("sources", [Held()])
    received = reception(telemetry)
    steps = links.steps(
        partial(PullStep, keys=NO_KEYS, store=store, admission=admitting, reception=received, runtime=runtime)
    )
    schedule = scheduled(steps, telemetry=telemetry, stop=runtime.stop, pressure=lambda: 0.0)
    schedule.start()
    hanging = OPENED[-1]
    assert hanging.asked.wait(10)
    assert [report.report()["state"] for report in links.reports] == ["waiting"]
    assert schedule.end(0.05) == ["source:held"]
    links.close()
    assert hanging.closed.is_set()
    hanging.held.set()
    assert not schedule.join(10)
    assert store.cursor("held") is None
    store.close()


def test_a_secret_that_cannot_be_read_is_named_and_leaves_nothing_open(tmp_path: Path) -> None:
    configured = (Held(name="one"), Held(name="two", key_file=tmp_path / "absent"))
    with pytest.raises(ConfigError, match=r"^sources\[1\]\.key_file: "):
        Links("sources", configured)
    assert OPENED[-1].closed.is_set()


def test_check_names_each_link_and_what_is_at_its_other_end() -> None:
    assert list(check("sources", ())) == []

    class Quiet(Held):
        def open(self, where: str) -> Any:
            del where
            OPENED.append(Hanging())
            OPENED[-1].close = OPENED[-1].closed.set  # type: ignore[method-assign]
            return OPENED[-1]

    assert list(check("sources", (Quiet(name="one"), Quiet(name="two")))) == [
        "sources[0]: ok, one at nowhere",
        "sources[1]: ok, two at nowhere",
        "warning: sources[1].name: unwise",
    ]
    assert OPENED[-1].closed.is_set()
