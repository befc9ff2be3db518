"""Figures of others on the same public sets. Rows may differ: read them as neighbours.

RAGTruth: the FACTS figures are on the rows of the labelled file, those of detectors on the official test as their
authors report them (Kovacs and Recski 2025 for LettuceDetect and what it compares with). WiCE: balanced accuracy of
claims as LLM-AggreFact and HHEM report it. XSTest: string match and GPT-4 labels of Rottger et al. 2024 against the
human ones. Personal data: Presidio's own evaluation. The prototype is boosted trees, logistic models and rules over
features such as ours.
"""

from __future__ import annotations

PROTOTYPE = "feature prototype, another half of the set"
FACTS = "o3-mini-high, FACTS prompt"

PUBLISHED: dict[str, tuple[str, ...]] = {
    "RAGTruth Data2txt": (
        f"{PROTOTYPE}: AUROC .85, balanced accuracy .78, within one generator .81",
        f"{FACTS}: F1-macro .771, balanced accuracy .751",
    ),
    "RAGTruth QA": (
        f"{PROTOTYPE}: AUROC .85, balanced accuracy .78, within one generator .79",
        f"{FACTS}: F1-macro .769, balanced accuracy .816",
    ),
    "RAGTruth Summary": (
        f"{PROTOTYPE}: AUROC .74, balanced accuracy .67, within one generator .67",
        f"{FACTS}: F1-macro .736, balanced accuracy .803",
    ),
    "RAGTruth all": (
        f"{PROTOTYPE}: AUROC .847, calibration error .025",
        "official test, F1 of the hallucinated class: LettuceDetect-large .792, TinyLettuce-17M .685, Luna .654",
        "the same: GPT-4 .634, TruLens .604, RAGAS .520",
    ),
    "WiCE": (
        "balanced accuracy: HHEM-2.1 .759, MiniCheck-FT5 .722, AlignScore .660, SummaC-ZS .628, T5-NLI .553",
        f"{PROTOTYPE}: AUROC .812, balanced accuracy .746",
    ),
    "BEGIN": (f"{PROTOTYPE}: AUROC .932, balanced accuracy .847 (recalibrated)",),
    "FaithBench": (f"{PROTOTYPE}: AUROC .659, balanced accuracy .586 (recalibrated)",),
    "XSTest, full refusal": ("all rows of the set: string match F1 .853, GPT-4 .821", f"{PROTOTYPE}: F1 .901"),
    "XSTest, full or partial": (f"{PROTOTYPE}: F1 .948, AUROC .989",),
    "DelucionQA": (f"{PROTOTYPE}: AUROC .991, F1 .899",),
    "BIPIA": (f"{PROTOTYPE}: AUROC 1.000 in the set, .998 against other corpora; web pages .17 false alarms",),
    "personal data": ("Presidio default F2 .618, with a transformer .845 (all types, its own matching)",),
    "RAMDocs": (f"{PROTOTYPE}: both answer AUROC .894, balanced accuracy .809; all pairs .793",),
    "QACC": (f"{PROTOTYPE}: AUROC .534, which is chance",),
    "SituatedQA timeline": (f"{PROTOTYPE}: accuracy 1.000",),
    "SituatedQA volatility": (f"{PROTOTYPE}: AUROC .966, F1 .875",),
    "FreshQA volatility": (f"{PROTOTYPE}: AUROC .878, F1 .842",),
    "RecencyQA volatility": (f"{PROTOTYPE}: AUROC .963",),
}
