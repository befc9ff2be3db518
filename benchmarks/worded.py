"""How statements in other words than their source's are labelled, where the source is right and where it is wrong.

    python benchmarks/worded.py [--one-in 8]

Reads the paired passages of ``training/pairs/paired``: nearly every statement is right by one passage of a pair and
wrong by the other, so that no label can be told without the passage. ``reworded`` pairs tell of the same matters in
other words, ``minimal`` ones are word for word the same but for a few changes. Prints the share of each label of
``faithfulness``, and the AUROC of what is not entailed, with its 95 % interval over pairs. The default tier was not
fitted to them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from measuring import Rows, auroc, with_interval

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge
from training.pairs.paired import Item, items

LABELS = ("supported", "unsupported", "contradicted", "none")
TRUTHS = {"e": "entailed", "c": "contradicted", "n": "not told"}


class Labelled(NamedTuple):
    """A statement beside a passage: the manner of the pair, the pair, the truth, the label, and the doubt."""

    manner: str
    pair: str
    truth: str
    label: str
    doubt: float


def labelled(item: Item) -> Iterator[Labelled]:
    """Yield each statement of a pair beside either passage; "none" is the label of what claims nothing."""
    manner = item.group.partition("_")[0]
    for place, passage in enumerate(item.passages):
        for letters, text in item.statements:
            given = Answer(id="a", question=item.question, answer=text, passages=(Passage(id="p", text=passage),))
            judged = judge(given, Memory())
            if isinstance(judged, Judgement) and judged.claims:
                doubt = 1.0 - min(judged.supported[at] for at in judged.claims)
                yield Labelled(manner, item.group, letters[place], judged.label, doubt)
            else:
                yield Labelled(manner, item.group, letters[place], "none", 0.0)


def shown(manner: str, found: Sequence[Labelled]) -> Iterator[str]:
    """Yield the lines of one manner of pairs."""
    for letter, truth in TRUTHS.items():
        counts = Counter(each.label for each in found if each.truth == letter)
        total = max(counts.total(), 1)
        yield f"{manner:<10}{truth:<14}{counts.total():>7}" + "".join(f"{counts[x] / total:>14.3f}" for x in LABELS)
    doubts = np.array([each.doubt for each in found])
    rows = Rows(
        score=doubts,
        flagged=np.array([each.label not in ("supported", "none") for each in found]),
        positive=np.array([each.truth != "e" for each in found]),
        group=tuple(each.pair for each in found),
        kind=tuple(each.manner for each in found),
    )
    yield f"{manner:<10}AUROC {with_interval(rows, auroc, 200)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one-in", type=int, default=1, help="one in as many pairs is read")
    given = parser.parse_args()
    print(f"{'passages':<10}{'statement':<14}{'n':>7}" + "".join(f"{label:>14}" for label in LABELS))
    found = [each for item in list(items())[:: given.one_in] for each in labelled(item)]
    for manner in sorted({each.manner for each in found}):
        print("\n".join(shown(manner, [each for each in found if each.manner == manner])), flush=True)


if __name__ == "__main__":
    main()
