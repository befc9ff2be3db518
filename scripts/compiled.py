"""Compile the hottest modules with mypyc: as a hook of the build, or in place for the tests.

    GROUNDWIRE_COMPILE=1 python -m build --wheel     a wheel for this platform, instead of the pure one
    python scripts/compiled.py                       beside the sources of this checkout
    python scripts/compiled.py --clean               remove what that made

The modules are those of `[tool.groundwire] compiled` in pyproject.toml. Their sources stay in the wheel beside what is
compiled of them, and are what runs wherever that does not load. Without the variable nothing is compiled, and neither
mypy nor a compiler is needed; with it, both are, and what does not compile fails the build.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # to compile in place no build back-end is needed
    BuildHookInterface = object  # type: ignore[assignment,misc]

VARIABLE = "GROUNDWIRE_COMPILE"
LIBRARY = "groundwire"
ROOT = Path(__file__).resolve().parents[1]
# Run in a process of its own: setuptools reads the arguments of the one it runs in.
_BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup

modules = sys.argv[2:]
sys.argv = ["setup.py", "--quiet", "build_ext", "--build-lib", sys.argv[1]]
setup(name="groundwire", packages=[], ext_modules=mypycify(modules, opt_level="2", group_name="{library}"))
"""


def modules(root: Path) -> list[str]:
    """Return the paths of the modules to compile, relative to ``root``; raises ``ValueError`` for one that is not."""
    with (root / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["groundwire"]["compiled"]
    found: list[str] = []
    for pattern in patterns:
        there = [path.relative_to(root).as_posix() for path in sorted(root.glob(pattern))]
        if not there:
            raise ValueError(f"tool.groundwire.compiled: there is no {pattern}")
        found += [path for path in there if not path.endswith("__init__.py")]
    return found


def compiled(root: Path, to: Path) -> list[Path]:
    """Compile the modules of ``root`` into the folder ``to``; return what was made, relative to it."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(root / "scorers", Path(work, "scorers"), ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        shutil.copytree(root / "adapters", Path(work, "adapters"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "pyproject.toml", work)
        code = _BUILD.format(library=LIBRARY)
        command = [sys.executable, "-c", code, str(to), *modules(root)]
        subprocess.run(command, cwd=work, check=True)  # noqa: S603 - the build itself
    return sorted(path.relative_to(to) for path in to.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))


class CompiledModules(BuildHookInterface):  # type: ignore[misc]
    """Adds the compiled modules to a wheel, if `VARIABLE` asks for them; an editable install stays pure."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is made."""
        if version == "editable" or os.environ.get(VARIABLE, "0") in ("", "0"):
            return
        self._made = tempfile.mkdtemp()
        for path in compiled(Path(self.root), Path(self._made)):
            build_data["force_include"][str(Path(self._made, path))] = path.as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was compiled, as it is in the wheel."""
        shutil.rmtree(getattr(self, "_made", ""), ignore_errors=True)


def clean(root: Path) -> None:
    """Remove what was compiled beside the sources."""
    for path in [*root.glob(f"{LIBRARY}__mypyc.*.so"), *root.glob("scorers/**/*.so")]:
        path.unlink()


def main() -> None:
    """Compile beside the sources, or clean up."""
    clean(ROOT)
    if "--clean" in sys.argv[1:]:
        return
    with tempfile.TemporaryDirectory() as made:
        for path in compiled(ROOT, Path(made)):
            shutil.copy(Path(made, path), ROOT / path)


if __name__ == "__main__":
    main()
