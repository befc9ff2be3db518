"""Files are written whole or not at all: through failures, kills, links, pipes and permissions."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from collector.errors import ConfigError
from collector.writing import check_writable, whole_file, write_whole

KILLED = """
import os, signal, sys
from pathlib import Path
from collector.writing import write_whole
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
write_whole(Path(sys.argv[1]), b"after")
"""


def names(folder):
    return sorted(each.name for each in folder.iterdir())


def test_what_was_there_stays_until_all_is_written(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"before")

    def broken():
        with whole_file(path) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert (path.read_bytes(), names(tmp_path)) == (b"before", ["rows.jsonl"])
    write_whole(path, b"after")
    assert (path.read_bytes(), names(tmp_path)) == (b"after", ["rows.jsonl"])


def test_a_kill_before_the_end_leaves_what_was_there(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"before")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert (killed.returncode, path.read_bytes()) == (-signal.SIGKILL, b"before")
    write_whole(path, b"again")
    assert (path.read_bytes(), names(tmp_path)) == (b"again", ["rows.jsonl"])


def test_permissions_are_kept_and_links_followed(tmp_path):
    path, link, private = tmp_path / "real", tmp_path / "link", tmp_path / "private"
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"after")
    assert (link.is_symlink(), path.read_bytes(), path.stat().st_mode & 0o777) == (True, b"after", 0o640)
    write_whole(private, b"", mode=0o600)
    assert private.stat().st_mode & 0o777 == 0o600


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    check_writable(path)
    write_whole(path, b"through")
    reader.join(30)
    assert (read, path.is_fifo()) == ([b"through"], True)


@pytest.mark.parametrize("write", [check_writable, lambda path, **more: write_whole(path, b"", **more)])
def test_what_cannot_be_written_is_named_with_its_option_and_leaves_nothing(tmp_path, write):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for place, reason in (("folder", "Is a directory"), ("file/rows", "Not a directory"), ("no/rows", "No such file")):
        with pytest.raises(ConfigError) as error:
            write(tmp_path / place, option="--out")
        assert str(error.value).startswith(f"--out {tmp_path / place}: cannot be written: {reason}")
    assert names(tmp_path) == ["file", "folder"]
    assert names(tmp_path / "folder") == []
