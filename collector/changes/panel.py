"""The versions of the scorers: values of one version do not compare with those of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import orjson

from collector.clock import Clock
from collector.store.entries import Entry
from collector.store.store import Store
from gates.base.gate import JUDGE
from scorers.base import Scorer

CURRENT, OF = "panel", "panel:"
NO_MODEL = "none"
COMPONENT = "scorers"
"""Under which name the versions of an evaluation say which panel scored it."""


def panel_versions(panel: Sequence[Scorer]) -> dict[str, str]:
    """Return the version of each metric: its own, and a mark of its options where they are not the default ones.

    >>> from scorers.efficiency.usage import Latency
    >>> panel_versions([Latency()]) == {"latency": Latency.metric.version}
    True
    """
    return {scorer.metric.name: _version(scorer) for scorer in panel}


def panel_digest(versions: Mapping[str, str]) -> str:
    """Return a short name of these versions."""
    return _digest(orjson.dumps(versions, option=orjson.OPT_SORT_KEYS))


def announce(store: Store, panel: Sequence[Scorer], clock: Clock, *, models: str = "") -> str:
    """Keep the versions of ``panel``, record each one that changed since the run before; return their digest.

    ``models`` names the models behind the scorers; other ones are a change of the `JUDGE`.
    """
    versions = panel_versions(panel) | {JUDGE: models or NO_MODEL}
    digest = panel_digest(versions)
    saved = store.load_checkpoint(CURRENT)
    before: dict[str, Any] = {"at": 0, "versions": {}} if saved is None else orjson.loads(saved[1])
    now = clock()
    entries = [
        Entry(
            id=f"scorer-{_digest(orjson.dumps([metric, before['at'], before['versions'][metric], version]))}",
            at=now,
            recorded_at=now,
            kind="scorer",
            source="observed",
            component=metric,
            version=version,
            previous=before["versions"][metric],
        )
        for metric, version in versions.items()
        if before["versions"].get(metric, version) != version
    ]
    if store.load_checkpoint(f"{OF}{digest}") is None:
        store.save_checkpoint(f"{OF}{digest}", 0, orjson.dumps(versions))
    if saved is not None and before["versions"] | versions == before["versions"]:
        return digest
    if entries:
        store.record_changes(entries)
    # Last: an agent that ends before this finds the same changes again, under the same ids.
    state = {"at": now, "versions": before["versions"] | versions}
    store.save_checkpoint(CURRENT, 0, orjson.dumps(state))
    return digest


def known_panel(store: Store, digest: str) -> Mapping[str, str]:
    """Return the versions that ``digest`` names; nothing where it is not known."""
    saved = store.load_checkpoint(f"{OF}{digest}")
    versions: Mapping[str, str] = {} if saved is None else orjson.loads(saved[1])
    return versions


class Panels:
    """The panels of a store, each read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Mapping[str, str]] = {}

    def versions(self, served: Mapping[str, str], metric: str) -> dict[str, str]:
        """Return the versions of an evaluation as gates see them.

        That is what served the answer, the version of the metric as ``scorer``, and as ``judge`` the models behind it,
        unless the answer names a judge of its own.
        """
        versions = {name: version for name, version in served.items() if name != COMPONENT}
        scorers = self._panel(served[COMPONENT]) if COMPONENT in served else {}
        if scorers.get(JUDGE, NO_MODEL) != NO_MODEL:
            versions = {JUDGE: scorers[JUDGE]} | versions
        return versions | {"scorer": scorers[metric]} if metric in scorers else versions

    def _panel(self, digest: str) -> Mapping[str, str]:
        if digest not in self._known:
            self._known[digest] = known_panel(self._store, digest)
        return self._known[digest]


def _version(scorer: Scorer) -> str:
    options = scorer.model_dump_json(exclude_defaults=True, exclude={"type"})
    return scorer.metric.version if options == "{}" else f"{scorer.metric.version}+{_digest(options.encode())[:8]}"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()
