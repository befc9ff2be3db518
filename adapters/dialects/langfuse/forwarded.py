"""Spans that other instrumentations sent to Langfuse, with the attributes they were sent with.

Langfuse keeps an instrumentation's attributes among the metadata, apart from those it has fields for: input, output,
model, tokens, session and user. Where the instrumentation is one whose content is read by keys of its own, these are
put back under its names; of any other the observation says all there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from adapters.dialects.langfuse import keys
from adapters.dialects.langfuse.records import Metadata
from adapters.dialects.openinference.keys import JSON_MIME, SCOPE, TOKENS
from adapters.dialects.otel_genai import attributes as gen_ai
from adapters.values import is_cut_json, json_text

_IDENTITY = (keys.SESSION, keys.USER)
_SIDES: tuple[tuple[str, str], ...] = ((keys.INPUT, "input"), (keys.OUTPUT, "output"))
_MESSAGES: tuple[tuple[str, str], ...] = ((keys.INPUT, gen_ai.INPUT), (keys.OUTPUT, gen_ai.OUTPUT))
_COUNTS: tuple[tuple[str, str, str], ...] = (
    ("input", "prompt", "gen_ai.usage.input_tokens"),
    ("output", "completion", "gen_ai.usage.output_tokens"),
)


def restored_attributes(metadata: Metadata, observed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a forwarded span; ``observed`` are those of the observation that became of it."""
    sent = {key: value for key, value in metadata.attributes_sent.items() if value is not None}
    if "openinference.span.kind" in sent or metadata.scope_name.startswith(SCOPE):
        return _openinference(sent, metadata, observed)
    if gen_ai.OPERATION in sent and (found := _gen_ai(sent, observed)) is not None:
        return found
    if not sent and observed.get(keys.INPUT) is None and observed.get(keys.OUTPUT) is None:
        return {}
    if observed[keys.TYPE] == "span" and not any(key in observed for key in (keys.INPUT, keys.OUTPUT, keys.MODEL)):
        return sent  # a step of the application itself: structure only
    return {**sent, **observed}


def _openinference(sent: dict[str, Any], metadata: Metadata, observed: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(sent)
    for key, side in _SIDES:
        text = observed.get(key)
        if isinstance(text, str) and f"{side}.value" not in sent:
            found[f"{side}.value"] = text
            if text.startswith(("{", "[", '"')) and _is_json(text):
                found.setdefault(f"{side}.mime_type", JSON_MIME)
    if (model := observed.get(keys.MODEL)) is not None:
        found.setdefault("llm.model_name", model)
    for bucket, which, _ in _COUNTS:
        if (count := _count(observed, bucket)) is not None:
            found.setdefault(f"{TOKENS}{which}", count)
    if metadata.values:
        found.setdefault("metadata", json_text(metadata.values))
    return found | {key: observed[key] for key in _IDENTITY if key in observed and key not in found}


def _gen_ai(sent: dict[str, Any], observed: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the attributes of a GenAI span; ``None`` where Langfuse kept its content in another form than it came."""
    found = dict(sent)
    for key, name in _MESSAGES:
        text = observed.get(key)
        if text is None or name in sent:
            continue
        if not isinstance(text, str) or '"parts"' not in text:
            return None
        found[name] = text
    if (model := observed.get(keys.MODEL)) is not None and "gen_ai.response.model" not in sent:
        found.setdefault("gen_ai.request.model", model)
    for bucket, _, name in _COUNTS:
        if (count := _count(observed, bucket)) is not None:
            found.setdefault(name, count)
    return found


def _count(observed: Mapping[str, Any], bucket: str) -> Any:
    usage = observed.get(keys.USAGE)
    return orjson.loads(usage).get(bucket) if isinstance(usage, str) else None


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return is_cut_json(text)
    return True
