"""The section `notify`: what is wrong is named with its path, and `check` opens every secret."""

import pytest
import yaml

from collector.agent.check import check
from collector.configuration.file import load
from collector.errors import ConfigError
from tests.collector.notify.bench import CONFIG, SECRET

HOOK = "type: webhook, url: http://h, secret_file: /none"
EVENTS = "type: cdevents, url: http://h, environment: production"
BAD = [
    ("{type: webhok, url: http://h}", "notify[0].type: unknown 'webhok'; did you mean 'webhook'?"),
    ("{url: http://h}", "notify[0].type: required"),
    ("{type: alertmanager}", "notify[0].url: required"),
    ("{type: alertmanager, url: 'http://user:password@h'}", "notify[0].url: an http or https address without"),
    ("{type: alertmanager, url: http://h, resend: 1h}", "notify[0].resend"),
    ("{type: alertmanager, url: http://h, labels: {gate: x}}", "notify[0].labels.gate: reserved label"),
    ("{type: alertmanager, url: http://h, labels: {'a b': x}}", "notify[0].labels.a b: not a valid label name"),
    ("{type: webhook, url: http://h}", "notify[0].secret_file: required"),
    (f"{{{HOOK}, secret: whsec_x}}", "notify[0].secret: unknown key"),
    (f"{{{HOOK}, gates: [frsh]}}", "notify[0].gates[0]: no gate 'frsh'; known: fresh, grounded"),
    (f"{{{HOOK}, rollback: {{dryrun: false}}}}", "notify[0].rollback.dryrun: unknown key; did you mean 'dry_run'?"),
    (f"{{{HOOK}, rollback: {{daily_cap: 0}}}}", "notify[0].rollback.daily_cap"),
    (f"{{{HOOK}, rollback: {{components: [documents]}}}}", "notify[0].rollback.components"),
    (f"{{{HOOK}}}, {{{HOOK}}}", "notify[1]: duplicate name 'webhook'"),
    (
        f"{{{HOOK}, rollback: {{}}}}, {{{HOOK}, name: other, rollback: {{}}}}",
        "notify[1].rollback: notify[0] has one already",
    ),
    ("{type: cdevents, url: http://h}", "notify[0].environment: required"),
    (f"{{{EVENTS}, artifact: oci/x}}", "notify[0].artifact"),
    (f"{{{EVENTS}, artifact: 'pkg:oci/x'}}", "notify[0].artifact: needs `{version}`"),
    (f"{{{EVENTS}, artifact: 'pkg:oci/{{gate}}@{{version}}'}}", "notify[0].artifact: needs `{version}`"),
    (f"{{{EVENTS}, artifact: 'pkg:oci/x@{{version'}}", "notify[0].artifact"),
    (f"{{{EVENTS}, source: 'a b'}}", "notify[0].source"),
]


def loaded(text, **config):
    return load(yaml.safe_dump({**CONFIG, **config}) + f"\nnotify: [{text}]", where="groundwire.yaml")


@pytest.mark.parametrize(("text", "expected"), BAD, ids=[text[:60] for text, _ in BAD])
def test_what_is_wrong_is_named_with_its_path(text, expected):
    with pytest.raises(ConfigError) as caught:
        loaded(text)
    assert f"groundwire.yaml: {expected}" in str(caught.value)
    assert "password" not in str(caught.value)


def test_a_roll_back_needs_a_dimension_that_names_the_service():
    with pytest.raises(ConfigError, match=r"notify\[0\]\.rollback: .*add a slice dimension with attribute `service`"):
        loaded(f"{{{HOOK}, rollback: {{}}}}", slices=[{"name": "domain"}])
    loaded(f"{{{HOOK}, rollback: {{}}}}", slices=[{"name": "app", "attribute": "service"}, {"name": "domain"}])


def test_nobody_is_told_and_nothing_is_rolled_back_unless_it_is_configured():
    assert load("", where="x").notify == ()
    [hook] = loaded(f"{{{HOOK}}}").notify
    assert (hook.name, hook.rollback) == ("webhook", None)
    [hook] = loaded(f"{{{HOOK}, rollback: {{}}}}").notify
    assert hook.rollback.dry_run is True


def test_check_opens_every_notifier_and_warns_of_what_can_be_read_on_the_way(tmp_path):
    key, token = tmp_path / "key", tmp_path / "token"
    key.write_text(SECRET)
    token.write_text("a-token")
    found = check(
        loaded(
            f"{{type: webhook, url: 'http://receiver.example', secret_file: {key}}}, "
            f"{{type: alertmanager, url: 'http://alerts.example', token_file: {token}}}, "
            f"{{{EVENTS.replace('http://h', 'http://127.0.0.1:1')}}}"
        )
    )
    assert "notify[0]: ok, webhook at http://receiver.example" in found
    assert any(
        line.startswith("warning: notify[0].url: ") and "signed, but sent in clear text" in line for line in found
    )
    assert any(line.startswith("warning: notify[1].url: ") and "credentials" in line for line in found)
    assert not any("notify[2]" in line and "warning" in line for line in found)
    assert not any("MDEy" in line or "a-token" in line for line in found)


@pytest.mark.parametrize("text", [f"{{{HOOK}}}", "{type: alertmanager, url: http://h, token_file: /none}"])
def test_check_names_a_secret_that_cannot_be_read(text):
    with pytest.raises(ConfigError, match=r"notify\[0\]\.\w+_file: /none: cannot be read: No such file"):
        check(loaded(text))
