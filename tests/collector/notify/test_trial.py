"""`groundwire notify test` reaches the receivers of the configuration, and says which it does not reach."""

import io
import json

import pytest
import yaml

from collector.commands.notify import send_test
from collector.configuration.file import load
from collector.errors import ConfigError
from tests.collector.notify.bench import AT, CONFIG, SECRET
from tests.collector.sources.server import free_port, serving


@pytest.fixture
def secret(tmp_path):
    file = tmp_path / "secret"
    file.write_text(SECRET)
    return str(file)


def configured(*notify):
    http = {"public_url": "https://groundwire.example.com"}
    return load(yaml.safe_dump({**CONFIG, "http": http, "notify": list(notify)}), where="f")


def sent(config, *chosen, **given):
    out = io.StringIO()
    code = send_test(config, chosen, now=AT, out=out, **{"as_json": False, **given})
    return code, out.getvalue()


class Taken:
    def __init__(self):
        self.bodies = []

    def __call__(self, handler):
        self.bodies.append(json.loads(handler.rfile.read(int(handler.headers["content-length"]))))
        handler.give(200)


def test_every_receiver_gets_a_message_and_the_way_to_the_pages(secret):
    taken = Taken()
    with serving(taken) as url:
        config = configured(
            {"type": "alertmanager", "url": url},
            {"type": "webhook", "url": f"{url}/hook", "secret_file": secret},
        )
        code, text = sent(config)
    [alert], message = taken.bodies
    assert (code, text) == (0, f"alertmanager: sent to {url}\nwebhook: sent to {url}/hook\n")
    assert alert["labels"] == {"alertname": "GroundwireTest", "severity": "ticket"}
    assert alert["annotations"]["link"] == message["data"]["words"]["link"] == "https://groundwire.example.com/"
    assert message["type"] == "test"


def test_one_that_is_down_is_named_with_the_reason_and_the_others_are_reached(secret):
    taken = Taken()
    down = f"http://127.0.0.1:{free_port()}"
    with serving(taken) as url:
        config = configured(
            {"type": "alertmanager", "url": down}, {"type": "webhook", "url": url, "secret_file": secret}
        )
        code, text = sent(config, as_json=True)
    rows = json.loads(text)["notifiers"]
    assert (code, len(taken.bodies)) == (1, 1)
    assert [(row["notifier"], row["sent"]) for row in rows] == [("alertmanager", False), ("webhook", True)]
    assert rows[0]["problem"]


def test_only_the_named_receivers_get_one(secret):
    taken = Taken()
    with serving(taken) as url:
        config = configured(
            {"type": "alertmanager", "url": url}, {"type": "webhook", "url": url, "secret_file": secret}
        )
        assert sent(config, "webhook")[0] == 0
    assert [body["type"] for body in taken.bodies] == ["test"]


def test_a_name_that_is_not_there_is_refused_with_those_that_are():
    config = configured({"type": "alertmanager", "url": "http://127.0.0.1:1"})
    with pytest.raises(ConfigError, match="pager: no such notifier; known: alertmanager"):
        sent(config, "pager")
    with pytest.raises(ConfigError, match="nobody is notified"):
        sent(configured())
