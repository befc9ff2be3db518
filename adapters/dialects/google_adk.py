"""The dialect of Google's ADK before version 2: requests and responses of its API, as JSON beside the GenAI keys.

Since 2 its spans follow the GenAI conventions, and are read as any others of those.

Source: github.com/google/adk-python, src/google/adk/telemetry/tracing.py (1.x).
"""

from __future__ import annotations

from typing import Any, ClassVar

from adapters.assembly.messages import Message, messages_of, system_message
from adapters.dialects.base import Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.lazy import lazy
from adapters.mapping import DialectKeys

_REQUEST, _RESPONSE = "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"

KEYS = DialectKeys(
    name="google_adk",
    framework="googleadk",
    marks=(_REQUEST, _RESPONSE),
    kind="gen_ai.operation.name",
    kinds={"execute_tool": "TOOL"},
    otherwise="LLM",
    input="gcp.vertex.agent.tool_call_args",
    output="gcp.vertex.agent.tool_response",
    answered=f"{_RESPONSE} > content",
    tool="gen_ai.tool.name",
    tool_description="gen_ai.tool.description",
    model=(f"{_RESPONSE} > model_version", "gen_ai.request.model"),
    prompt_tokens=("gen_ai.usage.input_tokens", f"{_RESPONSE} > usage_metadata > prompt_token_count"),
    completion_tokens=("gen_ai.usage.output_tokens", f"{_RESPONSE} > usage_metadata > candidates_token_count"),
    total_tokens=f"{_RESPONSE} > usage_metadata > total_token_count",
    session=("gcp.vertex.agent.session_id", "gen_ai.conversation.id"),
)


class GoogleADKView(KeyedView):
    """A call of a model or a tool by an agent of ADK's."""

    @lazy
    def _request(self) -> dict[str, Any]:
        told = self.json(_REQUEST)
        return told if isinstance(told, dict) else {}

    @lazy
    def redacted(self) -> bool:
        """Whether ADK was told to leave content out: it writes empty objects then."""
        return self.kind == "LLM" and not self._request and not self.outputs

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The instruction and the contents of the request."""
        config = self._request.get("config")
        told = config.get("system_instruction") if isinstance(config, dict) else None
        system = None if told is None else system_message(told)
        given = messages_of(self._request.get("contents"), "user")
        return given if system is None else (system, *given)


class GoogleADK(Keyed):
    """Reads the spans with the requests of an agent of ADK's.

    >>> from adapters.trace import Span
    >>> GoogleADK().claims(Span("t", "s", None, "call_llm", 1, 2, {"gcp.vertex.agent.llm_request": "{}"}))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = ()

    def __init__(self) -> None:
        super().__init__(KEYS, GoogleADKView)
