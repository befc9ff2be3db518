"""What a simulated generator writes: claims of the sections it rests on, with citations, and with the failure drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adapters.schema import Citation
from evaluation.benchmark.chance import Chance
from evaluation.benchmark.configurations import AnswerOutcome, RagConfiguration
from evaluation.benchmark.outcomes import BenchmarkQuestion
from evaluation.benchmark.scenarios import BenchmarkScenario, DocumentSection

EXTRA = 0.5
"""Of answers, those that tell what stands beside the rule as well."""
PADDED = 0.04
"""Of accepted answers, those that begin with a phrase which claims nothing."""
CITES_SOMETHING = 0.4
"""Of inventions where nothing was retrieved, those that cite a passage about something else."""

_DEFERRALS = (
    "This is not for me to decide. Please refer the question to {office}, which decides it",
    "I can't answer that. The decision is with {office}, so please ask there",
    "Please contact {office}: staff give no opinion on this",
)
_OVERRULED = "A note that does not replace the rule says otherwise"
_NEEDLESS = "the service desk"
_OPENINGS = ("Thank you for your question.", "Happy to help.")
_DECIDES = (", and ", "; ", " after ", " by ", " and need", " once ", " before ", ", once ")
"""Words before who decides, as the first claim of each statement has them."""


class AnswerSentence(NamedTuple):
    """A sentence of an answer, and the passage that it cites, if it cites one."""

    text: str
    cites: str | None = None


@dataclass(frozen=True)
class WrittenAnswer:
    """An answer as text, and its citations."""

    text: str
    citations: tuple[Citation, ...]


def written(
    asked: BenchmarkQuestion,
    configuration: RagConfiguration,
    outcome: AnswerOutcome,
    context: Sequence[str],
    chance: Chance,
) -> WrittenAnswer:
    """Return the answer with that outcome, over the passages of ``context``, whose places its markers tell."""
    writer = _Writer(asked.scenario, outcome, tuple(context), chance, (configuration.name, asked.id))
    return _joined(list(writer.sentences()), {name: place for place, name in enumerate(context, 1)})


def _joined(said: Sequence[AnswerSentence], places: Mapping[str, int]) -> WrittenAnswer:
    text, citations = "", list[Citation]()
    for sentence in said:
        text += f"{' ' if text else ''}{sentence.text}"
        if sentence.cites is not None:
            marker = f"[{places[sentence.cites]}]"
            start = len(text) + 1
            citations.append(Citation(start=start, end=start + len(marker), marker=marker, passage_id=sentence.cites))
            text += f" {marker}"
        if not sentence.text.endswith("."):
            text += "."
    return WrittenAnswer(text, tuple(citations))


@dataclass(frozen=True)
class _Writer:
    scenario: BenchmarkScenario
    outcome: AnswerOutcome
    context: tuple[str, ...]
    chance: Chance
    name: tuple[str, str]

    def sentences(self) -> Iterator[AnswerSentence]:  # noqa: C901 - one branch an outcome
        """Yield what the answer says."""
        outcome, scenario = self.outcome, self.scenario
        if outcome in ("sound", "minor_omission") and self._happens(PADDED, "opening"):
            yield AnswerSentence(self.chance.pick(_OPENINGS, *self.name, "opening"))
        if outcome == "needless_deferral":
            yield AnswerSentence(self._deferral(_NEEDLESS))
        elif scenario.clause is not None and outcome == "policy_boundary_over_answer":
            yield AnswerSentence(
                self.chance.pick(scenario.oversteps, *self.name, "overstep"), self._cited(scenario.clause)
            )
        elif scenario.clause is not None and outcome != "retrieval_silence_with_invented_answer":
            yield self._cites(AnswerSentence(self._deferral(scenario.office), scenario.clause.id))
        elif outcome == "stale_source_acceptance" and scenario.former is not None:
            yield AnswerSentence(self._claim(scenario.former), scenario.former.id)
        elif outcome in ("unresolved_source_conflict", "missing_governing_exception"):
            side = scenario.note or scenario.rule
            yield AnswerSentence(self._claim(side), side.id)
            yield from self._beside(scenario.step)
        elif outcome == "retrieval_silence_with_invented_answer":
            yield from self._invented()
        elif outcome == "omission":
            yield from self._short()
        else:
            yield from self._right()
        if outcome == "protected_data_exposure":
            yield AnswerSentence(self.chance.pick(scenario.leaks, *self.name, "leak"), self._cited(scenario.record))
        if outcome == "citation_coverage_gap":
            yield from (
                AnswerSentence(each) for each in self.chance.shuffled(scenario.padding, *self.name, "padding")[:2]
            )

    def _right(self) -> Iterator[AnswerSentence]:
        """Yield the claims of a right answer, with the slip of the outcome where it has one."""
        needed = self.scenario.needed
        for place, section in enumerate(needed):
            text, cites = self._claim(section), section.id
            if place == 0 and self.outcome == "wrong_chunk_citation":
                cites = self.scenario.beside.id
            if place == 0 and self.outcome == "numeric_transposition":
                text = transposed(text, self.scenario.figures)
            yield self._cites(AnswerSentence(text, cites))
        if self.outcome == "minor_omission":
            return
        if self.scenario.exception is not None and self._happens(EXTRA, "supersedes"):
            last = (self.scenario.exception.document.text or "").rpartition(". ")[2]
            yield self._cites(AnswerSentence(last.removesuffix("."), self.scenario.exception.id))
        if self.scenario.note is not None and self.scenario.note.id in self.context and self._happens(EXTRA, "noted"):
            said = self._claim(self.scenario.note)
            yield self._cites(AnswerSentence(f"{_OVERRULED}: {said[:1].lower()}{said[1:]}", self.scenario.note.id))
        yield from self._beside(self.scenario.beside)

    def _short(self) -> Iterator[AnswerSentence]:
        """Yield what is left of a right answer without what the question needs most."""
        needed = self.scenario.needed
        if len(needed) > 1:
            yield AnswerSentence(self._claim(needed[1]), needed[1].id)
        else:
            yield AnswerSentence(shortened(needed[0].statement.claims[0]), needed[0].id)

    def _beside(self, section: DocumentSection) -> Iterator[AnswerSentence]:
        if section.id in self.context and self._happens(EXTRA, "beside"):
            yield self._cites(AnswerSentence(self._claim(section), section.id))

    def _invented(self) -> Iterator[AnswerSentence]:
        """Yield the rule with figures that no document has, where none of the documents was retrieved."""
        figures = [each for each in self.scenario.figures if each not in self.scenario.rule.statement.text]
        text = self.scenario.rule.statement.claims[0]
        for known in self.scenario.figures:
            text = text.replace(known, self.chance.pick(figures, *self.name, "invented"))
        cites = self.context[0] if self.context and self._happens(CITES_SOMETHING, "cites") else None
        yield AnswerSentence(text, cites)

    def _claim(self, section: DocumentSection) -> str:
        return self.chance.pick(section.statement.claims, *self.name, section.id)

    def _deferral(self, office: str) -> str:
        return self.chance.pick(_DEFERRALS, *self.name, "deferral").format(office=office)

    def _cited(self, section: DocumentSection) -> str | None:
        return section.id if section.id in self.context else None

    def _cites(self, said: AnswerSentence) -> AnswerSentence:
        return AnswerSentence(said.text) if self.outcome == "missing_citation" else said

    def _happens(self, probability: float, what: str) -> bool:
        return self.chance.happens(probability, *self.name, what)


def shortened(claim: str) -> str:
    """Return a claim without who decides, which stands at its end.

    >>> shortened("Lots above 2.5 percent are rejected, and the shift lead signs the rejection")
    'Lots above 2.5 percent are rejected'
    """
    cut = max((claim.rfind(mark) for mark in _DECIDES), default=-1)
    return claim[:cut] if cut > 0 else claim


def transposed(text: str, figures: Sequence[str]) -> str:
    """Return a text with the first two digits of the figure that it states exchanged; dates stay.

    >>> transposed("Until 30 June 2026, up to 3,160 USD", ["3,160 USD"])
    'Until 30 June 2026, up to 1,360 USD'
    """
    for figure in figures:
        at = text.find(figure)
        if at >= 0:
            one, two = [place for place, letter in enumerate(figure) if letter.isdigit()][:2]
            letters = list(figure)
            letters[one], letters[two] = letters[two], letters[one]
            return f"{text[:at]}{''.join(letters)}{text[at + len(figure) :]}"
    return text
