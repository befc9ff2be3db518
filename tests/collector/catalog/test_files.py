import os
import socket

import pytest

from collector.catalog import files
from collector.catalog.files import CatalogFile, lines, listed, stamp
from collector.errors import ConfigError
from scorers.catalog import CatalogError


def refused(part):
    with pytest.raises(CatalogError) as caught:
        list(lines(part))
    (problem,) = caught.value.problems
    assert problem.startswith(f"{part.shown}: ")
    return problem


def one(path):
    (part,) = listed(path)
    return part


def test_a_file_is_told_apart_by_its_ending(tmp_path):
    for name, format_ in (("c.jsonl", "jsonl"), ("c.yaml", "yaml"), ("c.yml", "yaml"), ("c.csv", "csv")):
        assert one(tmp_path / name).format == format_
    with pytest.raises(ConfigError, match=r"a directory or a file name ending in \.yaml, \.yml, \.csv, \.jsonl"):
        listed(tmp_path / "c.json")


def test_a_directory_is_all_files_below_it_but_hidden_ones(tmp_path):
    (tmp_path / "..2026").mkdir()
    (tmp_path / "..2026" / "b.yaml").write_text("documents: []")
    (tmp_path / "..data").symlink_to(tmp_path / "..2026")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "..data" / "b.yaml")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.jsonl").touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "notes.txt").touch()
    (tmp_path / ".draft.yaml").touch()
    assert [part.path.relative_to(tmp_path).as_posix() for part in listed(tmp_path)] == ["b.yaml", "sub/a.jsonl"]


def test_a_directory_of_too_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_FILES", 2)
    for n in range(3):
        (tmp_path / f"{n}.csv").touch()
    with pytest.raises(ConfigError, match="more than 2 files"):
        listed(tmp_path)


def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "fifo.yaml")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    for name in ("fifo.yaml", "zero.jsonl"):
        assert refused(one(tmp_path / name)).endswith("not a regular file")


def test_what_cannot_be_read_is_named_with_its_line(tmp_path, monkeypatch):
    assert "no such file" in refused(one(tmp_path / "none.yaml"))
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.yaml")
        assert "cannot be read" in refused(one(tmp_path / "s.yaml"))
    (tmp_path / "latin.jsonl").write_bytes(b"{}\n\xe9\n")
    assert "latin.jsonl: line 2: cannot be read: 'utf-8'" in refused(one(tmp_path / "latin.jsonl"))
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    assert "cannot be read" in refused(one(tmp_path / "loop.yaml"))
    assert "cannot be read" in refused(CatalogFile(tmp_path / "nul\0.yaml", "yaml", "nul"))
    assert stamp(CatalogFile(tmp_path / "nul\0.yaml", "yaml", "nul")) is None


def test_bounds_are_held(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_LINE_BYTES", 10)
    monkeypatch.setattr(files, "MAX_YAML_BYTES", 20)
    monkeypatch.setattr(files, "MAX_BYTES", 40)
    path = tmp_path / "c.jsonl"
    path.write_text("123456789\n" * 4)
    assert len(list(lines(one(path)))) == 4
    path.write_text("123456789\n" * 5)
    assert refused(one(path)).endswith("larger than 40 bytes")
    path.write_text("123456789\n1234567890\n")
    assert refused(one(path)).endswith("line 2: larger than 10 bytes")
    (tmp_path / "c.yaml").write_text("x" * 21)
    assert refused(one(tmp_path / "c.yaml")).endswith("larger than 20 bytes; use CSV or JSONL")


def test_a_stamp_changes_with_the_file(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("id")
    before = stamp(one(path))
    assert stamp(one(path)) == before
    path.write_text("id\nT")
    assert stamp(one(path)) != before
    path.unlink()
    assert stamp(CatalogFile(path, "csv", "c")) is None
