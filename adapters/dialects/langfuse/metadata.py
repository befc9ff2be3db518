"""Metadata, one span attribute a key: JSON from SDK 5 on, bare strings and dotted nested keys before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.dialects.langfuse.keys import METADATA, TRACE_METADATA, encodes_all, is_mask
from adapters.values import parse_json, plain, salvage_json

_MAX_CHARS = 100_000
_MAX_DEPTH = 6
_MAX_KEYS = 2_000


def metadata_of(attributes: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Return the metadata of the trace and of the observation, the latter's last; ``version`` is the SDK's.

    What is nested is found under its dotted keys too, as the older SDKs write it.

    >>> metadata_of({"langfuse.trace.metadata.customer": '{"tier":"gold"}'}, "5.0.4")
    {'customer': {'tier': 'gold'}, 'customer.tier': 'gold'}
    >>> metadata_of({"langfuse.trace.metadata.customer.tier": "gold"}, "4.14.3")
    {'customer.tier': 'gold'}
    """
    found: dict[str, Any] = {}
    own: dict[str, Any] = {}
    encoded = encodes_all(version)
    for key, raw in attributes.items():
        if key.startswith(METADATA):
            values, name = own, key[_OWN:]
        elif key.startswith(TRACE_METADATA):
            values, name = found, key[_OF_TRACE:]
        else:
            continue
        value = decoded(raw, encoded=encoded)
        if value is None:
            continue
        if not name:
            _put(values, value)
        elif name[0] == "." and len(name) > 1:
            values[name[1:]] = value
            if type(value) is dict:
                _put(values, {name[1:]: value})
    return found | own


_OWN, _OF_TRACE = len(METADATA), len(TRACE_METADATA)


def decoded(raw: Any, *, encoded: bool | None) -> Any:
    """Return one metadata value; ``None`` for one that is masked.

    >>> decoded('"acme"', encoded=True), decoded("123", encoded=True), decoded("123", encoded=False)
    ('acme', 123, '123')
    """
    if not isinstance(raw, str):
        return plain(raw)
    if is_mask(raw):
        return None
    # Before 5 only what is no string was written as JSON, and numbers were left as they are.
    if encoded is not True and not raw.startswith(("{", "[") if encoded is False else ("{", "[", '"')):
        return raw
    parsed = parse_json(raw, limit=_MAX_CHARS)
    if parsed is None and raw.startswith(("{", "[")):
        parsed = salvage_json(raw, limit=_MAX_CHARS)
    return raw if parsed is None and raw != "null" else parsed


def _put(found: dict[str, Any], value: Any) -> None:
    if not isinstance(value, dict):
        found["metadata"] = value
        return
    waiting = [("", value, 0)]
    while waiting:
        path, level, depth = waiting.pop()
        for key, item in level.items():
            if len(found) >= _MAX_KEYS:
                return
            found[f"{path}{key}"] = item
            if isinstance(item, dict) and depth < _MAX_DEPTH:
                waiting.append((f"{path}{key}.", item, depth + 1))
