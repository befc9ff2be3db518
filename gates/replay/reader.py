"""Recorded evaluations and changes, a line of JSON each, read as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from zlib import crc32

import msgspec
import numpy as np
import orjson
from msgspec import Raw
from numpy.typing import NDArray

from adapters.files.unreadable import not_json
from gates.evidence.arrays import Integers
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Batch, Group, Labeller, cluster_code, draw_of, found, label_code, pairs
from gates.replay.jsonl import KEYS, NOTHING, EvaluationLine, bounded, change_in, change_line, named
from gates.units.instants import EPOCH, MICROSECOND
from gates.units.scale import Scale, scale_of
from gates.windowing.watermark import LEAST_PROBABILITY

ReplayOrder = Literal["time", "arrival"]
"""The order in which evaluations are taken: that of their own times, or that in which they were known."""

MAX_GROUPS = 200_000
"""Combinations of metric, slice and versions: with more, one of these has a value of its own for every answer."""
MAX_BAD = 100
"""Bad lines that are kept with their reasons; all are counted."""
MAX_NAMED = 32
"""Unknown keys and other metrics that are kept by name."""
LABELLERS: Mapping[Labeller | None, int] = {None: 0, "human": 1, "gold": 2, "model": 3}
"""How it is written in a column by whom a label is that came after its answer; 0 in rows that are no such labels."""
KINDS: Mapping[str, Any] = {
    **dict.fromkeys(("group", "at", "arrived", "cluster", "arm", "label", "labeller", "tie", "mark"), np.int64),
    **dict.fromkeys(("unscored", "unshared"), np.bool_),
    **dict.fromkeys(("value", "probability", "share", "truth", "drawn"), np.float64),
}
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_BOM = b"\xef\xbb\xbf"
_UNSAID = -1
"""The arrival of a line that does not tell it."""
_Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read: its number from 1, why, and in which file."""

    number: int
    reason: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class ReplayedChange:
    """A change; its ``component`` is the metric of a scorer that changed, and the gate of a reference.

    ``number`` and ``file`` say which line it was.
    """

    change: Change
    component: str | None = None
    number: int = field(default=0, compare=False, repr=False)
    file: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """Evaluations and changes in the order of their times or of their arrival, and what was left out of them.

    ``arrived`` is when each evaluation was known, in ascending order; in the order of times it is that time itself.
    ``labeller`` says by whom rows are that bring the label of an answer which is there already, by `LABELLERS`.
    ``bad`` are the first of ``n_bad`` lines that could not be read. ``repeated`` counts evaluations and changes that
    were there already, ``contradicting`` evaluations of the answer, metric, slice and time of another one that say
    something else; neither are in the ``batch``. ``others`` are evaluations of metrics that were not asked for,
    ``unrouted`` those that name an arm and no share, ``unspread`` those that name one and a share of 0,
    ``improbable`` those with a probability below `LEAST_PROBABILITY`. ``unknown`` are keys that were ignored.
    """

    batch: Batch
    arrived: Integers
    labeller: Integers | None = None
    in_order: bool = True
    changes: tuple[ReplayedChange, ...] = ()
    bad: tuple[BadLine, ...] = ()
    n_bad: int = 0
    repeated: int = 0
    contradicting: int = 0
    unrouted: int = 0
    unspread: int = 0
    improbable: int = 0
    others: Mapping[str, int] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


class EvaluationReader:
    """Takes lines, some at a time and in any order, and gives the `Recording` of all of them.

    An evaluation has ``at``, ``answer_id``, ``metric``, ``value`` and ``probability``, and may have ``slice``,
    ``cluster``, ``document``, ``versions``, ``arm``, ``share``, ``label``, ``label_probability``, ``labeller`` and
    ``arrived``; a change has ``at`` and ``change``. Of ``metrics`` only, where those are given. Values lie within the
    range of their metric, which is that of its scorer or what ``scales`` say. Empty lines are skipped. Of one answer,
    metric, slice and time only the first evaluation to arrive counts, however another one is written and whatever it
    says.
    """

    def __init__(self, metrics: Collection[str] | None = None, *, scales: Mapping[str, Scale] | None = None) -> None:
        self._metrics = metrics
        self._scales = dict(scales or {})
        self._keys = dict.fromkeys(KEYS)
        self._decode: Callable[[bytes], EvaluationLine] = msgspec.json.Decoder(EvaluationLine).decode
        self._codes: dict[tuple[str, bytes, bytes], int] = {}
        self._groups: dict[Group, int] = {}
        self._chunks: list[_Columns] = []
        self._changes: dict[bytes, ReplayedChange] = {}
        self._bad: list[BadLine] = []
        self._n_bad = self._repeated = 0
        self._others: Counter[str] = Counter()

    def add(self, lines: Sequence[bytes], *, first: int = 1, file: str = "") -> None:
        """Take lines, numbered from ``first``. Raises `ValueError` beyond `MAX_GROUPS`."""
        rows: list[EvaluationLine] = []
        codes: list[int] = []
        marks: list[int] = []
        for number, line in enumerate(lines, first):
            try:
                row = self._decode(line)
            except _UNREADABLE:
                other = self._other(line, number, file)
                if other is None:
                    continue
                row = other
            metric = row.metric
            if self._metrics is not None and metric not in self._metrics:
                self._others[metric if metric in self._others or len(self._others) < MAX_NAMED else "others"] += 1
                continue
            try:
                code = self._code(metric, bytes(row.slice), bytes(row.versions))
                bounded(row.at)
                if row.arrived is not None:
                    bounded(row.arrived)
                scale = self._scales.get(metric) or self._scales.setdefault(metric, scale_of(metric))
                if row.value is not None and not scale.lower <= row.value <= scale.upper:
                    raise msgspec.ValidationError(f"value: {row.value:g} is outside the range of {metric}, {scale}")
                _bounded_label(row, scale)
            except msgspec.DecodeError as error:
                self._refuse(number, file, str(error))
                continue
            rows.append(row)
            codes.append(code)
            marks.append(hash(str(row.answer_id)))
        if rows:
            self._chunks.append(_columns(rows, codes, marks))

    def recording(self, order: ReplayOrder = "time") -> Recording:
        """Return what was taken, in the order of time; of the same microsecond, in an order that no value decides.

        In the order of arrival, a line that does not tell when it arrived did so with the newest before it, and no
        answer is later than its arrival, whatever the clock of its host said.
        """
        table = {name: np.concatenate([c[name] for c in self._chunks] or [np.zeros(0, k)]) for name, k in KINDS.items()}
        self._chunks.clear()
        told = table["arrived"] != _UNSAID
        newest = np.maximum.accumulate(np.where(told, table["arrived"], table["at"]))
        table["arrived"] = np.where(told, table["arrived"], newest)
        table, repeated, contradicting = _once(table, self._cells())
        if order == "arrival":
            table["at"] = np.minimum(table["at"], table["arrived"])
        else:
            table["arrived"] = table["at"]
        place = np.lexsort((table.pop("tie"), table["at"], table["arrived"]))
        columns: dict[str, Any] = {name: column[place] for name, column in table.items()}
        arrived, labeller, unshared = (columns.pop(name) for name in ("arrived", "labeller", "unshared"))
        batch, answers = Batch(groups=tuple(self._groups), **columns), labeller == LABELLERS[None]
        routed, changes = answers & (batch.arm != ARMS[None]), self._known_changes()
        return Recording(
            batch=batch,
            arrived=arrived,
            labeller=labeller,
            in_order=order == "time",
            changes=changes,
            bad=tuple(self._bad),
            n_bad=self._n_bad,
            repeated=repeated + self._repeated,
            contradicting=contradicting,
            unrouted=int(np.count_nonzero(routed & unshared)),
            unspread=int(np.count_nonzero(routed & (batch.share == 0.0) & ~unshared)),
            improbable=int(np.count_nonzero(answers & (batch.probability < LEAST_PROBABILITY))),
            others=dict(self._others),
            unknown=tuple(key for key in self._keys if key not in KEYS),
        )

    def _other(self, line: bytes, number: int, file: str) -> EvaluationLine | None:
        """Take a line that is no plain evaluation; return it if it only has unknown keys besides."""
        text = line.removeprefix(_BOM).strip()
        if not text:
            return None
        try:
            tree = orjson.loads(text)
            if not isinstance(tree, dict):
                raise ValueError(f"expected an object, got {type(tree).__name__}")  # noqa: TRY004, TRY301 - of a line
            if "change" in tree:
                self._change(text, number, file)
                return None
            if new := tree.keys() - self._keys.keys():
                self._ignore(new)
            return self._decode(text)
        except orjson.JSONDecodeError as error:
            self._refuse(number, file, not_json(text, error))
            return None
        except (ValueError, *_UNREADABLE) as error:
            self._refuse(number, file, str(error))
            return None

    def _cells(self) -> NDArray[Any]:
        """Return a number of each group for its metric and slice, whatever served and scored its answers."""
        cells: dict[tuple[Any, ...], int] = {}
        return np.array([cells.setdefault(group[:2], len(cells)) for group in self._groups], np.int64)

    def _change(self, text: bytes, number: int, file: str) -> None:
        read = ReplayedChange(*change_in(text), number, file)
        said = change_line(read.change, read.component)
        self._repeated += said in self._changes
        self._changes.setdefault(said, read)

    def _known_changes(self) -> tuple[ReplayedChange, ...]:
        """Return the changes in order of time; a reference of a part of the traffic that cannot be told is refused.

        It would begin anew everywhere else as well.
        """
        known = {name for group in self._groups for name, _ in group.slice}
        for said, each in tuple(self._changes.items()):
            unknown = sorted(each.change.scope.keys() - known)
            if each.change.kind == "reference" and unknown and self._groups:
                has = ", ".join(sorted(known)) or "none"
                reason = (
                    f"scope: no answer has the dimension {unknown[0][:40]!r}, so the reference of every slice would"
                )
                self._refuse(each.number, each.file, f"{reason} begin anew; the recording has: {has} - at `$.change`")
                del self._changes[said]
        return tuple(sorted(self._changes.values(), key=lambda each: (each.change.at, repr(each))))

    def _ignore(self, keys: Iterable[str]) -> None:
        """Read on without these unknown keys; the first of them are kept by name."""
        self._keys.update(dict.fromkeys(sorted(keys)))
        extra = [key for key in self._keys if key not in KEYS]
        if len(extra) > MAX_NAMED:
            wider: type[Any] = msgspec.defstruct(
                "_Lenient", [], bases=(EvaluationLine,), forbid_unknown_fields=False, gc=False
            )
            self._keys = dict.fromkeys(list(self._keys)[: len(KEYS) + MAX_NAMED])
        else:
            fields = [(f"ignored_{i}", Raw, msgspec.field(default=NOTHING, name=key)) for i, key in enumerate(extra)]
            wider = msgspec.defstruct("_Wider", fields, bases=(EvaluationLine,), gc=False)
        self._decode = msgspec.json.Decoder(wider).decode

    def _code(self, metric: str, slice_: bytes, versions: bytes) -> int:
        known = self._codes.get((metric, slice_, versions))
        if known is not None:
            return known
        if len(self._codes) >= MAX_GROUPS:
            raise ValueError(
                f"more than {MAX_GROUPS} combinations of metric, slice and versions: leave out dimensions and versions"
                " that differ for every answer"
            )
        group = Group(metric, pairs(named("slice", slice_)), pairs(named("versions", versions)))
        code = self._groups.setdefault(group, len(self._groups))
        self._codes[metric, slice_, versions] = code
        return code

    def _refuse(self, number: int, file: str, reason: str) -> None:
        self._n_bad += 1
        if len(self._bad) < MAX_BAD:
            self._bad.append(BadLine(number, reason, file))


def _bounded_label(row: EvaluationLine, scale: Scale) -> None:
    """Raise `msgspec.ValidationError` where a label by a person cannot be a value of the metric."""
    label = row.label
    if label is None or isinstance(label, str):
        if row.labeller is not None:
            raise msgspec.ValidationError("labeller: given without a number as the label")
        if row.label_probability is not None and label is None:
            raise msgspec.ValidationError("label_probability: given without a label")
    elif label not in (0, 1) and not scale.lower <= label <= scale.upper:
        raise msgspec.ValidationError(f"label: {label:g} is outside the range of {row.metric}, {scale}")


def _once(table: _Columns, cells: NDArray[Any]) -> tuple[_Columns, int, int]:
    """Return the first to arrive of each answer, metric, slice and time, and how many others agree or do not."""
    mark, at = table.pop("mark"), table["at"]
    # The label of an answer repeats no score.
    cell = 2 * cells[table["group"]] + (table["labeller"] != LABELLERS[None])
    order = np.lexsort((table["arrived"], mark, cell, at))
    keys = np.stack([mark, cell, at])[:, order]
    again = np.concatenate(([False], (keys[:, 1:] == keys[:, :-1]).all(axis=0)))[: len(at)]
    if not again.any():
        return table, 0, 0
    first = order[np.maximum.accumulate(np.where(again, 0, np.arange(len(at))))]
    repeats, of = order[again], first[again]
    said = (column for name, column in table.items() if name != "arrived")
    agree = np.logical_and.reduce([column[repeats] == column[of] for column in said])
    kept = np.sort(order[~again])
    repeated = int(np.count_nonzero(agree))
    return {name: column[kept] for name, column in table.items()}, repeated, len(repeats) - repeated


def _columns(rows: Sequence[EvaluationLine], codes: Sequence[int], marks: Sequence[int]) -> _Columns:
    clusters = [(row.cluster, row.document) for row in rows]
    coded = {
        names: cluster_code(*(None if name in (None, "") else str(name) for name in names)) for names in set(clusters)
    }
    columns: dict[str, Any] = {
        "group": codes,
        "at": np.array([row.at - EPOCH for row in rows], "timedelta64[us]").astype(np.int64),
        "arrived": [_UNSAID if row.arrived is None else (row.arrived - EPOCH) // MICROSECOND for row in rows],
        "value": [row.value or 0.0 for row in rows],
        "unscored": [row.value is None for row in rows],
        "probability": [row.probability for row in rows],
        "cluster": [coded[names] for names in clusters],
        "arm": [ARMS[row.arm] for row in rows],
        "label": [label_code(row.label) for row in rows],
        "truth": [found(row.label) for row in rows],
        "drawn": [_drawn(row) for row in rows],
        "labeller": [LABELLERS[row.labeller] for row in rows],
        "share": [row.share or 0.0 for row in rows],
        "unshared": [row.share is None for row in rows],
        "tie": [crc32(str(row.answer_id).encode("utf-8", "surrogatepass")) for row in rows],
        "mark": marks,
    }
    return {name: np.array(columns[name], kind) for name, kind in KINDS.items()}


def _drawn(row: EvaluationLine) -> float:
    """Return with what probability an answer was labelled; a negative one marks the label of one that is there."""
    drawn = draw_of(row.label, row.label_probability)
    return drawn if row.labeller is None else -drawn
