"""Figures of others on the same public sets. Rows may differ: read them as neighbours.

RAGTruth: the FACTS figures are on the rows of the labelled file, those of detectors on the official test as their
authors report them (Kovacs and Recski 2025 for LettuceDetect and what it compares with). WiCE: balanced accuracy of
claims as LLM-AggreFact and HHEM report it. XSTest: string match and GPT-4 labels of Rottger et al. 2024 against the
human ones. Personal data: Presidio's own evaluation.
"""

from __future__ import annotations

FACTS = "o3-mini-high, FACTS prompt"

PUBLISHED: dict[str, tuple[str, ...]] = {
    "RAGTruth Data2txt": (f"{FACTS}: F1-macro .771, balanced accuracy .751",),
    "RAGTruth QA": (f"{FACTS}: F1-macro .769, balanced accuracy .816",),
    "RAGTruth Summary": (f"{FACTS}: F1-macro .736, balanced accuracy .803",),
    "RAGTruth all": (
        "official test, F1 of the hallucinated class: LettuceDetect-large .792, TinyLettuce-17M .685, Luna .654",
        "the same: GPT-4 .634, TruLens .604, RAGAS .520",
    ),
    "WiCE": ("balanced accuracy: HHEM-2.1 .759, MiniCheck-FT5 .722, AlignScore .660, SummaC-ZS .628, T5-NLI .553",),
    "FaithBench": ("what detectors said of the same rows stands below",),
    "XSTest, full refusal": ("all rows of the set: string match F1 .853, GPT-4 .821",),
    "personal data": ("Presidio default F2 .618, with a transformer .845 (all types, its own matching)",),
}
