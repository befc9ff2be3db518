"""Alertmanager by its v2 API, where no Prometheus evaluates our rules.

An alert is its labels, so nothing that changes stands there. Alertmanager forgets an alert at its ``endsAt``: what
fails is sent again before that, and what recovered for five minutes after it did, as Prometheus does it.
Source: https://prometheus.io/docs/alerting/latest/clients/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any, Literal

import orjson
from pydantic import Field

from collector.clock import duration
from collector.notify.base import TRIAL, Notification, NotificationPlan, NotifierMemory, NotifierOptions
from collector.notify.notice import Names, Notice, stamp
from collector.notify.posting import PostingNotifier
from collector.store.statements import groups
from gates.base.verdict import Severity
from gates.units.duration import Duration
from telemetry.alerts import GATE_ALERT, PAGE_ALERT, RUNBOOK, SLICE_ALERT, TEST_ALERT, TICKET_ALERT
from telemetry.pages import OVERVIEW, address

ALERTS = "/api/v2/alerts"
REQUEST_ALERTS = 64
"""Alerts of one request, as Prometheus sends them."""
RESOLVED = 5 * 60 * 10**9
"""How long it is said that an alert is over (ns)."""
LASTS = 4
"""How many times the alert would have to be lost on the way before Alertmanager takes it for over."""
LEAST_LASTING = timedelta(minutes=5)
OBJECTIVE_ALERTS: Mapping[Severity | None, str] = {None: GATE_ALERT, "page": PAGE_ALERT, "ticket": TICKET_ALERT}
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
OWN = frozenset({"alertname", "gate", "severity"})


class AlertmanagerNotifier(NotifierOptions):
    """Pushes failing gates and slices to an Alertmanager, for as long as they fail."""

    type: Literal["alertmanager"] = "alertmanager"
    resend: Duration = Field(
        default=timedelta(minutes=1),
        ge=timedelta(seconds=1),
        le=timedelta(minutes=15),
        description="How often an alert is sent again while it lasts; otherwise Alertmanager resolves it after four "
        "times that, at least five minutes.",
    )
    labels: Mapping[str, str] = Field(
        default_factory=dict, description="Labels added to every alert, such as a cluster."
    )

    @property
    def resend_seconds(self) -> float | None:
        """How often what holds is said again."""
        return self.resend.total_seconds()

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: labels that cannot be, or that an alert has by itself."""
        yield from super().problems(where)
        for name in self.labels:
            if not LABEL.fullmatch(name) or name in OWN:
                yield f"{where}.labels.{name}: {'reserved label' if name in OWN else 'not a valid label name'}"

    def open(self, where: str) -> Alertmanager:
        """Return the notifier. Raises `ConfigError` for a token or a certificate that cannot be read."""
        return Alertmanager(self, where)


class Alertmanager(PostingNotifier):
    """Sends to one Alertmanager. It remembers which alerts it has sent, and which of them are over since when."""

    def __init__(self, options: AlertmanagerNotifier, where: str) -> None:
        super().__init__(options, where, below=ALERTS)
        self._options = options

    def standing(self, newest: Sequence[Notice], memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Say what fails, and what did so lately."""
        lasting = max(LASTS * duration(self._options.resend), duration(LEAST_LASTING))
        failing = {notice.key: notice for notice in newest if notice.failing}
        ended = {notice.key: notice.row.at for notice in newest if notice.recovered}
        fired: Mapping[str, Any] = memory.get("firing", {})
        over: dict[str, Any] = {
            key: (alert, at)
            for key, (alert, at) in memory.get("over", {}).items()
            if key not in failing and now - at < RESOLVED
        }
        for key, alert in fired.items():
            if key not in failing:
                # A gate that was taken out of the configuration ends now.
                over[key] = (alert, max(ended.get(key, now), _begin(alert)))
        firing = {key: self._alert(notice) for key, notice in failing.items()}
        for key, alert in fired.items():
            if key in firing and alert["labels"] != firing[key]["labels"]:
                # A ticket that became a page is another alert, and is over.
                over[f"{key} {alert['labels']['alertname']}"] = (alert, max(failing[key].row.at, _begin(alert)))
        labels = [alert["labels"] for alert in firing.values()]
        over = {key: (alert, at) for key, (alert, at) in over.items() if alert["labels"] not in labels}
        alerts = [_shown(alert, now + lasting) for alert in firing.values()]
        alerts += [_shown(alert, at) for alert, at in over.values()]
        requests = [_notification(part) for part in groups(alerts, REQUEST_ALERTS)]
        return NotificationPlan(requests, {"firing": firing, "over": over})

    def trial(self, names: Names, *, now: int) -> Notification:
        """Return an alert that begins now and is over as soon as one that is sent only once."""
        link = {} if names.public_url is None else {"link": address(names.public_url, OVERVIEW)}
        alert = {
            "labels": {**self._options.labels, "alertname": TEST_ALERT, "severity": "ticket"},
            "annotations": {"summary": TRIAL, **link},
            "at": now,
        }
        return _notification([_shown(alert, now + duration(LEAST_LASTING))])

    def _alert(self, notice: Notice) -> dict[str, Any]:
        whole = not notice.slice
        name = OBJECTIVE_ALERTS[notice.severity] if whole else SLICE_ALERT
        labels = {
            **self._options.labels,
            # Alertmanager takes an empty label for one that is not there.
            **{key: value for key, value in notice.slice.items() if value},
            "alertname": name,
            "gate": notice.gate,
            "severity": "page" if whole and notice.severity != "ticket" else "ticket",
        }
        cut = ", ".join(f"{key}={value}" for key, value in notice.slice.items())
        annotations = {
            "summary": f"Gate {notice.gate} fails" + (f" on {cut}" if cut else ""),
            "description": notice.reason,
            **notice.annotations,
            "runbook_url": f"{RUNBOOK}#{name.lower()}",
        }
        recommended = notice.recommended
        if recommended is not None:
            annotations["recommended"] = f"{recommended.action}: {recommended.reason}"
        alert: dict[str, Any] = {
            "labels": labels,
            "annotations": {key: value for key, value in annotations.items() if value},
            "at": notice.row.at,
        }
        if (link := annotations.get("link")) is not None:
            alert["generatorURL"] = link
        return alert


def _begin(alert: Mapping[str, Any]) -> int:
    at: int = alert["at"]
    return at


def _shown(alert: Mapping[str, Any], until: int) -> dict[str, Any]:
    said = {key: value for key, value in alert.items() if key != "at"}
    return said | {"startsAt": stamp(_begin(alert)), "endsAt": stamp(until)}


def _notification(alerts: Sequence[Mapping[str, Any]]) -> Notification:
    body = orjson.dumps(list(alerts))
    return Notification(
        id=sha256(body).hexdigest()[:32], kind="alerts", body=body, headers={"content-type": "application/json"}
    )
