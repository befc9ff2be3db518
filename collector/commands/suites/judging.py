"""What other evaluators say of the answers of a suite, brought to the answer that each record names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from adapters.schema import AnswerJudgement
from collector.commands.suites.taken import SuiteReading
from collector.security.text import one_line
from evaluation.suites.case import SuiteError, SuiteRow
from evaluation.suites.judgements import together

SHOWN = 60
"""Characters of an id in an error."""


@dataclass(slots=True)
class SuiteJudging:
    """Gives each answer its judgements.

    ``alone`` says that the suite has the answers of one configuration only, ``asks`` that answers are still to come.
    """

    reading: SuiteReading
    alone: bool
    asks: bool
    _by: dict[tuple[str | None, str], tuple[str, str]] = field(default_factory=dict)
    """Who scored what in a configuration, and where that stands first."""

    def judged(self, row: SuiteRow, configuration: str | None, place: str) -> SuiteRow:
        """Return a case with what other evaluators say of its answer.

        Raises `SuiteError` where two score the same, be it of different answers: a run has one instrument for each.
        """
        if self.asks:
            return row
        said, where = self.reading.said.pop((configuration, row.case_id), ((), place))
        if self.alone and configuration is not None:
            more, place_of_more = self.reading.said.pop((None, row.case_id), ((), where))
            said, where = self._joined(said, more), where if said else place_of_more
        whole = self._joined(row.answer.judgements or (), said)
        for judgement in whole:
            for name in sorted(judgement.names):
                first = self._by.setdefault((configuration, name), (judgement.measured_by, where))
                if first[0] != judgement.measured_by:
                    mine, other = (each or "an evaluator" for each in (judgement.measured_by, first[0]))
                    raise SuiteError(
                        f"{name}: was scored by {mine} ({where}), and by {other} in {first[1]}; put what each "
                        "evaluator says into a run of its own"
                    )
        return replace(row, answer=row.answer.model_copy(update={"judgements": whole})) if whole else row

    def end(self) -> None:
        """Report records that are of no answer of the suite."""
        for (configuration, case_id), (_, where) in self.reading.said.items():
            named = f"answer_id: {one_line(case_id, SHOWN)!r}"
            if self.asks:
                self.reading.problem(
                    where,
                    f"{named} is about to be asked anew; score what comes of that, then evaluate the run "
                    "folder together with the scores",
                )
            elif configuration is None and not self.alone:
                self.reading.problem(where, "configuration: required, as the suite has the answers of several")
            else:
                of = "" if configuration is None else f" of {one_line(configuration, SHOWN)}"
                self.reading.problem(where, f"{named} is no answer{of} of the suite")

    @staticmethod
    def _joined(mine: tuple[AnswerJudgement, ...], theirs: tuple[AnswerJudgement, ...]) -> tuple[AnswerJudgement, ...]:
        try:
            return together(mine, theirs)
        except ValueError as error:
            raise SuiteError(str(error)) from error
