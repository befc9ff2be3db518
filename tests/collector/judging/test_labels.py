"""Labels of scores on their way from the store to the gates that count them."""

from __future__ import annotations

import numpy as np

from collector.judging.folding import labels_of
from collector.store.columns import EvaluationContext, ScoredColumns, context_of, label_of, packed
from gates.inputs.observations import label_code


def columns(labels: list[str | None], context: EvaluationContext) -> ScoredColumns:
    rows = []
    for seq, label in enumerate(labels):
        values = {"faithfulness": 0.5, "latency": 0.1}
        coded = {} if label is None else {label_of("faithfulness"): float(label_code(label))}
        rows.append((seq, 10**15, 1, 1.0, 0, 0, 0.0, packed(values | coded, context.metrics)))
    return ScoredColumns.of(rows, {1: context})


def test_a_label_comes_out_of_the_store_as_it_went_in() -> None:
    context = context_of({}, {}, ["faithfulness", "latency"])
    scored = columns(["supported", None, "contradicted"], context)
    rows, values = scored.values("faithfulness")
    assert values.tolist() == [0.5] * 3
    assert labels_of(scored, "faithfulness", rows).tolist() == [
        label_code("supported"),
        label_code(None),
        label_code("contradicted"),
    ]


def test_evaluations_of_before_there_were_labels_have_none() -> None:
    scored = columns(["supported", "unsupported"], EvaluationContext((), (), ("faithfulness", "latency")))
    assert labels_of(scored, "faithfulness", np.arange(2)).tolist() == [label_code(None)] * 2
