import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOP = ("adapters", "scorers", "gates", "dashboards", "collector")


@pytest.mark.parametrize("name", TOP)
def test_the_top_level_names_are_ours_alone(name):
    owners = set(packages_distributions().get(name, ["groundwire"]))
    assert owners == {"groundwire"}, f"{name} is also installed by {owners - {'groundwire'}}"


def test_the_list_of_pins_names_no_registry():
    text = (ROOT / "constraints.txt").read_text()
    assert "://" not in text
    assert not re.search(r"^--", text, re.MULTILINE)


def locked():
    """Return the extras that `make lock` pins."""
    found = re.search(r"^LOCKED := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert found is not None
    return found.group(1).split()


def test_every_dependency_is_pinned():
    result = subprocess.run(
        [sys.executable, "scripts/pins.py", *locked()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "langchain-core==" in result.stdout


def test_every_extra_is_locked_but_the_one_whose_builds_differ_by_platform():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) - set(locked()) == {"models"}


def test_starting_the_command_line_imports_nothing_heavy():
    heavy = (
        "torch",
        "sentence_transformers",
        "langchain_core",
        "llama_index",
        "haystack",
        "langfuse",
        "phoenix",
        "scipy.stats",
    )
    code = (
        "import sys\nimport collector.cli\nimport collector.app\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == "[]"
