"""Every benchmark that `make bench` runs can be started as its own text says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted(set(re.findall(r"benchmarks/(\w+\.py)", (ROOT / "Makefile").read_text(encoding="utf-8"))))


def test_there_are_benchmarks_to_run():
    assert "gates.py" in PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_benchmark_starts_and_tells_its_options(program):
    ended = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / program, "--help"], capture_output=True, text=True, cwd="/", check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("usage:")
