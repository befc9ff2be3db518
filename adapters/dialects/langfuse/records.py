"""One record of Langfuse's API or exports, whatever its spelling, and the metadata in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adapters.dialects.langfuse.keys import METADATA, SCOPE, encodes_all
from adapters.values import json_text, number_of, parse_json, salvage_json, text_of

_MAX_JSON_CHARS = 16_000_000
_MAX_TAGS = 1_000
_PARTS = ("resourceAttributes", "attributes", "scope")
_USAGE_COLUMNS = (
    ("input", ("inputUsage", "promptTokens", "inputTokens")),
    ("output", ("outputUsage", "completionTokens", "outputTokens")),
    ("total", ("totalUsage", "totalTokens")),
)


class LangfuseRecord:
    """Reads a record by the names of the API; columns of exports in ``snake_case`` are found by them too."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        plain = all("_" not in key for key in raw)
        self._raw = raw if plain else {**{_camel(key): value for key, value in raw.items()}, **raw}

    def get(self, key: str) -> Any:
        """Return a value as it is; an empty cell is none."""
        value = self._raw.get(key)
        return None if value == "" else value

    def text(self, key: str) -> str | None:
        """Return a text with something in it."""
        return text_of(self._raw.get(key))

    def number(self, key: str) -> float | None:
        """Return a number, given as one or as its text."""
        return number_of(self._raw.get(key))

    def parsed(self, key: str) -> Any:
        """Return a value, read from its JSON where a column holds that."""
        value = self.get(key)
        return parse_json(value, limit=_MAX_JSON_CHARS) if isinstance(value, str) else value

    def numbers(self, key: str) -> dict[str, float]:
        """Return an object of numbers; what is no number is left out."""
        value = self.parsed(key)
        if not isinstance(value, dict):
            return {}
        return {name: number for name, raw in value.items() if (number := number_of(raw)) is not None}

    def texts(self, key: str) -> list[str] | None:
        """Return a list of texts; ``None`` where there is none, or an empty one."""
        value = self.parsed(key)
        return (
            [item for item in value[:_MAX_TAGS] if isinstance(item, str)] or None if isinstance(value, list) else None
        )

    def usage(self) -> dict[str, Any]:
        """Return the token counts, from the object or from columns; one that is all zeros says nothing."""
        details = self.numbers("usageDetails")
        if details or isinstance(self.parsed("usageDetails"), dict):
            return details
        found = self.numbers("usage")
        for name, columns in _USAGE_COLUMNS:
            for column in columns:
                if name not in found and (number := self.number(column)) is not None:
                    found[name] = number
        return found if any(found.values()) else {}


@dataclass(slots=True)
class Metadata:
    """The metadata of an observation, and what Langfuse put there of the span it came as."""

    values: dict[str, Any] = field(default_factory=dict)
    attributes_sent: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of a span that another instrumentation sent; what Langfuse has fields for is not among them."""
    resource: Mapping[str, Any] = field(default_factory=dict)
    scope_name: str = ""
    scope_version: str = ""
    cut: bool = False
    """Whether a part of it came without its end, as long values do that were not asked for by name."""

    @classmethod
    def of(cls, own: Any, of_trace: Any) -> Metadata:
        """Read an object, its JSON text, or one with dotted keys; what the trace says holds for the observation."""
        found = cls()
        parts: dict[str, dict[str, Any]] = {name: {} for name in _PARTS}
        for raw in (of_trace, own):
            for key, value in found._object(raw).items():
                name, dot, rest = key.partition(".")
                if name not in _PARTS:
                    found.values[key] = value
                elif dot:
                    parts[name][rest] = value
                elif raw is own or not own:
                    parts[name].update(found._object(value))
        resource, found.attributes_sent = parts["resourceAttributes"], parts["attributes"]
        found.resource = {key: value for key, value in resource.items() if value is not None}
        found.scope_name = text_of(parts["scope"].get("name")) or ""
        found.scope_version = text_of(parts["scope"].get("version")) or ""
        return found

    def _object(self, raw: Any) -> dict[str, Any]:
        if isinstance(raw, dict):
            return raw
        if not isinstance(raw, str) or not raw:
            return {} if raw is None or raw == "" else {"metadata": raw}
        parsed = parse_json(raw, limit=_MAX_JSON_CHARS)
        if parsed is None and raw.startswith("{"):
            self.cut = True
            parsed = salvage_json(raw, limit=_MAX_JSON_CHARS)
        return parsed if isinstance(parsed, dict) else {} if raw.startswith("{") else {"metadata": raw}

    @property
    def forwarded(self) -> bool:
        """Whether another instrumentation than Langfuse's wrote the span."""
        return self.scope_name != SCOPE if self.scope_name else bool(self.attributes_sent)

    def attributes(self) -> dict[str, Any]:
        """Return the values as the SDK of this version writes them into span attributes."""
        all_of_them = encodes_all(self.scope_version)
        return {
            f"{METADATA}.{key}": _written(value, encoded=all_of_them)
            for key, value in self.values.items()
            if value is not None
        }


def _written(value: Any, *, encoded: bool | None) -> Any:
    if isinstance(value, int | float) and not encoded:
        return value
    if isinstance(value, str) and encoded is False:
        return value
    if isinstance(value, str) and value.startswith(("{", "[")) and parse_json(value, limit=_MAX_JSON_CHARS) is not None:
        return value  # what is nested may come as the JSON it was sent as
    return json_text(value) if not isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)
