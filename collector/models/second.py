"""The model that is configured, as what it is asked for: in place of the trees, or as a second opinion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adapters.schema import Answer
from collector.errors import ConfigError
from collector.models.entailment import WHERE, LocalEntailment, fitted_for, local_entailment
from collector.models.options import EntailmentOptions
from scorers.memory import Memory
from scorers.ports.entailment import Compared, Joining
from scorers.support.entailed import asked_of
from scorers.support.second import doubted_of


class LocalSecond:
    """A model that is asked of the claims that the trees doubt."""

    def __init__(self, model: LocalEntailment, joining: Joining) -> None:
        self._model = model
        self._joining = joining

    @property
    def name(self) -> str:
        """The name of the model's folder."""
        return self._model.name

    @property
    def joining(self) -> Joining:
        """How it joins the trees."""
        return self._joining

    def compare(self, passages: Sequence[str], claims: Sequence[str]) -> Compared:
        """Compare each claim with each passage."""
        return self._model.compare(passages, claims)

    def prepare(self, many: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
        """Read pairs of many answers in common batches."""
        self._model.prepare(many)


@dataclass(frozen=True, slots=True)
class Judging:
    """What judges claims beside the trees: a model in their place, or one as a second opinion, or neither."""

    entailment: LocalEntailment | None = None
    second: LocalSecond | None = None

    def prepare(self, answers: Sequence[Answer], memory: Memory) -> None:
        """Have the model read what the panel will ask it of all ``answers``, in common batches: that takes less."""
        if self.entailment is not None:
            asked = [found for answer in answers if (found := asked_of(answer, memory)) is not None]
            self.entailment.prepare((each.passages, each.claims) for each in asked)
        if self.second is not None:
            doubted = [each for answer in answers for each in doubted_of(answer, memory, self.second.joining)]
            self.second.prepare(((each.premise,), (each.hypothesis,)) for each in doubted)


NO_MODEL = Judging()
"""The trees alone."""


def judging(options: EntailmentOptions | None, threads: int | None = None) -> Judging:
    """Load the model that is configured, if one is. Raises `ConfigError` for what cannot be used."""
    if options is None:
        return NO_MODEL
    if options.asked == "always":
        return Judging(entailment=local_entailment(options, threads))
    return Judging(second=LocalSecond(local_entailment(options, threads), joining_of(options)))


def joining_of(options: EntailmentOptions) -> Joining:
    """Return how a second opinion joins the trees. Raises `ConfigError` where that was not fitted."""
    fitted = fitted_for(options)
    if fitted is None or fitted.joining is None:
        raise ConfigError(f"{WHERE}.asked: doubtful: needs a calibration with `joining`; {options.model} has none")
    return fitted.joining.joining
