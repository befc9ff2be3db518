"""Compile the hottest modules with mypyc, as a hook of the build.

    make compiled                                    a wheel for this platform in dist/compiled, and an environment
    GROUNDWIRE_COMPILE=1 python -m build --wheel     such a wheel by any front end of the build

The modules are those of `[tool.groundwire] compiled` in pyproject.toml. Their sources stay in the wheel beside what is
compiled of them, and are what runs under an interpreter that it was not compiled for. Without the variable nothing is
compiled, and neither mypy nor a compiler is needed; with it, both are, and what does not compile fails the build.
`GROUNDWIRE_OPTIMIZE` is the level at which the C compiler optimizes, 2 unless it is given: with 0 it takes a quarter of
the time, for a build that only has to show that it compiles and scores alike.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
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

VARIABLE, OPTIMIZE = "GROUNDWIRE_COMPILE", "GROUNDWIRE_OPTIMIZE"
LEVELS = ("0", "1", "2", "3")
LIBRARY = "groundwire"
ROOT = Path(__file__).resolve().parents[1]
_KEEPS = re.compile(r"^ +@(?:cached_property|lazy)$", re.MULTILINE)
# Run in a process of its own: setuptools reads the arguments of the one it runs in, and compiles one file at a time.
_BUILD = """
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from mypyc.build import mypycify
from setuptools import setup
from setuptools.command.build_ext import build_ext

class SideBySide(build_ext):
    def build_extensions(self):
        one_by_one = self.compiler.compile

        def compile(sources, **options):
            with ThreadPoolExecutor(os.cpu_count()) as threads:
                made = threads.map(lambda source: one_by_one([source], **options), sources)
                return [path for paths in made for path in paths]

        self.compiler.compile = compile
        super().build_extensions()

modules = sys.argv[2:]
sys.argv = ["setup.py", "--quiet", "build_ext", "--build-lib", sys.argv[1]]
# A C file for each module: all in one takes gcc many times as long, and runs no faster.
made = mypycify(modules, opt_level="{level}", debug_level="0", multi_file=True, group_name="{library}")
if "{level}" == "0":  # Debian's Python asks for checks of buffers, of which a compiler warns that does not optimize.
    for extension in made:
        extension.extra_compile_args.append("-U_FORTIFY_SOURCE")
setup(name="groundwire", packages=[], ext_modules=made, cmdclass={{"build_ext": SideBySide}})
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
        found += [path for path in there if not path.endswith("__init__.py") and not _kept_pure(root / path)]
    return found


def _kept_pure(path: Path) -> bool:
    """Return whether a module keeps values in the dictionary of an object, which those of compiled classes lack."""
    return _KEEPS.search(path.read_text()) is not None


def missing() -> str | None:
    """Return what compiling needs and this machine lacks; ``None`` where it has all."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"the C compiler {compiler} (Debian: gcc and libc6-dev)"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "the headers of Python (Debian: python3-dev)"
    lacking = [name for name in ("mypyc", "setuptools") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(lacking)}; pip install mypy setuptools types-protobuf types-pyyaml" if lacking else None


def compiled(root: Path, to: Path) -> list[Path]:
    """Compile the modules of ``root`` into the folder ``to``; return what was made, relative to it."""
    if (lacking := missing()) is not None:
        sys.exit(f"{VARIABLE} asks for compiled modules, which need {lacking}. Without {VARIABLE} the wheel is pure.")
    level = os.environ.get(OPTIMIZE, "2")
    if level not in LEVELS:
        sys.exit(f"{OPTIMIZE}: must be one of {', '.join(LEVELS)}, got {level!r}")
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(root / "scorers", Path(work, "scorers"), ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        shutil.copytree(root / "adapters", Path(work, "adapters"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "pyproject.toml", work)
        code = _BUILD.format(library=LIBRARY, level=level)
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
