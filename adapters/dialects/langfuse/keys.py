"""The names of Langfuse's span attributes, and what its SDKs write in them.

Source: langfuse 5.0.4 and 4.14.3, ``langfuse/_client/attributes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from adapters.caching import cached
from adapters.vocabulary import StepKind

SCOPE = "langfuse-sdk"
TYPE = "langfuse.observation.type"
INPUT = "langfuse.observation.input"
OUTPUT = "langfuse.observation.output"
LEVEL = "langfuse.observation.level"
STATUS_MESSAGE = "langfuse.observation.status_message"
METADATA = "langfuse.observation.metadata"
TRACE_METADATA = "langfuse.trace.metadata"
MODEL = "langfuse.observation.model.name"
PARAMETERS = "langfuse.observation.model.parameters"
USAGE = "langfuse.observation.usage_details"
COST = "langfuse.observation.cost_details"
FIRST_TOKEN = "langfuse.observation.completion_start_time"  # noqa: S105 - a key
PROMPT_NAME = "langfuse.observation.prompt.name"
PROMPT_VERSION = "langfuse.observation.prompt.version"
TRACE_INPUT = "langfuse.trace.input"
TRACE_OUTPUT = "langfuse.trace.output"
"""What code before SDK 5 could declare to be the question and the answer, from any span of the trace."""
TRACE_NAME = "langfuse.trace.name"
TRACE_TAGS = "langfuse.trace.tags"
SESSION = "session.id"
USER = "user.id"
SESSION_ALIAS = "langfuse.session.id"
USER_ALIAS = "langfuse.user.id"
"""What Langfuse reads too, of applications that write their spans without its SDK."""
ENVIRONMENT = "langfuse.environment"
RELEASE = "langfuse.release"
VERSION = "langfuse.version"
APP_ROOT = "langfuse.internal.is_app_root"

ERROR = "ERROR"
"""The level of an observation that failed."""

KINDS: Mapping[str, StepKind] = {
    "span": "CHAIN",
    "chain": "CHAIN",
    "agent": "AGENT",
    "generation": "LLM",
    "retriever": "RETRIEVER",
    "tool": "TOOL",
    "embedding": "EMBEDDING",
    "guardrail": "GUARDRAIL",
    "evaluator": "EVALUATOR",
    "event": "OTHER",
}

_HIDDEN = "masked|redacted|hidden|removed|filtered|withheld|anonymized|censored"
_MASK = re.compile(
    # The SDK's own, for a mask function that failed; then what such functions are written to give.
    rf"<fully masked [^<>]{{1,80}}>|[\[<({{*_ ]{{0,4}}(?:{_HIDDEN})[\]>)}}*_ ]{{0,4}}"
    r"|[*\u2022\u2588#]{3,}|x{4,}",
    re.IGNORECASE,
)


def is_mask(text: str) -> bool:
    """Tell whether all of ``text`` is what a mask function leaves in place of content.

    >>> is_mask("[REDACTED]"), is_mask("***"), is_mask("<fully masked due to failed mask function>")
    (True, True, True)
    >>> is_mask("The number was [REDACTED]."), is_mask("hidden figures")
    (False, False)
    """
    return len(text) <= _MASK_CHARS and _MASK.fullmatch(text.strip().strip('"')) is not None


_MASK_CHARS = 120


@cached(maxsize=64)
def encodes_all(version: str) -> bool | None:
    """Tell whether an SDK of ``version`` writes all metadata values as JSON, as from 5 on; ``None`` if none can tell.

    >>> encodes_all("5.0.4"), encodes_all("4.14.3"), encodes_all("")
    (True, False, None)
    """
    major = version.partition(".")[0]
    return int(major) >= _ENCODING_MAJOR if major.isascii() and major.isdigit() and len(major) <= 4 else None  # noqa: PLR2004 - no version is longer


_ENCODING_MAJOR = 5
