import os
import socket

import pytest

from collector import catalogfile
from collector.catalogfile import read
from collector.errors import ConfigError

DOCUMENT = '{"id": "TRV-1", "version": "3", "effective_from": "2026-01-01"}'


def refused(path):
    with pytest.raises(ConfigError) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert problem.startswith(f"catalog.path: {path}: ")
    return problem


def test_a_file_is_read_and_told_apart_by_its_ending(tmp_path):
    for name, text in (
        ("c.jsonl", DOCUMENT + "\r\n"),
        ("c.yaml", f"documents: [{DOCUMENT}]\r\n"),
        ("c.yml", "documents: []"),
    ):
        path = tmp_path / name
        path.write_bytes(text.encode())
        source, catalog = read(path)
        assert (source.text, len(catalog)) == (text, text.count("TRV-1"))
    assert "expected a name ending in .yaml, .yml, .jsonl" in refused(tmp_path / "c.json")


def test_a_mounted_file_behind_links_is_read(tmp_path):
    (tmp_path / "..data").mkdir()
    (tmp_path / "..data" / "c.jsonl").write_text(DOCUMENT)
    (tmp_path / "c.jsonl").symlink_to(tmp_path / "..data" / "c.jsonl")
    assert len(read(tmp_path / "c.jsonl")[1]) == 1


def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "fifo.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "directory.yaml").mkdir()
    for name in ("fifo.yaml", "zero.yaml", "directory.yaml"):
        assert refused(tmp_path / name).endswith("not a regular file")


def test_what_cannot_be_read_is_named(tmp_path, monkeypatch):
    assert "No such file" in refused(tmp_path / "none.yaml")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.yaml")
        assert "cannot be read" in refused(tmp_path / "s.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"\xe9")
    assert "cannot be read" in refused(tmp_path / "latin.yaml")
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    assert "cannot be read" in refused(tmp_path / "loop.yaml")
    assert "cannot be read" in refused(tmp_path / "nul\0.yaml")


def test_a_file_beyond_the_bound_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogfile, "MAX_BYTES", len(DOCUMENT))
    path = tmp_path / "c.jsonl"
    path.write_text(DOCUMENT)
    assert len(read(path)[1]) == 1
    path.write_text(DOCUMENT + "\n")
    assert refused(path).endswith(f"larger than {len(DOCUMENT)} bytes")
