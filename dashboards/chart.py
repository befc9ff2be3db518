"""The schema of the Helm chart's values: the chart's own options, with the agent's configuration embedded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

DOOR = "allow_unauthenticated"
"""The key that marks a section as a listener."""

MANAGED = frozenset({"host", "token", "token_file", DOOR})
"""Keys of listeners that the chart sets from ``auth``: in ``config`` they would contradict it, and put a token into a
ConfigMap in plain text."""

LEAST_PORT = 1024
"""The agent runs as an unprivileged user, which cannot listen on lower ports."""


def values_schema(config_schema: Mapping[str, Any]) -> Schema:
    """Return the JSON Schema of the chart's ``values.yaml``.

    ``config_schema`` is the JSON Schema of the configuration. It is embedded under ``config``, without the keys that
    the chart sets itself: the store's directory and the access to listeners. The result keeps to draft 7 and to regular
    expressions without lookaround, which every version of Helm reads. The argument is not changed.

    >>> config = {"type": "object", "properties": {"data": {"type": "string"}, "drain": {"type": "string"}}}
    >>> list(values_schema(config)["properties"]["config"]["properties"])
    ['drain']
    """
    definitions = {name: _embedded(part) for name, part in config_schema.get("$defs", {}).items()}
    config = _embedded({key: part for key, part in config_schema.items() if key != "$defs"})
    config.get("properties", {}).pop("data", None)
    config["description"] = "The agent's configuration; options left out have the agent's defaults."
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Values of the groundwire chart",
        **_object({**_chart(), "config": config}),
        "definitions": definitions,
    }


def _embedded(part: Any) -> Any:
    """Return a part of the configuration's schema as it stands in the chart's."""
    if isinstance(part, list):
        return [_embedded(item) for item in part]
    if not isinstance(part, Mapping):
        return part
    kept: Schema = {}
    for key, value in part.items():
        if key == "properties":
            managed = MANAGED if DOOR in value else frozenset()
            kept[key] = {name: _property(name, inner) for name, inner in value.items() if name not in managed}
        elif key == "$ref":
            kept[key] = value.replace("#/$defs/", "#/definitions/")
        elif key == "discriminator":
            continue  # Specific to OpenAPI; the alternatives exclude each other without it.
        elif key == "description":
            kept[key] = " ".join(value.split("\n\n", 1)[0].split())
        elif key == "default" and not _fits(value, part):
            continue
        elif key not in {"title", "examples"}:
            kept[key] = _embedded(value)
    return kept


def _property(name: str, schema: Mapping[str, Any]) -> Any:
    embedded = _embedded(schema)
    return {**embedded, "minimum": LEAST_PORT} if name == "port" else embedded


def _fits(default: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a default is written as the schema wants it; defaults of durations have another notation."""
    pattern = schema.get("pattern")
    return pattern is None or (isinstance(default, str) and re.search(pattern, default) is not None)


def _object(properties: Schema, *, required: tuple[str, ...] = (), **more: Any) -> Schema:
    required_ = {"required": list(required)} if required else {}
    return {"type": "object", "additionalProperties": False, **more, **required_, "properties": properties}


def _text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


def _flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def _any_object(description: str) -> Schema:
    return {"type": "object", "description": description}


def _labels(description: str) -> Schema:
    return {"type": "object", "description": description, "additionalProperties": {"type": "string"}}


def _list(description: str) -> Schema:
    return {"type": "array", "description": description, "items": {"type": "object"}}


def _quantity(description: str) -> Schema:
    return _text(description, pattern=r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$")


def _chart() -> Schema:
    """The chart's own options, in the order of values.yaml."""
    return {
        "nameOverride": _text("Application name in object names and labels; overrides the chart's name.", maxLength=63),
        "fullnameOverride": _text("Name of all objects; overrides the release's and the chart's name.", maxLength=63),
        "image": _object(
            {
                "repository": _text("Image of the agent.", minLength=1),
                "tag": _text("Tag of the image; defaults to the chart's appVersion."),
                "digest": _text("Digest of the image; overrides the tag.", pattern="^(sha256:[0-9a-f]{64})?$"),
                "pullPolicy": {"enum": ["Always", "IfNotPresent", "Never"], "description": "When to pull the image."},
            },
            required=("repository",),
        ),
        "imagePullSecrets": _list("Secrets to pull the image with."),
        "auth": _object(
            {
                "existingSecret": _text("Existing secret with the bearer token that clients must send."),
                "secretKey": _text("Key of the token in the secret.", minLength=1),
                "token": _text("The token itself, stored in a secret of the release. Prefer existingSecret."),
                "allowUnauthenticated": _flag(
                    "Serve without a token: anyone who reaches the service can read and write."
                ),
            }
        ),
        "persistence": _object(
            {
                "enabled": _flag("Keep the store on a persistent volume; without one it is lost with the pod."),
                "existingClaim": _text("Existing claim to use."),
                "storageClass": _text("Storage class; defaults to the cluster's."),
                "accessModes": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "size": _quantity("Size of the volume."),
            }
        ),
        "service": _object(
            {
                "type": {"enum": ["ClusterIP", "NodePort", "LoadBalancer"], "description": "Type of the service."},
                "annotations": _labels("Annotations of the service."),
            }
        ),
        "serviceAccount": _object(
            {
                "create": _flag(
                    "Create a service account. Its token is not mounted: the agent does not use the Kubernetes API."
                ),
                "name": _text("Name of the service account; defaults to the release's full name if created."),
                "annotations": _labels("Annotations of the service account."),
            }
        ),
        "serviceMonitor": _object(
            {
                "enabled": _flag("Let the Prometheus operator scrape the agent."),
                "interval": _text("Time between scrapes.", pattern="^[0-9]+(ms|s|m|h)$"),
                "labels": _labels("Labels that the operator selects it by."),
            }
        ),
        "resources": _any_object("Requests and limits of the container."),
        "podAnnotations": _labels("Annotations of the pod."),
        "podLabels": _labels("Additional labels of the pod."),
        "podSecurityContext": _any_object("Security context of the pod."),
        "securityContext": _any_object("Security context of the container."),
        "terminationGracePeriodSeconds": {
            "type": "integer",
            "minimum": 1,
            "description": "Time for a graceful stop; must exceed the configuration's drain.",
        },
        "nodeSelector": _labels("Labels of the nodes that may run the agent."),
        "tolerations": _list("Taints that the pod tolerates."),
        "affinity": _any_object("Affinity of the pod."),
        "priorityClassName": _text("Priority class of the pod."),
        "extraEnv": _list("Additional environment variables."),
        "extraVolumes": _list("Additional volumes, such as a catalog or certificates."),
        "extraVolumeMounts": _list("Mounts of the additional volumes."),
        "global": _any_object("Values shared with other charts; unused here."),
    }
