"""The evidence path of an answer: which ids passed which step, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from adapters.schema import Answer, Passage, Stage, StageKind
from scorers.base import Env
from scorers.catalog.graph import Catalog
from scorers.catalog.origin import origin
from scorers.lineage import Lineage, lineage_of
from scorers.text.excerpt import excerpt

FaultKind = Literal[
    "restricted",
    "stale",
    "version_mismatch",
    "unknown",
    "duplicated",
    "not_nested",
    "not_reordered",
    "empty",
    "unversioned",
]
FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)
"""Worst first."""
Judged = Literal["path", "context"]
"""What is judged: every step from retrieval to the context, or the selected context alone."""

_VERSIONED: Mapping[StageKind, tuple[str, ...]] = {"retrieve": ("retriever", "index"), "rerank": ("reranker",)}
"""Names of versions of which each kind of step has one at least."""
_COMPONENTS = frozenset({"retriever", "index", "embedder", "sparse", "dense", "fusion", "reranker"})
"""Versions of which one says that the trace tells what its path ran on."""

_WRONG = {
    "superseded": "was superseded when the question was asked",
    "expired": "had expired when the question was asked",
    "not_yet": "was not yet in force when the question was asked",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the path, and the reported passage that it is about, if it is about one."""

    kind: FaultKind
    detail: str
    passage: Passage | None = None


def faults(answer: Answer, env: Env, *, groups: str, listed: bool, judged: Judged = "path") -> Iterator[Fault]:
    """Yield what makes the path inadmissible, steps first. ``groups`` names the attribute of the asker's groups.

    ``listed`` makes a document that the catalog does not list unknown.
    """
    yield from _steps(answer, judged)
    told = answer.passages if judged == "path" else answer.context_passages()
    known = answer.attributes.get(groups)
    asker = None if known is None else frozenset(known.replace(",", " ").split())
    lineage = lineage_of(answer, env)
    labels = {label.id: label.label for label in (answer.gold.passages if answer.gold is not None else ())}
    for passage in {passage.id: passage for passage in reversed(told or ())}.values():
        yield from _passage(passage, labels.get(passage.id), lineage, asker)
    if env.catalog is not None:
        for passage in told or ():
            yield from _versions(passage, env.catalog, lineage.at, listed=listed)


def incomplete(answer: Answer, versions: Sequence[str] = ()) -> Iterator[Fault]:
    """Yield what a whole trace would tell or do, and this one does not; ``versions`` names further components of it.

    Something was selected where there was something to select from; a reranker, where a smaller context was selected
    after it, put out all that was put in; and where the version of one component is told, each step that ran has its.

    >>> stage = Stage(kind="rerank", input_ids=("a", "b"), output_ids=("b", "a"))
    >>> answer = Answer(id="x", stages=(stage,), passages=(), versions={"index": "3"})
    >>> [fault.kind for fault in incomplete(answer)]
    ['unversioned']
    """
    if answer.passages and answer.context is not None and not answer.context:
        yield Fault("empty", "candidates were retrieved, and none was selected")
    yield from _reordering(answer)
    lacking = [name for name in versions if not answer.versions.get(name)]
    if not _COMPONENTS.isdisjoint(answer.versions):
        kinds = dict.fromkeys(stage.kind for stage in answer.stages or ())
        expected = [_VERSIONED[kind] for kind in kinds if kind in _VERSIONED]
        lacking += [names[0] for names in expected if not any(answer.versions.get(name) for name in names)]
    for name in dict.fromkeys(lacking):
        yield Fault("unversioned", f"the version of {excerpt(name)} is missing")


def _reordering(answer: Answer) -> Iterator[Fault]:
    kept = set(answer.context or ())
    for stage in answer.stages or ():
        if stage.kind != "rerank" or stage.input_ids is None or stage.output_ids is None:
            continue
        dropped = set(stage.input_ids).difference(stage.output_ids)
        if dropped and answer.context is not None and kept < set(stage.output_ids):
            name = min(dropped)
            yield Fault(
                "not_reordered", f"{excerpt(name)} was given to {_called(stage)} and is missing from its output"
            )


def _steps(answer: Answer, judged: Judged) -> Iterator[Fault]:
    passages = [passage.id for passage in answer.passages or ()]
    steps = [*_sides(answer), ("passages", passages)] if judged == "path" else []
    if answer.context is not None:
        steps.append(("context", answer.context))
    for where, ids in steps:
        twice = [name for name, count in Counter(ids).items() if count > 1]
        if twice:
            yield Fault("duplicated", f"{excerpt(twice[0])} is listed twice in the {where}")
    known = set(passages)
    for where, ids in steps:
        strange = [name for name in ids if name not in known]
        if strange:
            yield Fault("unknown", f"{excerpt(strange[0])} in the {where} is not among the reported passages")
    if judged == "path":
        yield from _nesting(answer.stages or (), answer.context)


def _sides(answer: Answer) -> Iterator[tuple[str, Sequence[str]]]:
    for stage in answer.stages or ():
        for side, told in (("input", stage.input_ids), ("output", stage.output_ids)):
            if told is not None:
                yield f"{side} of {_called(stage)}", told


def _nesting(stages: Sequence[Stage], context: Sequence[str] | None) -> Iterator[Fault]:
    """Yield where something comes out of nothing: selected within reranked within retrieved."""
    came: set[str] | None = None
    for kind in ("retrieve", "rerank", "select"):
        out: set[str] | None = None
        for stage in stages:
            if stage.kind != kind:
                continue
            if kind != "retrieve":
                before = None if came is None else came | (out or set())
                yield from _outside(stage.input_ids, before, f"input of {_called(stage)}")
                given = before if stage.input_ids is None else stage.input_ids
                yield from _outside(stage.output_ids, given, f"output of {_called(stage)}")
            if stage.output_ids is not None:
                out = (out or set()).union(stage.output_ids)
        came = came if out is None else out
    yield from _outside(context, came, "context")


def _outside(ids: Sequence[str] | None, before: Collection[str] | None, where: str) -> Iterator[Fault]:
    if ids is None or before is None:
        return
    within = frozenset(before)
    outside = [name for name in ids if name not in within]
    if outside:
        yield Fault("not_nested", f"{excerpt(outside[0])} is in the {where} but not in the output of the step before")


def _called(stage: Stage) -> str:
    return stage.kind if stage.name is None else f"{stage.kind} {excerpt(stage.name)}"


def _passage(passage: Passage, label: str | None, lineage: Lineage, asker: frozenset[str] | None) -> Iterator[Fault]:
    if label == "prohibited":
        yield Fault("restricted", f"{excerpt(passage.id)} is labelled prohibited", passage)
    elif asker is not None and passage.permitted is not None and asker.isdisjoint(passage.permitted):
        permitted = ", ".join(passage.permitted) or "nobody"
        detail = excerpt(f"{passage.id} is restricted to {permitted}; the asker is in none of these groups")
        yield Fault("restricted", detail, passage)
    status = lineage.status(passage)
    if status is not None and status.validity in _WRONG:
        detail = f"{excerpt(status.document.reference)} {_WRONG[status.validity]}"
        yield Fault("stale", detail, passage)
    elif label == "superseded":
        yield Fault("stale", f"{excerpt(passage.id)} is labelled superseded", passage)


def _versions(passage: Passage, catalog: Catalog, at: datetime, *, listed: bool) -> Iterator[Fault]:
    name = passage.doc_id or passage.id
    found = origin(passage, catalog)
    document = found.document
    if document is None:
        if catalog.knows(name):
            version = "without a version" if passage.version is None else f"version {excerpt(passage.version)}"
            detail = f"{excerpt(name)} {version} was retrieved but is not in the catalog"
            yield Fault("version_mismatch", detail, passage)
        elif listed and not found.rivals:
            yield Fault("unknown", f"{excerpt(name)} is not in the catalog", passage)
        elif listed and not all(catalog.governs(edition, at) for edition in found.rivals):
            yield Fault("unknown", f"{excerpt(passage.id)}: {found.unclear}", passage)
        return
    same = document.section == passage.section and document.id == name
    if same and passage.checksum and document.checksum and passage.checksum != document.checksum:
        detail = f"the checksum of {excerpt(document.reference)} differs from the catalog's"
        yield Fault("version_mismatch", detail, passage)
