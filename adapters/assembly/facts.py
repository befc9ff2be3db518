"""Facts about the run beside its words: session, user, slice attributes, versions of components."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from adapters.assembly.calls import Call
from adapters.assembly.view import View
from adapters.base import AdaptOptions
from adapters.frozen import frozen
from adapters.quirks import llamaindex
from adapters.schema import Arm
from adapters.values import text_of
from adapters.vocabulary import SESSION, USER, Aliases, StepKind

MAX_VALUE_CHARS = 256
"""Longest id, attribute or version kept; they become labels and keys."""

_SESSION, _USER = "session.id", "user.id"
"""Attributes of OpenTelemetry's conventions that a processor may put on any span, whoever writes it."""
_ARMS: Mapping[str, Arm] = {
    "candidate": "candidate",
    "canary": "candidate",
    "baseline": "baseline",
    "stable": "baseline",
    "primary": "baseline",
    "control": "baseline",
}


@frozen(frozen=True, slots=True)
class FactSources:
    """Where facts about a run are looked for, each source once: its roots' before any other span's."""

    views: Sequence[View]
    kinds: frozenset[type[View]]
    metadata: Sequence[Mapping[str, Any]]
    places: Sequence[Mapping[str, Any]]
    """Metadata, then span attributes, then resource attributes."""
    keys: frozenset[str]
    """What stands in any of them: most keys that are asked for stand in none."""

    @classmethod
    def of(cls, tops: Sequence[View], views: Sequence[View]) -> FactSources:
        """Return the sources of a run."""
        ordered: list[View] = [*dict.fromkeys((*tops, *views))]
        metadata = [*filter(None, [view.metadata for view in ordered])]
        resources = {id(resource): resource for resource in [view.span.resource for view in ordered]}
        places = [*metadata, *[view.attributes for view in ordered], *resources.values()]
        return cls(ordered, frozenset(map(type, ordered)), metadata, places, frozenset().union(*places))

    def may_tell(self, keys_of: Callable[[type[View]], Sequence[str]]) -> bool:
        """Tell whether anything here has one of the keys that a dialect of the run reads a fact from."""
        return not all(map(self.keys.isdisjoint, map(keys_of, self.kinds)))

    def value(self, key: str) -> str | None:
        """Return the value of ``key``: from metadata, then span attributes, then resource attributes."""
        for place in self.places if key in self.keys else ():
            if (value := place.get(key)) is not None and (text := scalar_text(value)) is not None:
                return text
        return None


def session_of(sources: FactSources) -> str | None:
    """Return the session: the attribute of the root or of any span, else what run metadata calls it."""
    told = map(attrgetter("session"), sources.views) if sources.may_tell(attrgetter("session_keys")) else ()
    return _identity(told, sources, SESSION, _SESSION)


def user_of(sources: FactSources) -> str | None:
    """Return the user, found as the session is."""
    told = map(attrgetter("user"), sources.views) if sources.may_tell(attrgetter("user_keys")) else ()
    return _identity(told, sources, USER, _USER)


def service_of(tops: Sequence[View]) -> str | None:
    """Return the service: the resource's name for it."""
    return text_of(tops[0].span.resource.get("service.name"))


def release_of(tops: Sequence[View]) -> str | None:
    """Return the release of the application: what its instrumentation says, else its resource."""
    told = next((value for top in tops if (value := scalar_text(top.release)) is not None), None)
    return told or scalar_text(tops[0].span.resource.get("service.version"))


def environment_of(tops: Sequence[View]) -> str | None:
    """Return the deployment environment: what the instrumentation says, else the resource, by its newer name first."""
    told = next((value for top in tops if (value := scalar_text(top.environment)) is not None), None)
    resource = tops[0].span.resource
    return told or text_of(resource.get("deployment.environment.name", resource.get("deployment.environment")))


def values_of(keys: Mapping[str, str], sources: FactSources) -> dict[str, str]:
    """Return the values of ``keys``: from metadata of the root, of any span, span attributes, resource attributes."""
    return {name: value for name, key in keys.items() if (value := sources.value(key)) is not None}


def arm_of(key: str, sources: FactSources) -> Arm | None:
    """Return the side of a split of traffic, in the words of Argo Rollouts, Flagger and experiments as well."""
    return _ARMS.get((sources.value(key) or "").strip().lower())


def share_of(key: str, sources: FactSources) -> float | None:
    """Return the probability with which a request went to the candidate; anything but a split is none."""
    try:
        share = float(sources.value(key) or "")
    except ValueError:
        return None
    return share if 0 < share < 1 else None


def versions_of(
    tops: Sequence[View], views: Sequence[View], call: Call | None, sources: FactSources, options: AdaptOptions
) -> dict[str, str]:
    """Return the versions of the application's components that the trace tells of.

    The prompt's is the one its template carries, else a hash of the template: what changes in it changes the version.
    """
    found = {
        "app": release_of(tops),
        "model": None if call is None else scalar_text(call.model),
        "prompt": _prompt_version(views, call) if sources.may_tell(attrgetter("template_keys")) else None,
        "embedder": _first_of(views, ("EMBEDDING", "RETRIEVER"), lambda view: view.embedder),
        "reranker": _first_of(views, ("RERANKER",), lambda view: view.reranker),
    }
    told = {name: value for name, value in found.items() if value is not None}
    return told | values_of(options.versions, sources)


def _identity(told: Iterable[str | None], sources: FactSources, names: Aliases, key: str) -> str | None:
    for value in told:
        if value is not None and (text := scalar_text(value)) is not None:
            return text
    for place in sources.metadata:
        if (text := names.first(place, scalar_text)) is not None:
            return text
    for view in sources.views if key in sources.keys else ():
        if (text := scalar_text(view.attributes.get(key))) is not None:
            return text
    return None


def _first_of(views: Sequence[View], kinds: tuple[StepKind, ...], read: Callable[[View], str | None]) -> str | None:
    for view in views:
        if view.kind in kinds and (found := scalar_text(read(view))) is not None:
            return found
    return None


def _prompt_version(views: Sequence[View], call: Call | None) -> str | None:
    """Version the template nearest before the call that gave the answer."""
    asked = views[-1].span.start_ns if call is None else call.view.span.start_ns
    for view in reversed(views):
        if view.span.start_ns <= asked:
            version, template = view.template_version, view.template
            if version is not None or template is not None:
                return scalar_text(version) or _version_of_template(view, template)
    return None


def _version_of_template(view: View, template: str | None) -> str | None:
    if template is None or view.is_cut(template):
        return None
    if view.framework == llamaindex.FRAMEWORK:
        template = llamaindex.system_message(template)
    return "sha256:" + hashlib.sha256(template.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def scalar_text(value: Any) -> str | None:
    """Return a scalar as text, bounded; ``None`` for what has no text.

    >>> scalar_text(7), scalar_text(True), scalar_text("eu"), scalar_text(None)
    ('7', 'true', 'eu', None)
    """
    if isinstance(value, str):
        text = text_of(value)
        return None if text is None else text[:MAX_VALUE_CHARS]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else None
