"""Sources are opened together, run on their own, and ended without waiting for anybody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from collector.clock import system_clock
from collector.errors import ConfigError
from collector.security.secrets import read_secret
from collector.sources import wiring
from collector.sources.base import Batch, SourceOptions
from collector.sources.wiring import Sources
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry
from tests.admission import admission


class Hanging:
    def __init__(self) -> None:
        self.asked, self.held, self.closed = threading.Event(), threading.Event(), threading.Event()

    def fetch(self, cursor: bytes | None, *, now: int) -> Batch:
        del cursor, now
        self.asked.set()
        self.held.wait()
        return Batch(b"late")

    def position(self, cursor: bytes) -> dict[str, Any]:
        return {"cursor": cursor.decode()}

    def close(self) -> None:
        self.closed.set()


class Held(SourceOptions):
    type: Literal["held"] = "held"
    key_file: Path | None = None

    def warnings(self, where: str) -> Iterator[str]:
        if self.name == "two":
            yield f"{where}.name: unwise"

    def open(self, where: str) -> Hanging:
        read_secret(None, self.key_file, f"{where}.key_file")
        OPENED.append(Hanging())
        return OPENED[-1]


OPENED: list[Hanging] = []


@pytest.fixture
def made(tmp_path: Path):
    store = open_store(tmp_path / "data")

    def make(*configured: SourceOptions) -> Sources:
        telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        return Sources(
            configured,
            store=store,
            admission=admission(store, dimensions=(), telemetry=telemetry, clock=system_clock),
            telemetry=telemetry,
            clock=system_clock,
            pressure=lambda: 0.0,
        )

    make.store = store
    yield make
    store.close()


def test_a_fetch_that_hangs_is_left_behind_and_stores_nothing(made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "END_SECONDS", 0.05)
    sources = made(Held())
    sources.start()
    hanging = OPENED[-1]
    assert hanging.asked.wait(10)
    assert [report.report()["state"] for report in sources.reports] == ["waiting"]
    sources.end()
    assert hanging.closed.is_set()
    hanging.held.set()
    assert not sources._schedule.join(10)
    assert made.store.cursor("held") is None


def test_a_secret_that_cannot_be_read_is_named_and_leaves_nothing_open(made, tmp_path: Path) -> None:
    configured = (Held(name="one"), Held(name="two", key_file=tmp_path / "absent"))
    with pytest.raises(ConfigError, match=r"^sources\[1\]\.key_file: "):
        made(*configured)
    assert OPENED[-1].closed.is_set()
    with pytest.raises(ConfigError, match=r"^sources\[1\]\.key_file: "):
        wiring.check(configured)


def test_check_says_what_is_in_order_and_opens_nothing_for_long() -> None:
    assert wiring.check(()) == []
    assert wiring.check((Held(name="one"), Held(name="two"))) == [
        "sources: ok, one, two",
        "warning: sources[1].name: unwise",
    ]
    assert OPENED[-1].closed.is_set()
