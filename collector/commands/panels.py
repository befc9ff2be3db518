"""The panels that `groundwire evaluate` adds: reference answers, and claims held against the first passages alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from adapters.schema import Answer
from collector.commands.encoders import encoder_in, wordnet_in
from collector.errors import ConfigError
from collector.runs.manifest import SuiteFile, files_at
from collector.security.text import one_line
from evaluation.consistency.citations import CITATION_AGREEMENT
from evaluation.reference.panel import (
    REFERENCE_METRICS,
    REFERENCE_VERSION,
    ReferenceTools,
    against_reference,
    without_markers,
)
from gates.inputs.slices import attributes_of
from gates.units.names import suggestion
from scorers import SCORERS
from scorers.base import Measured, Scorer
from scorers.grounding.claim_precision import CLAIM_PANEL
from scorers.grounding.rubric_groundedness import RubricGroundedness

REFERENCE, CLAIMS = "reference", "claims"
PANELS = (REFERENCE, CLAIMS)
COMPUTING = ("nltk", "rouge")
"""Packages that its figures depend on."""


@dataclass(frozen=True, slots=True)
class ReferencePanel:
    """The reference metrics that a run has, what they are computed with, and the files of that for the manifest."""

    names: Sequence[str]
    tools: ReferenceTools
    files: tuple[SuiteFile, ...] = ()

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each metric."""
        return dict.fromkeys(self.names, REFERENCE_VERSION)

    def lines(self, answer: Answer) -> Iterator[bytes]:
        """Yield one line for each metric, as `collector.commands.score.lines` does for those of scorers."""
        attributes = attributes_of(answer)
        for name, found in against_reference(answer.reference, without_markers(answer), self.tools, self.names).items():
            scored = isinstance(found, Measured)
            row: dict[str, Any] = {
                "answer_id": answer.id,
                "metric": name,
                "value": found.value if isinstance(found, Measured) else None,
                "outcome": "scored" if scored else "unscored",
                "reason": None if isinstance(found, Measured) else found.reason,
                "basis": "gold" if scored else None,
                "label": None,
                "explanation": None if isinstance(found, Measured) else found.detail,
                "evidence": [],
                "scorer_version": REFERENCE_VERSION,
                "session_id": answer.session_id,
                "attributes": attributes,
            }
            yield orjson.dumps(row) + b"\n"


class ChosenPanels(NamedTuple):
    """What options choose: the reference panel, scorers beside those that are configured, and metrics of those.

    ``metrics`` are all if none is named, ``None`` if only others are. ``agreement`` tells that `CITATION_AGREEMENT` is
    named, which every run has whose questions are asked again.
    """

    reference: ReferencePanel | None
    scorers: Sequence[Scorer]
    metrics: Sequence[str] | None
    agreement: bool = False


def chosen_panels(
    panels: Sequence[str], model: Path | None, wordnet: Path | None, metrics: Sequence[str]
) -> ChosenPanels:
    """Return what options choose, each panel whole unless ``metrics`` name some of it.

    Raises `ConfigError` for an unknown panel, and for what belongs to one that is not chosen.
    """
    for name in panels:
        if name not in PANELS:
            raise ConfigError(f"--panel {one_line(name, 60)}: no such panel{suggestion(name, PANELS)}")
    names = [name.strip() for part in metrics for name in part.split(",")]
    of_panel = {REFERENCE: list(REFERENCE_METRICS), CLAIMS: [each.metric.name for each in CLAIM_PANEL]}
    for panel, known in of_panel.items():
        stray = [name for name in names if name in known]
        if stray and panel not in panels:
            raise ConfigError(f"--metrics {stray[0]}: is of the panel {panel}; add --panel {panel}")
    _refuse_misspelt(names, list(chain.from_iterable(of_panel.values())))
    for option, folder in (("--model", model), ("--wordnet", wordnet)):
        if folder is not None and REFERENCE not in panels:
            raise ConfigError(f"{option} {folder}: only the reference panel reads it; add --panel {REFERENCE}")
    reference = None
    if REFERENCE in panels:
        tools = ReferenceTools(wordnet_in(wordnet), None if model is None else encoder_in(model))
        chosen = [name for name in REFERENCE_METRICS if name in names] or REFERENCE_METRICS
        reference = ReferencePanel(chosen, tools, (*_files(model), *_wordnet_files(wordnet)))
    scorers = [each() for each in CLAIM_PANEL] if CLAIMS in panels else []
    named = [scorer for scorer in scorers if scorer.metric.name in names] or scorers
    graded = RubricGroundedness()
    if graded.metric.name in names:
        named = [*named, graded]
    of_any = {graded.metric.name, CITATION_AGREEMENT, *chain.from_iterable(of_panel.values())}
    rest = [name for name in names if name not in of_any]
    agreement = CITATION_AGREEMENT in names
    if agreement and set(names) == {CITATION_AGREEMENT}:
        raise ConfigError(
            f"--metrics {CITATION_AGREEMENT}: stands beside other metrics; name one more, such as refusal"
        )
    return ChosenPanels(reference, named, None if names and not rest else rest, agreement)


def _refuse_misspelt(names: Sequence[str], known: Sequence[str]) -> None:
    """Raise `ConfigError` for a name that is close to a metric of a panel, and to none of those that run without."""
    ours = [scorer.metric.name for scorer in SCORERS]
    for name in names:
        if name not in known and (close := suggestion(name, known)) and not suggestion(name, ours):
            raise ConfigError(f"--metrics {one_line(name, 60)}: no such metric{close}")


def _files(model: Path | None) -> tuple[SuiteFile, ...]:
    return () if model is None else files_at(model)


def _wordnet_files(wordnet: Path | None) -> tuple[SuiteFile, ...]:
    """Return the files of WordNet in a folder of nltk's data, which may hold much else."""
    if wordnet is None:
        return ()
    corpora = wordnet / "corpora"
    found = next((path for name in ("wordnet", "wordnet.zip") if (path := corpora / name).exists()), None)
    return () if found is None else files_at(found)
