"""Decisions with records, and one notifier as a step over a real store, with clocks of its own."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import yaml

from collector.clock import instant
from collector.configuration.file import load
from collector.notify.notice import Names, Notice
from collector.notify.standing import notify_step
from collector.outbound.link import Runtime
from collector.store.entries import Entry
from collector.store.rows import Decision
from collector.store.sqlite import open_store
from gates.base.verdict import SliceVerdict
from gates.decisions.record import AnswerEvidence, DecisionRecord, Recommendation, RecordedChange
from telemetry.registry import Telemetry

SECOND = 1_000_000_000
HOUR = 3600 * SECOND
AT = 1_780_000_000 * SECOND
PAGES = "https://groundwire.example.com"
NAMES = Names(service="service", environment=None, public_url=PAGES)
SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
CONFIG = {
    "slices": [{"name": "service"}, {"name": "domain"}],
    "gates": [
        {"type": "threshold", "name": name, "metric": "stale_source_use", "at_most": 0.1, "by": ["domain"]}
        for name in ("fresh", "grounded")
    ],
}


def deployed(version="2.1", previous="2.0", *, kind="deploy", scope=None, at=AT - 60 * SECOND):
    return RecordedChange(
        at=instant(at),
        kind=kind,
        scope=scope if scope is not None else {"service": "helpdesk"},
        version=version,
        seq=5,
        recorded_at=instant(at),
        source="explicit",
        component="release",
        previous=previous,
    )


ROLL_BACK = Recommendation(
    action="roll_back",
    reason="release from 2.0 to 2.1",
    component="release",
    scope={"service": "helpdesk"},
    version="2.1",
    to_version="2.0",
)
HOLD = Recommendation(action="hold", reason="the metric itself changed")


def record(*, gate="fresh", state="fail", previous=None, slice_=None, at=AT, recommended=HOLD, changes=(), parts=()):
    return DecisionRecord(
        gate=gate,
        policy_version="p1",
        slice=slice_ or {},
        state=state,
        previous_state=previous,
        reason="at most 0.1, and it is 0.4",
        at=instant(at),
        since=None,
        expires_at=instant(at) + timedelta(hours=1),
        metrics=("stale_source_use",),
        changes=tuple(changes),
        slices=tuple(SliceVerdict(slice=cut, state="fail", reason="r", n=40, effective_n=40.0) for cut in parts),
        answers=(AnswerEvidence(answer_id="a1", at=instant(at), metric="stale_source_use", value=1.0, slice={}),),
        causes_excluded=(),
        causes_open=(),
        recommended=recommended,
    )


def decision(*, gate="fresh", state="fail", previous=None, slice_=None, at=AT, explained=True, **fields):
    told = record(gate=gate, state=state, previous=previous, slice_=slice_, at=at, **fields) if explained else None
    return Decision(
        at=at,
        gate=gate,
        slice=slice_ or {},
        state=state,
        previous_state=previous,
        verdict="{}",
        record=None if told is None else told.model_dump_json(),
    )


def notice(**fields):
    return Notice.of(decision(**fields), NAMES)


def options(directory, **given):
    """The options of a notifier, through a configuration file."""
    secret = directory / "secret"
    secret.write_text(SECRET)
    required = {"webhook": {"secret_file": str(secret)}, "cdevents": {"environment": "production"}}
    section = {"url": "http://127.0.0.1:1", **required.get(given["type"], {}), **given}
    [found] = load(yaml.safe_dump({**CONFIG, "notify": [section]}), where="x").notify
    return found


def verified(*, state="pass", at=AT):
    """A word on whether quality came back after a roll-back: the verdict stays what it was."""
    told = record(state=state, previous=state, at=at).model_copy(update={"kind": "verification"})
    return replace(decision(state=state, previous=state, at=at), record=told.model_dump_json())


def renewed(*, at=AT, **fields):
    """What more answers show of something that goes on to fail."""
    told = record(state="fail", previous="fail", at=at, **fields).model_copy(update={"kind": "attribution"})
    return replace(decision(state="fail", previous="fail", at=at), record=told.model_dump_json())


def rated(severity, *, previous, at):
    """An objective that fails as urgently as ``severity`` says; with a ``previous`` state only that is new."""
    part = SliceVerdict(slice={}, state="fail", reason="burns", n=40, effective_n=40.0, cause=severity)
    kind = "verdict" if previous is None else "severity"
    told = record(previous=previous, at=at).model_copy(update={"kind": kind, "slices": (part,)})
    return replace(decision(previous=previous, at=at), record=told.model_dump_json())


class Bench:
    """A step over a real store. ``notifier`` stands for the options' own, where there is one."""

    def __init__(self, directory, *, notifier=None, **given):
        self.directory = directory
        self.now = AT
        self.seconds = 100.0
        self.stop = threading.Event()
        self.store = open_store(directory / "data")
        self.options = options(directory, **given)
        self.notifier = notifier
        self._open = None
        self.start()

    def start(self):
        """Begin as a new process does."""
        self._hang_up()
        self._open = self.notifier or self.options.open("notify[0]")
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="1")
        self.step = notify_step(
            self.options,
            self._open,
            names=NAMES,
            gates=("fresh", "grounded"),
            store=self.store,
            runtime=Runtime(
                telemetry=self.telemetry,
                clock=lambda: self.now,
                monotonic=lambda: self.seconds,
                random=lambda: 0.5,
                stop=self.stop,
            ),
        )

    def decide(self, **fields):
        """Append a decision of now to the log."""
        self.append(decision(**{"at": self.now, **fields}))

    def append(self, row):
        """Append a row to the log."""
        self.store.save_checkpoint("gate:fresh", 0, b"", [row])

    def change(self, version, *, kind="deploy", **fields):
        """Append a row to the change ledger now."""
        entry = Entry(
            id=f"{kind}-{version}-{self.now}",
            at=self.now,
            recorded_at=self.now,
            kind=kind,
            source="explicit",
            component="release",
            version=version,
            **fields,
        )
        return self.store.record_changes([entry])[0]

    def run(self, seconds=0.0):
        """Let time pass, and run until nothing is left to do now; return how much was done."""
        self.seconds += seconds
        self.now += int(seconds * SECOND)
        done = 0
        for _ in range(1000):
            count = self.step.run_once()
            if not count:
                return done
            done += count
        raise AssertionError("the step never ends")

    def metric(self, name, **labels):
        text = self.telemetry.exposition("")[0].decode()
        for line in text.splitlines():
            if line.startswith(f"{name}{{") and all(f'{key}="{value}"' for key, value in labels.items()):
                pairs = dict(pair.split("=", 1) for pair in line[len(name) + 1 : line.index("}")].split(","))
                if {key: value.strip('"') for key, value in pairs.items()} == {"target": self.options.name, **labels}:
                    return float(line.rpartition(" ")[2])
        raise AssertionError(f"no {name} {labels}")

    def counted(self):
        """What became of the news, the same in the API and in the metrics."""
        report = self.step.status.report()
        counts = {name: report[name] for name in ("sent", "rejected", "expired", "skipped")}
        for name, count in counts.items():
            assert self.metric("groundwire_notifications_total", outcome=name) == count
        return {name: count for name, count in counts.items() if count}

    def _hang_up(self):
        if self._open is not None:
            self._open.close()

    def close(self):
        self._hang_up()
        self.store.close()
