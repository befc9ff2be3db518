"""Every benchmark can be started as its own text says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"
PROGRAMS = sorted(path.name for path in FOLDER.glob("*.py") if '"__main__"' in path.read_text(encoding="utf-8"))


def test_what_make_runs_is_among_them():
    assert {*re.findall(r"benchmarks/(\w+\.py)", (ROOT / "Makefile").read_text(encoding="utf-8"))} <= {*PROGRAMS}


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_benchmark_starts_and_tells_its_options(program):
    ended = subprocess.run(
        [sys.executable, FOLDER / program, "--help"], capture_output=True, text=True, cwd="/", check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("usage:")
