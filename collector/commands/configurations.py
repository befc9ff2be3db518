"""The configurations that a suite is run with: what answers, how it is scored, and what it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from collector.applications.options import Application, HttpApplication, PythonApplication
from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.outbound.options import StrictOptions
from collector.runs.manifest import FileKind
from scorers.text.yamltext import YamlError, load_yaml

MAX_BYTES = 1_000_000
MAX_CONFIGURATIONS = 100
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.@+-]{0,99}$"


class RunConfiguration(StrictOptions):
    """One configuration of a suite's run."""

    application: Application | None = Field(
        default=None, description="What is asked; without one answers are recorded."
    )
    config: Path | None = Field(default=None, description="Configuration of the scores, as `--config` takes it.")
    seeds: Mapping[str, int] = Field(default={}, description="Seeds of what answers, for the manifest.")
    files: Mapping[FileKind, tuple[Path, ...]] = Field(
        default={}, description="Files and folders that answers are made from, for their checksums in the manifest."
    )


class ConfigurationsFile(StrictOptions):
    """The file of `--configurations`: a configuration for each name."""

    configurations: Mapping[str, RunConfiguration] = Field(min_length=1, max_length=MAX_CONFIGURATIONS)


class NamedConfiguration(NamedTuple):
    """A configuration as it is run: its name, ``None`` where there is only one, what it says, and the file it is of."""

    name: str | None
    run: RunConfiguration
    config: Config
    file: Path | None = None


def chosen(
    configs: Sequence[Path], configurations: Path | None, application: str | None
) -> tuple[NamedConfiguration, ...]:
    """Return the configurations that options name. Raises `ConfigError` for what cannot be read or goes not together.

    Paths in a file of configurations are relative to it.
    """
    if configurations is not None:
        if configs or application is not None:
            raise ConfigError("--configurations: give it alone, without --config and --application")
        return _read(configurations)
    run = RunConfiguration(application=None if application is None else _application(application))
    if len(configs) <= 1:
        file = configs[0] if configs else None
        return (NamedConfiguration(None, run, _config(file), file),)
    names = [path.stem for path in configs]
    if len(set(names)) < len(names):
        raise ConfigError("--config: two files have the same name; name configurations with --configurations")
    return tuple(NamedConfiguration(path.stem, run, _config(path), path) for path in configs)


def _read(path: Path) -> tuple[NamedConfiguration, ...]:
    text = _text(path)
    try:
        tree: Any = load_yaml(text)
    except YamlError as error:
        raise ConfigError(*(f"{path}: {problem}" for problem in error.problems)) from error
    try:
        found = ConfigurationsFile.model_validate(tree)
    except ValidationError as error:
        problems = [
            f"{path}: {'.'.join(map(str, each['loc']))}: {each['msg'].removeprefix('Value error, ')}"
            for each in error.errors(include_url=False)[:20]
        ]
        raise ConfigError(*problems) from error
    folder = path.parent
    result = []
    for name, run in found.configurations.items():
        if not _is_name(name):
            raise ConfigError(f"{path}: configurations.{name}: a name has letters, digits and _.@+- alone")
        beside = {kind: tuple(folder / each for each in files) for kind, files in run.files.items()}
        file = None if run.config is None else folder / run.config
        result.append(NamedConfiguration(name, run.model_copy(update={"files": beside}), _config(file), file))
    return tuple(result)


def _is_name(name: str) -> bool:
    import re

    return re.fullmatch(NAME, name) is not None


def _application(text: str) -> HttpApplication | PythonApplication:
    try:
        if text.startswith(("http://", "https://")):
            return HttpApplication(url=text)
        return PythonApplication(entry=text)
    except ValidationError as error:
        said = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise ConfigError(f"--application: {said}") from error


def _config(path: Path | None) -> Config:
    return load("" if path is None else _text(path), where="defaults" if path is None else str(path))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
        return data.decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from error
