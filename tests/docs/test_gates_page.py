"""The page on gates: every figure on it comes out again, and every word that it needs is explained."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from docs.makers import concepts, detector
from gates import GATES
from gates.drift import DriftGate
from gates.evidence import betting, burn, recovery
from gates.monitoring.rules import PARENT_SHARE, PARENTS_FROM
from gates.simulation.plan import Scenario, assumed, delays, watched
from gates.simulation.traffic import failing

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")
PROSE = " ".join(PAGE.split())
EXPECTED_OF = (
    "groundwire gate plan --gate grounding --slices 50 --weeks 1 --runs 50 --to 0.05",
    "{type: drift, name: grounding, metric: failed, worse: higher, by: [domain]}",
)


def section(heading: str) -> str:
    _, _, rest = PAGE.partition(f"\n{heading}\n")
    assert rest, heading
    return re.split(r"\n#{2,3} ", rest)[0]


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table of a section, without its head."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def number(cell: str) -> float:
    return float(cell.replace(",", "").removesuffix(" %"))


def test_every_gate_answers_a_question_and_says_what_to_expect_of_it():
    asked = {row[1].strip("`") for row in rows("## Which gate")}
    assert asked == {gate.model_fields["type"].annotation.__args__[0] for gate in GATES}
    for name in asked:
        assert f"`{name}`" in PAGE.partition("\n## What to expect\n")[2]


@pytest.mark.slow
def test_the_picture_tells_what_the_page_says_of_it():
    told, text = detector.story(), " ".join(section("## A detector at work").split())
    assert f"after {detector.PAST // detector.DAY} quiet days" in text
    assert f"{detector.GOOD:.0%}".replace("%", " %") + " of answers fail at first" in text
    assert f"From hour {detector.BREAKS} on {100 * detector.BAD:.0f} % fail" in text
    assert f"{100 * max(told.shares[: detector.BREAKS]):.0f} % of one hour failed by chance" in text
    assert f"reaches {told.threshold:.3g} after {told.to_alarm:,} answers" in text
    assert f"reaches {recovery.NEEDED:,.0f} after {told.to_recovery:,} answers" in text
    assert f"watches {detector.SLICES} slices" in text


def test_a_detector_at_work_is_frozen_while_it_fails_and_begins_from_nothing():
    told = detector.story()
    assert told.failing.count(True) == told.recovered - told.alarm
    assert detector.BREAKS * detector.HOUR < told.alarm < detector.REPAIRED * detector.HOUR < told.recovered
    assert max(told.evidence[: told.alarm]) < told.threshold <= told.evidence[told.alarm]
    assert len(set(told.evidence[told.alarm : told.recovered])) == 1
    assert told.evidence[told.recovered + 1] < 1.0
    assert max(told.proof) < recovery.NEEDED, "the proof is taken away in the tick in which it is enough"


def test_the_picture_is_legible_on_light_and_on_dark_pages():
    picture = detector.picture()
    colours = re.findall(r"--(\w+):(#\w+)", picture)
    light, dark = (dict(colours[at : at + len(colours) // 2]) for at in (0, len(colours) // 2))
    assert light.keys() == dark.keys()
    for theme in (light, dark):
        for ink in ("ink", "soft", "bad", "good"):
            assert _contrast(theme[ink], theme["paper"]) >= 4.5, ink
    assert "prefers-color-scheme:dark" in picture


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.1."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    full = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    parts = [int(full[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def needed(share: float, limit: float, *, passes: bool, slices: int = 1) -> int:
    """How many answers a threshold takes to decide where exactly this share fails."""
    n = np.arange(1.0, 1500.0)
    bad = n * share
    low, high = betting.bounds(betting.Sums(n, n, bad, n, bad, bad), 0.05 / slices)
    return int(n[high <= limit][0] if passes else n[low > limit][0])


def test_what_to_expect_of_a_threshold_is_what_its_bounds_say():
    for row in rows("### Of `threshold`"):
        limit, *told = (number(cell) for cell in row)
        at_most = limit / 100
        cases = ((0.0, True), (at_most / 2, True), (2 * at_most, False), (4 * at_most, False))
        assert told == [needed(share, at_most, passes=passes) for share, passes in cases]
    many = needed(0.0, 0.05, passes=True, slices=50)
    assert f"With 50 slices and a limit of 5 %, a slice without failures needs {many} answers" in PROSE


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_what_to_expect_of_a_drift_gate_is_what_the_simulation_says():
    for each in EXPECTED_OF:
        assert each in PROSE
    command, gate = EXPECTED_OF
    slices, weeks, runs = (int(re.search(rf"--{option} (\d+)", command)[1]) for option in ("slices", "weeks", "runs"))
    subject = DriftGate.model_validate(yaml.safe_load(gate))
    level, worse = assumed(subject)
    scenario = Scenario(draw=failing(level), level=level, worse=worse, slices=slices, weeks=weeks, runs=runs)
    quiet = watched(subject, scenario, lambda items, _: items)
    for share, *told in ([number(cell) for cell in row] for row in rows("### Of `drift`")):
        plain, at_change = delays(quiet, replace(scenario, worse=share / 100), lambda items, _: items)
        # Twice the standard error of fifty runs.
        assert [plain.answers, plain.median_answers, at_change.median_answers] == pytest.approx(told, rel=0.2), share


def test_what_to_expect_of_an_objective_is_what_it_goes_by():
    hours = {1: "1h", 6: "6h", 24: "1d", 72: "3d"}
    for pair in burn.PAIRS:
        assert pair.long.total_seconds() / 3600 in hours
    assert [pair.factor for pair in burn.PAIRS] == [14.4, 6.0, 3.0, 1.0]
    assert "14.4 times too fast over 1h and 5m, or 6 times over 6h and 30m" in PROSE
    assert f"an objective of 99 %, 14.4 times is {burn.PAIRS[0].factor * (1 - 0.99) * 100:.1f} % bad answers" in PROSE


def test_the_share_of_parents_is_what_the_code_has():
    assert PARENTS_FROM == 10
    assert "With ten slices or more" in PROSE
    assert f"Each has {PARENT_SHARE * 100:g} % of the budget" in PROSE


def test_every_module_that_is_named_for_a_proof_says_what_it_needs():
    named = set(re.findall(r"`(gates\.[a-z.]+)`", section("## What must be true")))
    assert len(named) > 8
    for name in named:
        text = importlib.import_module(name).__doc__ or ""
        assert re.search(r"[Pp]remise|[Aa]s long as|[Cc]ondition", text), f"{name} does not say what it needs"


def test_every_word_is_explained_in_a_sentence_or_two_and_in_order():
    words = [(row[0], row[1]) for row in rows("## Glossary")]
    names = [name for name, _ in words]
    assert names == sorted(names, key=str.casefold)
    for name, text in words:
        assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 2, name
    for word in ("e-value", "e-detector", "reference", "tolerance", "slice", "parent", "freeze", "e-BH", "sibling"):
        assert word in names


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{name}.md" for name in ("decisions", "replay", "changes"))])
def test_pages_that_speak_of_gates_lead_to_it(page):
    assert "gates.md" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_pages_on_concepts_tell_the_figures_of_their_pictures():
    change = (ROOT / "docs" / "concepts" / "change.md").read_text("utf-8")
    told, silent = (concepts.evidenced(announced=announced).answers for announced in (True, False))
    assert f"after {told:,} answers, otherwise after {silent:,}" in change
    deciding = " ".join((ROOT / "docs" / "concepts" / "deciding.md").read_text("utf-8").split())
    passed, failed, undecided = concepts.decided()
    assert (passed.verdict, failed.verdict, undecided.verdict) == ("pass", "fail", "inconclusive")
    assert f"that takes {passed.after} answers" in deciding
    assert f"{failed.after} answers are enough" in deciding
