"""What is special about OpenAI's agents under Logfire: spans that are called what their message is made from.

Source: github.com/pydantic/logfire, logfire/_internal/integrations/openai_agents.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

AgentSpanKind = Literal["CHAIN", "AGENT", "LLM", "TOOL", "GUARDRAIL", "OTHER"]

SCOPE = "logfire.openai_agents"
GROUP = "group_id"
"""What an application has runs of one conversation bear."""
NAMES: Mapping[str, str] = {"gen_ai.tool.call.arguments": "input", "gen_ai.tool.call.result": "output"}
TOOL = "name"

_KINDS: tuple[tuple[str, AgentSpanKind], ...] = (
    ("Function: ", "TOOL"),
    ("Chat completion with ", "LLM"),
    ("Responses API", "LLM"),
    ("Agent run: ", "AGENT"),
    ("OpenAI Agents trace: ", "CHAIN"),
    ("Guardrail ", "GUARDRAIL"),
)


def kind_of(name: str) -> AgentSpanKind:
    """Return the kind of the step that a span of that name tells of.

    >>> kind_of("Function: {name}"), kind_of("Custom span: {name}")
    ('TOOL', 'OTHER')
    """
    return next((kind for begin, kind in _KINDS if name.startswith(begin)), "OTHER")
