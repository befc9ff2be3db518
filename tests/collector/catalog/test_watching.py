"""Listings that the agent reads by itself, on a clock that moves when it is told to."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.base import PassageKeys
from adapters.schema import Answer, Passage
from collector.catalog.listings.task import ListingOrder, ListingOutcome, done
from collector.catalog.options import CatalogOptions
from collector.catalog.watching import AGAIN_SECONDS, WatchedListings
from collector.configuration.file import load
from collector.errors import ConfigError, Transient
from collector.outbound.link import Runtime
from collector.workers.pool import PoolClosed
from scorers.base import Env, Score
from scorers.freshness.index_copy_outdated import IndexCopyOutdated
from telemetry.registry import Telemetry
from tests.collector.catalog.conftest import NOW

TEXT = "Refunds are paid within 30 days of the purchase of {} to the card that was used, and not in cash."


class Bench:
    """Watched listings over folders, with a clock, and what they would do in a process of its own done here."""

    def __init__(self, directory: Path, **options: object) -> None:
        self.directory = directory
        self.options = CatalogOptions.model_validate(options)
        assert not list(self.options.problems())
        self.seconds = 0.0
        self.error: Exception | None = None
        self.restart()

    def restart(self) -> None:
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="0")
        self.listings = WatchedListings(
            self.options.sources,
            self.options.indexes,
            data=self.directory / "data",
            keys=PassageKeys(uri=("Ablage",)),
            runtime=Runtime(
                telemetry=self.telemetry,
                clock=lambda: NOW + int(self.seconds * 1e9),
                monotonic=lambda: self.seconds,
                random=lambda: 0.5,
                stop=threading.Event(),
            ),
        )
        self.steps = [planned.step for planned in self.listings.steps(self.run)]

    def run(self, order: ListingOrder) -> ListingOutcome:
        if self.error is not None:
            raise self.error
        return done(order)

    def look(self, seconds: float = 0.0) -> None:
        """Let time pass, and every step run once."""
        self.seconds += seconds
        for step in self.steps:
            step.run_once()

    def lag(self, name: str = "rows") -> dict[str, int]:
        return {kind: count for kind, count in self.listings.compared[name].counts.items() if count}

    def series(self, name: str) -> dict[str, float]:
        text = self.telemetry.exposition("")[0].decode()
        lines = [line.rpartition(" ") for line in text.splitlines() if line.startswith(name)]
        return {head.removeprefix(name): float(value) for head, _, value in lines}


def folder(path: Path, *names: str) -> Path:
    path.mkdir(parents=True)
    for name in names:
        (path / name).write_text(TEXT.format(name))
    return path


def export(path: Path, *files: Path, **more: object) -> Path:
    """Write what an index would hold that loaded these files."""
    rows = [{"id": str(file), "text": file.read_text(), "metadata": {"source": str(file), **more}} for file in files]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def bench(tmp_path):
    docs = folder(tmp_path / "docs", "a.md", "b.md", "c.md")
    rows = export(tmp_path / "rows.jsonl", *sorted(docs.iterdir()))
    return Bench(
        tmp_path,
        sources=[{"type": "directory", "path": str(docs)}],
        indexes=[{"type": "rows", "path": str(rows), "poll": "1m"}],
    )


def test_an_index_is_found_behind_before_anybody_asks(bench):
    bench.look()
    assert bench.lag() == {}
    docs = bench.directory / "docs"
    (docs / "a.md").write_text(TEXT.format("a.md").replace("30", "14"))
    (docs / "b.md").unlink()
    (docs / "d.md").write_text(TEXT.format("d.md"))
    bench.look(seconds=299)
    assert bench.lag() == {}, "it is read every five minutes, and not sooner"
    bench.look(seconds=1)
    bench.look()
    assert bench.lag() == {"outdated": 1, "removed": 1, "missing": 1}
    assert [(one.kind, Path(one.id).name) for one in bench.listings.compared["rows"].lagging] == [
        ("outdated", "a.md"),
        ("removed", "b.md"),
        ("missing", "d.md"),
    ]
    series = bench.series("groundwire_index_lag_documents")
    assert series['{kind="outdated",listing="rows"}'] == series['{kind="removed",listing="rows"}'] == 1.0
    report = bench.listings.report()
    assert (report["indexes"][0]["lag"]["outdated"], report["sources"][0]["state"]) == (1, "ok")
    export(bench.directory / "rows.jsonl", *sorted(docs.iterdir()))
    bench.look(seconds=60)
    assert bench.lag() == {}, "the index was made anew"


def test_what_was_read_outlives_the_agent(bench):
    bench.look()
    (bench.directory / "docs" / "a.md").write_text(TEXT.format("a.md").replace("30", "14"))
    bench.restart()
    bench.look()
    bench.look()
    assert bench.lag() == {"outdated": 1}, "the version before the restart is known"


@pytest.mark.parametrize("gone", ["unmounted", "removed", "unreadable"])
def test_a_source_that_is_gone_removes_nothing(bench, gone):
    bench.look()
    docs = bench.directory / "docs"
    if gone == "unreadable":
        docs.rename(bench.directory / "elsewhere")
        (bench.directory / "docs").write_text("")
    else:
        for file in docs.iterdir():
            file.unlink()
        if gone == "removed":
            docs.rmdir()
    bench.look(seconds=300)
    bench.look()
    assert bench.lag() == {}
    status = bench.listings.report()["sources"][0]
    assert status["state"] == "failing"
    assert ("not believed" if gone == "unmounted" else "not a directory") in status["last_error"]
    assert bench.series("groundwire_catalog_listing_up")['{listing="directory"}'] == 0.0
    assert bench.series("groundwire_catalog_listing_up")['{listing="rows"}'] == 1.0


@pytest.mark.parametrize("error", [Transient("exceeded 900 s of CPU time"), PoolClosed()])
def test_a_worker_that_fails_or_ends_stops_nothing(bench, error):
    bench.error = error
    bench.look()
    assert bench.listings.compared == {}
    bench.error = None
    bench.look(seconds=3600)
    bench.look()
    assert bench.lag() == {}


def test_an_index_is_compared_with_its_own_sources_alone(tmp_path):
    folders = [folder(tmp_path / name, "a.md", "b.md") for name in ("hr", "it")]
    rows = export(tmp_path / "rows.jsonl", *sorted(folders[0].iterdir()))
    other = export(tmp_path / "other.jsonl", *sorted(folders[0].iterdir()), *sorted(folders[1].iterdir()))
    bench = Bench(
        tmp_path,
        sources=[{"type": "directory", "name": path.name, "path": str(path)} for path in folders],
        indexes=[
            {"type": "rows", "path": str(rows), "sources": ["hr"]},
            {"type": "rows", "name": "both", "path": str(other)},
        ],
    )
    bench.look()
    assert (bench.lag(), bench.lag("both")) == ({}, {})
    (folders[1] / "a.md").write_text(TEXT.format("a.md").replace("30", "14"))
    (folders[1] / "b.md").unlink()
    bench.look(seconds=300)
    bench.look()
    assert (bench.lag(), bench.lag("both")) == ({}, {"outdated": 1, "removed": 1}), "files of one name stay apart"


def test_keys_of_the_configuration_are_read(tmp_path):
    docs = folder(tmp_path / "docs", "a.md")
    row = {"id": "1", "text": (docs / "a.md").read_text(), "metadata": {"Ablage": str(docs / "a.md")}}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    bench = Bench(
        tmp_path,
        sources=[{"type": "directory", "path": str(docs)}],
        indexes=[{"type": "rows", "path": str(tmp_path / "rows.jsonl")}],
    )
    bench.look()
    assert (bench.listings.compared["rows"].documents, bench.listings.compared["rows"].same) == (1, 1)


def test_a_version_that_comes_into_force_makes_a_copy_outdated_without_a_new_reading(tmp_path):
    docs = folder(tmp_path / "docs")
    (docs / "new.md").write_text("---\nid: T\nversion: 2\neffective_from: 2026-06-01\n---\n" + TEXT.format("it"))
    (docs / "old.md").write_text("---\nid: T\nversion: 1\neffective_to: 2026-05-31\n---\n" + TEXT.format("that"))
    rows = [{"id": "1", "text": "x", "metadata": {"doc_id": "T", "version": "1"}}]
    (tmp_path / "rows.jsonl").write_text(json.dumps(rows[0]))
    bench = Bench(
        tmp_path,
        sources=[{"type": "directory", "path": str(docs), "poll": "30d"}],
        indexes=[{"type": "rows", "path": str(tmp_path / "rows.jsonl"), "poll": "30d"}],
    )
    bench.look()
    before = bench.listings.compared["rows"].at
    bench.look(seconds=AGAIN_SECONDS - 1)
    assert bench.listings.compared["rows"].at == before
    bench.look(seconds=1)
    assert bench.listings.compared["rows"].at > before


def test_a_catalog_is_made_of_what_sources_have_and_passages_of_old_copies_are_told(agent, tmp_path):
    docs = folder(tmp_path / "docs", "a.md", "b.md")
    old = (docs / "a.md").read_text()
    one = agent(sources=[{"type": "directory", "path": str(docs)}], learn={})
    one.start()
    assert one.listed == []
    steps = [planned.step for planned in one.step.listings.steps(done)]
    steps[0].run_once()
    assert len(one.look()) == 2
    one.answered(Passage(id="p", doc_id=str(docs / "a.md"), uri=str(docs / "a.md"), version="heard", text=old))
    (docs / "a.md").write_text(old.replace("30", "14"))
    one.seconds += 300
    steps[0].run_once()
    assert len(one.look(seconds=60)) == 3, "both versions, and nothing heard of what is listed"
    catalog = one.applied[-1].open()
    answer = Answer(id="a", passages=(Passage(id="p", uri=str(docs / "a.md"), text=old),))
    score = IndexCopyOutdated().score(answer, Env(now=datetime.fromtimestamp(NOW / 1e9 + 400, UTC), catalog=catalog))
    assert isinstance(score, Score)
    assert score.value == 1.0


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({"indexes": [{"type": "rows", "path": "x"}]}, r"catalog: expected path, http, learn or sources"),
        (
            {"learn": {}, "indexes": [{"type": "rows", "path": "x"}]},
            r"catalog\.indexes\[0\]: nothing to compare it with; list its source under catalog\.sources",
        ),
        ({"sources": [{"type": "directory", "path": "x"}] * 2}, r"catalog\.sources\[1\]: duplicate name 'directory'"),
        (
            {
                "sources": [{"type": "directory", "name": "handbook", "path": "x"}],
                "indexes": [{"type": "rows", "name": "handbook", "path": "x"}],
            },
            r"catalog\.indexes\[0\]: duplicate name 'handbook' among sources and indexes",
        ),
        (
            {
                "sources": [{"type": "directory", "path": "x"}],
                "indexes": [{"type": "rows", "path": "x", "sources": ["y"]}],
            },
            r"catalog\.indexes\[0\]\.sources\[0\]: no source 'y'",
        ),
        ({"sources": [{"type": "directory", "path": "x", "pol": "5s"}]}, r"sources\[0\]\.pol: .*did you mean 'poll'"),
        ({"sources": [{"type": "dir", "path": "x"}]}, r"catalog\.sources\[0\]\.type: unknown 'dir'"),
    ],
)
def test_a_section_that_cannot_work_is_refused_with_its_path(section, problem):
    with pytest.raises(ConfigError, match=problem):
        load(json.dumps({"catalog": section}), where="groundwire.yaml")
