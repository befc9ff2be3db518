"""The schema of the Helm chart's values: what the chart itself asks, with the agent's configuration embedded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

DOOR = "allow_unauthenticated"
"""The key by which a section is known to be a listener."""

MANAGED = frozenset({"host", "token", "token_file", DOOR})
"""Keys of listeners that the chart sets itself from ``auth``: in ``config`` they would contradict it, and a token would
stand readable in a ConfigMap."""

LEAST_PORT = 1024
"""The agent runs as an ordinary user, who may not listen below."""


def values_schema(config_schema: Mapping[str, Any]) -> Schema:
    """Return the JSON Schema of the chart's ``values.yaml``.

    ``config_schema`` is the JSON Schema of the configuration. It is embedded under ``config``, without the keys that
    the chart sets itself: the store's directory, and who may come in where. The result keeps to draft 7 and to regular
    expressions without lookaround, which every version of Helm reads. The argument stays as it was.

    >>> config = {"type": "object", "properties": {"data": {"type": "string"}, "drain": {"type": "string"}}}
    >>> list(values_schema(config)["properties"]["config"]["properties"])
    ['drain']
    """
    definitions = {name: _embedded(part) for name, part in config_schema.get("$defs", {}).items()}
    config = _embedded({key: part for key, part in config_schema.items() if key != "$defs"})
    config.get("properties", {}).pop("data", None)
    config["description"] = "The agent's configuration; what is left out has the agent's defaults."
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
            continue  # OpenAPI's; the alternatives exclude each other without it.
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
    """Whether a default is written as the schema wants it; those of lengths of time are in another notation."""
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
        "nameOverride": _text("Name of the application in names and labels, in place of the chart's.", maxLength=63),
        "fullnameOverride": _text("Name of all objects, in place of release and chart.", maxLength=63),
        "image": _object(
            {
                "repository": _text("Image of the agent.", minLength=1),
                "tag": _text("Its tag; the chart's appVersion where empty."),
                "digest": _text("Its digest, in place of the tag.", pattern="^(sha256:[0-9a-f]{64})?$"),
                "pullPolicy": {"enum": ["Always", "IfNotPresent", "Never"], "description": "When to pull it."},
            },
            required=("repository",),
        ),
        "imagePullSecrets": _list("Secrets for pulling the image."),
        "auth": _object(
            {
                "existingSecret": _text("Secret that holds the bearer token every client must send."),
                "secretKey": _text("Key of the token in that secret.", minLength=1),
                "token": _text("The token itself, kept in a secret of the release. Prefer existingSecret."),
                "allowUnauthenticated": _flag("Serve without a token: whoever reaches the service may read and write."),
            }
        ),
        "persistence": _object(
            {
                "enabled": _flag("Keep the store on a volume; without one it is lost with the pod."),
                "existingClaim": _text("A claim that is there already."),
                "storageClass": _text("Storage class; the cluster's default where empty."),
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
                    "Make a service account for the agent. It gets no token: the agent asks Kubernetes nothing."
                ),
                "name": _text("Its name; the release's where empty."),
                "annotations": _labels("Its annotations."),
            }
        ),
        "serviceMonitor": _object(
            {
                "enabled": _flag("Let the Prometheus operator scrape the agent."),
                "interval": _text("Time between scrapes.", pattern="^[0-9]+(ms|s|m|h)$"),
                "labels": _labels("Labels by which the operator selects it."),
            }
        ),
        "resources": _any_object("Requests and limits of the container."),
        "podAnnotations": _labels("Annotations of the pod."),
        "podLabels": _labels("Further labels of the pod."),
        "podSecurityContext": _any_object("Security context of the pod."),
        "securityContext": _any_object("Security context of the container."),
        "terminationGracePeriodSeconds": {
            "type": "integer",
            "minimum": 1,
            "description": "Time for an orderly stop; more than the configuration's drain.",
        },
        "nodeSelector": _labels("Labels of nodes that may run the agent."),
        "tolerations": _list("Taints of nodes it tolerates."),
        "affinity": _any_object("Affinity of the pod."),
        "priorityClassName": _text("Priority class of the pod."),
        "extraEnv": _list("Further environment variables."),
        "extraVolumes": _list("Further volumes, such as a catalog or certificates."),
        "extraVolumeMounts": _list("Where they are mounted."),
        "global": _any_object("Values shared with other charts; unused here."),
    }
