"""CDEvents 0.5 in CloudEvents 1.0 over HTTP, binary mode: incidents, and the rollback that ends one.

An incident and what follows upon it share a chain: it begins with the release that broke something, so all that fails
by one release is one chain. A rollback is sent once the ledger says that the version before is deployed again.
Sources: https://github.com/cdevents/spec (cloudevents-binding.md, continuous-operations.md, continuous-deployment.md),
https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal
from urllib.parse import quote
from uuid import UUID, uuid5

import orjson
from pydantic import Field

from collector.notify.base import TRIAL, Notification, NotificationPlan, NotifierMemory, NotifierOptions
from collector.notify.notice import Names, Notice, stamp
from collector.notify.posting import PostingNotifier
from collector.store.entries import Entry
from gates.decisions.record import RecordedChange
from gates.decisions.serving import Ledger

SPEC, CLOUD_EVENTS = "0.5.0", "1.0"
DETECTED = "dev.cdevents.incident.detected.0.3.0"
RESOLVED = "dev.cdevents.incident.resolved.0.3.0"
ROLLED_BACK = "dev.cdevents.service.rolledback.0.3.0"
TESTED = "dev.cdeventsx.groundwire-notification.tested.0.1.0"
CONTENT_TYPE = "application/cdevents+json; charset=utf-8"
SPACE = UUID("5f3c1f0c-6a0e-5d0a-9a35-3f7f5a1d5c11")
"""The name space of the ids made here."""
REMEMBERED = 500
"""Incidents and releases that are remembered; the oldest are forgotten first."""
_HEADER_SAFE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"%')


class CdeventsNotifier(NotifierOptions):
    """Sends an incident as CDEvents: detected, resolved, and the rollback that the change ledger confirms."""

    follows_changes: ClassVar[bool] = True

    type: Literal["cdevents"] = "cdevents"
    environment: str = Field(
        min_length=1,
        max_length=200,
        description="Id of the environment of the answers; a slice dimension cut from `environment` takes precedence.",
    )
    source: str = Field(
        default="/groundwire",
        pattern=r"^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]{1,200}$",
        description="URI reference that names this agent as source of its events.",
    )
    artifact: str = Field(
        default="pkg:generic/{service}@{version}",
        pattern=r"^pkg:[a-z]",
        description="Package URL of a release, with `{service}` and `{version}` to be filled in.",
    )

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: a package URL that cannot be filled in."""
        yield from super().problems(where)
        try:
            fields = {name for _, name, _, _ in string.Formatter().parse(self.artifact) if name is not None}
        except ValueError as error:
            yield f"{where}.artifact: {error}"
            return
        if "version" not in fields or not fields <= {"service", "version"}:
            yield f"{where}.artifact: needs `{{version}}`; the only other placeholder is `{{service}}`"

    def open(self, where: str) -> Cdevents:
        """Return the notifier. Raises `ConfigError` for a token or a certificate that cannot be read."""
        return Cdevents(self, where)


class Cdevents(PostingNotifier):
    """Sends to one receiver. It remembers incidents that last, and releases that may be rolled back for them."""

    def __init__(self, options: CdeventsNotifier, where: str) -> None:
        super().__init__(options, where)
        self._options = options

    def decided(self, notice: Notice, memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Tell of an incident that begins, or of one that is over."""
        del now
        incidents, releases = dict(memory.get("incidents", {})), dict(memory.get("releases", {}))
        if notice.rated and notice.key in incidents:
            return NotificationPlan((), memory)
        if notice.failing:
            incident = self._incident(notice)
            incidents[notice.key] = incident
            if incident["release"] is not None and _served(notice):
                releases.setdefault(incident["chain"], incident["release"] | {"at": notice.row.at})
            event = self._about(DETECTED, notice, incident)
        elif notice.recovered and notice.key in incidents:
            event = self._about(RESOLVED, notice, incidents.pop(notice.key))
        else:
            return NotificationPlan((), memory)
        return NotificationPlan((event,), {"incidents": _newest(incidents), "releases": _newest(releases)})

    def changed(self, entry: Entry, memory: NotifierMemory, *, now: int) -> NotificationPlan:
        """Tell of the rollback of a release that broke something."""
        del now
        if entry.kind != "deploy":
            return NotificationPlan((), memory)
        releases = dict(memory.get("releases", {}))
        events = []
        for chain, release in list(releases.items()):
            if _undoes(entry, release):
                del releases[chain]
                events.append(self._rolled_back(entry, chain, release))
        return NotificationPlan(events, {**memory, "releases": releases} if events else memory)

    def trial(self, names: Names, *, now: int) -> Notification:
        """Return a custom event, as CDEvents has them for what it does not know: no incident is detected."""
        del names
        id_ = str(uuid5(SPACE, f"{TESTED}\n{now}"))
        content = {"description": TRIAL, "environment": {"id": self._options.environment}}
        subject = {"id": "test", "source": self._options.source, "content": content}
        return self._event(TESTED, id_=id_, chain=id_, at=now, subject=subject, data={})

    def _incident(self, notice: Notice) -> dict[str, Any]:
        service = notice.service
        deployed = _deployed(notice) if service is not None else None
        release = None
        chain = str(uuid5(SPACE, notice.row.hash))
        if deployed is not None:
            chain = str(uuid5(SPACE, f"{service}\n{deployed.version}\n{deployed.seq}"))
            release = {
                "service": service,
                "environment": notice.environment or self._options.environment,
                "scope": dict(deployed.scope),
                "version": deployed.version,
                "previous": deployed.previous,
            }
        return {"id": f"{notice.gate}-{notice.row.seq}", "chain": chain, "release": release}

    def _about(self, kind: str, notice: Notice, incident: Mapping[str, Any]) -> Notification:
        content: dict[str, Any] = {
            "description": notice.reason or f"gate {notice.gate} changed to {notice.row.state}",
            "environment": {"id": notice.environment or self._options.environment},
        }
        release = incident["release"]
        if notice.service is not None:
            content["service"] = {"id": notice.service}
        if release is not None:
            content["artifactId"] = self._purl(release["service"], release["version"])
        data: dict[str, Any] = {"gate": notice.gate, "slice": dict(notice.slice), "decision": notice.row.hash}
        if notice.recommended is not None:
            data["recommended"] = notice.recommended.model_dump(mode="json")
        return self._event(
            kind,
            id_=str(uuid5(SPACE, f"{kind}\n{notice.row.hash}")),
            chain=incident["chain"],
            at=notice.row.at,
            subject={"id": incident["id"], "source": self._options.source, "content": content},
            data=data,
        )

    def _rolled_back(self, entry: Entry, chain: str, release: Mapping[str, Any]) -> Notification:
        content = {
            "environment": {"id": release["environment"]},
            "artifactId": self._purl(release["service"], release["previous"]),
        }
        return self._event(
            ROLLED_BACK,
            id_=str(uuid5(SPACE, f"{chain}\n{entry.id}")),
            chain=chain,
            at=entry.at,
            subject={"id": release["service"], "source": self._options.source, "content": content},
            data={"from": release["version"], "to": release["previous"], "change": entry.seq},
        )

    def _purl(self, service: str, version: str) -> str:
        return self._options.artifact.format(service=quote(service, safe=""), version=quote(version, safe=""))

    def _event(
        self, kind: str, *, id_: str, chain: str, at: int, subject: Mapping[str, Any], data: Mapping[str, Any]
    ) -> Notification:
        source, time = self._options.source, stamp(at)
        context = {"specversion": SPEC, "id": id_, "chainId": chain, "source": source, "type": kind, "timestamp": time}
        body = {"context": context, "subject": subject, "customData": data, "customDataContentType": "application/json"}
        headers = {
            "content-type": CONTENT_TYPE,
            "ce-specversion": CLOUD_EVENTS,
            "ce-id": id_,
            "ce-source": _header(source),
            "ce-type": kind,
            "ce-subject": _header(subject["id"]),
            "ce-time": time,
        }
        return Notification(id=id_, kind=kind, body=orjson.dumps(body), headers=headers)


def _deployed(notice: Notice) -> RecordedChange | None:
    """Return the newest release that the record knows of with the one before it, if there is one.

    To go back to a version is no release: what fails after that is still about the one that was taken back.
    """
    ledger = _ledger(notice)
    known = [row for row in ledger.rows if row.kind == "deploy" and row.version is not None]
    return next((row for row in reversed(known) if row.previous is not None and not ledger.takes_back(row)), None)


def _served(notice: Notice) -> bool:
    """Whether the release was still served when the decision was made: else it is rolled back already."""
    deployed = _deployed(notice)
    return deployed is not None and _ledger(notice).replaced_by(deployed) is None


def _ledger(notice: Notice) -> Ledger:
    return Ledger(notice.explained.changes if notice.explained is not None else ())


def _undoes(entry: Entry, release: Mapping[str, Any]) -> bool:
    """Whether a deployment brings back the version before, where and after the release broke something."""
    same = all(release["scope"].get(name, value) == value for name, value in entry.scope.items())
    after: bool = entry.recorded_at > release["at"]
    return same and after and entry.version == release["previous"]


def _newest(remembered: Mapping[str, Any]) -> dict[str, Any]:
    return dict(list(remembered.items())[-REMEMBERED:])


def _header(value: str) -> str:
    """Return a value as the HTTP binding of CloudEvents has it: beside printable ASCII, spaces and quotes are encoded.

    >>> _header('a "b" ü')
    'a%20%22b%22%20%C3%BC'
    """
    return quote(value, safe=_HEADER_SAFE)
