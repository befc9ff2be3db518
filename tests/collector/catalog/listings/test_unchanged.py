"""A listing that nobody changed is not read again, and one that anybody changed is."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collector.catalog.listings import directory, git
from collector.catalog.listings.base import ListedSourceOptions
from collector.catalog.listings.directory import DirectorySource
from collector.catalog.listings.git import GitSource
from collector.catalog.listings.kept import kept_in
from collector.catalog.listings.task import ReadListing, ReadOrder, read

TEXT = "Refunds are paid within 30 days."
LATER = timedelta(seconds=10)


class Bench:
    """One listing, read again and again, which counts the files that were opened."""

    def __init__(self, options: ListedSourceOptions, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.options = options
        self.path = path
        self.opened: list[str] = []
        self.before: ReadListing | None = None
        self._patch = monkeypatch
        for module in (directory, git):
            self._count(module)

    def _count(self, module: object) -> None:
        entry_of = module.entry_of

        def counted(data: bytes, *, name: str, **more: object) -> object:
            self.opened.append(name)
            return entry_of(data, name=name, **more)

        self._patch.setattr(module, "entry_of", counted)

    def look(self, later: timedelta = LATER) -> ReadListing:
        """Read it at some time after everything that was done so far; the files that were opened are counted anew."""
        self.opened.clear()
        order = ReadOrder(self.options, "catalog", self.path, datetime.now(UTC) + later, before=self.before)
        self.before = read(order)
        assert self.before.problem is None
        return self.before

    @property
    def texts(self) -> dict[str, str | None]:
        return {one.id: one.text for one in kept_in(self.path) if one.effective_to is None}


@pytest.fixture
def docs(tmp_path):
    path = tmp_path / "docs"
    (path / "hr").mkdir(parents=True)
    for name in ("a.md", "b.md", "hr/c.md"):
        (path / name).write_text(TEXT)
    (path / "logo.png").write_bytes(b"\0\1")
    return path


@pytest.fixture
def bench(tmp_path, docs, monkeypatch):
    return Bench(DirectorySource(name="docs", path=docs), tmp_path / "listing.jsonl", monkeypatch)


def test_files_that_nobody_changed_are_not_opened_again(bench):
    first = bench.look()
    assert (first.entries, first.changed, len(bench.opened)) == (4, True, 4)
    again = bench.look(later=LATER * 30)
    assert bench.opened == []
    assert (again.entries, again.changed, again.notes) == (4, False, first.notes), "what was passed over is still told"


def edit(docs):
    (docs / "a.md").write_text(TEXT.replace("30", "14"))


def edit_behind_its_back(docs):
    about = (docs / "a.md").stat()
    (docs / "a.md").write_text(TEXT.replace("30", "14"))
    os.utime(docs / "a.md", ns=(about.st_atime_ns, about.st_mtime_ns))


def put_another_in_its_place(docs):
    about = (docs / "a.md").stat()
    other = docs.parent / "other.md"
    other.write_text(TEXT.replace("30", "14"))
    os.utime(other, ns=(about.st_atime_ns, about.st_mtime_ns))
    other.replace(docs / "a.md")


def add(docs):
    (docs / "d.md").write_text(TEXT)


def remove(docs):
    (docs / "hr" / "c.md").unlink()


def move(docs):
    (docs / "hr" / "c.md").rename(docs / "c.md")


def move_its_folder(docs):
    (docs / "hr").rename(docs / "people")


@pytest.mark.parametrize(
    "change", [edit, edit_behind_its_back, put_another_in_its_place, add, remove, move, move_its_folder]
)
def test_every_change_is_seen_whatever_the_date_of_the_file_says(bench, docs, change):
    bench.look()
    bench.look()
    change(docs)
    assert bench.look().changed
    expected = {str(path.relative_to(docs)): path.read_text() for path in docs.rglob("*.md")}
    assert {name: text for name, text in bench.texts.items() if name.endswith(".md")} == expected


def test_a_file_that_has_just_changed_is_read_again_for_it_may_change_once_more_at_the_same_time(bench, docs):
    bench.look(later=timedelta(0))
    edit(docs)
    assert bench.look(later=timedelta(0)).changed
    assert "14" in bench.texts["a.md"]


def test_a_listing_that_was_removed_from_the_data_directory_is_read_again(bench):
    bench.look()
    bench.path.unlink()
    assert bench.look().changed
    assert len(bench.texts) == 4


def test_a_file_that_cannot_be_read_for_a_while_is_not_gone_and_is_tried_again(bench, docs, monkeypatch):
    (docs / "b.md").write_text("---\nid: B-1\n---\n" + TEXT)
    bench.look()
    edit(docs)
    opening, failing = os.open, [str(docs / "a.md"), str(docs / "b.md")]

    def failing_open(path, flags, *rest, **more):
        if str(path) in failing:
            raise PermissionError(13, "Permission denied")
        return opening(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", failing_open)
    found = bench.look()
    assert "2 cannot be read (Permission denied), left as they were: a.md, b.md" in found.notes
    assert (found.changed, bench.texts["a.md"], set(bench.texts)) == (
        False,
        TEXT,
        {"a.md", "B-1", "hr/c.md", "logo.png"},
    )
    failing.clear()
    assert bench.look().changed, "it is read again though nothing was changed since"
    assert "14" in bench.texts["a.md"]


def test_a_repository_is_read_again_when_its_revision_is_another_commit(tmp_path, docs, monkeypatch):
    def run(*arguments: str) -> None:
        who = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(docs), *who, *arguments], check=True, capture_output=True)

    run("init", "-q", "-b", "main")
    run("add", ".")
    run("commit", "-qm", "1")
    bench = Bench(GitSource(name="docs", path=docs), tmp_path / "listing.jsonl", monkeypatch)
    bench.look()
    edit(docs)
    assert (bench.look().changed, bench.opened) == (False, []), "it is not committed"
    run("commit", "-qam", "2")
    assert bench.look().changed
    assert "14" in bench.texts["a.md"]
