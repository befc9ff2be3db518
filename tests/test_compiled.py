"""What the build compiles, and that it does so only where it is told to."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.debian import without

ROOT = Path(__file__).resolve().parents[1]
COMPILE = [sys.executable, "-c", "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"]
HOOK = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "small"
version = "1"
requires-python = ">=3.11"
[tool.hatch.build.targets.wheel]
packages = ["scorers"]
[tool.hatch.build.targets.wheel.hooks.custom]
path = "scripts/compiled.py"
[tool.groundwire]
compiled = ["scorers/*.py"]
"""
MODULE = "def total(figures: list[float]) -> float:\n    return sum(figures, 0.0)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("scorers", "adapters", "scripts"):
        (tmp_path / name).mkdir()
    for name in ("scorers/__init__.py", "adapters/__init__.py"):
        (tmp_path / name).touch()
    (tmp_path / "scorers" / "adding.py").write_text(MODULE)
    (tmp_path / "pyproject.toml").write_text(HOOK)
    shutil.copy(ROOT / "scripts" / "compiled.py", tmp_path / "scripts")
    return tmp_path


def wheel(project: Path, **environment: str) -> Path:
    """Return the wheel that a build makes with these variables."""
    clean = {
        name: value for name, value in os.environ.items() if name not in {"GROUNDWIRE_COMPILE", "GROUNDWIRE_OPTIMIZE"}
    }
    out = project / "wheels"
    made = subprocess.run(
        [*COMPILE, str(out)], cwd=project, env=clean | environment, check=True, capture_output=True, text=True
    )
    return out / made.stdout.split()[-1]


@pytest.mark.parametrize("environment", [{}, {"GROUNDWIRE_COMPILE": "0"}])
def test_a_wheel_is_pure_where_nothing_asks_for_a_compiled_one(project: Path, environment: dict[str, str]) -> None:
    made = wheel(project, **environment)
    assert made.name == "small-1-py3-none-any.whl"
    assert not [name for name in zipfile.ZipFile(made).namelist() if name.endswith(".so")]


@pytest.mark.skipif(shutil.which("cc") is None, reason=without("cc"))
def test_a_compiled_wheel_runs_what_was_compiled_and_keeps_the_source(project: Path) -> None:
    made = wheel(project, GROUNDWIRE_COMPILE="1")
    assert "none-any" not in made.name
    there = project / "there"
    with zipfile.ZipFile(made) as packed:
        assert "scorers/adding.py" in packed.namelist()
        packed.extractall(there)
    code = "from scorers import adding; print(adding.__file__.endswith('.so'), adding.total([0.5, 1.0]))"
    ask = [sys.executable, "-P", "-c", code]
    environment = {"PYTHONPATH": str(there)}
    assert subprocess.check_output(ask, env=environment, text=True).split() == ["True", "1.5"]
    for path in there.rglob("*.so"):
        path.unlink()
    assert subprocess.check_output(ask, env=environment, text=True).split() == ["False", "1.5"]


def test_what_does_not_compile_fails_a_build_that_asks_for_it(project: Path) -> None:
    (project / "scorers" / "adding.py").write_text("def wrong() -> int:\n    return 'text'\n")
    with pytest.raises(subprocess.CalledProcessError):
        wheel(project, GROUNDWIRE_COMPILE="1")


def test_a_build_that_lacks_a_compiler_says_what_it_needs_and_what_to_do_without(project: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        wheel(project, GROUNDWIRE_COMPILE="1", CC="no-such-cc -pthread")
    assert "the C compiler no-such-cc (Debian: gcc and libc6-dev)" in failed.value.stderr
    assert "Without GROUNDWIRE_COMPILE the wheel is pure." in failed.value.stderr


def test_a_level_of_optimization_that_is_none_is_refused(project: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        wheel(project, GROUNDWIRE_COMPILE="1", GROUNDWIRE_OPTIMIZE="fast")
    assert "GROUNDWIRE_OPTIMIZE: must be one of 0, 1, 2, 3, got 'fast'" in failed.value.stderr


def listed() -> list[str]:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from compiled import modules

        return modules(ROOT)
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize("path", listed())
def test_what_is_compiled_keeps_no_property_that_compiled_code_would_work_out_each_time(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    decorators = [each for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for each in node.decorator_list]
    assert not [each for each in decorators if ast.unparse(each).endswith(("cached_property", "lazy"))]


@pytest.mark.parametrize("path", listed())
def test_what_is_compiled_adds_figures_up_from_a_float_or_adds_whole_numbers(path: str) -> None:
    """The sum of no floats is the whole number 0, which compiled code takes for what all sums are."""
    tree = ast.parse((ROOT / path).read_text())
    sums = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "sum"]
    figures = re.compile(r"weight|share|math\.")
    assert [ast.unparse(each) for each in sums if len(each.args) == 1 and figures.search(ast.unparse(each))] == []


@pytest.mark.parametrize("path", listed())
def test_what_is_compiled_defines_no_class_of_pydantic(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    bases = {ast.unparse(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases}
    assert bases.isdisjoint({"BaseModel", "Value", "Record", "Scorer"})
