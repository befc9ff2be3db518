"""Directories and git repositories as sources, as people have them."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.schema import Passage
from collector.catalog.listings.directory import directory_fingerprint, directory_listing
from collector.catalog.listings.entry import MAX_TEXT
from collector.catalog.listings.git import git_listing
from collector.catalog.listings.notes import Notes
from collector.errors import ConfigError
from scorers.catalog import Catalog, Document, parse_catalog
from scorers.catalog.origin import origin
from tests.command import command

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
OLD = "Refunds are paid within 30 days of the purchase to the card that was used.\n"
NEW = OLD.replace("30", "14")


def put(root: Path, name: str, data: str | bytes, at: datetime = FIRST) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


def by_id(documents: tuple[Document, ...]) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = {}
    for document in documents:
        found.setdefault(document.id, []).append(document)
    return found


def read(root: Path, *previous: Document, at: datetime = FIRST + DAY, **options: object) -> dict[str, list[Document]]:
    return by_id(directory_listing(root, at=at, notes=Notes(), previous=previous, **options))


def test_front_matter_names_versions_and_windows_and_a_date_without_a_zone_is_utc(tmp_path):
    put(
        tmp_path,
        "hr/leave.md",
        "---\r\nid: HR-1\r\ntitle: Leave\r\nversion: 4.10\r\nauthority: 0.9\r\neffective_from: 2026-01-01\r\n"
        "effective_to: 2026-12-31\r\npermitted: [staff]\r\n---\r\nLeave is 20 days.\r\n",
    )
    put(tmp_path, "toml.md", '+++\ntitle = "T"\neffective_from = 2026-02-01T10:00:00\n+++\nText.\n')
    (leave,), (toml,) = read(tmp_path)["HR-1"], read(tmp_path)["toml.md"]
    assert (leave.version, leave.title, leave.authority, leave.permitted) == ("4.10", "Leave", 0.9, ("staff",))
    assert leave.effective_from == FIRST
    assert leave.effective_to == datetime(2027, 1, 1, tzinfo=UTC)
    assert leave.modified_at == FIRST
    assert toml.effective_from == datetime(2026, 2, 1, 10, tzinfo=UTC)


EDITIONS = {
    "hr/leave.md": "---\nid: HR-1\nversion: 4\neffective_from: 2026-01-01\nsupersedes: HR-1@3\n---\nLeave is 30 days.",
    "hr/old/leave-3.md": "---\nid: HR-1\nversion: 3\neffective_from: 2024-01-01\n---\nLeave is 25 days.",
    "hr/old/leave-2.md": "---\nid: HR-1\nversion: 2\neffective_from: 2022-01-01\neffective_to: 2023-06-30\n---\nNone.",
}


def test_editions_of_a_document_in_files_of_their_own_replace_each_other(tmp_path):
    """A folder of old policies beside those in force is listed as their earlier versions, again and again."""
    for name, text in EDITIONS.items():
        put(tmp_path, name, text)
    notes = Notes()
    first = directory_listing(tmp_path, at=FIRST + DAY, notes=notes)
    assert [(one.id, one.version, str(one.effective_to)[:10]) for one in first] == [
        ("HR-1", "4", "None"),
        ("HR-1", "2", "2023-07-01"),
        ("HR-1", "3", "2026-01-01"),
    ]
    assert first[0].supersedes == ("HR-1@3",)
    assert not list(notes.lines())
    again = read(tmp_path, *first, at=FIRST + 2 * DAY)
    assert sorted(again["HR-1"], key=str) == sorted(first, key=str)
    put(tmp_path, "hr/new/leave.md", "---\nid: HR-1\nversion: 5\neffective_from: 2027-01-01\n---\nLeave is 31 days.")
    ends = {one.version: str(one.effective_to)[:10] for one in read(tmp_path, *first, at=FIRST + 3 * DAY)["HR-1"]}
    assert ends == {"2": "2023-07-01", "3": "2026-01-01", "4": "2027-01-01", "5": "None"}
    (tmp_path / "hr/old/leave-3.md").unlink()
    assert {one.version for one in read(tmp_path, *first, at=FIRST + 4 * DAY)["HR-1"]} == {"2", "3", "4", "5"}


def test_what_cannot_be_used_is_said_and_never_stops_the_listing(tmp_path):
    put(tmp_path, "latin.txt", "Gebühren".encode("latin-1"))
    put(tmp_path, "utf16.txt", "Gebühren".encode("utf-16"))
    put(tmp_path, "binary.bin", b"a\0b")
    put(tmp_path, "huge.txt", b"x" * (MAX_TEXT + 1))
    put(tmp_path, "broken.md", "---\na: [\n---\nText.")
    put(tmp_path, "never.md", "---\neffective_from: 2026-02-01\neffective_to: 2026-01-01\nauthority: 7\n---\nText.")
    put(tmp_path, "one.md", "---\nid: X\n---\n1")
    put(tmp_path, "two.md", "---\nid: X\nsupersedes: NOWHERE@1\n---\n2")
    put(tmp_path, ".hidden", "x")
    (tmp_path / "outside").symlink_to("/etc")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "fifo")
    put(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")), "x.md", "x")
    notes = Notes()
    documents = directory_listing(tmp_path, at=FIRST + DAY, notes=notes)
    found = by_id(documents)
    assert sorted(found) == [
        "X", "binary.bin", "broken.md", "huge.txt", "latin.txt", "never.md", "two.md", "utf16.txt",
    ]  # fmt: skip
    assert [name for name in found if found[name][0].text is None] == ["binary.bin", "huge.txt", "latin.txt"]
    assert found["utf16.txt"][0].text == "Gebühren"
    assert found["two.md"][0].supersedes == ()
    assert sorted(notes.lines()) == [
        "1 authority is not from 0 to 1, ignored: never.md",
        "1 binary, listed without text: binary.bin",
        "1 effective_to is not after effective_from; both ignored: never.md",
        "1 front matter that cannot be read, ignored: broken.md",
        "1 listed without text for their size: huge.txt",
        "1 names that are not UTF-8, passed over: '\\udcff/x.md'",
        "1 not UTF-8, listed without text: latin.txt",
        "1 not regular files, passed over: fifo",
        "1 of an id that another file has, listed by name: two.md",
        "2 links, not followed: outside, link.md",
    ]
    text = "".join(json.dumps(d.model_dump(mode="json", exclude_defaults=True)) + "\n" for d in documents)
    assert len(parse_catalog(text, "jsonl", "c")) == len(documents)


def test_a_volume_of_kubernetes_is_listed_by_its_links(tmp_path):
    """Its files are links to a hidden link to a directory, which another one replaces with each update."""
    put(tmp_path, "..2026_03/leave.md", OLD)
    (tmp_path / "..data").symlink_to("..2026_03")
    (tmp_path / "leave.md").symlink_to("..data/leave.md")
    before = directory_listing(tmp_path, at=FIRST + DAY, notes=Notes())
    seen = directory_fingerprint(tmp_path, at=FIRST + 9000 * DAY)
    put(tmp_path, "..2026_04/leave.md", NEW, FIRST + 2 * DAY)
    (tmp_path / "..data").unlink()
    (tmp_path / "..data").symlink_to("..2026_04")
    found = read(tmp_path, *before, at=FIRST + 3 * DAY)
    assert [one.text for one in found["leave.md"]] == [OLD, NEW]
    assert found["leave.md"][1].uri == f"{tmp_path}/leave.md"
    assert directory_fingerprint(tmp_path, at=FIRST + 9000 * DAY) != seen


def test_a_directory_that_is_a_link_is_known_by_the_path_that_loaders_are_given(tmp_path):
    put(tmp_path, "releases/41/leave.md", OLD)
    (tmp_path / "current").symlink_to("releases/41")
    assert read(tmp_path / "current")["leave.md"][0].uri == f"{tmp_path}/current/leave.md"


def test_files_that_are_written_again_unchanged_keep_their_dates(tmp_path):
    for name in ("a.md", "b.md"):
        put(tmp_path, name, f"{name}: {OLD}", FIRST)
    before = directory_listing(tmp_path, at=FIRST + DAY, notes=Notes())
    put(tmp_path, "a.md", f"a.md: {OLD}", FIRST + 2 * DAY)
    put(tmp_path, "b.md", f"b.md: {NEW}", FIRST + 2 * DAY)
    between = directory_listing(tmp_path, at=FIRST + 3 * DAY, notes=Notes(), previous=before)
    put(tmp_path, "b.md", f"b.md: {OLD}", FIRST + 4 * DAY)
    found = read(tmp_path, *between, at=FIRST + 5 * DAY)
    assert found["a.md"][-1].modified_at == FIRST
    assert found["b.md"][-1].modified_at == FIRST, "what came back is what it was"


def test_what_changed_was_removed_or_moved_since_the_last_listing_is_kept_as_past(tmp_path):
    for name in ("a.md", "gone.md", "in/moved.md", "kept.md"):
        put(tmp_path, name, f"{name}: {OLD}")
    before = directory_listing(tmp_path, at=FIRST + DAY, notes=Notes())
    put(tmp_path, "a.md", f"a.md: {NEW}", FIRST + 3 * DAY)
    (tmp_path / "gone.md").unlink()
    (tmp_path / "in/moved.md").rename(tmp_path / "moved.md")
    found = read(tmp_path, *before, at=FIRST + 5 * DAY)
    windows = {name: [(one.effective_from, one.effective_to) for one in ones] for name, ones in found.items()}
    changed, seen = FIRST + 3 * DAY, FIRST + 5 * DAY
    assert windows == {
        "a.md": [(None, changed), (changed, None)],
        "gone.md": [(None, seen)],
        "in/moved.md": [(None, seen)],
        "kept.md": [(None, None)],
        "moved.md": [(seen, None)],
    }
    assert found["moved.md"][0].supersedes == (found["in/moved.md"][0].reference,)
    again = [one for ones in found.values() for one in ones]
    assert read(tmp_path, *again, at=FIRST + 9 * DAY) == found, "nothing new is nothing new"


def test_a_text_that_comes_back_is_what_is_in_force(tmp_path):
    put(tmp_path, "a.md", OLD)
    first = directory_listing(tmp_path, at=FIRST + DAY, notes=Notes())
    put(tmp_path, "a.md", NEW, FIRST + 2 * DAY)
    second = directory_listing(tmp_path, at=FIRST + 3 * DAY, notes=Notes(), previous=first)
    put(tmp_path, "a.md", OLD, FIRST + 4 * DAY)
    third = directory_listing(tmp_path, at=FIRST + 5 * DAY, notes=Notes(), previous=second)
    assert [(one.text, one.effective_to is None) for one in third] == [(NEW, False), (OLD, True)]


@pytest.mark.parametrize(
    ("base", "source"),
    [
        (None, "{root}/b/guide to x.md"),
        (None, "file://{root}/b/guide%20to%20x.md"),
        ("https://docs.test/", "https://docs.test/b/guide%20to%20x.md"),
        ("https://docs.test/", "http://Docs.test/b/guide to x.md"),
        ("C:\\share\\docs", "C:\\share\\docs\\b\\guide to x.md"),
        (None, "b/guide to x.md"),
        (None, "guide to x.md"),
    ],
)
def test_files_of_one_name_in_several_folders_are_matched_by_path_or_by_text(tmp_path, base, source):
    for folder in "abc":
        put(
            tmp_path,
            f"{folder}/guide to x.md",
            f"This is the guide of department {folder}, which rules all that it does.",
        )
    catalog = Catalog(directory_listing(tmp_path, at=FIRST + DAY, notes=Notes(), base=base))
    text = "This is the guide of department b, which rules all that it does."
    uri = source.format(root=tmp_path)
    found = origin(Passage(id="p", doc_id=uri, uri=uri, text=text), catalog).document
    assert found is not None
    assert found.id == "b/guide to x.md"


def git(root: Path, *arguments: str, at: datetime = FIRST) -> None:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), **who, "GIT_COMMITTER_DATE": at.isoformat()}
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=environment)


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    put(tmp_path, "refunds.md", OLD)
    put(tmp_path, "gone.md", "Gone soon.")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "1")
    put(tmp_path, "refunds.md", NEW, FIRST + 30 * DAY)
    git(tmp_path, "commit", "-qam", "2", at=FIRST + 30 * DAY)
    git(tmp_path, "mv", "refunds.md", "rück zahlung.md")
    git(tmp_path, "rm", "-q", "gone.md")
    git(tmp_path, "commit", "-qm", "3", at=FIRST + 60 * DAY)
    return tmp_path


def test_a_repository_tells_versions_removals_and_renames_with_the_commits_that_made_them(repository):
    found = by_id(git_listing(repository, notes=Notes()))
    windows = {name: [(one.effective_from, one.effective_to) for one in ones] for name, ones in found.items()}
    second, third = FIRST + 30 * DAY, FIRST + 60 * DAY
    assert windows == {
        "gone.md": [(None, third)],
        "refunds.md": [(None, second), (second, third)],
        "rück zahlung.md": [(third, None)],
    }
    assert found["rück zahlung.md"][0].supersedes == (found["refunds.md"][1].reference,)
    assert [one.text for one in found["refunds.md"]] == [OLD, NEW]


def test_of_what_no_commit_looked_at_changed_nobody_knows_since_when_it_governs(repository):
    put(repository, "new.md", "New.")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "4", at=FIRST + 90 * DAY)
    found = by_id(git_listing(repository, notes=Notes(), commits=1))
    assert {name: ones[0].modified_at for name, ones in found.items()} == {
        "new.md": FIRST + 90 * DAY,
        "rück zahlung.md": None,
    }


def test_editions_in_files_of_their_own_are_told_in_git_too(tmp_path):
    for name, text in EDITIONS.items():
        put(tmp_path, name, text)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "1")
    found = by_id(git_listing(tmp_path, notes=Notes()))
    ends = {one.version: str(one.effective_to)[:10] for one in found["HR-1"]}
    assert ends == {"2": "2023-07-01", "3": "2026-01-01", "4": "None"}


def test_what_git_refuses_is_told_in_its_words(tmp_path, repository):
    with pytest.raises(ConfigError, match=r"git: fatal: Needed a single revision"):
        git_listing(repository, notes=Notes(), revision="--upload-pack=x")
    with pytest.raises(ConfigError, match="git: "):
        git_listing(tmp_path / "nothing", notes=Notes())


def test_the_command_line_writes_a_catalog_that_can_be_checked(repository):
    done = command("catalog", "from", "git", ".", "--out", "c.jsonl", cwd=repository)
    assert (done.returncode, done.stderr) == (0, "1 links, not followed: link.md\nc.jsonl: 4 entries\n")
    assert command("catalog", "check", "c.jsonl", cwd=repository).returncode == 0
    printed = command("catalog", "from", "directory", ".", "--include", "*.md", "--previous", "c.jsonl", cwd=repository)
    assert printed.returncode == 0
    assert {json.loads(line)["id"] for line in printed.stdout.splitlines()} == {
        "gone.md",
        "refunds.md",
        "rück zahlung.md",
    }
    assert printed.stderr == "1 links, not followed: link.md\n"


def test_an_edit_that_keeps_the_date_of_its_front_matter_replaces_what_was_there(tmp_path):
    dated = "---\neffective_from: 2025-06-01\n---\n"
    put(tmp_path, "refunds.md", dated + OLD)
    (before,) = read(tmp_path)["refunds.md"]
    edited = FIRST + 10 * DAY
    put(tmp_path, "refunds.md", dated + NEW, edited)
    documents = directory_listing(tmp_path, at=edited, notes=Notes(), previous=(before,))
    old, new = by_id(documents)["refunds.md"]
    assert (old.text, old.effective_to) == (dated + OLD, edited)
    assert (new.text, new.effective_from, new.effective_to) == (dated + NEW, edited, None)
    assert by_id(directory_listing(tmp_path, at=edited + DAY, notes=Notes(), previous=documents)) == by_id(documents)
    passage = Passage(id="p", text=OLD, uri=str(tmp_path / "refunds.md"))
    found = origin(passage, Catalog([old, new]))
    assert found.document is not None
    assert found.document.version == old.version


def test_of_two_alike_that_are_removed_both_end(tmp_path):
    for name, text in (("a.md", OLD), ("b.md", OLD), ("c.md", NEW)):
        put(tmp_path, name, text)
    listed = directory_listing(tmp_path, at=FIRST, notes=Notes())
    (tmp_path / "a.md").unlink()
    (tmp_path / "b.md").unlink()
    found = read(tmp_path, *listed)
    assert {name: [one.effective_to for one in ones] for name, ones in found.items()} == {
        "a.md": [FIRST + DAY],
        "b.md": [FIRST + DAY],
        "c.md": [None],
    }


def test_a_shallow_clone_dates_nothing_by_the_commit_at_which_it_is_cut_off(tmp_path, repository):
    clone = tmp_path / "shallow"
    git(repository, "clone", "-q", "--depth", "1", repository.as_uri(), str(clone))
    notes = Notes()
    assert {one.modified_at for one in git_listing(clone, notes=notes)} == {None}
    assert any("history that is cut off" in line for line in notes.lines())
    assert any(one.modified_at for one in git_listing(repository, notes=Notes()))


def test_a_repository_names_the_links_and_submodules_that_are_passed_over(repository):
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'a' * 40},vendor/sub")
    git(repository, "commit", "-qm", "4")
    notes = Notes()
    git_listing(repository, notes=notes)
    assert sorted(notes.lines()) == ["1 links, not followed: link.md", "1 submodules, passed over: vendor/sub"]


def test_to_rename_a_file_is_not_to_change_it(tmp_path):
    put(tmp_path, "a.md", OLD)
    before = read(tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "a.md").rename(tmp_path / "b" / "a.md")
    os.utime(tmp_path / "b" / "a.md", ((FIRST + 9 * DAY).timestamp(),) * 2)
    after = read(tmp_path, *(one for each in before.values() for one in each), at=FIRST + 10 * DAY)
    assert after["b/a.md"][0].modified_at == FIRST


def test_a_document_that_is_marked_as_no_longer_valid_is_told_where_it_says_no_dates(tmp_path):
    put(tmp_path, "old.md", "---\nStatus: Archived\n---\nOld.\n")
    put(tmp_path, "draft.md", "+++\ndraft = true\n+++\nNew.\n")
    put(tmp_path, "ended.md", "---\nstatus: archived\nvalid_until: 2025-12-31\n---\nEnded.\n")
    put(tmp_path, "valid.md", "---\nstatus: published\ndraft: false\n---\nValid.\n")
    notes = Notes()
    directory_listing(tmp_path, at=FIRST, notes=notes)
    told = "2 marked as draft, archived or obsolete without effective dates, listed as in force: draft.md, old.md"
    assert list(notes.lines()) == [told]
