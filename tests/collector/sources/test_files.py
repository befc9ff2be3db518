"""Growing files are read to their last line, each line once, through rotation and restarts."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
import time
from pathlib import Path

import pytest
from pydantic import ValidationError

from adapters.schema import Answer
from adapters.wire.otlp import decode_traces
from collector.outbound.errors import Unreachable
from collector.sources import lines, tailing
from collector.sources.directories import matching
from collector.sources.files import MAX_FILES, FilesSource, FileTail
from tests.adapters.files.test_files import as_json

GOLDEN = Path(__file__).parents[2] / "golden" / "traces" / "langchain-basic.otlp.pb"
SECOND = 10**9


def line(name: str, **fields: object) -> bytes:
    return json.dumps({"id": name, "question": "q", "answer": "a", **fields}).encode() + b"\n"


class Reader:
    """A tail with its cursor in a store."""

    def __init__(self, *paths: Path | str, **options: object) -> None:
        self.options = FilesSource(paths=tuple(map(str, paths)), **options)
        self.tail: FileTail = self.options.open("sources[0]")
        self.cursor: bytes | None = None

    def restart(self) -> None:
        self.tail.close()
        self.tail = self.options.open("sources[0]")

    def fetch(self, *, later: int = 0):
        batch = self.tail.fetch(self.cursor, now=time.time_ns() + later * SECOND)
        self.cursor = batch.cursor
        return batch

    def ids(self, *, later: int = 0) -> list[str]:
        found = []
        while True:
            batch = self.fetch(later=later)
            assert not batch.malformed, batch.malformed
            found += [answer.id for answer in batch.answers]
            if not batch.more:
                return found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "app.log"


@pytest.fixture
def reader(log: Path):
    made = Reader(log)
    yield made
    made.tail.close()


def append(path: Path, *parts: bytes) -> None:
    with path.open("ab") as file:
        for part in parts:
            file.write(part)


def test_lines_are_read_as_they_come_and_never_twice(log: Path, reader: Reader) -> None:
    assert reader.ids() == []
    append(log, line("a"), line("b"))
    assert reader.ids() == ["a", "b"]
    assert reader.ids() == []
    append(log, line("c"))
    reader.restart()
    assert reader.ids() == ["c"]


def test_a_batch_that_was_not_stored_comes_again(log: Path, reader: Reader) -> None:
    append(log, line("a"))
    before = reader.cursor
    assert len(reader.fetch().answers) == 1
    reader.cursor = before
    assert reader.ids() == ["a"]


def test_nothing_new_leaves_the_cursor_as_it_is(log: Path, reader: Reader) -> None:
    append(log, line("a"))
    reader.ids()
    before = reader.cursor
    reader.fetch()
    assert reader.cursor == before


def test_a_last_line_without_its_end_is_waited_for(log: Path, reader: Reader) -> None:
    whole = line("a")
    append(log, whole[:9])
    assert reader.ids(later=3600) == []
    append(log, whole[9:-1])
    assert reader.ids() == []
    append(log, b"\n")
    assert reader.ids() == ["a"]


def test_a_last_line_that_waits_for_hours_is_told_once_and_read_when_its_rest_comes(log: Path, reader: Reader) -> None:
    whole = line("b")
    append(log, line("a"), whole[:9])
    assert reader.ids() == ["a"]
    (error,) = reader.fetch(later=3 * 3600).malformed
    assert str(error).startswith(f"{log}:2: the last line (9 bytes) has no end and is no whole record")
    assert reader.tail.position(reader.cursor)["torn_last_line"] == [str(log)]
    reader.restart()
    assert reader.ids(later=30 * 3600) == []
    append(log, whole[9:], line("c"))
    assert reader.ids() == ["b", "c"]
    assert "torn_last_line" not in reader.tail.position(reader.cursor)


def test_a_whole_object_that_nobody_adds_to_is_taken_without_its_end(log: Path, reader: Reader) -> None:
    append(log, line("a"), line("b").rstrip())
    assert reader.ids() == ["a"]
    assert reader.ids(later=10) == ["b"]
    append(log, b"\n", line("c"))
    assert reader.ids() == ["c"]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("pattern", ["app.log", "app.log*"])
def test_a_renamed_file_is_read_to_its_end_and_its_successor_from_its_beginning(
    tmp_path: Path, log: Path, pattern: str, *, restarted: bool
) -> None:
    reader = Reader(tmp_path / pattern)
    append(log, line("a"))
    assert reader.ids() == ["a"]
    append(log, line("b"))
    log.rename(tmp_path / "app.log.1")
    append(log, line("d"))
    append(tmp_path / "app.log.1", line("c").rstrip())
    if restarted:
        reader.restart()
    assert sorted(reader.ids()) == ["b", "d"]
    assert reader.ids(later=10) == ["c"]
    assert reader.ids(later=10) == []
    reader.tail.close()


def test_the_torn_last_line_of_a_rotated_file_is_told_once(tmp_path: Path, log: Path, reader: Reader) -> None:
    append(log, line("a"), b'{"question": "cut o')
    assert reader.ids() == ["a"]
    log.rename(tmp_path / "app.log.1")
    reader.fetch()
    (error,) = reader.fetch(later=10).malformed
    assert str(error).startswith(f"{tmp_path}/app.log.1:2: not JSON")
    assert reader.fetch(later=10).malformed == []


def test_a_torn_request_at_the_end_of_a_rotated_file_gives_its_whole_spans_and_is_counted_once(
    tmp_path: Path, log: Path, reader: Reader
) -> None:
    spans = [{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": f"b7ad6b716920333{n}"} for n in range(3)]
    text = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()
    append(log, text[: text.rindex(b"spanId")])
    assert reader.fetch().spans == []
    log.rename(tmp_path / "app.log.1")
    reader.fetch()
    batch = reader.fetch(later=10)
    assert [span.span_id for span in batch.spans] == ["b7ad6b7169203330", "b7ad6b7169203331"]
    (error,) = batch.malformed
    assert str(error).startswith(f"{tmp_path}/app.log.1:1: ends early, at byte ")
    assert str(error).endswith(": resourceSpans[0].scopeSpans[0].spans[2] is lost")
    after = reader.fetch(later=10)
    assert (list(after.spans), list(after.malformed), after.more) == ([], [], False)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("pattern", ["app.log", "app.log*"])
def test_a_copied_and_truncated_file_goes_on_in_its_copy_and_begins_anew(
    tmp_path: Path, log: Path, pattern: str, *, restarted: bool
) -> None:
    reader = Reader(tmp_path / pattern)
    append(log, line("a"))
    assert reader.ids() == ["a"]
    append(log, line("b"))
    shutil.copy(log, tmp_path / "app.log.1")
    os.truncate(log, 0)
    append(log, line("c"), line("d"), line("e"))
    if restarted:
        reader.restart()
    assert sorted(reader.ids()) == ["b", "c", "d", "e"]
    assert reader.ids(later=10) == []
    reader.tail.close()


def test_a_copy_that_is_being_made_is_not_read_twice(tmp_path: Path, log: Path) -> None:
    reader = Reader(tmp_path / "app.log*")
    append(log, *(line(f"a-{n}") for n in range(100)))
    content = log.read_bytes()
    (tmp_path / "app.log.1").write_bytes(content[:1000])
    assert len(reader.ids()) == 100
    (tmp_path / "app.log.1").write_bytes(content)
    assert reader.ids(later=10) == []
    os.truncate(log, 0)
    append(log, line("b"))
    assert reader.ids(later=10) == ["b"]
    reader.tail.close()


def test_a_file_truncated_without_a_copy_begins_anew(log: Path, reader: Reader) -> None:
    append(log, line("a"), line("b"))
    assert reader.ids() == ["a", "b"]
    log.write_bytes(line("c"))
    assert reader.ids() == ["c"]
    log.write_bytes(line("d") * 1 + line("e") + line("f") + line("g"))
    assert reader.ids() == ["d", "e", "f", "g"]


def test_what_a_deleted_file_still_held_is_read(tmp_path: Path, log: Path, reader: Reader) -> None:
    append(log, line("a"))
    assert reader.ids() == ["a"]
    append(log, line("b"))
    log.unlink()
    assert reader.ids() == ["b"]
    append(log, line("c"))
    assert reader.ids() == ["c"]
    assert list(tmp_path.iterdir()) == [log]


def test_a_file_that_was_away_for_a_while_is_not_read_again(tmp_path: Path, log: Path, reader: Reader) -> None:
    append(log, line("a"))
    assert reader.ids() == ["a"]
    log.rename(tmp_path.parent / "away")
    reader.restart()
    assert reader.ids(later=3600) == []
    (tmp_path.parent / "away").rename(log)
    append(log, line("b"))
    assert reader.ids(later=7200) == ["b"]


def test_a_file_long_gone_is_forgotten(log: Path, reader: Reader) -> None:
    append(log, line("a"))
    reader.ids()
    log.unlink()
    reader.fetch()
    reader.fetch(later=25 * 3600)
    assert json.loads(reader.cursor or b"") == []


def test_of_many_files_that_are_gone_the_newest_are_remembered(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tailing, "MAX_GONE", 2)
    reader = Reader(tmp_path / "*")
    for n in range(4):
        append(tmp_path / f"{n}.log", line(str(n)))
    append(log, line("a"))
    assert len(reader.ids()) == 5
    for n in range(4):
        (tmp_path / f"{n}.log").unlink()
        reader.fetch(later=n)
    remembered = [Path(state["path"]).name for state in json.loads(reader.cursor or b"")]
    assert remembered == ["2.log", "3.log", "app.log"]
    reader.tail.close()


def test_one_batch_holds_no_more_than_its_bound_and_no_file_starves_another(tmp_path: Path) -> None:
    reader = Reader(tmp_path / "*.log", batch_bytes=2048)
    for name in "abc":
        append(tmp_path / f"{name}.log", *(line(f"{name}-{n}", answer="x" * 400) for n in range(20)))
    first = [reader.fetch() for _ in range(4)]
    assert all(batch.more and 0 < len(batch.answers) <= 8 for batch in first)
    assert {answer.id[0] for batch in first for answer in batch.answers} == set("abc")
    rest = reader.ids()
    assert len({answer.id for batch in first for answer in batch.answers} | set(rest)) == 60
    reader.tail.close()


@pytest.mark.parametrize("bomb", [b'{"resourceSpans":[%s]}', b'{"question":"q","answer":"a","retrieved":[%s]}'])
def test_a_line_of_more_objects_than_its_bound_is_told_and_skipped_with_its_end_or_without(
    log: Path, bomb: bytes
) -> None:
    crowd = bomb % b",".join([b"{}"] * 10_001)
    reader = Reader(log, max_line_bytes=100_000)
    log.write_bytes(line("a") + crowd + b"\n" + line("b"))
    batch = reader.fetch()
    assert [answer.id for answer in batch.answers] == ["a", "b"]
    assert [str(error) for error in batch.malformed] == [f"{log}:2: more than 10000 JSON objects and arrays"]
    with log.open("ab") as end:
        end.write(crowd)
    assert [str(error) for error in reader.fetch(later=60).malformed] == [
        f"{log}:4: more than 10000 JSON objects and arrays"
    ]


def test_a_line_longer_than_its_bound_is_told_and_skipped_whatever_the_batches(log: Path) -> None:
    for batch_bytes in (1024, 100_000):
        reader = Reader(log, max_line_bytes=2000, batch_bytes=batch_bytes)
        log.write_bytes(line("a") + line("b", answer="x" * 9000) + line("c") + line("d", answer="y" * 1500))
        batches = [reader.fetch()]
        while batches[-1].more:
            batches.append(reader.fetch())
        assert [answer.id for batch in batches for answer in batch.answers] == ["a", "c", "d"]
        (error,) = [error for batch in batches for error in batch.malformed]
        assert str(error) == f"{log}:2: longer than 2000 bytes"
        append(log, b"{")
        append(log, b"\n", line("e"))
        last = reader.fetch()
        assert [error.where for error in last.malformed] == [f"{log}:5"]
        reader.tail.close()


def test_an_endless_line_takes_no_more_memory_than_its_bound_and_is_told_once(log: Path) -> None:
    reader = Reader(log, max_line_bytes=1024, batch_bytes=1024)
    append(log, b"x" * 5000)
    errors = []
    for _ in range(10):
        errors += reader.fetch(later=10).malformed
        append(log, b"x" * 100)
    assert len(errors) == 1
    append(log, b"\n", line("a"))
    assert reader.ids() == ["a"]
    reader.tail.close()


def test_broken_lines_are_told_with_file_and_line_and_hide_no_other(log: Path, reader: Reader) -> None:
    append(
        log,
        b"\xef\xbb\xbf" + line("a"),
        b"\xff\xfe\n",
        b"\n",
        b"{broken\n",
        b'{"question": 1, "answer": "a"}\n',
        line("b"),
    )
    batch = reader.fetch()
    assert [answer.id for answer in batch.answers] == ["a", "b"]
    assert [str(error).split(" not")[0] for error in batch.malformed] == [
        f"{log}:2:",
        f"{log}:4:",
        f"{log}:5: question: must be text,",
    ]


def test_packed_files_are_left_out_by_name_and_told_by_content(tmp_path: Path) -> None:
    (tmp_path / "app.log.gz").write_bytes(gzip.compress(line("a")))
    (tmp_path / "app.log.2").write_bytes(gzip.compress(line("a")))
    reader = Reader(tmp_path / "app.log*")
    (error,) = reader.fetch().malformed
    assert error.where == f"{tmp_path}/app.log.2"
    assert "gzip" in error.reason
    assert not reader.fetch(later=10).malformed
    reader.tail.close()
    assert list(FilesSource(paths=("a.log", "b.gz")).problems("sources[1]")) == [
        "sources[1].paths[1]: gzip files are not tailed; read them with `groundwire adapt`"
    ]


def test_spans_and_answers_may_stand_in_one_file(log: Path, reader: Reader) -> None:
    spans = decode_traces(GOLDEN.read_bytes()).spans
    append(log, json.dumps(as_json(spans)).encode() + b"\n", line("a"))
    batch = reader.fetch()
    assert [span.span_id for span in batch.spans] == [span.span_id for span in spans]
    assert [type(answer) for answer in batch.answers] == [Answer]


def test_directories_pipes_and_links_to_one_file_are_no_files_of_their_own(tmp_path: Path, log: Path) -> None:
    append(log, line("a"))
    (tmp_path / "app.link").symlink_to(log)
    (tmp_path / "app.dir").mkdir()
    os.mkfifo(tmp_path / "app.fifo")
    reader = Reader(tmp_path / "app.*")
    assert reader.ids() == ["a"]
    reader.tail.close()


def test_links_that_lead_back_up_are_followed_once(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    append(tmp_path / "top.log", line("top"))
    append(below / "app.log", line("a"))
    append(tmp_path / "a" / ".hidden.log", line("hidden"))
    for n in range(5):
        (below / f"up{n}").symlink_to(tmp_path)
    other = tmp_path.parent / "elsewhere"
    other.mkdir()
    append(other / "linked.log", line("linked"))
    (tmp_path / "a" / "link").symlink_to(other)
    reader = Reader(tmp_path / "**" / "*.log")
    assert sorted(reader.ids()) == ["a", "linked", "top"]
    paths = [state["path"] for state in json.loads(reader.cursor or b"")]
    assert paths == sorted(map(str, (below / "app.log", tmp_path / "a" / "link" / "linked.log", tmp_path / "top.log")))
    assert sorted(Reader(tmp_path / "**").ids()) == ["a", "linked", "top"]
    assert Reader(tmp_path / "**" / "b" / "**" / "app.log").ids() == ["a"]


def test_patterns_may_begin_at_the_root_or_where_the_agent_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(tmp_path / "app.log", line("a"))
    monkeypatch.chdir(tmp_path)
    assert list(matching("**/*.log")) == ["app.log"]
    assert list(matching("./**/*.log")) == ["./app.log"]
    monkeypatch.setattr("collector.sources.directories._entered", lambda top: [top])
    assert list(matching(f"/**{tmp_path}/*.log")) == [f"{tmp_path}/app.log"]


def test_hundreds_of_new_files_of_one_name_are_not_compared_with_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    monkeypatch.setattr(tailing, "opened", lambda *given, known=tailing.opened: looks.append(given) or known(*given))
    for n in range(300):
        append(tmp_path / f"app.{n}.log", line(str(n)))
    reader = Reader(tmp_path / "*.log")
    assert len(reader.ids()) == 300
    assert len(looks) < 300 * 10
    reader.tail.close()


def test_a_file_that_fails_while_it_is_read_is_told_and_holds_up_no_other(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.log"
    append(log, line("a"))
    append(broken, line("b"))
    reader = Reader(tmp_path / "*.log")
    assert reader.ids() == ["a", "b"]
    append(log, line("c"))
    append(broken, line("d"))
    inode = broken.stat().st_ino
    pread = os.pread

    def fail(descriptor: int, length: int, offset: int) -> bytes:
        if os.fstat(descriptor).st_ino == inode:
            raise OSError(errno.EIO, "Input/output error")
        return pread(descriptor, length, offset)

    with monkeypatch.context() as patched:
        patched.setattr(os, "pread", fail)
        batch = reader.fetch()
        assert [answer.id for answer in batch.answers] == ["c"]
        assert [str(error) for error in batch.malformed] == [f"{broken}: cannot be read: Input/output error"]
        assert reader.ids() == []
    assert reader.ids() == ["d"]
    reader.tail.close()


def test_more_files_than_can_be_watched_are_a_readable_failure(tmp_path: Path) -> None:
    for n in range(MAX_FILES + 1):
        (tmp_path / f"{n}.log").touch()
    with pytest.raises(Unreachable, match=f"{MAX_FILES + 1} files match"):
        Reader(tmp_path / "*.log").fetch()


def test_a_file_nobody_may_read_is_told_once(log: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    append(log, line("a"))

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr("collector.sources.tailing.opened", refuse)
        assert [str(error) for error in reader.fetch().malformed] == [f"{log}: cannot be read: Permission denied"]
        assert not reader.fetch().malformed
    assert reader.ids() == ["a"]


def test_a_file_whose_name_is_no_text_is_told_once_and_the_others_are_read(tmp_path: Path, log: Path) -> None:
    append(log, line("a"))
    (tmp_path / os.fsdecode(b"app\xff.log")).write_bytes(line("b"))
    reader = Reader(tmp_path / "*.log")
    batch = reader.fetch()
    assert [answer.id for answer in batch.answers] == ["a"]
    assert [str(error) for error in batch.malformed] == [f"{tmp_path}/app?.log: file name is not UTF-8"]
    assert not reader.fetch().malformed
    reader.tail.close()


def test_a_line_that_breaks_its_converter_is_told_and_the_file_goes_on(
    log: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = lines.line_records

    def broken(text: bytes, where: str):
        if b"poison" in text:
            raise KeyError("kind")
        return whole(text, where)

    monkeypatch.setattr(lines, "line_records", broken)
    append(log, line("a"), line("poison"), line("b"))
    batch = reader.fetch()
    assert [answer.id for answer in batch.answers] == ["a", "b"]
    assert [str(error) for error in batch.malformed] == [f"{log}:2: internal error: KeyError: 'kind'"]


@pytest.mark.parametrize("cursor", [b"", b"{", b"[1]", b"\xff", b'{"a": 1}'])
def test_a_cursor_that_cannot_be_read_counts_as_none(log: Path, reader: Reader, cursor: bytes) -> None:
    append(log, line("a"))
    reader.cursor = cursor
    assert reader.ids() == ["a"]
    assert reader.tail.position(cursor) == {"n_files": 0, "files": []}
    assert reader.tail.position(reader.cursor)["files"] == [{"path": str(log), "offset": len(line("a")), "line": 1}]


def test_a_path_where_nothing_is_read_is_warned_of(tmp_path: Path, log: Path) -> None:
    append(log, line("a"))
    options = FilesSource(paths=(str(log), str(tmp_path), str(tmp_path / "*.jsonl")))
    assert list(options.warnings("s")) == [
        f"s.paths[1]: {tmp_path} is a directory; for its files, write {tmp_path}/*",
        f"s.paths[2]: {tmp_path}/*.jsonl: no file matches yet",
    ]


def test_a_source_needs_a_path() -> None:
    with pytest.raises(ValidationError):
        FilesSource(paths=())
