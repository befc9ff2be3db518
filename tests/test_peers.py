import subprocess
import sys
from pathlib import Path

import pytest

from tests import debian
from tests.peers import missing, require

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)


def test_a_program_that_is_there_is_found(tmp_path: Path) -> None:
    program = tmp_path / "promtool"
    program.touch(mode=0o755)
    assert require("promtool") == str(program)


def test_a_missing_program_skips_and_says_what_to_install() -> None:
    expected = "promtool is missing; install it with: sudo apt-get install prometheus"
    with pytest.raises(pytest.skip.Exception, match=expected):
        require("promtool")
    with pytest.raises(pytest.skip.Exception, match="a server is missing; install it with: make peers"):
        missing("a server", "make peers")


def test_a_missing_program_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="promtool is missing"):
        require("promtool")


def test_what_is_skipped_for_want_of_packages_is_one_line_with_one_command(tmp_path: Path) -> None:
    cases = "from tests.peers import missing, require\n"
    for number, what in enumerate(("amtool", "promtool", "promtool")):
        cases += f"def test_{number}(): require({what!r})\n"
    (tmp_path / "test_cases.py").write_text(cases + "def test_server(): missing('a server', 'make peers')\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ROOT, tmp_path / "test_cases.py"]
    done = subprocess.run(
        [*command, "-c", ROOT / "pyproject.toml", "-p", "tests.conftest"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    *_, told, closing = done.stdout.splitlines()
    assert told == "3 tests skipped without amtool, promtool: sudo apt-get install prometheus prometheus-alertmanager"
    assert "4 skipped" in closing


def test_ci_installs_and_the_guide_for_contributors_names_every_package() -> None:
    listed = subprocess.run([sys.executable, ROOT / "tests" / "debian.py"], capture_output=True, text=True, check=True)
    assert set(listed.stdout.split()) == {each for packages in debian.PACKAGES.values() for each in packages}
    assert "python3 tests/debian.py" in (ROOT / ".ci" / "run").read_text()
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    assert [package for package in listed.stdout.split() if f"`{package}`" not in guide] == []
