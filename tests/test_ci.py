"""What every change must pass, with a make that notes what it is called with."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[1] / ".ci" / "run"
README = RUN.parents[1] / "README.md"
MAKE = f"""#!{sys.executable} -I
import json, os, sys
with open(os.environ["HOME"] + "/calls", "a") as calls:
    calls.write(json.dumps([sys.argv[1:], sorted(set(os.environ) - {{"LC_CTYPE"}})]) + "\\n")
sys.exit(FAILING in sys.argv[1:])
"""
INSTALLER = ["HTTPS_PROXY", "PIP_INDEX_URL", "SSL_CERT_FILE", "no_proxy"]
OTHERS = ["LANG", "PYTHONPATH", "PYTHONUNBUFFERED", "TERM"]


def ran(directory, *, failing=None):
    """Return the exit code of the run, and what make was called with: arguments, and names of variables."""
    programs = directory / "bin"
    programs.mkdir()
    for name in ("bash", "dirname", "env"):
        (programs / name).symlink_to(shutil.which(name))
    make = programs / "make"
    make.write_text(MAKE.replace("FAILING", repr(failing)))
    make.chmod(0o755)
    environment = {"HOME": str(directory), "PATH": str(programs)} | dict.fromkeys([*INSTALLER, *OTHERS], "x")
    code = subprocess.run([programs / "bash", RUN], env=environment, check=False).returncode
    return code, [json.loads(line) for line in (directory / "calls").read_text().splitlines()]


def test_the_commands_of_the_readme_run_in_an_emptied_environment_and_only_installing_gets_what_it_needs(tmp_path):
    code, calls = ran(tmp_path)
    assert code == 0
    found = {" ".join(arguments): variables for arguments, variables in calls}
    bare = ["CI", "HOME", "PATH"]
    installing = {".venv/demo.stamp", "-j2 .venv/dev.stamp peers .venv-models/models.stamp"}
    assert {name: found.pop(name) for name in installing} == dict.fromkeys(installing, sorted([*bare, *INSTALLER]))
    together = "-j2 --output-sync=target compiled models lint OPTIMIZE=0"
    assert found == dict.fromkeys(["demo ARGS=--exit", together, "test"], bare)
    assert list(found)[-1].startswith("test")
    assert {"make demo ", "make test "} <= {line.partition("#")[0][:10] for line in README.read_text().splitlines()}


@pytest.mark.parametrize("failing", [".venv/demo.stamp", "demo", "lint", "models", "compiled", "test"])
def test_whatever_fails_fails_the_run_and_ends_it(tmp_path, failing):
    code, calls = ran(tmp_path, failing=failing)
    assert code == 1
    assert failing in calls[-1][0]
