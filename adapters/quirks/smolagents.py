"""What is special about smolagents: responses of a client, printed whole."""

from __future__ import annotations

import re
from typing import Any

from adapters.values import text_of

FRAMEWORK = "smolagents"
_MODEL = re.compile(r", model='([^'\\]{1,200})', object='")
_MAX_CHARS = 1_000_000


def answering_model(output: Any) -> str | None:
    """Return the model that a printed response names; the span itself has the requested one.

    >>> answering_model({"raw": "ChatCompletion(id='c', choices=[], created=1, model='m-1', object='chat.completion')"})
    'm-1'
    """
    raw = text_of(output.get("raw")) if isinstance(output, dict) else None
    found = None if raw is None else [*_MODEL.finditer(raw[-_MAX_CHARS:])]
    return found[-1][1] if found else None
