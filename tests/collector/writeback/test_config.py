"""The section `write_back`: what is wrong is named with its path, and `check` opens every secret."""

import pytest

from collector.agent.check import check
from collector.configuration.file import load
from collector.errors import ConfigError

BAD = [
    ("{type: phonix, url: http://h}", ["write_back[0].type: unknown 'phonix'; did you mean 'phoenix'?"]),
    ("{url: http://h}", ["write_back[0].type: required"]),
    ("{type: phoenix}", ["write_back[0].url: required"]),
    ("{type: phoenix, url: http://h, metrcs: [x]}", ["write_back[0].metrcs: unknown key; did you mean 'metrics'?"]),
    (
        "{type: langfuse, url: http://h, public_key: p, secret_keyfile: x}",
        ["write_back[0].secret_keyfile: unknown key; did you mean 'secret_key_file'?"],
    ),
    ("{type: phoenix, url: h}", ["write_back[0].url"]),
    ("{type: phoenix, url: 'http://user:password@h'}", ["write_back[0].url: an http or https address without"]),
    ("{type: phoenix, url: 'http://h/?a=b'}", ["write_back[0].url"]),
    ("{type: phoenix, url: http://h, name: 'A b'}", ["write_back[0].name"]),
    ("{type: phoenix, url: http://h, metrics: []}", ["write_back[0].metrics"]),
    ("{type: phoenix, url: http://h, metrics: [claim_suport]}", ["write_back[0].metrics[0]: no scorer gives 'claim_"]),
    ("{type: phoenix, url: http://h, when: {domain: x}}", ["write_back[0].when.domain: no slice dimension 'domain'"]),
    (
        "{type: phoenix, url: http://h}, {type: phoenix, url: http://i}",
        ["write_back[1]: duplicate name 'phoenix'"],
    ),
    ("{type: phoenix, url: http://h, api_key: a, api_key_file: b}", ["write_back[0].api_key_file: give the key or"]),
    ("{type: langfuse, url: http://h}", ["write_back[0].public_key: required"]),
    ("{type: langfuse, url: http://h, public_key: p}", ["write_back[0].secret_key: required, or write_back[0].secret"]),
    ("{type: otlp, url: http://h, protocol: http/json}", ["write_back[0].protocol: unknown 'http/json'"]),
    ("{type: otlp, url: http://h, headers: {'a b': x}}", ["write_back[0].headers"]),
    ("{type: phoenix, url: http://h, timeout: 10m}", ["write_back[0].timeout"]),
]


@pytest.mark.parametrize(("text", "expected"), BAD, ids=[text[:50] for text, _ in BAD])
def test_what_is_wrong_is_named_with_its_path(text, expected):
    with pytest.raises(ConfigError) as caught:
        load(f"write_back: [{text}]", where="groundwire.yaml")
    for part in expected:
        assert f"groundwire.yaml: {part}" in str(caught.value)
    assert "password" not in str(caught.value)


def test_nothing_is_written_unless_it_is_configured():
    assert load("", where="x").write_back == ()


def test_check_opens_every_target_and_warns_of_credentials_in_clear(tmp_path):
    key = tmp_path / "key"
    key.write_text("sk\n")
    config = load(
        f"""
write_back:
  - {{type: phoenix, url: "http://phoenix.internal:6006", api_key_file: {key}}}
  - {{type: phoenix, name: local, url: "http://127.0.0.1:6006", api_key_file: {key}}}
  - {{type: phoenix, name: open, url: "http://phoenix.internal:6006"}}
  - {{type: langfuse, url: "https://langfuse.internal", public_key: pk, secret_key_file: {key}}}
  - {{type: otlp, url: "http://collector:4317", protocol: grpc, headers: {{authorization: secret}}}}
""",
        where="x",
    )
    told = [line for line in check(config) if "write_back" in line]
    assert [line for line in told if line.startswith("warning")] == [
        "warning: write_back[0].url: http://phoenix.internal:6006: credentials are sent in clear text; use https",
        "warning: write_back[4].url: http://collector:4317: credentials are sent in clear text; use https",
    ]
    assert "write_back[3]: ok, langfuse at https://langfuse.internal" in told
    assert not any("secret" in line or "sk" in line.split() for line in told)


@pytest.mark.parametrize(
    "text",
    [
        "{type: phoenix, url: http://h, api_key_file: /gone}",
        "{type: langfuse, url: http://h, public_key: p, secret_key_file: /gone}",
        "{type: otlp, url: http://h, header_files: {authorization: /gone}}",
        "{type: phoenix, url: https://h, ca_file: /gone}",
        "{type: otlp, url: https://h, ca_file: /gone}",
        "{type: otlp, url: https://h, ca_file: /gone, protocol: grpc}",
    ],
)
def test_check_names_a_file_that_cannot_be_read(text):
    config = load(f"write_back: [{text}]", where="x")
    with pytest.raises(ConfigError, match="/gone"):
        check(config)
