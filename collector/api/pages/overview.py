"""The overview: what the gates say of each slice, what changed, and what to do now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from collector.api.operations import HTML, Operation
from collector.api.pages.answers import FIRST
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import named
from collector.api.queries import Patience
from collector.api.serving import Parts
from collector.changes.ledger import newest_known
from collector.clock import ago, instant
from collector.judging.verdicts import verdict_body
from collector.store.externalrows import is_external
from collector.store.rows import AnswerFilter, AnswerRow
from collector.store.store import Store
from gates.base.verdict import CODES, worst
from gates.decisions.record import DecisionRecord
from gates.decisions.words import failure_words
from gates.inputs.slices import NONE
from gates.verdicts.summary import UNJUDGED_SHARE, counted
from telemetry.pages import gate_path, slice_path

MAX_SLICES = 50
"""Slices that stand on the overview, the worst first; each gate has all of its own on its page."""
NEWEST = 8
"""Decisions and changes that are shown."""
LOOKED_AT = 100
"""Newest answers that are looked through for what they lack."""
FEW = 5
"""Answers of which it is not said what they lack."""
LATELY = timedelta(hours=1)
"""How long a trace that could not be read is something to do."""
SILENCE = timedelta(minutes=10)
"""After this long without an answer the page says so."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do: ``what`` is the matter, ``how`` to mend or look into it, and where."""

    state: str
    what: str
    how: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Covered:
    """How many of ``answers`` have a value of a metric, and why most of the others have none.

    The answers are those that are scored; for a metric of another evaluator, which does not wait for that, all.
    """

    metric: str
    valued: int
    answers: int
    lacking: str


@dataclass(slots=True)
class SliceStates:
    """One slice, and what each gate that knows it says."""

    slice: Mapping[str, str]
    parts: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """The worst of what the gates say."""
        return worst(part["state"] for part in self.parts.values())


class OverviewPage(PageFrame):
    """The handler of the page that comes first."""

    @Operation("/", {200: ("The page.", HTML)}, access="page")
    async def overview(self, request: Request) -> Response:
        """Show gates, slices, decisions, changes and what to do now as a page."""
        return await self.shown(request, "overview.html", self._read)

    def _read(self, store: Store, _: Patience) -> PageContent:
        parts = self.serving.parts
        judge = parts.judge
        fresh, verdicts = judge.fresh, judge.verdicts
        gates = [
            verdict_body(name, verdicts.get(name), fresh=fresh, trouble=judge.trouble) for name in self.serving.gates
        ]
        gates.sort(key=lambda gate: CODES[gate["state"]])
        newest = store.answers(store.find_answers(AnswerFilter(), limit=LOOKED_AT).seqs)
        last = instant(newest[0].arrived) if newest else None
        covered = _covered(newest, self._judged())
        slices = _slices(gates)
        return {
            "gates": gates,
            "kinds": {gate.name: (gate.type, sorted(gate.metrics)) for gate in self.serving.described.gates},
            "slices": slices[:MAX_SLICES],
            "slices_left_out": len(slices[MAX_SLICES:]),
            "totals": store.totals(),
            "last": last,
            "newest": len(newest),
            "scored": sum(row.evaluation is not None for row in newest),
            "covered": covered,
            "decisions": store.decisions(newest_first=True, limit=NEWEST),
            "changes": newest_known(store, limit=NEWEST)[0],
            "steps": sorted(
                [
                    *self._gates_to_mend(gates, covered, store),
                    *self._traces_to_mend(store),
                    *self._answers_to_mend(newest),
                    *self._agent_to_mend(parts, last),
                ],
                key=lambda task: task.state != "fail",
            ),
        }

    def _judged(self) -> Sequence[str]:
        """Return the metrics that gates judge; without a gate those that a list of answers shows."""
        gates = self.serving.described.gates
        judged = dict.fromkeys(name for gate in gates for name in sorted(gate.metrics)) or dict.fromkeys(FIRST)
        return [name for name in judged if name in self.metrics]

    def _gates_to_mend(
        self, gates: Sequence[Mapping[str, Any]], covered: Sequence[Covered], store: Store
    ) -> Iterator[Task]:
        if not gates:
            yield Task(
                "inconclusive",
                "No gate is configured: answers are scored, and nothing is judged.",
                "Add one under `gates` of the configuration. `groundwire gate plan` tells what to expect of it.",
            )
        for gate in gates:
            name, failing = gate["gate"], [part for part in gate["slices"] if part["state"] == "fail"]
            if gate["state"] == "fail":
                where = "; ".join(named(part["slice"]) for part in failing[:3])
                more = f" and {len(failing) - 3} more" if len(failing) > 3 else ""  # noqa: PLR2004 - as many as are named
                href = slice_path(name, failing[0]["slice"]) if failing else gate_path(name)
                yield Task("fail", f"Gate {name} fails: {where}{more}.", self._advice(name, store), href)
            elif gate["no_data"]:
                why = self._valueless(name, covered) or gate["reason"]
                yield Task("inconclusive", f"Gate {name} has nothing to judge.", why, gate_path(name))

    def _valueless(self, gate: str, covered: Sequence[Covered]) -> str | None:
        """Return why a gate has nothing to judge though answers arrive and are scored: none has a value."""
        judged = next((each.metrics for each in self.serving.described.gates if each.name == gate), ())
        for each in covered:
            if each.metric in judged and each.answers and not each.valued and each.lacking:
                none = f"None of the newest {counted(each.answers, 'scored answer')} has a value of {each.metric}"
                return f"{none}: {each.lacking}."
        return None

    @staticmethod
    def _advice(name: str, store: Store) -> str:
        """Return what the newest failure of a gate says to do first, in the words of its alerts.

        A slice that passes since has a newer decision, which says nothing of those that fail.
        """
        newest = store.decisions(gate=name, newest_first=True, limit=2 * NEWEST)
        failed = next((row for row in newest if row.state == "fail" and row.record is not None), None)
        if failed is None or failed.record is None:
            return "Look at its worst answers."
        words = failure_words(DecisionRecord.model_validate_json(failed.record))
        return f"{words.first_step}. Likely cause: {words.cause} (decision {failed.seq})."

    def _traces_to_mend(self, store: Store) -> Iterator[Task]:
        newest = store.malformed(limit=1)
        if newest and self.now - instant(newest[0][1]) < LATELY:
            trace_id, at, reason = newest[0]
            yield Task(
                "fail",
                f"Traces could not be read, the newest {ago(instant(at), self.now)}.",
                f"{reason} (trace {trace_id.hex()}).",
                "/sources",
            )

    def _answers_to_mend(self, newest: Sequence[AnswerRow]) -> Iterator[Task]:
        bare = [row for row in newest if not (row.stored.answer.answer or "").strip()]
        if len(bare) >= FEW and len(bare) > UNJUDGED_SHARE * len(newest):
            failed = sum(row.stored.answer.status == "error" for row in bare)
            also = f" ({failed} ended in an error)" if failed else ""
            yield Task(
                "fail",
                f"{len(bare)} of the newest {len(newest)} answers have no text{also}, so nobody can score them.",
                "Ask the application a question and look at what it replies; if it replies, its instrumentation must "
                "record the output. `groundwire doctor` says more.",
                f"/answers/{quote(bare[0].stored.answer.id, safe='')}",
            )
        for name in self.serving.dimensions if len(newest) >= FEW else ():
            if all(row.stored.slice.get(name) == NONE for row in newest):
                yield Task(
                    "inconclusive",
                    f"None of the newest {len(newest)} answers reports {name}, by which traffic is cut.",
                    f"Name the key of your spans under `traces.attributes.{name}`, or take it out of `slices`.",
                )

    def _agent_to_mend(self, parts: Parts, last: Any) -> Iterator[Task]:
        for reason in (*self.serving.readiness.reasons(), *self.serving.readiness.warnings()):
            yield Task("fail", f"The agent needs attention: {reason}.", "Its log and /readyz say more.", "/readyz")
        if last is None:
            yield Task(
                "inconclusive",
                "No answer has arrived yet.",
                f"Export the traces of your application to {self.serving.receiving}, or add a source under `sources`. "
                "If nothing comes, `groundwire doctor` says why.",
                "/sources",
            )
        elif self.now - last > SILENCE:
            yield Task(
                "inconclusive",
                f"The last answer arrived {ago(last, self.now)}.",
                "Check that the application still exports its traces; `groundwire doctor` says why none arrive.",
                "/sources",
            )
        unread = {scope: found for scope, found in parts.unread().items() if found.spans}
        if unread:
            spans = sum(found.spans for found in unread.values())
            yield Task(
                "inconclusive",
                f"{spans:,} spans of a model or a search are read by no dialect ({', '.join([*unread][:3])}).",
                "Describe them under `traces.dialects`.",
                "/sources",
            )
        for kind, links in (("Source", parts.sources), ("Write-back", parts.write_back), ("Notifier", parts.notify)):
            for report in (each.report() for each in links):
                if report["state"] == "failing":
                    yield Task("fail", f"{kind} {report['name']} fails.", str(report["last_error"] or ""), "/sources")
        if parts.catalog is None:
            yield Task(
                "inconclusive",
                "No catalog is configured: whether a passage is still in force is known from its own metadata alone.",
                "Make one from what you have with `groundwire catalog from`.",
                "/catalog",
            )
        elif refused := parts.catalog.report().get("refused"):
            yield Task("fail", "The newest catalog files were refused.", "; ".join(refused), "/catalog")


def _covered(newest: Sequence[AnswerRow], metrics: Sequence[str]) -> list[Covered]:
    """Return for each metric how many of the newest answers have a value of it, and why others not."""
    scored = [row for row in newest if row.evaluation is not None]
    found = []
    for name in metrics:
        if is_external(name):
            valued = sum(any(each.metric == name for each in row.external) for row in newest)
            found.append(Covered(name, valued, len(newest), "no score of it has come"))
            continue
        valued = sum(any(each.metric == name for each in row.evaluation.scores) for row in scored if row.evaluation)
        absent = Counter(
            f"{each.reason.replace('_', ' ')}{f': {each.detail}' if each.detail else ''}"
            for row in scored
            for each in (row.evaluation.unscored if row.evaluation else ())
            if each.metric == name
        )
        found.append(Covered(name, valued, len(scored), next((why for why, _ in absent.most_common(1)), "")))
    return found


def _slices(gates: Sequence[Mapping[str, Any]]) -> list[SliceStates]:
    """Return every slice that a gate has judged, the worst first."""
    found: dict[tuple[tuple[str, str], ...], SliceStates] = {}
    for gate in gates:
        for part in gate["slices"]:
            key = tuple(part["slice"].items())
            found.setdefault(key, SliceStates(part["slice"])).parts[gate["gate"]] = part
    return sorted(found.values(), key=lambda each: (CODES[each.state], tuple(each.slice.items())))  # type: ignore[index]
