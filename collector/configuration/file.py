"""Reads the configuration file: text in, `Config` or a list of problems out, each with the path of its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache
from itertools import islice
from typing import Any, get_args, get_origin

import yaml
from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_core import ErrorDetails, to_jsonable_python

from collector.catalog.listings import INDEXES, LISTED_SOURCES
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.notify import NOTIFIERS
from collector.sources import SOURCES
from collector.writeback import TARGETS
from gates import GATES
from gates.units.duration import format_duration
from gates.units.names import suggestion
from scorers import SCORERS
from scorers.text.yamltext import YamlError, load_yaml

MAX_BYTES = 1_000_000
SHOWN = 80
"""Characters of a wrong value that an error repeats."""
MAX_PROBLEMS = 100
"""Problems that are reported at once."""
MAX_PLACES = 4
"""Places of one name that are told: beyond them it says nothing."""
_WITHIN_GATE = 4
"""Parts of the place of a value of a gate: the list, which one, its type, and the key."""
THERE_ARE = "; there are: "
"""What comes before the names that could have been meant."""
_PLACE = re.compile(r"\[\d+\]")
_VARIABLE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]{0,100}(:?[-?+=][^}]{0,200})?\}")
"""A variable of the environment, as shells and other tools write it."""
_SECRET = re.compile(r"(secret_key|api_key|token|headers\.[^.]*)$")


def load(
    text: str,
    *,
    where: str,
    overrides: Sequence[str] = (),
    inconsistencies: Callable[[Config], Iterator[str]] = Config.inconsistencies,
) -> Config:
    """Return the configuration in ``text`` with ``path.to.key=value`` overrides applied.

    ``inconsistencies`` finds what no section can know of itself. Raises `ConfigError` with a line for each problem,
    naming ``where`` and the path of the key.

    >>> load("judge: {tick: 5s}", where="groundwire.yaml").judge.tick.total_seconds()
    5.0
    >>> load("judge: {tack: 5s}", where="groundwire.yaml")
    Traceback (most recent call last):
    ...
    collector.errors.ConfigError: groundwire.yaml: judge.tack: unknown key; did you mean 'tick'?
    """
    if len(text) > MAX_BYTES:
        raise ConfigError(f"{where}: larger than {MAX_BYTES} bytes")
    tree = _parsed(text, where=where)
    if tree is None:
        tree = {}
    if not isinstance(tree, dict):
        raise ConfigError(f"{where}: the top level must be a mapping of sections, not {type(tree).__name__}")
    for override in overrides:
        _apply(tree, override)
    unreplaced = dict(islice(_unreplaced(tree, ""), MAX_PROBLEMS))
    lines = [f"{path}: {problem}" for path, problem in unreplaced.items()]
    try:
        config = Config.model_validate(tree)
    except ValidationError as error:
        # What stands in place of a value is no mistake of its own.
        others = (line for line in _lines(error) if line.partition(": ")[0] not in unreplaced)
        more = max(0, error.error_count() - MAX_PROBLEMS)
        lines += [*islice(others, MAX_PROBLEMS - len(lines)), *([f"and {more} more problems"] if more else [])]
        lines += _beside_values_of_gates(tree, error, inconsistencies)
        raise ConfigError(*(f"{where}: {line}" for line in lines)) from error
    if problems := lines or _lists_once(inconsistencies(config)):
        raise ConfigError(*(f"{where}: {problem}" for problem in problems))
    return config


def _beside_values_of_gates(
    tree: Mapping[str, Any], error: ValidationError, inconsistencies: Callable[[Config], Iterator[str]]
) -> list[str]:
    """Return what else is wrong where all that cannot be read are values of gates, such as a window of ``60``.

    Names are compared once a configuration can be read, so it is read without these values. Of other sections, of keys
    that nobody knows and of values that are needed, what is left would not be what was meant.
    """
    found = error.errors(include_url=False, include_input=False)
    wrong = {problem["loc"] for problem in found}
    if any(each[:1] != ("gates",) or len(each) < _WITHIN_GATE for each in wrong):
        return []
    if any(problem["type"] == "extra_forbidden" for problem in found):
        return []
    rest = {**tree, "gates": [dict(gate) if isinstance(gate, Mapping) else gate for gate in tree["gates"]]}
    for _, index, _, key, *_ in wrong:
        rest["gates"][index].pop(key, None)
    try:
        config = Config.model_validate(rest)
    except ValidationError:
        return []
    left_out = tuple(f"gates[{index}].{key}: " for _, index, _, key, *_ in wrong)
    return [problem for problem in _lists_once(inconsistencies(config)) if not problem.startswith(left_out)]


def _lists_once(problems: Iterable[str]) -> list[str]:
    """Return problems with a long list of what there is only where it comes first."""
    told: list[str] = []
    lists: set[str] = set()
    for problem in problems:
        what, _, known = problem.partition(THERE_ARE)
        told.append(what if known in lists else problem)
        lists |= {known} if len(known) > SHOWN else set()
    return told


def dump(config: Config) -> str:
    """Return the configuration in force as YAML that `load` reads back."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def given(config: Config, keys: Iterable[str]) -> dict[str, Any]:
    """Return these keys of a configuration as they were given, without what was left to the defaults.

    A secret is ``True``: it is there, and is not told.

    >>> config = load("http: {port: 8090, token: hunter2}", where="groundwire.yaml")
    >>> given(config, ("data", "http"))
    {'http': {'port': 8090, 'token': True}}
    """
    told = config.model_dump(include=set(keys), exclude_unset=True)
    return {key: _told(value) for key, value in told.items()}


def _told(value: Any) -> Any:
    """Return a value as JSON has it, ``True`` for a secret."""
    if isinstance(value, SecretStr):
        return True
    if isinstance(value, Mapping):
        return {str(key): _told(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_told(below) for below in value]
    return format_duration(value) if isinstance(value, timedelta) else to_jsonable_python(value)


def _parsed(text: str, *, where: str) -> Any:
    try:
        return load_yaml(text)
    except YamlError as error:
        raise ConfigError(*(f"{where}: {problem}" for problem in error.problems)) from error


def _apply(tree: dict[str, Any], override: str) -> None:
    path, separator, value = override.partition("=")
    keys = path.strip().split(".")
    if not separator or not all(keys):
        raise ConfigError(f"--set {override}: expected path.to.key=value")
    parsed = _parsed(value, where=f"--set {override[:SHOWN]}")
    here = tree
    for depth, key in enumerate(keys[:-1]):
        if here.get(key) is None:
            here[key] = {}
        if not isinstance(here[key], dict):
            raise ConfigError(f"--set {override}: {'.'.join(keys[: depth + 1])} is not a section")
        here = here[key]
    here[keys[-1]] = parsed


def _unreplaced(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the paths where ``${NAME}`` stands, which would be taken as it is, and what to write instead."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _unreplaced(below, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _unreplaced(below, f"{path}[{index}]")
    elif isinstance(value, str) and (found := _VARIABLE.search(value)):
        instead = f"give the file that holds it as {path}_file" if _SECRET.search(path) else "write the value"
        problem = f"{found[0][:SHOWN]} is not replaced, as the file takes nothing from the environment: {instead}, "
        yield path, f"{problem}or fill in the file before the start, as with envsubst"


def _lines(error: ValidationError) -> Iterator[str]:
    for problem in filter(_of_file, error.errors(include_url=False)):
        path, siblings = _locate(problem["loc"])
        match problem["type"]:
            case "extra_forbidden":
                yield f"{path}: unknown key{_instead(path, str(problem['loc'][-1]), siblings)}"
            case "missing":
                yield f"{path}: required"
            case "union_tag_not_found":
                near = [key for key in problem["input"] if suggestion(str(key), ["type"])]
                yield from (f"{path}.{key}: unknown key{suggestion(str(key), ['type'])}" for key in near)
                if not near:
                    yield f"{path}.type: required"
            case "union_tag_invalid":
                yield f"{path}.type: {_unknown(problem['ctx']['tag'], problem['ctx']['expected_tags'])}"
            case "literal_error":
                yield f"{path}: {_unknown(problem['input'], problem['ctx']['expected'])}"
            case "value_error":
                message = str(problem["ctx"]["error"])
                yield f"{path}: {message}" if path else message
            case "tuple_type":
                yield f"{path}: expected a list, each item after a dash or all in [brackets]"
            case _:
                message = problem["msg"]
                yield f"{path}: {message[:1].lower()}{message[1:]}, got {_hidden(path) or _short(problem['input'])}"


def _of_file(problem: ErrorDetails) -> bool:
    """Whether a problem is of what stands in the file: a default may rest on a key whose own problem is named."""
    return problem["type"] != "default_factory_not_called"


def _unknown(value: Any, expected: str) -> str:
    known = re.findall(r"'([^']*)'", expected)
    return f"unknown {_short(value)}{suggestion(str(value), known)}; known: {', '.join(known)}"


def _locate(location: Sequence[str | int]) -> tuple[str, list[str]]:
    """Return the path as it stands in the file, and the keys that may stand where its last part does."""
    path = ""
    model: Any = Config
    siblings: list[str] = []
    for part in location:
        siblings = list(getattr(model, "model_fields", {}))
        if isinstance(part, int):
            path += f"[{part}]"
        elif path.endswith("]") and part in (known_here := COMPONENTS.get(_PLACE.sub("", path), {})):
            # pydantic names the chosen member of a tagged union here; the file has no such level.
            model = known_here[part]
        else:
            path = f"{path}.{part}" if path else part
            known = getattr(model, "model_fields", {}).get(part)
            model = model_in(known.annotation) if known is not None else None
    return path, siblings


def model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the one model that an annotation holds, if there is just one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = [model for model in map(model_in, get_args(annotation)) if model is not None]
    return models[0] if len(models) == 1 else None


def _instead(path: str, key: str, known: Sequence[str]) -> str:
    """Say where an unknown key stands, else which known one is close, else which there are.

    What stands within an item of a list, such as a gate, is meant for that item.
    """
    places = [] if "]" in path else _sections_of().get(key, [])
    if 0 < len(places) <= MAX_PLACES:
        return f"; did you mean {' or '.join(map(repr, places))}?"
    return suggestion(key, known) or (f"; known: {', '.join(known)}" if known else "")


@cache
def _sections_of() -> dict[str, list[str]]:
    """Return the paths of each key that stands within a section, and not in a list."""
    found: dict[str, list[str]] = {}
    left: list[tuple[str, type[BaseModel]]] = [("", Config)]
    while left:
        section, model = left.pop()
        for name, field in model.model_fields.items():
            if section:
                found.setdefault(name, []).append(f"{section}.{name}")
            if (inner := model_in(field.annotation)) is not None and not _is_of_many(field.annotation):
                left.append((f"{section}.{name}" if section else name, inner))
    return found


def _is_of_many(annotation: Any) -> bool:
    """Whether what is annotated is a list or a mapping of models."""
    many = get_origin(annotation) in {tuple, list, dict, Sequence, Mapping}
    return many or any(_is_of_many(each) for each in get_args(annotation))


def _hidden(path: str) -> str:
    """Return what stands in an error in place of a value that may be a secret."""
    return "a value that is not shown because it may be secret" if _SECRET.search(path) else ""


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        # A whole section, which may hold a secret.
        return "a mapping"
    text = str(value) if isinstance(value, timedelta) else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _tagged(components: Iterable[type[BaseModel]]) -> dict[str, type[BaseModel]]:
    return {get_args(component.model_fields["type"].annotation)[0]: component for component in components}


COMPONENTS: dict[str, dict[str, type[BaseModel]]] = {
    "scorers": _tagged(SCORERS),
    "gates": _tagged(GATES),
    "sources": _tagged(SOURCES),
    "write_back": _tagged(TARGETS),
    "notify": _tagged(NOTIFIERS),
    "catalog.sources": _tagged(LISTED_SOURCES),
    "catalog.indexes": _tagged(INDEXES),
}
"""Components by the path of the list they stand in and the ``type`` that names them there."""
