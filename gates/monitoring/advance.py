"""One tick of a monitor: bets on every answer, alarms, and what is learned for the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gates.evidence import clusters, detector, ebh
from gates.evidence.clusters import Memory, Seen
from gates.evidence.reference import EXCESS_UNIT, NAMED_ICC, Moments, reference
from gates.inputs.observations import NO_CLUSTER, Bools, Floats, Integers
from gates.monitoring.detectors import Cells, Lines, Monitor, Rules, threshold
from gates.windowing.watermark import UNKNOWN, Rows, by_tick

GROWTH = 1.25
"""A reference that still grows is taken anew whenever it has grown by a quarter."""


LEAST_VARIANCE = 1e-6
"""A reference that hardly varied does not make what differs from it infinitely strange."""

GRADED = Moments._fields.index("graded")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tick:
    """The answers of one tick, sorted by cell, cluster and time.

    ``unit`` numbers clusters, ``start`` says where they begin.
    """

    number: int
    line: Integers
    cell: Integers
    cluster: Integers
    weight: Floats
    loss: Floats
    unit: Integers
    start: Integers

    @classmethod
    def of(cls, number: int, rows: Rows, cell_of: Integers, sign: int) -> Tick:
        """Return the answers of a tick, given in the order of their times."""
        cell = cell_of[rows.key]
        order = np.lexsort((rows.cluster, cell))
        line, cell, cluster = rows.key[order], cell[order], rows.cluster[order]
        new = np.concatenate(([True], (cluster[1:] != cluster[:-1]) | (cell[1:] != cell[:-1])))
        value = rows.value[order]
        return cls(
            number=number,
            line=line,
            cell=cell,
            cluster=cluster,
            weight=rows.weight[order],
            loss=value if sign > 0 else 1.0 - value,
            unit=np.cumsum(new) - 1,
            start=np.flatnonzero(new),
        )

    def moments(self, lines: int) -> Floats:
        """Return the sums of `Moments` that this tick adds to each of so many lines, but for the heaviest weight."""
        w, y, square = self.weight, self.loss, self.weight**2
        graded = ((y != 0.0) & (y != 1.0)).astype(np.float64)
        columns = (np.ones_like(w), w, w * y, square, square * y, square * y * y, y, y * y, graded)
        sums = [np.bincount(self.line, weights=column, minlength=lines) for column in columns]
        order = np.lexsort((self.line, self.unit))
        line, unit = self.line[order], self.unit[order]
        start = np.flatnonzero(np.concatenate(([True], (line[1:] != line[:-1]) | (unit[1:] != unit[:-1]))))
        size = np.diff(np.append(start, len(line))).astype(np.float64)
        total = np.add.reduceat(y[order], start)
        clustered = (np.ones_like(size), size**2, total**2 / size)
        sums += [np.bincount(line[start], weights=column, minlength=lines) for column in clustered]
        return np.stack(sums, axis=1)


def advance(state: Monitor, rows: Rows, rules: Rules, lumps: Sequence[tuple[int, Bools]] = ()) -> Monitor:
    """Return the state after these ticks; the state given stays as it was.

    ``lumps`` are the ticks at which something changed, in order, and the cells touched. Start weight is owed from then
    on to those that are watched, and given with their next answers.
    """
    state = state.copied()
    memory, waiting = state.memory, list(lumps)
    for number, part in by_tick(rows, rules.tick):
        while waiting and waiting[0][0] <= number:
            _note_change(state.cells, *waiting.pop(0), rules)
        tick = Tick.of(number, part, state.lines.cell, rules.sign)
        _note_weights(state.lines, tick, rules)
        memory = _bet(state.lines, state.cells, memory, tick, rules)
        recent = (np.ones_like(tick.weight), tick.weight, tick.weight * tick.loss, tick.weight)
        state.recent.add(number // rules.part, tick.cell, recent)
        _alarm(state.cells, number, rules)
        _learn(state.lines, state.cells, tick, rules)
    for number, touched in waiting:
        _note_change(state.cells, number, touched, rules)
    return replace(state, memory=memory)


def _note_change(cells: Cells, number: int, touched: Bools, rules: Rules) -> None:
    watched = touched & (cells.moved != UNKNOWN)
    if rules.afresh:
        cells.evidence[watched] = cells.owed[watched] = 0.0
    cells.owed[watched] += rules.lump
    cells.changed[watched] = number


def _present(codes: Integers) -> Integers:
    """Return which codes there are, in order; they are small, so counting is faster than sorting."""
    return np.flatnonzero(np.bincount(codes))


def _note_weights(lines: Lines, tick: Tick, rules: Rules) -> None:
    """Keep the weights of the last two days: gains are scaled by the largest, bets by their mean."""
    touched = _present(tick.line)
    day = int(tick.number // (rules.week / 7.0))
    passed = day - lines.day[touched]
    lines.lately[touched[passed == 1], 1] = lines.lately[touched[passed == 1], 0]
    lines.lately[touched[passed > 1], 1] = 0.0
    lines.lately[touched[passed > 0], 0] = 0.0
    lines.day[touched] = day
    for column, values in enumerate((np.ones_like(tick.weight), tick.weight, tick.weight**2)):
        lines.lately[:, 0, column] += np.bincount(tick.line, weights=values, minlength=len(lines.cell))
    np.maximum.at(lines.lately[:, 0, 3], tick.line, tick.weight)


def _bet(lines: Lines, cells: Cells, memory: Memory, tick: Tick, rules: Rules) -> Memory:
    """Bet on every answer of the tick, against a level raised by what its cluster has shown before."""
    q0 = lines.q0[tick.line]
    ready = q0 > 0.0
    start, unit = tick.start, tick.unit
    lately = lines.lately.sum(axis=1)
    typical = lately[:, 1] / np.maximum(lately[:, 0], 1.0)
    variance, most = _variances(lines)
    deviation = np.sqrt(np.maximum(variance, LEAST_VARIANCE))[tick.line]
    # In deviations of its own line, and weighted: strata differ in how much they vary, and in how often they are drawn.
    excess = (tick.loss - q0) / deviation * (tick.weight / typical[tick.line])
    over = np.rint(np.where(ready, excess, 0.0) * EXCESS_UNIT).astype(np.int64)
    total = np.cumsum(over)
    before = ((total - over) - (total - over)[start][unit]) / EXCESS_UNIT
    known = (np.arange(len(unit)) - start[unit]).astype(np.float64)
    named = tick.cluster[start] != NO_CLUSTER
    # The cluster of a document ends with its tick.
    lasting = tick.cluster[start] > NO_CLUSTER
    if lasting.any():
        key = np.where(lasting, tick.cluster[start] ^ cells.name[tick.cell[start]], UNKNOWN)
        since = tick.number - rules.silence
        n, shown = memory.recall(key, since=since)
        known, before = known + n[unit], before + shown[unit]
        size = np.diff(np.append(start, len(unit))).astype(np.float64)
        gathered = np.add.reduceat(over, start) / EXCESS_UNIT
        memory = memory.remember(Seen(tick.number, key[lasting], size[lasting], gathered[lasting]), since=since)
    icc = np.maximum(lines.icc[tick.line], np.where(named, NAMED_ICC, 0.0)[unit])
    raised = clusters.expected_excess(known, before / np.maximum(known, 1.0), icc) * deviation
    level = np.where(ready, q0 + raised, 1.0)
    heaviest = lines.lately[:, :, 3].max(axis=1)[tick.line]
    scale = typical[tick.line] / heaviest
    square = (lately[:, 2] / np.maximum(lately[:, 0], 1.0))[tick.line] / heaviest**2
    spread, largest = variance[tick.line] * square, most[tick.line] * square
    bets = detector.bets(np.where(ready, q0, 1.0), spread, level=level, scale=scale, most=largest)
    gain = np.where(ready, tick.weight / heaviest * (tick.loss - level), 0.0)
    begin = np.flatnonzero(np.concatenate(([True], tick.cell[1:] != tick.cell[:-1])))
    with np.errstate(over="ignore"):
        product = np.multiply.reduceat(1.0 + bets * gain[:, None], begin, axis=0)
    moved = tick.cell[begin][np.logical_or.reduceat(ready, begin)]
    product = product[np.logical_or.reduceat(ready, begin)]
    began = cells.moved[moved] != UNKNOWN
    elapsed = np.where(began, np.minimum(tick.number + 1 - cells.moved[moved], rules.week), 1.0)
    weight = elapsed * (rules.per_week / rules.week) + cells.owed[moved]
    cells.evidence[moved] = detector.advance(cells.evidence[moved], weight, product)
    cells.owed[moved] = 0.0
    cells.moved[moved] = tick.number + 1
    cells.level[moved] = detector.level(cells.evidence[moved])
    return memory


def _variances(lines: Lines) -> tuple[Floats, Floats]:
    """Return the variance of a loss on each line where weights are equal, and the largest that its level allows.

    Where nothing but 0 and 1 was seen, a mean at the level comes about by these: then both are the same.
    """
    most = lines.q0 * np.maximum(1.0 - lines.q0, 0.0)
    plain = lines.moments[:, GRADED] == 0.0
    return np.where(plain, np.maximum(lines.variance, most), lines.variance), most


def _alarm(cells: Cells, tick: int, rules: Rules) -> None:
    watched = _watched(cells, tick, rules)
    level = _standing(cells)
    alone = level >= threshold(rules, watched)
    raised = alone
    # A joint rejection takes 1 / alpha from the mean over all slices, so below that there is none.
    if rules.alpha is not None and level.sum() * rules.alpha >= (rules.slices or watched) > 0:
        together = ebh.rejected(level, rules.alpha, among=rules.slices or watched)
        # One slice is not several together, and has the threshold of its own.
        raised = alone | together if np.count_nonzero(together) > 1 else alone
    if raised.any():
        cells.evidence[raised] = 0.0
        cells.alarmed[raised] = tick
        cells.alarms[raised] += 1
        cells.together[raised] = ~alone[raised]


def _standing(cells: Cells) -> Floats:
    """Return the evidence since the last alarm; the level that raised one is shown until the next answers come."""
    spent = (cells.alarmed != UNKNOWN) & (cells.alarmed + 1 >= cells.moved)
    return np.where(spent, 0.0, cells.level)


def _watched(cells: Cells, tick: int, rules: Rules) -> int:
    return int(np.count_nonzero(cells.moved > tick - rules.reference))


def _learn(lines: Lines, cells: Cells, tick: Tick, rules: Rules) -> None:
    """Add the tick to references that are not pinned, unless their cell has alarmed lately or is half-way to it."""
    touched = _present(tick.line)
    fresh = touched[lines.since[touched] == UNKNOWN]
    lines.since[fresh] = tick.number
    complete = tick.number >= lines.since + rules.reference
    closing = touched[~lines.pinned[touched] & complete[touched] & (lines.moments[touched, 0] >= rules.least)]
    lines.pinned[closing] = True
    doubtful = _standing(cells) ** 2 >= threshold(rules, _watched(cells, tick.number, rules))
    doubtful |= (cells.alarmed != UNKNOWN) & (tick.number - cells.alarmed <= rules.hold)
    doubtful |= rules.afresh & (cells.changed != UNKNOWN) & (tick.number - cells.changed <= rules.hold)
    learning = touched[~lines.pinned[touched] & ~doubtful[lines.cell[touched]]]
    if learning.size:
        lines.moments[learning, :-1] += tick.moments(len(lines.cell))[learning]
        heaviest = np.ones(len(lines.cell))
        np.maximum.at(heaviest, tick.line, tick.weight)
        lines.moments[learning, -1] = np.maximum(lines.moments[learning, -1], heaviest[learning])
    n = lines.moments[touched, 0]
    grown = (n >= rules.least) & (n >= GROWTH * lines.taken[touched])
    last = lines.pinned[touched] & (n > lines.taken[touched])
    declared = (lines.q0[touched] == 0.0) & (rules.declared is not None)
    for place in touched[grown | last | declared].tolist():
        _take(lines, place, rules)


def _take(lines: Lines, place: int, rules: Rules) -> None:
    moments = Moments(*lines.moments[place].tolist())
    found = reference(moments, allowed=rules.allowed, declared=rules.declared)
    lines.q0[place], lines.variance[place], lines.icc[place] = found
    lines.taken[place] = moments.n
