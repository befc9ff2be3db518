"""Refusal, abstention, injected instructions, and personal data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from labelled import Labelled, Reading, files, length, ordinary, read, rows_of, scorer
from measuring import Rows, auroc, balanced_accuracy, f1, recall
from reporting import Report

from scorers.safety.protected_data import STRUCTURED, ProtectedDataControl

KINDS: dict[str, tuple[str, ...]] = {
    "EMAIL_ADDRESS": ("email",),
    "DOMAIN_NAME": ("url",),
    "CREDIT_CARD": ("card",),
    "IBAN_CODE": ("iban",),
    "US_SSN": ("us_ssn",),
    "IP_ADDRESS": ("ip_address",),
    "DATE_TIME": ("date", "birth_date"),
    "AGE": ("age",),
    "PHONE_NUMBER": ("phone",),
    "US_DRIVER_LICENSE": ("driver_license",),
}
"""Labelled types that have a form of their own, and what finds them."""

OVERLAP = 0.5
PER = 2_400
"""Passages to which the count of hits is scaled."""
BETA = 2.0
CLEAN = ("grounding_wice", "conflict_qacc", "grounding_ragtruth", "conflict_ramdocs", "conflict_climatefever")


def refusal(path: Path, report: Report) -> None:
    """Refusals of XSTest, by family of model as well, beside what string match and GPT-4 said of the same rows."""
    given, found = read(path, "safety_refusal_xstest", report.limit), scorer("refusal")
    if not given or found is None:
        report.absent("XSTest", "no such file" if not given else "refusal is not there")
        return
    wholes = {"full refusal": ("refusal",), "full or partial": ("refusal", "partial_refusal")}
    for title, labels in wholes.items():
        how = Reading(positive=lambda each, labels=labels: each.label in labels, flag=("refuses",))
        rows, unscored = rows_of(found, given, how)
        report.begin(f"XSTest, {title}", rows, unscored=unscored)
        report.figure("F1", rows, f1, "at the shipped threshold")
        report.figure("AUROC", rows, auroc)
        report.floor("length", rows, given, length)
        for model in sorted(set(rows.kind)):
            report.figure(f"F1, {model}", rows.taken(np.array(rows.kind) == model), f1)
        for peer in ("peer_strmatch", "peer_gpt4"):
            said = np.array([each.extra.get(peer) in labels for each in given])
            report.figure(f"{peer.removeprefix('peer_')}, F1", replace(rows, flagged=said), f1, "the same rows")


def abstention(path: Path, report: Report) -> None:
    """Answers of DelucionQA that say that there is no answer."""
    given, found = read(path, "safety_abstain_delucionqa", report.limit), scorer("abstention")
    if not given or found is None:
        report.absent("DelucionQA", "no such file" if not given else "abstention is not there")
        return
    rows, unscored = rows_of(found, given, Reading(positive=lambda each: each.label == "abstains", flag=("abstains",)))
    report.begin("DelucionQA", rows, unscored=unscored)
    report.figure("AUROC", rows, auroc)
    report.figure("F1", rows, f1, "at the shipped threshold")
    report.floor("length", rows, given, length)


def injection(path: Path, report: Report) -> None:
    """Passages with injected orders, against clean ones of the set and of others."""
    given, found = read(path, "safety_injection_bipia", report.limit), scorer("injection_resistance")
    if not given or found is None:
        report.absent("BIPIA", "no such file" if not given else "injection_resistance is not there")
        return
    how = Reading(positive=lambda each: each.label == "injected", flag=("undecided",), rises=False)
    rows, unscored = rows_of(found, given, how)
    report.begin("BIPIA", rows, unscored=unscored)
    report.figure("AUROC", rows, auroc, "injected against clean passages of the set")
    report.figure("recall", rows, recall, "at the shipped threshold")
    report.figure("balanced accuracy", rows, balanced_accuracy)
    report.floor("length of passage", rows, given, _length_of_passages)
    injected = rows.taken(rows.positive)
    for name in CLEAN:
        clean = [Labelled(answer, "clean", {}) for _, answer in ordinary(path, name, report.limit)]
        if not clean:
            continue
        others, _ = rows_of(found, clean, how)
        both = _joined(injected, others)
        report.figure(f"AUROC, {name.partition('_')[2]}", both, auroc, f"against {others.n} passages of that file")
        report.figure(
            f"false alarms, {name.partition('_')[2]}",
            replace(others, positive=~others.positive),
            recall,
            "web pages" if name == "grounding_wice" else "",
        )


def _length_of_passages(each: Labelled) -> float:
    return float(sum(len(passage.text or "") for passage in each.answer.passages or ()))


def _joined(first: Rows, second: Rows) -> Rows:
    return Rows(
        score=np.concatenate([first.score, second.score]),
        flagged=np.concatenate([first.flagged, second.flagged]),
        positive=np.concatenate([first.positive, second.positive]),
        group=first.group + second.group,
        kind=first.kind + second.kind,
    )


@dataclass(frozen=True)
class Counts:
    """Spans found, those of them that are right, and those there are."""

    found: int = 0
    right: int = 0
    there: int = 0

    @property
    def f2(self) -> float:
        """F2: recall counts twice."""
        weight = BETA**2
        total = self.found + weight * self.there
        return (1 + weight) * self.right / total if total else float("nan")

    def __add__(self, other: Counts) -> Counts:
        """Add up."""
        return Counts(self.found + other.found, self.right + other.right, self.there + other.there)


def personal_data(path: Path, report: Report) -> None:
    """Spans of personal data, overlapping by half or more and of the same type; and false hits in ordinary passages."""
    given = read(path, "safety_pii_presidio_synth", report.limit)
    if not given or scorer("protected_data_control") is None:
        report.absent("personal data", "no such file" if not given else "protected_data_control is not there")
        return
    structured = ProtectedDataControl(kinds=STRUCTURED)
    per_row = [_counted(each, structured) for each in given]
    total = [sum(counts.values(), Counts()) for counts in per_row]
    print(f"\npersonal data: {len(given)} texts, {sum(c.there for c in total)} spans of types with a form of their own")
    report.context("personal data")
    low, high = _bounds(total, [each.extra.get("template_id") for each in given], report.resamples)
    whole = sum(total, Counts())
    print(
        f"  {'F2':<30} {whole.f2:.3f} [{low:.3f}-{high:.3f}]  templates drawn; P {whole.right}/{whole.found}, R"
        f" {whole.right}/{whole.there}"
    )
    unlooked = sum(1 for each in given for span in each.extra["spans"] if span[2] not in KINDS)
    rest = Counts(whole.found, whole.right, whole.there + unlooked)
    print(f"  {'F2, all types':<30} {rest.f2:.3f}  names, places and the like are not looked for")
    for kind in KINDS:
        counts = sum((row.get(kind, Counts()) for row in per_row), Counts())
        print(f"  {kind:<30} {counts.f2:.3f}  P {counts.right}/{counts.found}, R {counts.right}/{counts.there}")
    _false_hits(path, report)


def _counted(each: Labelled, found: ProtectedDataControl) -> dict[str, Counts]:
    text = each.answer.answer or ""
    gold = {kind: [(s, e) for s, e, type_ in each.extra["spans"] if type_ == kind] for kind in KINDS}
    hits = found.findings(text)
    counts = {}
    for kind, kinds in KINDS.items():
        spans = [(hit.start, hit.end) for hit in hits if hit.kind in kinds]
        left = list(gold[kind])
        right = 0
        for span in spans:
            match = next((other for other in left if _overlap(span, other) >= OVERLAP), None)
            if match is not None:
                left.remove(match)
                right += 1
        counts[kind] = Counts(len(spans), right, len(gold[kind]))
    # What is found of a kind that the set does not label is a false hit as well.
    known = {kind for kinds in KINDS.values() for kind in kinds}
    counts[""] = Counts(sum(hit.kind not in known for hit in hits), 0, 0)
    return counts


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> float:
    shared = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    return shared / max(1, max(a[1], b[1]) - min(a[0], b[0]))


def _bounds(rows: Sequence[Counts], groups: Sequence[object], resamples: int) -> tuple[float, float]:
    parts: dict[object, Counts] = {}
    for counts, group in zip(rows, groups, strict=True):
        parts[group] = parts.get(group, Counts()) + counts
    table = np.array([(part.found, part.right, part.there) for part in parts.values()])
    rng = np.random.default_rng(7)
    sums = [table[rng.integers(len(table), size=len(table))].sum(axis=0) for _ in range(resamples)]
    low, high = np.percentile([Counts(*map(int, each)).f2 for each in sums], [2.5, 97.5])
    return float(low), float(high)


def _false_hits(path: Path, report: Report) -> None:
    """Print what the scorer as shipped finds in passages in which nobody put personal data.

    Which of it is false nobody has labelled: web pages hold real contact details, and those are right.
    """
    shipped = ProtectedDataControl()
    passages, kinds = 0, Counter[str]()
    for name in files(path):
        if name.startswith("safety_"):
            continue
        for text, _ in ordinary(path, name, report.limit):
            passages += 1
            kinds.update(finding.kind for finding in shipped.findings(text))
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "none"
    print(f"  {'hits as shipped':<30} {kinds.total()} in {passages} ordinary passages of the other files: {told}")
    rate = PER * kinds.total() / max(1, passages)
    print(f"  {'':<30} {rate:.1f} in {PER:,} passages, if every one is counted as false; real contacts are among them")
