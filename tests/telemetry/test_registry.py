import gzip
import importlib
import pkgutil
import subprocess
from pathlib import Path

import pytest

from scorers import default_panel
from telemetry import instruments
from telemetry.exposure import Exposure
from telemetry.instrument import Instrument, quality_instrument
from telemetry.registry import Telemetry
from tests.peers import require

GOLDEN = Path(__file__).parent / "golden" / "metrics.txt"
REGISTERED = tuple(scorer.metric for scorer in default_panel())
SAMPLE = ("composite", "claim_support", "stale_source_use", "source_age_days", "latency")
"""A metric of each unit and kind of buckets, so that a new scorer changes no golden file; a law below holds for all."""
METRICS = tuple(metric for metric in REGISTERED if metric.name in SAMPLE)


def traffic():
    """A little of everything, written to the instruments as the steps do."""
    telemetry = Telemetry(metrics=METRICS, dimensions=("service", "domain"), version="1.2.3")
    travel, hostile = {"service": "helpdesk", "domain": "travel"}, {"service": 'a"b\\c', "domain": "__other__"}
    for cut in (travel, hostile):
        telemetry.add(instruments.ANSWERS, 4, slice_=cut)
        telemetry.add(instruments.ANSWERS_SAMPLED, 2, slice_=cut)
        telemetry.add(instruments.ANSWERS_SCORED, 2, slice_=cut)
        telemetry.add(instruments.ANSWERS_FAILED, 0, slice_=cut)
        telemetry.add(instruments.UNSCORED, 1, "claim_support", "missing_input", slice_=cut)
        telemetry.observe(instruments.ANSWER_LATENCY, 0.4, slice_=cut, trace_id="0af7651916cd43dd8448eb211c80319c")
        telemetry.observe(instruments.ANSWER_TOKENS, 120, slice_=cut)
    for metric in METRICS:
        telemetry.observe(quality_instrument(metric), 0.75, slice_=travel, trace_id="0af7")
        telemetry.add(instruments.WEIGHTED_SCORES, 1.5, metric.name, slice_=travel)
        telemetry.add(instruments.WEIGHTED_ANSWERS, 2.0, metric.name, slice_=travel)
    telemetry.set(instruments.GATE_STATE, -1, "fresh")
    telemetry.set(instruments.GATE_EVALUATED, 1_780_000_000, "fresh")
    telemetry.set(instruments.GATE_EVIDENCE, 1_779_999_990, "fresh")
    telemetry.set(instruments.GATE_AHEAD, 0, "fresh")
    telemetry.add(instruments.GATE_REDATED, 2, "fresh")
    telemetry.replace(instruments.GATE_SLICE_STATE, [(("fresh",), travel, -1)])
    telemetry.replace(instruments.GATE_ESTIMATE, [(("fresh",), travel, 0.5)])
    telemetry.replace(instruments.GATE_LOWER, [(("fresh",), travel, 0.3)])
    telemetry.replace(instruments.GATE_UPPER, [(("fresh",), travel, 0.7)])
    telemetry.replace(instruments.GATE_ANSWERS, [(("fresh",), travel, 40)])
    telemetry.add(instruments.GATE_DECISIONS, 1, "fresh", "fail")
    telemetry.add(instruments.REQUESTS, 3, "grpc", "OK")
    telemetry.add(instruments.RECEIVED_SPANS, 36, "grpc")
    telemetry.add(instruments.REJECTED_SPANS, 1, "grpc", "invalid_trace_id")
    telemetry.add(instruments.RECEIVED_LOG_RECORDS, 2, "http/json")
    telemetry.add(instruments.DROPPED_LOG_RECORDS, 70, "http/json", "not_content")
    telemetry.add(instruments.TRACES, 4, "answer")
    telemetry.set(instruments.PENDING, 2, "score")
    telemetry.set(instruments.LAG, 1.5, "score")
    telemetry.observe(instruments.SCORER_SECONDS, 0.004, "claim_support")
    telemetry.add(instruments.STEP_ERRORS, 1, "score", "transient")
    return telemetry


def lines_of(telemetry, prefix):
    text = telemetry.exposition("")[0].decode()
    return [line for line in text.splitlines() if line.startswith(prefix)]


def test_every_metric_of_a_scorer_is_exposed_with_its_help_and_its_buckets():
    telemetry = Telemetry(metrics=REGISTERED, dimensions=(), version="1")
    for metric in REGISTERED:
        telemetry.observe(quality_instrument(metric), metric.upper or 1.0)
    text = telemetry.exposition("")[0].decode()
    for metric in REGISTERED:
        name = quality_instrument(metric).name
        assert f"# HELP {name} {metric.help}\n# TYPE {name} histogram\n" in text
        assert f"{name}_count 1.0\n" in text
        assert text.count(f"{name}_bucket{{") == len(metric.buckets) + 1


def test_an_instrument_is_registered_once_by_being_defined_in_the_module_of_its_subject():
    subjects = [
        importlib.import_module(each.name)
        for each in pkgutil.iter_modules(instruments.__path__, "telemetry.instruments.")
    ]
    registered = (*instruments.QUALITY, *instruments.GATES, *instruments.HEALTH)
    assert sorted(each.name for each in instruments.defined(*subjects)) == sorted(each.name for each in registered)
    assert len({each.name for each in registered}) == len(registered)


def test_every_instrument_is_found_where_all_are():
    registered = {*instruments.QUALITY, *instruments.GATES, *instruments.HEALTH}
    found = {value for value in vars(instruments).values() if isinstance(value, Instrument)}
    assert found == registered


def test_distributions_are_exposed_by_slice_only_where_they_are_chosen():
    metric = next(metric for metric in METRICS if metric.name == "claim_support")
    cut = {"domain": "travel"}
    for exposure, bucket in (
        (Exposure(), 'rag_claim_support_ratio_bucket{le="0.8"} 1.0'),
        (Exposure(distributions=("claim_support",)), 'rag_claim_support_ratio_bucket{domain="travel",le="0.8"} 1.0'),
    ):
        telemetry = Telemetry(metrics=METRICS, dimensions=("domain",), version="1", exposure=exposure)
        telemetry.observe(quality_instrument(metric), 0.75, slice_=cut)
        assert bucket in lines_of(telemetry, "rag_claim_support")


def test_a_scraper_that_takes_gzip_gets_the_same_text_compressed():
    plain, headers = traffic().scrape("", "")
    packed, packed_headers = traffic().scrape("", "gzip;q=1.0, deflate")
    assert "Content-Encoding" not in headers
    assert packed_headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 4


def test_a_label_too_few_is_refused():
    telemetry = Telemetry(metrics=(), dimensions=(), version="1")
    with pytest.raises(ValueError, match="groundwire_step_errors_total"):
        telemetry.add(instruments.STEP_ERRORS, 1, "score")


def test_the_exposition_is_the_golden_one(regenerate):
    text = traffic().exposition("")[0].decode()
    if regenerate:
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text(), "run pytest --regenerate and review the diff"


def test_promtool_finds_nothing_to_say():
    promtool = require("promtool")
    result = subprocess.run(
        [promtool, "check", "metrics"], input=traffic().exposition("")[0], capture_output=True, check=False
    )
    assert (result.returncode, result.stdout + result.stderr) == (0, b"")


def test_exemplars_carry_the_trace_id_where_they_are_asked_for():
    text = traffic().exposition("application/openmetrics-text; version=1.0.0")[0].decode()
    assert '# {trace_id="0af7651916cd43dd8448eb211c80319c"} 0.4' in text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_nothing_that_is_not_finite_is_ever_exposed(value):
    telemetry = Telemetry(metrics=METRICS, dimensions=(), version="1")
    with pytest.raises(ValueError, match="groundwire_lag_seconds"):
        telemetry.set(instruments.LAG, value, "score")


def test_series_of_slices_that_are_gone_disappear():
    telemetry = Telemetry(metrics=(), dimensions=("domain",), version="1")
    telemetry.replace(instruments.GATE_ANSWERS, [(("g",), {"domain": d}, 1) for d in ("a", "b")])
    telemetry.replace(instruments.GATE_ANSWERS, [(("g",), {"domain": "b"}, 2)])
    lines = [
        line for line in telemetry.exposition("")[0].decode().splitlines() if line.startswith("groundwire_gate_ans")
    ]
    assert lines == ['groundwire_gate_answers{domain="b",gate="g"} 2.0']


def test_further_slices_are_counted_together_and_the_slices_that_are_known_go_on():
    telemetry = Telemetry(metrics=(), dimensions=("service", "domain"), version="1", exposure=Exposure(slices=2))
    for domain in ("a", "b", "c", "d", "a"):
        telemetry.add(instruments.ANSWERS, 1, slice_={"service": "desk", "domain": domain})
    assert lines_of(telemetry, "rag_answers_total") == [
        'rag_answers_total{domain="a",service="desk"} 2.0',
        'rag_answers_total{domain="b",service="desk"} 1.0',
        'rag_answers_total{domain="__other__",service="__other__"} 2.0',
    ]
    assert lines_of(telemetry, "groundwire_exposed_slices") == [
        "groundwire_exposed_slices 2.0",
        "groundwire_exposed_slices_limit 2.0",
    ]


def test_verdicts_of_all_slices_are_exposed_whatever_the_limit():
    telemetry = Telemetry(metrics=(), dimensions=("domain",), version="1", exposure=Exposure(slices=1))
    telemetry.replace(instruments.GATE_SLICE_STATE, [(("g",), {"domain": d}, 1) for d in ("a", "b", "c")])
    assert len(lines_of(telemetry, "groundwire_gate_slice_state")) == 3


def test_the_agent_says_how_many_series_it_exposes():
    lines = [line for line in lines_of(traffic(), "") if not line.startswith("#")]
    assert f"groundwire_exposed_series {len(lines)}.0" in lines
