"""The dialect of OpenLLMetry's instrumentation of CrewAI: a crew is one span, with what its tasks did printed.

Spans of its tasks and agents are read as any others of OpenLLMetry's; calls of a model and tools have none.

Source: opentelemetry-instrumentation-crewai 0.62 (github.com/traceloop/openllmetry), crewai_span_attributes.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from adapters.assembly.messages import Message, messages_of
from adapters.assembly.prompt_question import LABEL
from adapters.dialects.base import Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.lazy import lazy
from adapters.mapping import DialectKeys
from adapters.quirks import crewai
from adapters.values import count_of, parse_literal, text_of
from adapters.vocabulary import TokenCount

KEYS = DialectKeys(
    name="openllmetry_crewai",
    framework=crewai.FRAMEWORK,
    marks=("crewai.crew.id",),
    otherwise="CHAIN",
    output="crewai.crew.result",
)
_TASKS, _USAGE, _AGENTS = "crewai.crew.tasks_output", "crewai.crew.usage_metrics", "crewai.crew.agents"
_MAX_PRINTED = 1_000_000
_DESCRIPTION = re.compile(r"\bdescription=('(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\")")


class CrewView(KeyedView):
    """A crew as OpenLLMetry writes it."""

    @lazy
    def _printed(self) -> str:
        text = self.text(_TASKS) or ""
        return text if len(text) <= _MAX_PRINTED else ""

    @lazy
    def input(self) -> Any:
        """What the first task asks; of a text that is labelled as the question, the question."""
        found = _DESCRIPTION.search(self._printed)
        asked = None if found is None else text_of(parse_literal(found[1], limit=_MAX_PRINTED))
        if asked is None:
            return None
        label = LABEL.match(asked)
        alone = label is not None and label["question"] and LABEL.search(asked, label.end()) is None
        return {"question": asked[label.end() :].strip() if label is not None and alone else asked}

    @lazy
    def inputs(self) -> tuple[Message, ...]:
        """The messages of the last task, without the answer: what its agent was given in the end."""
        found = messages_of(crewai.printed_messages(self._printed))
        return found[:-1] if found and found[-1].role == "assistant" else found

    @lazy
    def outputs(self) -> tuple[Message, ...]:
        """The answer."""
        said = text_of(self.output)
        return () if said is None else (Message("assistant", said),)

    @lazy
    def _usage(self) -> Mapping[str, Any]:
        told = parse_literal(self.text(_USAGE) or "", limit=_MAX_PRINTED)
        return told if isinstance(told, dict) else {}

    @property
    def requests(self) -> int | None:
        """How many calls the crew made."""
        return count_of(self._usage.get("successful_requests")) or None

    def tokens(self, which: TokenCount) -> int | None:
        """The sum of its calls."""
        return count_of(self._usage.get(crewai.TOKENS[which]))

    @property
    def model(self) -> str | None:
        """The model of the last agent."""
        agents = self.json(_AGENTS)
        last = agents[-1] if isinstance(agents, list) and agents else None
        return text_of(last.get("llm")) if isinstance(last, dict) else None


class OpenLLMetryCrewAI(Keyed):
    """Reads the spans of crews that OpenLLMetry writes.

    >>> from adapters.trace import Span
    >>> OpenLLMetryCrewAI().claims(Span("t", "s", None, "crewai.workflow", 1, 2, {"crewai.crew.id": "c-1"}))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = ()

    def __init__(self) -> None:
        super().__init__(KEYS, CrewView)
