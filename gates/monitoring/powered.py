"""Detectors of a fall over prediction-powered losses: a metric on all answers, labels by people on few.

A tick goes through the steps of `gates.monitoring.advance`, with the transformed losses ``phi`` of
`gates.evidence.predictions` for losses and the bounds of `gates.evidence.powered` on bets. A second pair of detectors
tells when labels and predictions have come to differ. Labels that come when their answer is folded replace its factor,
where that still counts: in the evidence since it last began from nothing, or in the proof of recovery of what fails.

While labels are missing that should have come, nothing is bet: predictions alone would be. A label that comes later for
such an answer is bet on alone, with the gain ``(xi / pi) (y - q0)``, which has the mean of ``y - q0`` and is 0 without
a label. What labels say of answers of before there was a reference is in that, whenever they come, and nowhere else.

Labels are too few for a profile of the week, but predictions are there for every answer. So the profile is that of
``eta f``: levels follow the hours by which predictions swing, and the default tolerance is what that profile leaves
uncertain. Premise: as long as every hour's mean stays within the level of that hour. What predictions do not show of a
swing is not followed; the width of the bound on the reference is what is left for that. All traffic is not judged as
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from gates.evidence import detector, powered, predictions
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import begins
from gates.evidence.powered import Labelled
from gates.evidence.predictions import LabelRule, PredictionSums
from gates.evidence.profile import WEEKS_NEEDED, hour_of_week
from gates.evidence.reference import ALPHA, FAILURE_TOLERANCE, RELATIVE_TOLERANCE, SCORE_TOLERANCE, Moments, icc
from gates.monitoring.advance import begin_anew, hear, note_weights
from gates.monitoring.alarms import raise_alarms
from gates.monitoring.bets import LEAST_VARIANCE, Bet, Sizes, accumulate, shown_by_clusters
from gates.monitoring.labelled import SIDES, PoweredMonitor
from gates.monitoring.levels import hourly_levels, hourly_profile, learned_moments, tolerated_error
from gates.monitoring.references import GROWTH
from gates.monitoring.returns import factor, recover
from gates.monitoring.rules import Rules
from gates.monitoring.tick import Tick
from gates.windowing.watermark import UNKNOWN, Arrivals, by_tick


class _Parts(NamedTuple):
    """Answers of a tick with the labels that are known of them, and labels of answers folded before."""

    tick: Tick | None
    answers: Labelled
    late: Arrivals


@dataclass(frozen=True, slots=True, eq=False)
class PoweredBet(Bet):
    """Answers with ``phi`` for losses, which lie from ``-trust`` to ``rarest``."""

    trust: Floats
    rarest: float

    def taken(self, places: Integers | Bools) -> Self:
        """Return some of the answers, in this order."""
        return replace(Bet.taken(self, places), trust=self.trust[places])

    def legal(self, bets: Floats, level: Floats) -> Floats:
        """Return bets against a level that keep factors from being negative."""
        return powered.legal(bets, level, self.trust)

    def legal_returns(self, bets: Floats, level: Floats) -> Floats:
        """Return bets on a mean below a level that keep factors from being negative."""
        return np.asarray(np.minimum(bets, powered.SAFE / np.maximum(self.rarest - level, 1e-300)[..., None]))


def advance(
    state: PoweredMonitor, rows: Arrivals, rules: Rules, rule: LabelRule, changes: Sequence[tuple[int, Bools]] = ()
) -> PoweredMonitor:
    """Return the state after these ticks; the state given stays as it was.

    ``changes`` are the ticks at which something changed, in order, and the slice-epochs touched.
    """
    state = state.copied()
    coming = list(changes)
    for number, part in by_tick(rows, rules.tick):
        while coming and coming[0][0] <= number:
            begin_anew(state, *coming.pop(0), rules)
        parts = _parted(state, number, part, rules)
        if len(parts.late):
            _replace(state, parts.late, rules, rule)
        if parts.tick is not None:
            state = _folded(state, parts.tick, parts.answers, rules, rule)
        _alarm(state, number, rules)
        if parts.tick is not None:
            _learn(state, parts.tick, parts.answers, rules, rule)
    for number, touched in coming:
        begin_anew(state, number, touched, rules)
    return state


def _parted(state: PoweredMonitor, number: int, part: Arrivals, rules: Rules) -> _Parts:
    """Join labels to the answers of this tick that they are of: those of the same series, cluster, time and value.

    Two answers that share all of these are the same to the gate, and it does not matter which of them has the label.
    """
    told = part.drawn < 0.0
    answers, labels = part.taken(~told), part.taken(told)
    if len(answers) and len(labels):
        answers, labels = _joined(answers, labels)
    if not len(answers):
        return _Parts(None, Labelled(*[np.zeros(0)] * 3), labels)
    # The order of a tick, so that labels stay beside their answers.
    answers = answers.taken(np.lexsort((answers.cluster, state.series.epoch[answers.series])))
    tick = Tick.of(number, answers, state.series.epoch, rules.sign, rules.tick)
    return _Parts(tick, _labelled(answers, rules), labels)


def _labelled(rows: Arrivals, rules: Rules) -> Labelled:
    """Return predicted and true losses of rows."""
    loss, truth = (each if rules.sign > 0 else 1.0 - each for each in (rows.value, rows.truth))
    return Labelled(loss, truth, np.abs(rows.drawn))


def _joined(answers: Arrivals, labels: Arrivals) -> tuple[Arrivals, Arrivals]:
    """Return the answers with the labels that are of them, and the labels that are of none."""
    places: dict[tuple[int, int, int, float], list[int]] = {}
    wanted = {_key(labels, place) for place in range(len(labels))}
    for place in np.flatnonzero((answers.drawn == 0.0) & np.isin(answers.at, labels.at)).tolist():
        key = _key(answers, place)
        if key in wanted:
            places.setdefault(key, []).append(place)
    truth, drawn, alone = answers.truth.copy(), answers.drawn.copy(), []
    for place in range(len(labels)):
        there = places.get(_key(labels, place))
        if there:
            of = there.pop(0)
            truth[of], drawn[of] = labels.truth[place], -labels.drawn[place]
        else:
            alone.append(place)
    return replace(answers, truth=truth, drawn=drawn), labels.taken(np.array(alone, np.int64))


def _key(rows: Arrivals, place: int) -> tuple[int, int, int, float]:
    return int(rows.series[place]), int(rows.cluster[place]), int(rows.at[place]), float(rows.value[place])


def _lawful(answers: Labelled, rule: LabelRule) -> tuple[Labelled, Bools]:
    """Return the answers without labels that the rule forbids, and which those are."""
    broken = (answers.probability > 0.0) & rule.broken(answers.predicted, answers.probability)
    return answers._replace(probability=np.where(broken, 0.0, answers.probability)), broken


def _sizes(state: PoweredMonitor, series: Integers, own: Integers, rules: Rules) -> Sizes:
    sizes = Sizes.of(state.series, series, hourly_levels(state.series, series, own, rules))
    sums = PredictionSums.columns(state.labels.sums)
    least = np.where(sums.graded[series] == 0.0, sizes.most, 0.0)
    spread = np.maximum(np.maximum(state.labels.spread[series], least), LEAST_VARIANCE)
    return sizes._replace(variance=spread, heaviest=np.maximum(sizes.heaviest, 1.0))


def _folded(state: PoweredMonitor, tick: Tick, given: Labelled, rules: Rules, rule: LabelRule) -> PoweredMonitor:
    """Bet on the answers of a tick, and on the scorer, and note them among the recent ones."""
    note_weights(state.series, tick, rules)
    answers, broken = _lawful(given, rule)
    sizes = _sizes(state, tick.series, tick.own, rules)
    # While labels are missing that should have come, predictions alone would be bet on.
    missing = predictions.missing(state.scorer.over(tick.number // rules.part))[tick.epoch]
    sizes = sizes._replace(q0=np.where(missing, 0.0, sizes.q0))
    trust = state.labels.trust[tick.series]
    losses = answers.losses(trust, rule)
    bet = PoweredBet(tick.number, tick.own, tick.epoch, sizes, (), tick.weight, losses, trust, rule.rarest)
    memory, shown = shown_by_clusters(bet, state.epochs.name, state.memory, tick, rules)
    bet, ready = replace(bet, shown=(shown,)), bet.ready
    places, first = np.unique(tick.series, return_index=True)
    known = state.series.q0[places] > 0.0
    state.labels.note(tick.number, places[known], ready[first[known]])
    since = state.epochs.updated_at.copy()
    accumulate(state.epochs, bet, rules)
    state.scorer.begun[recover(state.epochs, bet, since, rules)] = tick.number
    hear(state.epochs, tick, rules)
    begin = np.flatnonzero(begins(tick.epoch))
    before = since[tick.epoch[begin]]
    scorer = np.where(ready[:, None], _on_scorer(state, tick.series, answers, tick.weight / sizes.heaviest, rule), 1.0)
    moved = tick.epoch[begin]
    elapsed = np.where(before != UNKNOWN, np.minimum(tick.number + 1 - before, rules.week), 0.0)
    elapsed = np.where(np.logical_or.reduceat(ready, begin), elapsed, 0.0)
    with np.errstate(over="ignore"):
        product = np.multiply.reduceat(scorer, begin, axis=0)
    weight = elapsed * (rules.weekly_weight / rules.week)
    state.scorer.evidence[moved] = detector.advance(state.scorer.evidence[moved], weight, product)
    state.recent.add(tick.number // rules.part, tick.epoch, tick.weight, tick.loss)
    sums = _sums(tick.epoch, tick.runs.of, tick.weight, answers, broken, rule, len(state.epochs.name))
    for own in np.unique(tick.own).tolist():
        there = tick.own == own
        if there.all():
            state.scorer.add(own // rules.part, sums)
        else:
            chosen = Labelled(*(each[there] for each in answers))
            some = _sums(
                tick.epoch[there], tick.runs.of[there], tick.weight[there], chosen, broken[there], rule, len(sums)
            )
            state.scorer.add(own // rules.part, some)
    return replace(state, memory=memory)


def _on_scorer(state: PoweredMonitor, series: Integers, answers: Labelled, weight: Floats, rule: LabelRule) -> Floats:
    labels = state.labels
    return powered.scorer_factors(answers, labels.low[series], labels.high[series], labels.varied[series], weight, rule)


def _sums(
    sample: Integers, cluster: Integers, weight: Floats, answers: Labelled, broken: Bools, rule: LabelRule, many: int
) -> Floats:
    sums = predictions.prediction_sums(sample, cluster, weight, *answers, rule=rule, samples=many)
    PredictionSums.columns(sums).broken[:] = np.bincount(sample, weights=broken, minlength=many)
    return sums


def _replace(state: PoweredMonitor, late: Arrivals, rules: Rules, rule: LabelRule) -> None:
    """Replace the factors of answers that were folded without their label, in place; bet on labels of gaps alone."""
    answers, broken = _lawful(_labelled(late, rules), rule)
    series, epoch = late.series, state.series.epoch[late.series]
    own, trust = late.at // rules.tick, state.labels.trust[series]
    sizes = _sizes(state, series, own, rules)
    sizes = sizes._replace(heaviest=np.maximum(sizes.heaviest, late.weight))
    with_it, without = (
        PoweredBet(int(late.tick[0]), own, epoch, sizes, (), late.weight, each.losses(trust, rule), trust, rule.rarest)
        for each in (answers, answers.unlabelled())
    )
    before, in_gap = state.labels.unbet(series, own)
    counted = with_it.ready & ~broken & ~before & ~in_gap
    _amend(state, with_it, without, counted)
    _bet_alone(state, with_it, answers, with_it.ready & ~broken & in_gap, rules)
    weight = late.weight / sizes.heaviest
    on_scorer, bare = (_on_scorer(state, series, each, weight, rule) for each in (answers, answers.unlabelled()))
    for place in np.flatnonzero(counted & (own > state.scorer.alarmed[epoch])).tolist():
        replaced = state.scorer.evidence[epoch[place]] * powered.replacing(on_scorer[place], bare[place])
        state.scorer.evidence[epoch[place]] = np.minimum(replaced, detector.CAP)
    # Each is a cluster of its own: what it adds is the answer with the label, less the answer without it.
    alone, many = np.arange(len(late)), len(state.epochs.name)
    learned = ~state.series.pinned[series] | (own < state.series.since[series] + rules.reference)
    learned &= state.labels.sums[series, 0] > 0.0
    of_series = _added(
        series[learned], alone[learned], late.weight[learned], Labelled(*(each[learned] for each in answers)),
        broken[learned], rule, len(state.series.epoch),
    )  # fmt: skip
    learning = np.unique(series[learned])
    state.labels.sums[learning] = predictions.joined_sums(state.labels.sums[learning], of_series[learning])
    anew = learning[state.series.pinned[learning]]
    if anew.size:
        take(state, anew, int(late.tick[0]), rules, rule)
    parts = own // rules.part
    for part in np.unique(parts).tolist():
        there = parts == part
        some = _added(
            epoch[there], alone[there], late.weight[there], Labelled(*(each[there] for each in answers)),
            broken[there], rule, many,
        )  # fmt: skip
        state.scorer.add(part, some)


def _amend(state: PoweredMonitor, with_it: PoweredBet, without: PoweredBet, counted: Bools) -> None:
    """Replace what answers counted for without their label, in place; of what fails, in the proof that it is over.

    Evidence that raised an alarm is frozen, and that of before a recovery is gone.
    """
    epochs, own = state.epochs, with_it.own
    grows = ~epochs.failing[with_it.row] & (own > state.scorer.begun[with_it.row])
    returns = epochs.failing[with_it.row] & (own > epochs.alarmed[with_it.row])
    for chosen, failing in ((counted & grows, False), (counted & returns, True)):
        more, less = with_it.taken(chosen), without.taken(chosen)
        if failing:
            shift = epochs.shift[more.row]
            replaced = powered.replacing(factor(more, shift), factor(less, shift))
            gain = more.weight / more.sizes.heaviest * (more.loss - less.loss)
        else:
            replaced, gain = powered.replacing(more.factor, less.factor), np.zeros(len(more.row))
        for place, of in enumerate(more.row.tolist()):
            table = epochs.proof if failing else epochs.evidence
            table[of] = np.minimum(table[of] * replaced[place], detector.CAP)
            epochs.balance[of, 0] += gain[place]
            if not failing:
                epochs.level[of] = float(detector.level(epochs.evidence[of]))


def _bet_alone(state: PoweredMonitor, bet: PoweredBet, answers: Labelled, chosen: Bools, rules: Rules) -> None:
    """Bet on labels of answers that were not bet on, in place; none of what fails, whose proof needs all answers."""
    places = np.flatnonzero(chosen & ~state.epochs.failing[bet.row] & (bet.own > state.scorer.begun[bet.row]))
    places = places[np.argsort(bet.row[places], kind="stable")]
    level = bet.sizes.level[places]
    losses = level + (answers.truth[places] - level) / answers.probability[places]
    accumulate(state.epochs, replace(bet.taken(places), loss=losses, trust=level * (bet.rarest - 1.0)), rules)


def _added(
    sample: Integers, cluster: Integers, weight: Floats, answers: Labelled, broken: Bools, rule: LabelRule, many: int
) -> Floats:
    after = _sums(sample, cluster, weight, answers, broken, rule, many)
    before = _sums(sample, cluster, weight, answers.unlabelled(), np.zeros_like(broken), rule, many)
    added = after - before
    added[:, -1] = after[:, -1]
    return added


def _alarm(state: PoweredMonitor, number: int, rules: Rules) -> None:
    """Alarm where the evidence has reached its threshold: over slices, and over their scorer, whose sides share it."""
    raise_alarms(state, number, rules)
    scorer = state.scorer
    threshold = SIDES * rules.alarm_threshold(state.epochs.watched(number, rules))
    up, down = powered.sides(scorer.evidence)
    raised = (up >= threshold) | (down >= threshold)
    scorer.way[raised] = np.where(up >= down, 1, -1)[raised]
    scorer.alarmed[raised] = number
    scorer.evidence[raised] = 0.0


def _learn(state: PoweredMonitor, tick: Tick, given: Labelled, rules: Rules, rule: LabelRule) -> None:
    """Add the tick to references that are not pinned, unless their slice alarmed lately or is half-way to it."""
    series, epochs, labels = state.series, state.epochs, state.labels
    touched = tick.touched
    series.since[touched[series.since[touched] == UNKNOWN]] = tick.number
    complete = (tick.number >= series.since + rules.reference) & (series.seen.n >= rules.min_reference)
    series.pinned[touched[complete[touched]]] = True
    threshold = rules.alarm_threshold(epochs.watched(tick.number, rules))
    doubtful = (epochs.standing >= np.sqrt(threshold)) | epochs.held(tick.number, rules)
    learning = touched[~series.pinned[touched] & ~doubtful[series.epoch[touched]]]
    if learning.size:
        answers, broken = _lawful(given, rule)
        added = _sums(tick.series, tick.runs.of, tick.weight, answers, broken, rule, len(series.epoch))
        labels.sums[learning] = predictions.joined_sums(labels.sums[learning], added[learning])
        series.moments[learning, :-1] += tick.moments(len(series.epoch))[learning]
        series.moments[learning, -1] = np.maximum(series.moments[learning, -1], added[learning, -1])
        if rules.predicted_past:
            rows = np.isin(tick.series, learning)
            where = tick.series[rows], hour_of_week(tick.own[rows], rules.tick)
            predicted = rule.usable(tick.loss[rows])
            np.add.at(series.cells[:, :, 0], where, tick.weight[rows])
            np.add.at(series.cells[:, :, 1], where, tick.weight[rows] * predicted)
    n, taken = series.seen.n[touched], series.taken[touched]
    enough = (n >= rules.min_reference) & (tick.number + 1 - series.since[touched] >= rules.min_time)
    grown = enough & (n >= GROWTH * taken)
    last = series.pinned[touched] & (n > taken)
    taking = touched[grown | last | ((series.q0[touched] == 0.0) & (rules.declared is not None))]
    if taking.size:
        take(state, taking, tick.number, rules, rule)


def take(state: PoweredMonitor, places: Integers, number: int, rules: Rules, rule: LabelRule) -> None:
    """Work out anew what to bet against in these series, in place; without labels there is nothing to bet against.

    ``number`` is the tick. Where whole weeks are known, what is tolerated by default is what their profile is uncertain
    by.
    """
    series, labels = state.series, state.labels
    sums = PredictionSums.columns(labels.sums[places])
    trust = predictions.eta(sums)
    center, (difference, error) = predictions.mean(sums, trust), predictions.bias(sums)
    spread = predictions.variance(sums, trust)
    margin = tolerance(center, sums.graded > 0.0) if rules.tolerance is None else np.full(len(center), rules.tolerance)
    labels.trust[places] = trust
    series.variance[places] = labels.spread[places] = spread
    weeks = (number + 1 - series.since[places]) / rules.week
    whole = (weeks >= WEEKS_NEEDED) & rules.predicted_past & (rules.tolerance is None)
    upper = predictions.bounds(sums, trust, rule, ALPHA)[1] + np.where(whole, 0.0, margin)
    known = (sums.labels >= predictions.LEAST_LABELS) | (rules.declared is not None)
    level = upper if rules.declared is None else np.full(len(center), rules.declared)
    usable = known & (level < 1.0)
    series.q0[places] = np.where(usable, level, 0.0)
    if rules.predicted_past:
        n, found = hourly_profile(series, places, learned_moments(series, places), weeks)
        series.offset[places] = trust[:, None] * found.offset
        error = tolerated_error(series, places, n, weeks, trust**2 * found.uncertainty)
        series.tolerance[places] = np.where(whole & usable, error, 0.0)
        series.q0[places] = np.minimum(series.q0[places] + series.tolerance[places], 1.0)
    # Most answers have no label, and a difference of 0.
    labels.varied[places] = sums.bb / np.maximum(sums.ww, 1e-300)
    reach = predictions.quantile(ALPHA) * error + margin
    labels.low[places], labels.high[places] = difference - reach, difference + reach
    for place in places.tolist():
        series.icc[place] = icc(Moments(*series.moments[place].tolist()))
        series.taken[place] = max(series.moments[place, 0], 1.0)


def tolerance(center: Floats, graded: Bools) -> Floats:
    """Return the default tolerance, as `gates.evidence.reference.tolerance` has it."""
    rate = np.clip(center, 0.0, 1.0)
    relative = np.maximum(FAILURE_TOLERANCE, RELATIVE_TOLERANCE * np.minimum(rate, 1.0 - rate))
    return np.where(graded, SCORE_TOLERANCE, relative)
