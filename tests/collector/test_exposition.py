"""What `/metrics` costs its reader: the series of a configuration as people write it, and the time of a scrape."""

from itertools import product

import pytest

from collector.configuration.file import load
from collector.judging.judge import BY_SLICE as JUDGED
from gates.objective import ObjectiveGate
from telemetry import instruments
from telemetry.instrument import quality_instrument
from telemetry.registry import Telemetry

CONFIG = """
slices: [{name: service}, {name: domain, cap: 1000}, {name: region}]
gates:
  - {type: threshold, name: grounded, metric: claim_support, at_least: 0.8, by: [service, domain, region]}
  - {type: drift, name: fresh, metric: stale_source_use, by: [service, domain, region], worse: higher}
  - {type: objective, name: sound, metric: claim_support, worse: lower, objective: 0.9, by: [service, domain, region]}
"""
OBJECTIVE = (instruments.BUDGET_LEFT, instruments.OBJECTIVE_SEVERITY, instruments.OBJECTIVE_SILENT)
WINDOWS = ("5m", "30m", "1h", "2h", "6h", "1d", "3d", "30d")


def traffic(slices: int) -> Telemetry:
    """Every series that so many slices give with all metrics scored and missing, and every gate judged by them."""
    config = load(CONFIG, where="f")
    telemetry = Telemetry(metrics=config.metrics, dimensions=config.dimensions, version="1", exposure=config.exposure)
    places = product(range(slices), ("desk", "search", "mail"), ("eu", "us", "asia"))
    cuts = [
        {"service": service, "region": region, "domain": f"d{domain}"}
        for (domain, service, region), _ in zip(places, range(slices), strict=False)
    ]
    exposed = [metric for metric in config.metrics if config.exposure.metric(metric.name)]
    for cut in cuts:
        for each in (instruments.ANSWERS, instruments.ANSWERS_SAMPLED, instruments.ANSWERS_SCORED):
            telemetry.add(each, 1, slice_=cut)
        telemetry.add(instruments.ANSWERS_FAILED, 1, slice_=cut)
        for metric in exposed:
            telemetry.observe(quality_instrument(metric), 0.5, slice_=cut)
            telemetry.add(instruments.WEIGHTED_SCORES, 1, metric.name, slice_=cut)
            telemetry.add(instruments.WEIGHTED_ANSWERS, 1, metric.name, slice_=cut)
            for reason in ("missing_input", "not_applicable"):
                telemetry.add(instruments.UNSCORED, 1, metric.name, reason, slice_=cut)
    for metric in config.metrics:
        telemetry.observe(instruments.SCORER_SECONDS, 0.1, metric.name)
        for reason in instruments.FAILURES.split("|"):
            telemetry.add(instruments.UNSCORED, 0, metric.name, reason)
    for instrument in JUDGED:
        of = [gate.name for gate in config.gates if instrument not in OBJECTIVE or isinstance(gate, ObjectiveGate)]
        telemetry.replace(instrument, [((gate,), cut, 1.0) for gate in of for cut in cuts])
    burning = [(("sound", window), cut, 1.0) for window in WINDOWS for cut in cuts]
    telemetry.replace(instruments.BURN_RATE, burning)
    return telemetry


def exposed(telemetry: Telemetry) -> tuple[int, int]:
    """How many series are exposed, and how many bytes they are."""
    body, _ = telemetry.exposition("")
    return sum(not line.startswith(b"#") for line in body.splitlines()), len(body)


def test_twenty_seven_slices_and_three_gates_are_at_most_five_thousand_series_by_default():
    series, _ = exposed(traffic(27))
    assert 2_000 < series <= 5_000


def test_every_slice_costs_as_many_series_as_the_page_on_boards_says():
    few, many = (exposed(traffic(slices))[0] for slices in (27, 54))
    assert (many - few) / 27 == pytest.approx(per_slice(), abs=1)


def per_slice() -> int:
    """What the page says that a slice costs with these gates and eight metrics, two reasons missing of each."""
    traffic, metric, gate, objective = 4, 4, 5, len(OBJECTIVE) + len(WINDOWS)
    return traffic + 8 * metric + 3 * gate + objective


def test_five_hundred_slices_are_scraped_as_text_of_a_few_megabytes():
    series, size = exposed(traffic(500))
    assert series < 60_000
    assert size < 8_000_000
