"""The files that the models of support learn from, read into rows of features; kept on disk between two trainings."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from scorers.models.terms import TermWeights
from training.supportdata import Answers, answers_of, rarity_of
from training.supportswaps import Swaps, both_swaps, policy_swaps, swaps_of

ANSWERS = "RAGTruth (MIT annotations): sentences of answers, spans marked by people"
DOCUMENTS = "WiCE (ODC-BY): claims of articles labelled against the pages that they cite"
POLICIES = "minimal pairs over these and over policies of our own grammars"

RECORDS = "InfoTabS (Apache-2.0): claims on records, entailed or not"
TABLES = "TabFact (MIT), quintd-1 (Apache-2.0): claims on tables, and answers over series of values with marked spans"

ONE_RECORD, ONE_TABLE = 10, 8
"""One in as many claims on records and on tables is read."""

SERIES = frozenset({"quintd-openweather", "quintd-owid"})
"""Answers over JSON and CSV that are tables of many rows."""

SINGLE = "table"
"""The task of single claims on tables."""

POLICY_COUNT, POLICY_SEED = 480, 11
"""Documents of our own that statements are changed in."""

EDITED = 1_000
"""Answers of the further questions whose claims are changed, too."""

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class Sets:
    """All that is learned from: answers and further ones (``more``), documents, records, tables, and claims changed."""

    raw: list[dict[str, Any]]
    rarity: TermWeights
    answers: Answers
    more: Answers
    documents: Answers
    records: Answers
    tables: Answers
    swaps: Swaps


@dataclass(frozen=True, kw_only=True)
class Folder:
    """Where labelled files lie, by themselves or in ``labelled`` and ``training``, and where rows are kept."""

    data: Path
    cache: Path | None

    def read(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of the labelled file ``grounding_NAME``, in order."""
        paths = (folder / f"grounding_{name}.jsonl.gz" for folder in self._folders)
        with gzip.open(next(path for path in paths if path.exists()), "rt", encoding="utf-8") as lines:
            return [{**row, "claims": row.get("claims") or []} for row in map(json.loads, lines)]

    @property
    def _folders(self) -> tuple[Path, ...]:
        return self.data, self.data / "labelled", self.data / "training"

    def kept(self, name: str, build: Callable[[], _T]) -> _T:
        """Return what ``build`` returns, kept on disk for as long as no code that makes it changes."""
        if self.cache is None:
            return build()
        path = self.cache / f"{name}-{_code()}.pickle"
        if path.exists():
            found: _T = pickle.loads(path.read_bytes())  # noqa: S301 - written by this module
            return found
        self.cache.mkdir(parents=True, exist_ok=True)
        built = build()
        path.write_bytes(pickle.dumps(built))
        return built

    def answers(self, name: str, rarity: TermWeights) -> Answers:
        """Return the answers of a file as rows of features."""
        return self.kept(name, lambda: answers_of(self.read(name), rarity))


def folder(description: str) -> Folder:
    """Return the folders named on the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the labelled files (*.jsonl.gz)")
    parser.add_argument("--cache", type=Path, help="folder in which rows of features are kept between two trainings")
    given = parser.parse_args()
    return Folder(data=given.data, cache=given.cache)


_JUDGING = frozenset({"model.py", "judgement.py", "entailed.py", "evidence.py", "attribution.py", "alone.py"})
"""What comes after rows of features, and does not change them."""


def _code() -> str:
    """Return a digest of the code that rows come from."""
    root = Path(__file__).parent.parent
    folders = ("scorers/support", "scorers/statements", "scorers/text", "training")
    files = sorted(path for name in folders for path in (root / name).rglob("*") if path.suffix in {".py", ".txt"})
    files = [
        path for path in files if path.parts[-2:-1] != ("training",) or path.stem in {"supportdata", "supportswaps"}
    ]
    files = [path for path in files if path.name not in _JUDGING]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def sets_of(folder: Folder) -> Sets:
    """Read everything."""
    raw = folder.read("ragtruth")
    rarity = rarity_of(raw)
    asked = folder.read("ragtruth_qa_train")
    edited = asked[:: max(1, len(asked) // EDITED)]
    swaps = folder.kept("swaps", lambda: swaps_of(raw, rarity))
    further = folder.kept("swaps-more", lambda: swaps_of(edited, rarity))
    policies = folder.kept("policies", lambda: policy_swaps(POLICY_COUNT, POLICY_SEED, rarity))
    return Sets(
        raw=raw,
        rarity=rarity,
        answers=folder.answers("ragtruth", rarity),
        more=folder.answers("ragtruth_qa_train", rarity),
        documents=folder.answers("wice", rarity),
        records=folder.kept("infotabs", lambda: answers_of(folder.read("infotabs")[::ONE_RECORD], rarity)),
        tables=folder.kept("tables", lambda: answers_of(on_tables(folder), rarity)),
        swaps=both_swaps(both_swaps(swaps, further), policies),
    )


def on_tables(folder: Folder) -> list[dict[str, Any]]:
    """Return the answers and single claims over tables, with their tasks."""
    series = [_of_task(row, "series") for row in folder.read("quintd") if row["source"] in SERIES]
    return [*series, *(_of_task(row, SINGLE) for row in folder.read("tabfact")[::ONE_TABLE])]


def _of_task(row: dict[str, Any], task: str) -> dict[str, Any]:
    return {**row, "extra": {**row["extra"], "task": task}}


def fold_of(groups: np.ndarray, folds: int) -> np.ndarray:
    """Return a fold for each group, always the same one for the same group."""
    return np.array([int(hashlib.sha256(str(group).encode()).hexdigest()[:8], 16) % folds for group in groups])
