"""The tools: each asks the HTTP API of a running agent, and shows what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from pydantic import Field, ValidationError

from collector.commands.asking import AskedAgent, checked, part_of, rows_of
from collector.commands.worst import worst
from collector.mcp.shown import (
    ANSWER,
    NAME,
    PASSAGE,
    QUESTION,
    QUOTE,
    BadAnswer,
    ExplainedAnswer,
    ExplainedDecision,
    ShownDecision,
    ShownDecisions,
    ShownGates,
    ShownScore,
    ShownVerdict,
    ToolResult,
    TrafficText,
    VerifyVerdict,
    WorstAnswers,
)
from collector.security.text import one_line
from gates.base.verdict import CODES
from scorers import SCORERS

S = TypeVar("S", bound=ToolResult)

MOST_ANSWERS = 20
MOST_EVIDENCE = 20
"""Pieces of evidence of one answer."""
GateName = Annotated[str, Field(description="Name of a gate, as list_gates gives it.")]
SliceValues = Annotated[
    dict[str, str] | None, Field(description='Only this slice of traffic, as {"service": "desk"}; by default all.')
]
Release = Annotated[str, Field(description="The release that the verdict must be over; by default any.")]
RowLimit = Annotated[int, Field(ge=1, le=MOST_ANSWERS, description="At most this many.")]
Passages = Annotated[
    list[str | dict[str, Any]] | None,
    Field(description="The passages that the answer was made from: texts, or objects with `text`, `doc_id`, `version`"),
]


@dataclass(frozen=True, kw_only=True)
class AgentTools:
    """What may be asked of the agent at ``url``. Methods raise `ConfigError` where it cannot say."""

    url: str
    token_file: Path | None = None

    def list_gates(self) -> ShownGates:
        """List all gates with their verdicts, those that fail first. Begin here."""
        body = self._asked("/v1/gates")
        return self._shown(ShownGates, {"gates": _urgent(body.get("gates"))})

    def gate_verdict(self, gate: GateName, slice: SliceValues = None, release: Release = "") -> ShownVerdict:  # noqa: A002
        """Show the verdict of one gate with its slices: what fails, by how much, on how many answers."""
        body = self._asked(f"/v1/gates/{quote(gate, safe='')}", {**(slice or {}), "candidate": release or None})
        return self._shown(ShownVerdict, body | {"slices": _urgent(body.get("slices"))})

    def list_decisions(
        self,
        gate: Annotated[str, Field(description="Only of this gate; by default of all.")] = "",
        limit: RowLimit = 10,
        before: Annotated[int, Field(ge=0, description="Only rows with a lower seq; 0: the newest.")] = 0,
    ) -> ShownDecisions:
        """List when verdicts turned, the newest first, with what the agent recommends."""
        wanted = {"order": "newest", "gate": gate or None, "limit": limit, "before": before}
        body = self._asked("/v1/decisions", wanted)
        rows = [_decision(row) for row in rows_of(body, "decisions")]
        return self._shown(ShownDecisions, {"decisions": rows, "next": body.get("next")})

    def explain_decision(
        self, seq: Annotated[int, Field(ge=1, description="Number of the decision.")]
    ) -> ExplainedDecision:
        """Explain one decision: causes that carry it, are excluded or open, changes, slices, and the worst answers."""
        row = self._asked(f"/v1/decisions/{seq}")
        return self._shown(ExplainedDecision, {"kind": "verdict", **part_of(row, "record"), **_decision(row)})

    def worst_answers(
        self,
        metric: Annotated[str, Field(description="As `claim_support` or `external.helpfulness`.")],
        slice: SliceValues = None,  # noqa: A002 - what slices are called everywhere
        limit: RowLimit = 5,
    ) -> WorstAnswers:
        """Find the worst answers by a metric, the worst first; the same answer to the same question once."""
        found = worst(self._agent, metric, slice or {}, limit)
        return WorstAnswers(
            metric=metric,
            better="higher" if found.higher_is_better else "lower",
            searched=found.searched,
            answers=tuple(_bad(body, score, times) for score, body, times in found.answers),
        )

    def explain_answer(
        self, answer_id: Annotated[str, Field(description="Id of an answer, as other tools give it.")]
    ) -> ExplainedAnswer:
        """Explain one answer: what was asked, found and said, and every score with its reasons."""
        body = self._asked(f"/v1/answers/{quote(answer_id, safe='/')}")
        answer, evaluation = part_of(body, "answer"), part_of(body, "evaluation")
        context = answer.get("context")
        passages = [
            {
                **each,
                "in_context": context is None or each.get("id") in context,
                "text": TrafficText.of(each.get("text"), PASSAGE),
            }
            for each in rows_of(answer, "passages")
        ]
        missing: dict[str, list[str]] = {}
        for each in rows_of(evaluation, "unscored")[: len(SCORERS)]:
            missing.setdefault(one_line(str(each.get("reason")), NAME), []).append(
                one_line(str(each.get("metric")), NAME)
            )
        return self._shown(
            ExplainedAnswer,
            {
                "answer_id": answer.get("id"),
                "at": body.get("arrived_at"),
                "slice": body.get("slice"),
                "status": answer.get("status"),
                "flags": answer.get("flags"),
                "versions": {
                    **{name: answer[name] for name in ("release", "model") if answer.get(name)},
                    **part_of(answer, "versions"),
                },
                "question": TrafficText.of(answer.get("question"), QUESTION),
                "answer": TrafficText.of(answer.get("answer"), ANSWER),
                "passages": passages,
                "scores": _with_evidence(rows_of(evaluation, "scores")),
                "unscored": missing,
                "external": rows_of(body, "external"),
            },
        )

    def verify_answer(
        self,
        answer: Annotated[str, Field(description="The answer; left out, the passages alone are judged.")] = "",
        question: Annotated[str, Field(description="What was asked.")] = "",
        passages: Passages = None,
        asker_groups: Annotated[
            list[str] | None, Field(description="Groups of who asks; passages that none of these may see are told.")
        ] = None,
    ) -> VerifyVerdict:
        """Judge an answer by its passages before it is shown: supported, contradicted, stale and so on, with reasons.

        Nothing is stored, and no gate hears of it.
        """
        given: dict[str, Any] = {"question": question or None, "answer": answer or None, "passages": passages or None}
        given["asker_groups"] = asker_groups
        body = {name: value for name, value in given.items() if value is not None}
        return self._shown(VerifyVerdict, self._agent.post("/v1/verify", body))

    def check(self) -> None:
        """Raise `ConfigError` for a URL or a token that no agent can be asked with; the agent need not be there."""
        checked(self.url, self.token_file)

    def _asked(self, path: str, parameters: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        return self._agent.get(path, parameters)

    @property
    def _agent(self) -> AskedAgent:
        return AskedAgent(url=self.url, token_file=self.token_file)

    def _shown(self, kind: type[S], body: Mapping[str, Any]) -> S:
        try:
            return kind.model_validate(dict(body))
        except ValidationError as error:
            raise self._agent.unlike() from error


def _bad(body: Mapping[str, Any], score: Mapping[str, Any], times: int) -> BadAnswer:
    answer = part_of(body, "answer")
    return BadAnswer.model_validate(
        {
            **score,
            "times": times,
            "answer_id": answer.get("id"),
            "at": body.get("arrived_at"),
            "slice": body.get("slice"),
            "question": TrafficText.of(answer.get("question"), QUOTE),
            "answer": TrafficText.of(answer.get("answer"), QUOTE),
        }
    )


def _with_evidence(scores: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return scores with `MOST_EVIDENCE` pieces of evidence at most, no more than a few of each."""
    left = MOST_EVIDENCE
    found: list[Mapping[str, Any]] = []
    for score in scores:
        evidence = rows_of(score, "evidence")[: min(ShownScore.most["evidence"], left)]
        left -= len(evidence)
        found.append({**score, "evidence": evidence})
    return found


def _decision(row: Mapping[str, Any]) -> dict[str, Any]:
    verdict, record = part_of(row, "verdict"), part_of(row, "record")
    names = [name for name in ShownDecision.model_fields if name in row]
    reason = record.get("reason") or verdict.get("reason") or ""
    return {name: row[name] for name in names} | {"reason": reason, "recommended": record.get("recommended")}


def _urgent(rows: Any) -> list[Any]:
    """Return verdicts with those that fail first, then those that are open; what is no verdict is left as it is."""
    found = rows if isinstance(rows, list) else []
    order = [state for state, _ in sorted(CODES.items(), key=lambda item: item[1])]
    return sorted(found, key=lambda row: order.index(row["state"]) if _state(row) in order else len(order))


def _state(row: Any) -> Any:
    return row.get("state") if isinstance(row, dict) else None
