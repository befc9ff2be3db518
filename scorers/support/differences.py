"""What separates a claim from its context, in words for a reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from scorers.support.alignment import SEEN, Alignment
from scorers.support.figures import seen
from scorers.text.normalize import CAPITAL, FIGURE, written

_SHOWN = 6
_LONGEST = 40
_VERDICTS = {
    "fact_true_denied": "the data confirms",
    "fact_false_said": "the data rules out",
    "fact_false_choice_said": "the data rules out",
    "fact_false_choice_grouped": "the data rules out",
    "fact_group_denied": "the data confirms",
    "fact_null_said": "the data does not state",
    "fact_null_choice_said": "the data does not state",
    "fact_value_other": "the data has another value for",
}


def differences(a: Alignment, values: Mapping[str, float]) -> str:
    """Say in words what separates a claim, whose features are ``values``, from the nearest sentences."""
    parts = [*_figures(a), *_facts(a, values), *_words(a), *_turned(values)]
    return "; ".join(parts) or SAME_WORDS


SAME_WORDS = "all of its words are there"
"""What is said where nothing separates them."""


def _figures(a: Alignment) -> list[str]:
    items, marks = a.claim.terms.items, a.claim.terms.marks
    own = dict.fromkeys(t for t, mark in zip(items, marks, strict=True) if mark & FIGURE)
    missing = [t for t in own if t not in a.near and not (a.match[t] == 0 and seen(a, t))]
    if not missing:
        return []
    there = dict.fromkeys(
        t
        for read in a.near_reads
        for t, mark in zip(read.items, read.marks, strict=True)
        if mark & FIGURE and t not in own
    )
    noun = "number" if len(missing) == 1 else "numbers"
    shown = _as_written(missing, a.claim.sentence.words)
    instead = f" (nearest text: {_as_written(there, *a.near_sentences)})" if there else ""
    elsewhere = " near these words" if all(a.match[t] for t in missing) else ""
    return [f"{noun} {shown} not found{elsewhere}{instead}"]


def _facts(a: Alignment, values: Mapping[str, float]) -> list[str]:
    found = []
    for fact, verdict in a.facts[:_SHOWN]:
        said = _VERDICTS.get(verdict)
        if said is not None:
            found.append(f"{said} {fact.joined[:40]!r}")
    if values["hours_wrong"] or values["hours_nowhere"]:
        found.append("opening hours differ from the data")
    if values["hours_absent_day"]:
        found.append("the data has no opening hours for that day")
    return found


def _words(a: Alignment) -> list[str]:
    items, marks = a.claim.terms.items, a.claim.terms.marks
    names_ = {t for t, mark in zip(items, marks, strict=True) if mark & CAPITAL}
    absent = [t for t in a.unique if a.match[t] < SEEN and not t.startswith("#")]
    absent.sort(key=lambda t: -a.weight[t])
    away = [t for t in a.unique if a.match[t] >= SEEN and t not in a.near and t in names_]
    found = []
    if absent:
        found.append(f"words not found: {_as_written(absent, a.claim.sentence.words)}")
    if away:
        found.append(f"names found only elsewhere in the context: {_as_written(away, a.claim.sentence.words)}")
    return found


def _as_written(wanted: Iterable[str], *texts: str) -> str:
    """Return the first of the terms ``wanted`` as the texts write them."""
    forms = {term: form for text in reversed(texts) for term, form in written(text).items()}
    shown = dict.fromkeys(forms.get(term, term.removeprefix("#"))[:_LONGEST] for term in wanted)
    return ", ".join(islice(shown, _SHOWN))


def _turned(values: Mapping[str, float]) -> list[str]:
    found = []
    if values["figures_exchanged"]:
        found.append("two numbers are swapped")
    if values["turned_share"] or values["negators_not_near"]:
        found.append("only one of the two is negated")
    if values["opposites"]:
        found.append("a word is replaced by its opposite")
    if values["direction_differs"]:
        found.append("one says it rises, the other that it falls")
    if values["comparison_differs"]:
        found.append("one says more, the other less")
    if values["names_torn"]:
        found.append("names are joined that the context keeps apart")
    return found
