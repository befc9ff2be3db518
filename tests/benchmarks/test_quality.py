"""The benchmark of quality computes what it says, and works on files it has never seen."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def measuring(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import measuring

    yield measuring
    sys.modules.pop("measuring", None)


@pytest.fixture
def cards(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import cards

    yield cards
    sys.modules.pop("cards", None)


def test_beside_figures_in_sample_stand_those_of_cross_validation(cards):
    for block, source in cards.FROM.items():
        (_, first), *others = cards.told(block)
        assert "IN SAMPLE" in first
        for begin in source.rows:
            assert any(head == "cross-validated" and row.startswith(begin) for head, row in others), (block, begin)
        assert all(re.search(r"[.\d]\d", row) for _, row in others)
    assert [head for head, _ in cards.told("BEGIN")] == ["shipped model"]


def rows(measuring, score, positive, *, flagged=None, group=None, kind=None):
    score = np.array(score, dtype=float)
    return measuring.Rows(
        score=score,
        flagged=score >= 0.5 if flagged is None else np.array(flagged, dtype=bool),
        positive=np.array(positive, dtype=bool),
        group=tuple(range(len(score)) if group is None else group),
        kind=tuple([""] * len(score) if kind is None else kind),
    )


def test_auroc_counts_pairs_in_order_and_ties_half(measuring):
    given = rows(measuring, [0.1, 0.4, 0.4, 0.9], [False, True, False, True])
    # Of four pairs, (.4, .1), (.9, .1) and (.9, .4) are in order and (.4, .4) is tied.
    assert measuring.auroc(given) == pytest.approx(3.5 / 4)
    assert np.isnan(measuring.auroc(rows(measuring, [0.1, 0.2], [True, True])))


def test_decisions_are_counted_by_class(measuring):
    given = rows(measuring, [0.9, 0.9, 0.1, 0.9], [True, True, True, False])
    assert measuring.balanced_accuracy(given) == pytest.approx((2 / 3 + 0) / 2)
    assert measuring.f1(given) == pytest.approx(2 * 2 / (3 + 3))
    assert measuring.accuracy(given) == 0.5
    assert measuring.macro_f1(given) == pytest.approx((2 / 3 + 0) / 2)


def test_calibration_error_is_the_gap_of_the_bins_by_their_rows(measuring):
    given = rows(measuring, [0.25, 0.25, 0.95, 0.95], [True, False, True, True])
    assert measuring.calibration_error(given) == pytest.approx(0.5 * 0.25 + 0.5 * 0.05)


def test_within_one_writer_the_writer_alone_is_no_skill(measuring):
    kinds = ["a"] * 20 + ["b"] * 20
    positive = [n % 4 == 0 for n in range(20)] + [n % 4 != 0 for n in range(20)]
    given = rows(measuring, [0.2] * 20 + [0.8] * 20, positive, kind=kinds)
    assert measuring.auroc(given) > 0.7
    assert measuring.within_kinds(given) == 0.5


def test_rows_of_one_source_are_drawn_together(measuring):
    rng = np.random.default_rng(1)
    positive = np.repeat(rng.random(20) < 0.5, 10)
    apart = rows(measuring, rng.random(200), positive)
    together = rows(measuring, apart.score, positive, group=np.repeat(np.arange(20), 10))
    widths = [
        found.high - found.low
        for found in (measuring.with_interval(each, measuring.accuracy, 200) for each in (apart, together))
    ]
    assert widths[1] > widths[0] * 0.8
    found = measuring.with_interval(together, lambda each: float(each.positive.mean()), 200)
    alone = measuring.with_interval(apart, lambda each: float(each.positive.mean()), 200)
    assert found.high - found.low > 2 * (alone.high - alone.low)


def labelled(folder, name, given):
    lines = "".join(json.dumps({"split": "test", "source": name, "extra": {}} | row) + "\n" for row in given)
    (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))


@pytest.fixture
def data(tmp_path):
    texts = [f"Room {n} costs {n + 100} EUR a night and has a balcony." for n in range(8)]
    labelled(
        tmp_path,
        "grounding_ragtruth",
        [
            {
                "id": f"r{n}",
                "question": f"What does room {n} cost?",
                "passages": [{"id": "p", "text": text}],
                "answer": text if n % 2 else f"Room {n} costs {n + 500} EUR a week, with breakfast at the pool.",
                "label": "supported" if n % 2 else "hallucinated",
                "extra": {"task": "QA", "model": "m"},
            }
            for n, text in enumerate(texts)
        ],
    )
    labelled(
        tmp_path,
        "safety_pii_presidio_synth",
        [
            {
                "id": "s1",
                "question": "",
                "passages": [],
                "answer": "Write to ann@mail.test, or ask Bob.",
                "label": "pii",
                "extra": {"spans": [[9, 22, "EMAIL_ADDRESS"], [31, 34, "PERSON"]], "template_id": 1},
            }
        ],
    )
    documents = [{"id": f"d{n}", "text": f"The treaty was signed in {year}."} for n, year in enumerate((1990, 1991))]
    labelled(
        tmp_path,
        "conflict_ramdocs",
        [
            {
                "id": "c1",
                "question": "When was the treaty signed?",
                "passages": [*documents, {"id": "d2", "text": "Treaties are long."}],
                "answer": "",
                "label": "misinformation",
                "extra": {"doc_answers": ["1990", "1991", "unknown"]},
            }
        ],
    )
    return tmp_path


def run(*arguments):
    line = [sys.executable, str(ROOT / "benchmarks" / "quality.py"), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)


def test_files_of_the_same_shape_are_measured_and_what_is_missing_is_told(data):
    done = run("--data", data, "--resamples", 20)
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    assert "The shipped models were trained on:" in out
    assert "optimistic" in out
    assert "RAGTruth QA: 8 rows of 8 sources, 0.50 positive" in out
    assert "o3-mini-high" in out
    assert "floor: unseen words, AUROC" in out
    assert "WiCE: no such file" in out
    assert "EMAIL_ADDRESS                  1.000  P 1/1, R 1/1" in out
    assert "hits as shipped                0 in 11 ordinary passages of the other files: none" in out
    assert "IN SAMPLE (support)" in out
    assert "cross-validated                question answering: " in out
    assert "RAMDocs: 1 rows of 1 sources, 1.00 positive" in out


def test_one_part_can_be_run_alone(data):
    out = run("--data", data, "--resamples", 20, "--only", "personal-data").stdout
    assert "personal data: 1 texts" in out
    assert "RAGTruth QA" not in out
