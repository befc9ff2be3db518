"""Laws over the registries: every source, target and notifier does these, and a new one by being registered."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import get_args

import pytest

from collector.configuration.file import COMPONENTS
from collector.errors import ConfigError
from collector.notify import NOTIFIERS
from collector.outbound.errors import Unreachable
from collector.outbound.links import check
from collector.outbound.options import LinkOptions, ServerOptions
from collector.sources import SOURCES
from collector.writeback import TARGETS
from tests.collector.notify.bench import AT, ROLL_BACK, SECRET, deployed, notice
from tests.collector.sources.server import free_port
from tests.collector.writeback.examples import ITEM

KEY = "s3cret-of-a-test"
SECTIONS = {"sources": SOURCES, "write_back": TARGETS, "notify": NOTIFIERS}
KINDS = [(section, kind) for section, kinds in SECTIONS.items() for kind in kinds]
SERVERS = [(section, kind) for section, kind in KINDS if issubclass(kind, ServerOptions)]
KEYS = {
    "phoenix": "api_key_file",
    "mlflow": "api_key_file",
    "langfuse": "secret_key_file",
    "otlp": "header_files",
    "alertmanager": "token_file",
    "webhook": "token_file",
    "cdevents": "token_file",
}
"""What names the file of a secret; a new kind that has none says so here."""


def names(found):
    return [f"{section}-{kind.__name__}" for section, kind in found]


each = pytest.mark.parametrize(("section", "kind"), KINDS, ids=names(KINDS))
each_server = pytest.mark.parametrize(("section", "kind"), SERVERS, ids=names(SERVERS))


def type_of(kind: type[LinkOptions]) -> str:
    return get_args(kind.model_fields["type"].annotation)[0]


def options(kind, directory, *, url="http://127.0.0.1:1", secret=True, **given):
    """The least that a kind needs, and its secret in a file."""
    key, hook = directory / "key", directory / "hook"
    key.write_text(KEY)
    hook.write_text(SECRET)
    required = {
        "files": {"paths": [str(directory / "*.jsonl")]},
        "langfuse": {"public_key": "pk", "secret_key_file": str(key)},
        "webhook": {"secret_file": str(hook)},
        "cdevents": {"environment": "production"},
    }.get(type_of(kind), {})
    if issubclass(kind, ServerOptions):
        required["url"] = url
        if secret:
            named = KEYS[type_of(kind)]
            required[named] = {"authorization": str(key)} if named == "header_files" else str(key)
    return kind.model_validate({"type": type_of(kind), **required, **given})


def asked(section, opened):
    """Let a link ask, or tell, its server once."""
    if section == "sources":
        opened.fetch(None, now=AT)
    elif section == "write_back":
        opened.write([ITEM])
    else:
        failure = notice(slice_={"service": "helpdesk"}, recommended=ROLL_BACK, changes=[deployed()])
        plans = (opened.decided(failure, {}, now=AT), opened.standing([failure], {}, now=AT))
        opened.send(next(one for plan in plans for one in plan.notifications), now=AT)


@contextmanager
def opened(section, kind, directory, **given):
    with closing(options(kind, directory, **given).open(f"{section}[0]")) as link:
        yield link


@each
def test_a_link_is_named_by_its_type_unless_it_has_a_name(tmp_path, section, kind):
    assert options(kind, tmp_path).name == type_of(kind)
    assert options(kind, tmp_path, name="").name == type_of(kind)
    assert options(kind, tmp_path, name="other").name == "other"
    assert COMPONENTS[section][type_of(kind)] is kind


@each
def test_closing_twice_does_no_harm(tmp_path, section, kind):
    with opened(section, kind, tmp_path) as link:
        link.close()


@each
def test_check_opens_it_and_says_what_is_at_its_other_end_and_no_secret(tmp_path, section, kind):
    configured = options(kind, tmp_path)
    lines = list(check(section, [configured]))
    assert lines[0] == f"{section}[0]: ok, {type_of(kind)} at {configured.address}"
    assert not any(KEY in line or "MDEy" in line for line in lines)


@each_server
def test_a_server_that_is_down_is_unreachable_in_one_line_without_a_secret(tmp_path, section, kind):
    url = f"http://127.0.0.1:{free_port()}"
    with opened(section, kind, tmp_path, url=url) as link, pytest.raises(Unreachable) as caught:
        asked(section, link)
    assert url in caught.value.reason
    assert "\n" not in caught.value.reason
    assert KEY not in caught.value.reason


@each_server
def test_a_secret_that_anybody_on_the_way_can_read_is_warned_of(tmp_path, section, kind):
    def warned(url):
        found = options(kind, tmp_path, url=url).warnings(section)
        return [line for line in found if line.startswith(f"{section}.url: {url}: credentials are sent in clear")]

    assert len(warned("http://server.internal")) == 1
    assert warned("http://127.0.0.1:1") == warned("https://server.internal") == []


@each_server
def test_a_secret_that_cannot_be_read_is_named_with_its_key(tmp_path, section, kind):
    configured = options(kind, tmp_path)
    (tmp_path / "key").unlink()
    with pytest.raises(ConfigError, match=rf"^{section}\[0\]\.{KEYS[type_of(kind)]}.*cannot be read: No such file"):
        list(check(section, [configured]))


@each_server
def test_a_certificate_that_cannot_be_read_is_refused(tmp_path, section, kind):
    configured = options(kind, tmp_path, url="https://127.0.0.1:1", ca_file="/gone")
    with pytest.raises(ConfigError, match="/gone"):
        list(check(section, [configured]))
