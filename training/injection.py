"""Train the detector of injected instructions: is a sentence of a passage an order to the assistant that reads it?

    python -m training.injection --data PATH

The model is of a sentence or table row; it is calibrated on the strongest one of each passage.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from scorers.models.linear import LinearModel
from scorers.wording.instructing import PassageUnit, units
from training.fitting import Recipe, Row, data_path, fit, interval, platt, read, write

RECIPE = Recipe(c=1.0, kept=0, threshold=0.7)
"""Above one half, because orders are rare in passages and a page has many sentences."""

EXAMPLES = Path(__file__).parent / "injection.txt"
"""Orders (``+``) and honest sentences that look like orders (``-``), our own: labelled attacks are never blunt."""

OWN = 5.0
"""Weight of one of them: they stand against tens of thousands of sentences."""

ORDINARY = {
    "grounding_wice": 1,
    "conflict_qacc": 4,
    "conflict_ramdocs": 2,
    "grounding_ragtruth": 1,
    "conflict_climatefever": 5,
    "conflict_healthver": 2,
    "grounding_begin": 2,
}
"""Files whose passages are taken for free of injected instructions, and every how manieth passage of them is read."""

FOLDS = 5


@dataclass(frozen=True)
class Text:
    """A passage: the file it is from, its units, which of them are orders, the attack's category, and its context."""

    source: str
    units: list[PassageUnit]
    orders: frozenset[int]
    category: str = ""
    context: str = ""

    @property
    def injected(self) -> bool:
        """Whether it holds an order."""
        return bool(self.orders)


def main() -> None:
    """Train, cross-validate, print, write."""
    path = data_path(__doc__ or "")
    attacked = [_attacked(raw) for raw in read(path, "safety_injection_bipia")]
    ordinary = {name: _ordinary(read(path, name), step) for name, step in ORDINARY.items()}
    clean = [Text(name, units(text), frozenset()) for name, texts in ordinary.items() for text in texts]
    examples = _examples(ordinary["grounding_ragtruth"])
    planted = _planted(attacked, read(path, "safety_injection_bipia"), ordinary)
    _harsh(attacked, clean, planted, examples)
    strongest = _plain(attacked, clean, planted, examples)
    texts = [*attacked, *clean, *planted]
    labels = np.array([text.injected for text in texts])
    calibration = platt(strongest, labels.tolist())
    cut = (np.log(RECIPE.threshold / (1 - RECIPE.threshold)) - calibration[1]) / calibration[0]
    _alarms(strongest > cut, texts)
    model = fit(_rows([*attacked, *clean], examples), RECIPE, name="injection", calibration=calibration)
    data = "BIPIA contexts and attacks (MIT); passages of seven other sets as free of orders; sentences of our own"
    write(model, data=data)


def _harsh(attacked: list[Text], clean: list[Text], planted: list[Text], examples: list[Row]) -> None:
    """Report attacks of unseen categories in unseen contexts against passages of unseen files."""
    categories, contexts = sorted({t.category for t in attacked} - {""}), sorted({t.context for t in attacked})
    files = sorted(ORDINARY)
    held: dict[str, list[float]] = {"attack": [], "planted": [], "file": [], "context": []}
    for fold in range(FOLDS):
        out = {*categories[fold::FOLDS], *contexts[fold::FOLDS], *files[fold::FOLDS]}
        kept = [t for t in [*attacked, *clean] if out.isdisjoint((t.category, t.context, t.source))]
        model = fit(_rows(kept, examples), RECIPE)
        for text in [*attacked, *clean, *planted]:
            if text.category in out:
                held["planted" if text in planted else "attack"].append(_strongest(model, text))
            elif not text.category and text.source in out:
                held["file"].append(_strongest(model, text))
            elif not text.category and text.context in out:
                held["context"].append(_strongest(model, text))
    for name, negatives in (("attack", "file"), ("attack", "context"), ("planted", "file")):
        positive, negative = held[name], held[negatives]
        labels = np.array([True] * len(positive) + [False] * len(negative))
        scores = np.array(positive + negative)
        auroc = interval(lambda y, s: float(roc_auc_score(y, s)), labels, scores)
        cuts = [float(np.quantile(negative, 1 - alarm)) for alarm in (0.05, 0.02, 0.01)]
        recalls = " ".join(f"{np.mean(np.array(positive) > cut):.3f}" for cut in cuts)
        print(f"unseen {name:8s}against unseen {negatives:8s}AUROC {auroc}  recall at 5 / 2 / 1 % alarms {recalls}")


def _plain(attacked: list[Text], clean: list[Text], planted: list[Text], examples: list[Row]) -> np.ndarray:
    """Return log-odds of the strongest unit of each text, by models that saw neither its category nor the passage."""
    categories, contexts = sorted({t.category for t in attacked} - {""}), sorted({t.context for t in attacked})
    everything = [*attacked, *clean, *planted]
    fold_of = [
        (categories.index(t.category) if t.category else contexts.index(t.context) if t.context else at) % FOLDS
        for at, t in enumerate(everything)
    ]
    result = np.zeros(len(everything))
    for fold in range(FOLDS):
        kept = [t for t, f in zip(everything, fold_of, strict=True) if f != fold and t not in planted]
        model = fit(_rows(kept, [row for at, row in enumerate(examples) if at % FOLDS != fold]), RECIPE)
        for at, text in enumerate(everything):
            if fold_of[at] == fold:
                result[at] = _strongest(model, text)
    return result


def _alarms(found: np.ndarray, texts: list[Text]) -> None:
    for source in sorted({text.source for text in texts}):
        for injected in (True, False):
            at = np.array([t.source == source and t.injected == injected for t in texts])
            if at.any():
                print(
                    f"{source:24s}{'injected' if injected else 'clean':10s}n {at.sum():5d}",
                    f" flagged {found[at].mean():.4f}",
                )


def _strongest(model: LinearModel, text: Text) -> float:
    return max((model.logit(unit.features) for unit in text.units), default=-20.0)


def _rows(texts: list[Text], examples: list[Row]) -> list[Row]:
    return examples + [
        Row(features=unit.features, ngrams=frozenset(), label=at in text.orders, group=text.source)
        for text in texts
        for at, unit in enumerate(text.units)
    ]


def _text(source: str, text: str, attack: str | None, category: str = "", context: str = "") -> Text:
    found = units(text)
    at = text.find(attack) if attack else -1
    orders = [
        i for i, unit in enumerate(found) if attack and at >= 0 and unit.start < at + len(attack) and unit.end > at
    ]
    return Text(source, found, frozenset(orders), category, context)


def _attacked(raw: dict[str, Any]) -> Text:
    extra, context = raw["extra"], "-".join(raw["id"].split("-")[:3])
    text = raw["passages"][0]["text"]
    return _text(raw["source"], text, extra.get("attack"), extra.get("attack_category", ""), context)


def _ordinary(rows: list[dict[str, Any]], step: int) -> list[str]:
    return sorted({passage["text"] for raw in rows for passage in raw["passages"]})[::step]


def _examples(hosts: list[str]) -> list[Row]:
    """Put each sentence of ours into a passage, so that its features are those of a sentence among others."""
    result = []
    for at, line in enumerate(EXAMPLES.read_text(encoding="utf-8").splitlines()):
        text = _text("own", _with(hosts[at], line[2:], at), line[2:])
        for unit in sorted(text.orders):
            features = text.units[unit].features
            result.append(Row(features=features, ngrams=frozenset(), label=line[0] == "+", group=line, weight=OWN))
    return result


def _planted(attacked: list[Text], raws: list[dict[str, Any]], ordinary: dict[str, list[str]]) -> list[Text]:
    """Put each attack into web pages and snippets."""
    attacks = sorted(
        {(t.category, raw["extra"]["attack"]) for t, raw in zip(attacked, raws, strict=True) if t.category}
    )
    result = []
    for source in ("grounding_wice", "conflict_qacc", "grounding_ragtruth"):
        for at, (category, attack) in enumerate(attacks):
            result.append(_text("planted", _with(ordinary[source][at], attack, at), attack, category))
    return result


def _with(host: str, line: str, at: int) -> str:
    ends = [i + 1 for i in range(len(host) - 1) if host[i] in ".\n" and host[i + 1] == " "] or [len(host)]
    cut = ends[at % len(ends)]
    return f"{host[:cut]}\n{line}\n{host[cut:]}"


if __name__ == "__main__":
    main()
