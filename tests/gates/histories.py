"""Histories of a service in which it is known what is served: deployments, rollbacks, and what the ledger learns."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from gates.attribution.causes import CAUSES
from gates.attribution.report import Attribution, Figures, Finding
from gates.decisions.record import RecordedChange

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KINDS = {"release": "deploy", "model": "model", "prompt": "prompt", "index": "index"}
SCOPES = ({}, {"service": "desk"})
FELL = Figures(n_before=500, n_after=200, before=0.03, after=0.4, change=0.37, lower=0.3, upper=0.45)


@dataclass
class Served:
    """What is served of one component: versions in order, the first from when all was well, and those rolled back."""

    versions: list[str]
    gone: set[str] = field(default_factory=set)

    @property
    def now(self):
        return self.versions[-1]

    def deploy(self, version):
        self.versions.append(version)
        self.gone.discard(version)

    def roll_back(self):
        """Go back to what was served before this came; from what was served when all was well there is no way back."""
        *before, version = self.versions
        if version == self.versions[0]:
            return False
        first = next(place for place, each in enumerate(self.versions) if each == version)
        self.gone.add(version)
        self.versions.append(before[first - 1])
        self.gone.discard(self.now)
        return True


@dataclass
class History:
    """A ledger, and what is true: ``known`` is all of it, ``changes`` are those since the last pass."""

    known: list[RecordedChange]
    changes: list[RecordedChange]
    served: dict[str, Served]


@st.composite
def histories(draw, most=8):
    """Histories of which the ledger learned by announcement, by answers or by both, with the version before or not."""
    at, seq, known = NOON - timedelta(days=9), 0, []
    served = {name: Served([f"{name}-0"]) for name in KINDS}

    def learn(component, before, *, first=False):
        nonlocal seq
        for source in (
            ["explicit"] if first else draw(st.sampled_from([["explicit"], ["observed"], ["explicit", "observed"]]))
        ):
            seq += 1
            told = source == "observed" or draw(st.booleans())
            known.append(
                RecordedChange(
                    at=at + timedelta(seconds=seq),
                    recorded_at=at + timedelta(seconds=seq),
                    kind=KINDS[component],
                    component=component,
                    source=source,
                    scope=draw(st.sampled_from(SCOPES)),
                    version=served[component].now,
                    previous=before if told else None,
                    seq=seq,
                )
            )

    for component in KINDS:
        learn(component, None, first=True)
    begun, at = len(known), NOON
    for _ in range(draw(st.integers(1, most))):
        at += timedelta(minutes=draw(st.integers(1, 30)))
        component = draw(st.sampled_from(["release", "release", *KINDS]))
        state = served[component]
        before = state.now
        match draw(st.sampled_from(["new", "back", "back", "again"])):
            case "back" if state.roll_back():
                pass
            case "again" if state.gone:
                state.deploy(draw(st.sampled_from(sorted(state.gone))))
            case _:
                state.deploy(f"{component}-{len(state.versions)}")
        learn(component, before)
    return History(known, known[begun:], served)


@st.composite
def attributions(draw, changes):
    """Whatever the answers may be said to show of these changes."""
    seqs = [row.seq for row in changes]
    suspects = tuple(
        Finding(
            seq=row.seq,
            cause=CAUSES[row.kind],
            standing=draw(st.sampled_from(["carries", "not told apart", "excluded", "excluded", "open"])),
            detail="what it touched",
            rivals=tuple(draw(st.lists(st.sampled_from(seqs), max_size=2))),
        )
        for row in changes
        if draw(st.integers(0, 9))
    )
    kind = draw(st.sampled_from(["quality within strata"] * 3 + ["quality within strata and mix", "mix", "not told"]))
    return Attribution(
        metric="m",
        kind=kind,
        summary="from 0.03 to 0.4",
        alpha=0.05,
        answers=700,
        total=FELL,
        mix=FELL,
        suspects=suspects,
        unknown=draw(st.sampled_from([False, False, True])),
    )
