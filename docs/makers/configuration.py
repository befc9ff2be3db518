"""The configuration reference: every section, component and option, from the models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from collector.configuration.file import COMPONENTS, model_in
from collector.configuration.schema import Config
from gates.units.duration import format_duration

_INTRODUCTION = """# Configuration

`groundwire run --config FILE` reads one YAML file. Every section has a default, so an empty file is valid. An unknown
key is an error that names its path, a duplicate key one that names both lines. Anchors, aliases and merge keys are
allowed, up to 100,000 values once all aliases are expanded. `--set path.to.key=value` overrides one key, `groundwire
check --print` shows the effective configuration. Durations are written as `250ms`, `30s`, `15m`, `1h30m`, `7d`.

This page is generated from the configuration models by `make docs`.
"""


def configuration_reference() -> str:
    """Return the configuration reference as Markdown."""
    lines = [_INTRODUCTION]
    for name, field in Config.model_fields.items():
        if name not in COMPONENTS:
            lines += _section(name, field)
    for name, components in COMPONENTS.items():
        field = _field(name)
        lines += [f"## `{name}`", "", f"{field.description} A list; each item names its `type`.", ""]
        for tag, component in components.items():
            lines += [f"### `type: {tag}`", "", _first_sentence(component), "", *_table(component, "")]
    return "\n".join(lines).rstrip() + "\n"


def _field(path: str) -> FieldInfo:
    model: type[BaseModel] | None = Config
    *sections, last = path.split(".")
    for section in sections:
        assert model is not None
        model = model_in(model.model_fields[section].annotation)
    assert model is not None
    return model.model_fields[last]


def _section(name: str, field: FieldInfo) -> list[str]:
    lines = [f"## `{name}`", "", str(field.description), ""]
    model = model_in(field.annotation)
    if model is None:
        return [*lines, f"Type {_type(field.annotation)}, default {_default(field)}.", ""]
    repeated = get_origin(field.annotation) is tuple
    lines += [f"A list; default {_default(field)}.", ""] if repeated else []
    return [*lines, *_table(model, "", within=f"{name}.")]


def _table(model: type[BaseModel], prefix: str, *, within: str = "") -> list[str]:
    rows = list(_rows(model, prefix, within))
    if not rows:
        return []
    return ["| key | type | default | meaning |", "| --- | --- | --- | --- |", *rows, ""]


def _rows(model: type[BaseModel], prefix: str, within: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        if name == "type":
            continue
        below = model_in(field.annotation)
        meaning = (field.description or "").replace("|", "\\|").replace("\n", " ")
        if (path := f"{within}{prefix}{name}") in COMPONENTS:
            anchor = path.replace(".", "")
            yield f"| `{prefix}{name}` | [list](#{anchor}) | {_default(field)} | {meaning} |"
        elif below is None:
            yield f"| `{prefix}{name}` | {_type(field.annotation)} | {_default(field)} | {meaning} |"
        elif get_origin(field.annotation) in (tuple, list) or "Sequence" in str(field.annotation):
            yield f"| `{prefix}{name}` | list | {_default(field)} | {meaning} |"
            yield from _rows(below, f"{prefix}{name}[].", within)
        else:
            yield from _rows(below, f"{prefix}{name}.", within)


def _type(annotation: Any) -> str:
    if annotation is timedelta:
        return "duration"
    if annotation is type(None):
        return "null"
    if get_origin(annotation) is not None and str(get_origin(annotation)) == "typing.Literal":
        return " \\| ".join(f"`{value}`" for value in get_args(annotation))
    arguments = [argument for argument in get_args(annotation) if argument is not ...]
    if arguments and hasattr(annotation, "__metadata__"):
        return _type(arguments[0])
    if arguments and get_origin(annotation) in (tuple, list, frozenset):
        return f"list of {_type(arguments[0])}"
    if arguments and "Mapping" in str(annotation):
        return "mapping"
    if arguments:
        return " \\| ".join(_type(argument) for argument in arguments)
    name = getattr(annotation, "__name__", str(annotation))
    return {"str": "text", "int": "integer", "float": "number", "bool": "boolean", "Path": "path"}.get(name, name)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    if value is PydanticUndefined:
        return "required"
    return f"`{json.dumps(_plain(value), ensure_ascii=False)}`"


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, timedelta):
        return format_duration(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict | int | float | str | bool) or value is None:
        return value
    return str(value)


def _first_sentence(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").strip().split("\n\n")[0].split())
