"""Commands that write, on full and read-only disks and where files are in the place of folders: one clear line each."""

import json
import subprocess

import pytest

from tests.command import command
from tests.disk import fill_up, small_disk


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished run, and its suite."""
    folder = tmp_path_factory.mktemp("made")
    rows = [
        {
            "id": f"q{i}",
            "question": "How long is leave?",
            "answer": f"Leave is {i} weeks.",
            "reference": "Leave is 3 weeks.",
            "attributes": {"threshold": str(i % 2)},
            "gold": {"acceptable": i % 3 == 0},
            "passages": [{"id": "p", "text": "Leave is 3 weeks."}],
        }
        for i in range(200)
    ]
    (folder / "suite.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = ("evaluate", "suite.jsonl", "--to", "run", "--metrics", "latency", "--workers", "1")
    assert command(*run, cwd=folder).returncode == 0
    assert command(*run[:3], "again", *run[4:], cwd=folder).returncode == 0
    return folder


COMMANDS = {
    "evaluate": ("evaluate", "suite.jsonl", "--metrics", "latency", "--workers", "1", "--to"),
    "junit": ("evaluate", "suite.jsonl", "--to", "other", "--metrics", "latency", "--workers", "1", "--junit"),
    "compare": ("compare", "run", "again", "--metrics", "latency", "--resamples", "1000", "--labels", "--disputed"),
    "report": ("report", "run", "--to"),
    "bundle": ("report", "run", "--to", "run.html", "--bundle"),
    "generate": ("benchmark", "generate", "--questions", "300", "--seed", "1", "--to"),
    "review": ("review", "make", "run", "--reviewers", "ana,bo,cy", "--to"),
    "measure": ("threshold", "measure", "suite.jsonl", "--workers", "1", "--to"),
}
NEEDS_BYTES = COMMANDS.keys() - {"junit", "compare"}
"""Those whose file is not empty here."""


def refused(made, name, target, reason):
    ended = command(*COMMANDS[name], str(target), cwd=made)
    problem = ended.stderr.splitlines()[-1]
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert (problem.startswith("groundwire: "), f"cannot be written: {reason}" in problem) == (True, True), problem
    assert str(target) in problem


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_in_the_place_of_a_folder(made, tmp_path, name):
    (tmp_path / "file").touch()
    refused(made, name, tmp_path / "file" / "there.html", "Not a directory")
    assert not (made / "other").exists(), "it is said before anybody waits"


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk") as place:
        yield place


def remount(disk, how):
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_read_only_disk(made, disk, name):
    remount(disk, "ro")
    try:
        refused(made, name, disk / f"{name}.html", "Read-only file system")
    finally:
        remount(disk, "rw")
    assert list(disk.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NEEDS_BYTES))
def test_a_full_disk_leaves_nothing_that_could_be_taken_for_whole(made, disk, name):
    fill_up(disk)
    try:
        refused(made, name, disk / f"{name}.html", "No space left on device")
        left = [path for path in disk.rglob("*") if path.is_file() and path.name != "others"]
        assert [path for path in left if path.suffix != ".part"] == []
    finally:
        (disk / "others").unlink()
    again = command(*COMMANDS[name], str(disk / f"{name}.html"), cwd=made)
    if name == "review":
        assert "holds other files; name a new folder, or delete what an interrupted `make` left in it" in again.stderr
        assert command(*COMMANDS[name], str(disk / "other"), cwd=made).returncode == 0
    else:
        assert again.returncode == 0, again.stderr


@pytest.mark.slow
def test_a_run_goes_on_when_there_is_room_again(made, disk, tmp_path):
    whole, cut = tmp_path / "whole", disk / "cut"
    run = ("--metrics", "latency", "--workers", "1", "--at", "2026-01-01T00:00:00Z")
    assert command("evaluate", "suite.jsonl", "--to", str(whole), *run, cwd=made).returncode == 0
    fill_up(disk)
    with (disk / "others").open("r+b") as others:
        others.truncate((disk / "others").stat().st_size - 90 * 1024)
    ended = command("evaluate", "suite.jsonl", "--to", str(cut), *run, cwd=made)
    said = f"groundwire: {cut}: cannot be written: No space left on device; what is there is kept, and the same"
    assert (ended.returncode, ended.stderr.splitlines()[-1][: len(said)]) == (2, said)
    (disk / "others").unlink()
    assert command("evaluate", "suite.jsonl", "--to", str(cut), *run, cwd=made).returncode == 0
    from pyarrow import parquet

    rows = [parquet.read_table(each / "scores.parquet").drop(["run"]).to_pylist() for each in (whole, cut)]
    assert rows[0] == rows[1]
