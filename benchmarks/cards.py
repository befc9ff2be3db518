"""What cross-validation gave, read from the models' cards: figures of rows that a model had not learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CARDS = Path(__file__).resolve().parents[1] / "docs" / "models"


@dataclass(frozen=True, slots=True)
class Source:
    """The card of the model behind a block, and how the rows of its tables begin that are about the same set."""

    card: str
    rows: tuple[str, ...]


FROM: dict[str, Source] = {
    "RAGTruth Data2txt": Source("support", ("prose from JSON",)),
    "RAGTruth QA": Source("support", ("question answering",)),
    "RAGTruth Summary": Source("support", ("summaries",)),
    "RAGTruth all": Source("support", ("pooled",)),
    "WiCE": Source("support", ("WiCE",)),
    "XSTest, full refusal": Source("refusal", ("full refusal",)),
    "XSTest, full or partial": Source("refusal", ("full or partial",)),
    "DelucionQA": Source("abstention", ("DelucionQA",)),
    "BIPIA": Source("injection", ("attack category", "BIPIA", "WiCE", "QACC")),
    "RAMDocs": Source("conflict", ("both documents answer", "all, documents")),
    "SituatedQA volatility": Source("question_volatility", ("SituatedQA", "the same, trained")),
    "FreshQA volatility": Source("question_volatility", ("FreshQA",)),
    "RecencyQA volatility": Source("question_volatility", ("RecencyQA",)),
}
"""Blocks whose shipped model learned from the set."""

UNSEEN = ("BEGIN", "FaithBench", "QACC")
"""Blocks of sets from which the model behind them learned nothing."""

RULES = ("SituatedQA timeline", "personal data")
"""Blocks that rules decide, and no model."""


def told(block: str) -> Iterator[tuple[str, str]]:
    """Yield what is to be known of a block's figures before they are read: in sample or not, and what is fair."""
    if block in UNSEEN:
        yield "shipped model", "learned from no row of this set: the figures below are fair"
    elif block in RULES:
        yield "no model", "rules, written after reading texts of this kind; nothing is fitted"
    elif block in FROM:
        source = FROM[block]
        yield (
            "shipped model",
            f"learned from rows of this set: on those the figures below are IN SAMPLE ({source.card})",
        )
        for row in _rows(CARDS / f"{source.card}.md", source.rows):
            yield "cross-validated", row


def _rows(card: Path, begin: tuple[str, ...]) -> Iterator[str]:
    """Yield the rows of a card's figures that begin so, each with the heads of its columns; of two tables the first."""
    heads: list[str] = []
    seen: set[str] = set()
    figures = card.read_text(encoding="utf-8").partition("\n## Figures\n")[2].partition("\n## ")[0]
    for line in figures.splitlines():
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip().replace("&nbsp; ", "") for cell in line.strip("|").split("|")]
        if not heads:
            heads = cells
        elif cells[0].startswith(begin) and cells[0] not in seen:
            seen.add(cells[0])
            pairs = zip(heads[1:], cells[1:], strict=True)
            yield f"{cells[0]}: {', '.join(f'{head} {cell}'.strip() for head, cell in pairs if cell)}"
