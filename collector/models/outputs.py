"""What the outputs of a classifier of pairs mean: read from its own configuration, or configured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from collector.errors import ConfigError
from collector.models.options import Meaning

Logits = npt.NDArray[np.float64]
_KIND = "ForSequenceClassification"
_TOLD = "name them in scoring.entailment.labels"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where support and contradiction stand among ``count`` outputs; one output alone is the log-odds of support."""

    count: int
    support: int
    contradiction: int | None

    def supported(self, logits: Logits) -> npt.NDArray[np.float64]:
        """Return the probability of support of each row."""
        return self._share(logits, self.support)

    def contradicted(self, logits: Logits) -> npt.NDArray[np.float64] | None:
        """Return the probability of contradiction of each row, ``None`` where the model knows none."""
        return None if self.contradiction is None else self._share(logits, self.contradiction)

    def _share(self, logits: Logits, at: int) -> npt.NDArray[np.float64]:
        if self.count == 1:
            return np.asarray(1 / (1 + np.exp(-np.clip(logits[:, 0], -500, 500))))
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(shares[:, at] / shares.sum(axis=1))


def outputs_of(config: Mapping[str, Any], labels: Sequence[Meaning] | None, where: str) -> Outputs:
    """Return what the outputs mean. Raises `ConfigError` where the model is no classifier, or nothing says it.

    Three outputs in any order, two of which one is support, or one: the log-odds of support.

    >>> nli = {"architectures": ["BertForSequenceClassification"],
    ...        "id2label": {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}}
    >>> outputs_of(nli, None, "model")
    Outputs(count=3, support=1, contradiction=0)
    """
    kinds = [str(kind) for kind in config.get("architectures") or ()]
    if not any(kind.endswith(_KIND) for kind in kinds):
        raise ConfigError(f"{where}: not a classifier of pairs: its config.json names {', '.join(kinds) or 'no kind'}")
    names = _names(config)
    count = len(names)
    if labels is not None and len(labels) != count:
        raise ConfigError(f"{where}: {count} outputs, but scoring.entailment.labels names {len(labels)}")
    meanings: list[Meaning | None] = [_meaning(name) for name in names] if labels is None else [*labels]
    if count == 1 and labels is None:
        meanings = ["entailment"]
    if meanings.count("entailment") != 1 or meanings.count("contradiction") > 1:
        raise ConfigError(f"{where}: outputs are {', '.join(names)}; which one is entailment? {_TOLD}")
    against = meanings.index("contradiction") if "contradiction" in meanings else None
    return Outputs(count, meanings.index("entailment"), against)


def _names(config: Mapping[str, Any]) -> list[str]:
    labels = config.get("id2label")
    if isinstance(labels, Mapping) and labels and all(str(key).isdigit() for key in labels):
        return [str(name) for _, name in sorted(labels.items(), key=lambda item: int(item[0]))]
    count = config.get("num_labels")
    # Two is what the library assumes where a configuration says nothing.
    return [f"LABEL_{at}" for at in range(count if isinstance(count, int) and count > 0 else 2)]


def _meaning(name: str) -> Meaning | None:
    word = name.casefold().strip()
    if word.startswith(("entail", "support", "consistent")):
        return "entailment"
    if word.startswith(("contradict", "refut")):
        return "contradiction"
    return "neutral" if word.startswith(("neutral", "not", "non")) else None
