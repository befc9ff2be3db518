import json

import pytest
import yaml

from collector.configuration.file import dump, load
from collector.errors import ConfigError
from scorers import production_panel
from telemetry.exposure import IN_USE

GATE = "{type: threshold, name: g, metric: stale_source_use, at_most: 0.1}"

BAD = [
    ("scorer: []", ["groundwire.yaml: scorer: unknown key; did you mean 'scorers'?"]),
    ("otlp_http: {port: 4318}", ["groundwire.yaml: otlp_http: unknown key; did you mean 'receive.otlp_http'?"]),
    ("api: {port: 8080}", ["groundwire.yaml: api: unknown key; known: data, receive,"]),
    ("probability: 0.1", ["did you mean 'sampling.probability' or 'sampling.boost.probability'?"]),
    (
        "gates: [{type: drift, name: g, metric: claim_support, worse: lower, probability: 1}]",
        ["gates[0].probability: unknown key; did you mean 'label_probability'?"],
    ),
    ("judge: {tack: 1s}", ["groundwire.yaml: judge.tack: unknown key; did you mean 'tick'?"]),
    (
        "gates: [{type: threshold, name: g, metric: stale_source_use, at_most: 0.1, windo: 1h}]",
        ["groundwire.yaml: gates[0].windo: unknown key; did you mean 'window'?"],
    ),
    ("gates: [{type: treshold}]", ["gates[0].type: unknown 'treshold'; did you mean 'threshold'?"]),
    ("gates: [{name: g}]", ["gates[0].type: required"]),
    ("gates: [{tpye: threshold, name: g}]", ["groundwire.yaml: gates[0].tpye: unknown key; did you mean 'type'?"]),
    (
        "gates: [{type: threshold, name: g, metric: stale_source_use, at_most: 0.1, maximum: 0.2}]",
        ["groundwire.yaml: gates[0].maximum: unknown key; known: type, name, metric, bounds, good, at_most"],
    ),
    ("gates: [{type: threshold, name: g, at_most: 0.1}]", ["gates[0].metric: required"]),
    (
        "gates: [{type: threshold, name: g, metric: stale_source_us, at_most: 0.1}]",
        ["gates[0].metric: no scorer gives 'stale_source_us'"],
    ),
    (f"gates: [{GATE}, {GATE}]", ["gates[1]: duplicate name 'g'"]),
    (
        "gates: [{type: threshold, name: g, metric: stale_source_use, at_most: 0.1, by: [domian]}]",
        ["gates[0].by[0]: no slice dimension 'domian'"],
    ),
    ("exposition: {metrics: [claim_suport]}", ["exposition.metrics[0]: no metric 'claim_suport' in the panel"]),
    ("exposition: {distributions: [answer]}", ["exposition.distributions[0]: no metric 'answer' in the panel"]),
    ("scorers: [{type: claim_suport}]", ["scorers[0].type: unknown 'claim_suport'; did you mean 'claim_support'?"]),
    ("scorers: [{type: claim_support}, {type: claim_support}]", ["scorers[1]: duplicate name 'claim_support'"]),
    ("slices: [{name: metric}]", ["slices[0].name", "reserved label"]),
    ("slices: [{name: 'bad name'}]", ["slices[0].name"]),
    ("sampling: {probability: 0.001}", ["sampling.probability", "greater than or equal to 0.01", "got 0.001"]),
    (
        "sampling: {rules: [{when: {domain: x}, probability: 1}]}",
        ["sampling.rules[0].when.domain: no slice dimension 'domain'"],
    ),
    ("traces: {idle: 5}", ["traces.idle", "not a duration"]),
    ("scoring: {workers: 0}", ["scoring.workers", "greater than or equal to 1", "got 0"]),
    ("catalog: {}", ["catalog: expected path, http, learn or sources"]),
    ("catalog: {pth: x}", ["catalog.pth: unknown key; did you mean 'path'?"]),
    ("catalog: {http: {url: ftp://h/c.csv}}", ["catalog.http.url: expected http:// or https:// and a host"]),
    ("catalog: {http: {url: 'http://h', poll: 10ms}}", ["catalog.http.poll"]),
    ("catalog: {path: c, search: {sparse: 0.3}}", ["catalog.search.sparse", "greater than or equal to 0.4"]),
    ("catalog: {path: c, search: {relevance: 0.9}}", ["catalog.search.relevance", "less than or equal to 0.8"]),
    ("catalog: {learn: {entries: 0}}", ["catalog.learn.entries", "greater than or equal to 1"]),
    ("http: {port: 99999}", ["http.port"]),
    ("receive: {otlp_http: {langfuse: {secret_key: s}}}", ["receive.otlp_http.langfuse.public_key: required"]),
    ("receive: {otlp_http: {langfuse: {public_key: p}}}", ["receive.otlp_http.langfuse.secret_key: required"]),
    ("receive: {otlp_http: {langfuse: {public_key: 'p:q'}}}", ["receive.otlp_http.langfuse.public_key", "pattern"]),
    (
        "receive: {otlp_http: {langfuse: {public_key: p, secret: s}}}",
        ["receive.otlp_http.langfuse.secret: unknown key; did you mean 'secret_key'?"],
    ),
    ("sources: [{type: files}]", ["sources[0].paths: required"]),
    ("sources: [{type: files, paths: []}]", ["sources[0].paths", "at least 1"]),
    (
        "sources: [{type: files, paths: [a.log], pol: 1s}]",
        ["groundwire.yaml: sources[0].pol: unknown key; did you mean 'poll'?"],
    ),
    ("sources: [{type: file, paths: [a.log]}]", ["sources[0].type: unknown 'file'; did you mean 'files'?"]),
    ("sources: [{type: files, paths: [a.log.gz]}]", ["sources[0].paths[0]: gzip files are not tailed"]),
    ("sources: [{type: files, paths: [a], name: A B}]", ["sources[0].name", "pattern"]),
    (
        "sources: [{type: files, paths: [a]}, {type: files, paths: [b]}]",
        ["groundwire.yaml: sources[1]: duplicate name 'files'"],
    ),
    ("sources: [{type: files, paths: ['~/app.log']}]", ["sources[0].paths[0]: ~/app.log: `~` is not expanded"]),
    ("sources: {type: files, paths: [a]}", ["groundwire.yaml: sources: expected a list, each item after a dash"]),
    ("sources: [{type: files, paths: a.log}]", ["groundwire.yaml: sources[0].paths: expected a list"]),
    ("sources: [{type: phoenix, url: {a: b}}]", ["sources[0].url: input should be a valid string, got a mapping"]),
    ("sources: [{type: phoenix, url: 'http://h', timeout: 6m}]", ["sources[0].timeout", "5 minutes, got 0:06:00"]),
    ("[]", ["groundwire.yaml: the top level must be a mapping of sections, not list"]),
    ("a: [", ["groundwire.yaml: line 2: not YAML: "]),
    ("a: " + "[" * 5000, ["groundwire.yaml: line 1: nested deeper than 50 levels"]),
    ("a: 2024-13-45", ["groundwire.yaml: line 1: not a value of type timestamp: month must be in 1..12"]),
    ('a: !!int ""', ["groundwire.yaml: line 1: not a value of type int"]),
    ("a: !!timestamp x", ["groundwire.yaml: line 1: not a value of type timestamp"]),
    ("a: !!bool x", ["groundwire.yaml: line 1: not a value of type bool"]),
    ("a: " + "9" * 5000, ["groundwire.yaml: line 1: a number of more than 100 characters"]),
    ("a: !!python/object:os.system {}", ["groundwire.yaml: line 1: tag "]),
    (
        "judge:\n  tick: 5s\n  expiry: 1h\n  tick: 1s",
        ["groundwire.yaml: judge.tick: duplicate key 'tick' at line 4, first given at line 2"],
    ),
    (
        f"gates:\n- {GATE}\n- {{name: a,\n   name: b}}",
        ["groundwire.yaml: gates[1].name: duplicate key 'name' at line 4, first given at line 3"],
    ),
    ("gates: []\nslices: []\ngates: []", ["gates: duplicate key 'gates' at line 3, first given at line 1"]),
    ("x" * 1_000_001, ["groundwire.yaml: larger than 1000000 bytes"]),
]


@pytest.mark.parametrize(("text", "expected"), BAD, ids=[text[:40] for text, _ in BAD])
def test_what_is_wrong_is_named_with_its_path(text, expected):
    with pytest.raises(ConfigError) as caught:
        load(text, where="groundwire.yaml")
    for part in expected:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "sources: [{type: phoenix, url: 'http://h', api_key: 471147}]",
        "sources: [{type: langfuse, public_key: pk, secret_key: 471147}]",
        "sources: {type: phoenix, url: 'http://h', api_key: s471147}",
        "write_back: [{type: otlp, url: 'http://h', headers: {authorization: 471147}}]",
        "http: {token: 471147}",
    ],
)
def test_a_secret_that_is_wrong_is_not_repeated(text):
    with pytest.raises(ConfigError) as caught:
        load(text, where="f")
    assert "471147" not in str(caught.value)


ADDRESSES = [
    "host:6006",
    "ftp://h",
    "http://u:471147@h",
    "http://[::1",
    "http://h:port",
    "http://h:99999",
    "http://h:0",
    "http://:6006",
    "http://h/?x=1",
    "http://h/#x",
    "http://h\\x",
    "https://h ",
    "",
]


@pytest.mark.parametrize("url", ADDRESSES)
@pytest.mark.parametrize("section", ["sources: [{type: phoenix, url: %s}]", "write_back: [{type: phoenix, url: %s}]"])
def test_an_address_nobody_can_be_asked_at_is_refused_and_not_repeated(section, url):
    with pytest.raises(ConfigError) as caught:
        load(section % json.dumps(url), where="f")
    assert "[0].url: an http or https address without credentials or query" in str(caught.value)
    assert "471147" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://[::1]:6006", "https://h", "https://phoenix.example:443/prefix/", "http://10.0.0.1"]
)
def test_an_address_may_have_a_port_a_prefix_and_an_ipv6_host(url):
    [source] = load(f"sources: [{{type: phoenix, url: '{url}'}}]", where="f").sources
    assert source.url == url
    source.open("sources[0]").close()


def test_all_problems_are_reported_at_once():
    with pytest.raises(ConfigError) as caught:
        load("judge: {tack: 1s, tick: '${TICK}'}\nscoring: {workers: -1}\nfoo: 1", where="f")
    paths = [problem.split(": ")[1] for problem in caught.value.problems]
    assert sorted(paths) == ["foo", "judge.tack", "judge.tick", "scoring.workers"]
    assert "${TICK} is not replaced" in caught.value.problems[0]


def test_a_wrong_value_of_a_gate_does_not_hide_wrong_names_in_gates():
    first = "{type: threshold, name: a, metric: claim_suport, at_least: 0.9, by: [domian], window: 60}"
    second = "{type: threshold, name: b, metric: faithfulnes, at_least: 0.9}"
    with pytest.raises(ConfigError) as caught:
        load(f"gates: [{first}, {second}]\nslices: [{{name: domain}}]", where="f")
    told = [problem.partition(": ")[2].partition(": ")[0] for problem in caught.value.problems]
    assert told == ["gates[0].window", "gates[0].metric", "gates[0].by[0]", "gates[1].metric"]


@pytest.mark.parametrize("slices", ["slics: [{name: domain}]", "slices: [{name: domain, cap: -1}]"])
def test_names_are_not_compared_with_what_could_not_be_read(slices):
    gate = "{type: threshold, name: a, metric: claim_support, at_least: 0.9, by: [domain]}"
    with pytest.raises(ConfigError) as caught:
        load(f"gates: [{gate}]\n{slices}", where="f")
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize(
    ("hosts", "together"),
    [
        (("127.0.0.1", "127.0.0.1"), True),
        (("localhost", "127.0.0.1"), True),
        (("127.0.0.1", "0.0.0.0"), True),
        (("127.0.0.1", "10.0.0.1"), False),
    ],
)
def test_two_listeners_with_one_port_are_named_before_the_start(hosts, together):
    pages, traces = ({"port": 14318, "host": host, "allow_unauthenticated": True} for host in hosts)
    text = json.dumps({"http": pages, "receive": {"otlp_http": traces, "otlp_grpc": {"enabled": False}}})
    if not together:
        assert load(text, where="f")
        return
    with pytest.raises(ConfigError) as caught:
        load(text, where="f")
    assert caught.value.problems == (
        "f: receive.otlp_http.port: 14318 is http.port already; give each a port of its own",
    )


def test_the_metrics_there_are_stand_in_one_problem_of_many():
    gate = "{{type: threshold, name: {0}, metric: no-such-{0}, at_least: 0.9, window: 1h}}"
    with pytest.raises(ConfigError) as caught:
        load(f"gates: [{gate.format('a')}, {gate.format('b')}]", where="f")
    assert [problem.count("faithfulness") for problem in caught.value.problems] == [1, 0]
    assert caught.value.problems[1] == "f: gates[1].metric: no scorer gives 'no-such-b'"


def test_a_file_full_of_mistakes_is_told_in_as_many_lines_as_one_can_read():
    with pytest.raises(ConfigError) as caught:
        load(f"gates: [{'1, ' * 5000}]", where="f")
    assert len(caught.value.problems) == 101
    assert caught.value.problems[-1] == "f: and 4900 more problems"


def test_rules_written_once_are_used_by_their_anchor_everywhere():
    rules = "&rules [{name: pay, when: {question: [salary]}, must: refuse}]"
    scorers = (f"{{type: policy_boundary_handling, rules: {rules}}}", "{type: refusal_appropriateness, rules: *rules}")
    first, second = load(f"scorers: [{', '.join(scorers)}]", where="f").scorers
    assert first.rules == second.rules != ()


def test_an_empty_file_is_valid_and_binds_loopback():
    config = load("", where="f")
    assert config.http.host == config.receive.otlp_http.host == config.receive.otlp_grpc.host == "127.0.0.1"
    assert (config.http.port, config.receive.otlp_http.port, config.receive.otlp_grpc.port) == (8080, 4318, 4317)
    assert [dimension.name for dimension in config.slices] == ["service"]
    assert "stale_source_use" in [metric.name for metric in config.metrics]


def test_what_is_in_force_can_be_read_back():
    text = f"""
    traces: {{idle: 250ms, attributes: {{domain: policy.domain}}}}
    slices: [{{name: service}}, {{name: domain, values: [travel, leave]}}]
    gates: [{GATE}]
    sampling: {{probability: 0.5, rules: [{{when: {{domain: travel}}, probability: 1}}]}}
    """
    config = load(text, where="f")
    assert load(dump(config), where="printed") == config


def test_a_drift_gate_compares_within_what_sampling_goes_by_unless_it_says_otherwise():
    named = {"left out": "", "none": ", strata: []", "own": ", strata: [tier]", "sliced": ", by: [risk]"}
    gates = [
        f"{{type: drift, name: g{i}, metric: claim_support, worse: lower{more}}}"
        for i, more in enumerate(named.values())
    ]
    text = f"""
    slices: [{{name: domain}}, {{name: risk}}, {{name: tier}}]
    sampling: {{probability: 0.1, rules: [{{when: {{risk: high, domain: travel}}, probability: 1}}]}}
    gates: [{", ".join(gates)}]
    """
    config = load(text, where="f")
    assert dict(zip(named, (gate.within for gate in config.gates), strict=True)) == {
        "left out": ("risk", "domain"),
        "none": (),
        "own": ("tier",),
        "sliced": ("domain",),
    }
    assert load(dump(config), where="printed") == config
    assert load(text.replace("risk: high, domain: travel", "domain: travel"), where="f").gates[0].within == ("domain",)
    assert load(f"gates: [{gates[0]}]", where="f").gates[0].within == ()


def test_one_key_can_be_overridden():
    config = load("judge: {tick: 5s}", where="f", overrides=["judge.tick=1s", "scoring.workers=3"])
    assert config.judge.tick.total_seconds() == 1
    assert config.scoring.workers == 3


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("judge.tick", "expected path.to.key=value"),
        ("=1", "expected path.to.key=value"),
        ("judge..tick=1s", "expected path.to.key=value"),
        ("judge.tick.x=1s", "judge.tick is not a section"),
        ("judge.tick=[", "--set judge.tick=[: line 2: not YAML: "),
        ("judge.tick=2024-13-45", "--set judge.tick=2024-13-45: line 1: not a value of type timestamp: month must be"),
        ('judge.tick=!!int ""', "not a value of type int"),
        ("judge.tick=!!timestamp x", "not a value of type timestamp"),
        ("judge.tick=" + "9" * 5000, "a number of more than 100 characters"),
        ("judge.tick=" + "[" * 5000, "nested deeper"),
        ("judge={tick: 1s, tick: 2s}", "--set judge={tick: 1s, tick: 2s}: tick: duplicate key 'tick' at line 1"),
        ("judge.tuck=1s", "judge.tuck: unknown key; did you mean 'tick'?"),
    ],
)
def test_a_wrong_override_is_named(override, expected):
    with pytest.raises(ConfigError) as caught:
        load("judge: {tick: 5s}", where="f", overrides=[override])
    assert expected in str(caught.value)


def test_listening_beyond_loopback_needs_a_token_or_an_explicit_word():
    with pytest.raises(ConfigError) as caught:
        load("http: {host: 0.0.0.0}", where="f")
    assert "http" in str(caught.value)
    assert "allow_unauthenticated" in str(caught.value)
    assert load("http: {host: 0.0.0.0, allow_unauthenticated: true}", where="f").http.host == "0.0.0.0"


def test_a_token_for_verdicts_needs_one_for_everything_else(tmp_path):
    with pytest.raises(ConfigError, match=r"http\.verdict_token_file: needs http\.token_file"):
        load("http: {verdict_token_file: /run/verdicts}", where="f")
    chosen = load(f"http: {{token: s3cret, verdict_token_file: {tmp_path / 'none'}}}", where="f")
    with pytest.raises(ConfigError, match=r"http\.verdict_token_file: .*No such file"):
        chosen.http.verdict_token("http")
    (tmp_path / "none").write_text("gates\n")
    assert chosen.http.verdict_token("http") == "gates"
    assert load("", where="f").http.verdict_token("http") is None


def test_the_printed_configuration_is_yaml_without_tags():
    assert isinstance(yaml.safe_load(dump(load("", where="f"))), dict)


def test_what_gates_judge_and_what_others_measure_is_exposed_beside_what_is_chosen():
    gate = "gates: [{type: threshold, name: g, metric: redundancy, at_most: 0.5}]\nexternal: [{name: thumbs}]\n"
    default = load(gate, where="f").exposure
    assert set(IN_USE) <= {scorer.metric.name for scorer in production_panel()}
    exposed = [default.metric(name) for name in ("redundancy", "claim_support", "external.thumbs", "numeric_fidelity")]
    assert exposed == [True, True, True, False]
    chosen = load(
        f"{gate}exposition: {{metrics: [numeric_fidelity], distributions: [answer_tokens], slices: 9}}", where="f"
    ).exposure
    exposed = [chosen.metric(name) for name in ("redundancy", "claim_support", "external.thumbs", "numeric_fidelity")]
    assert exposed == [True, False, False, True]
    assert [chosen.distribution(name) for name in ("answer_tokens", "recall")] == [True, False]
    assert (default.slices, chosen.slices) == (500, 9)
    everything = load("exposition: {metrics: all, distributions: all}", where="f").exposure
    assert everything.metric("ndcg")
    assert everything.distribution("ndcg")


def test_what_rests_on_a_missing_key_is_not_named_beside_it():
    with pytest.raises(ConfigError) as error:
        load('gates: [{"type": "release", "name": "canary"}]', where="groundwire.yaml")
    assert set(error.value.problems) == {
        "groundwire.yaml: gates[0].metric: required",
        "groundwire.yaml: gates[0].worse: required",
    }
