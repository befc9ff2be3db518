import json
import re
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from collector.configuration.schema import Config
from dashboards.chart import values_schema
from tests.helm.chart import CHART, RenderError, kinds
from tests.helm.conftest import Render

SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
VALUES = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
OPEN = {"auth": {"allowUnauthenticated": True}}
GUARDED = {"auth": {"existingSecret": "rag-token", "secretKey": "bearer"}}
FULL: dict[str, Any] = {
    "auth": {"token": "s3cret"},
    "image": {"digest": "sha256:" + "a" * 64},
    "imagePullSecrets": [{"name": "registry"}],
    "persistence": {"storageClass": "fast", "size": "50Gi"},
    "service": {"type": "LoadBalancer", "annotations": {"team": "search"}},
    "serviceAccount": {"name": "groundwire", "annotations": {"team": "search"}},
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
    "podAnnotations": {"team": "search"},
    "podLabels": {"team": "search"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "rag", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "priorityClassName": "high",
    "extraEnv": [{"name": "TZ", "value": "UTC"}],
    "extraVolumes": [{"name": "catalog", "configMap": {"name": "catalog"}}],
    "extraVolumeMounts": [{"name": "catalog", "mountPath": "/etc/catalog"}],
    "config": {
        "receive": {"otlp_http": {"port": 14318}, "max_body_bytes": 33554432},
        "http": {"port": 9090, "tls_cert": "/tls/tls.crt", "tls_key": "/tls/tls.key"},
        "slices": [{"name": "domain"}],
        "gates": [
            {
                "type": "threshold",
                "name": "stale-sources",
                "metric": "stale_source_use",
                "at_most": 0.1,
                "by": ["domain"],
                "window": "15m",
            }
        ],
        "drain": "30s",
    },
}
WITHOUT_VOLUME = {**OPEN, "persistence": {"enabled": False}, "serviceAccount": {"create": False}}
OWN_CLAIM = {
    **GUARDED,
    "persistence": {"existingClaim": "old"},
    "config": {"receive": {"otlp_grpc": {"enabled": False}}},
}
ALL = {"open": OPEN, "guarded": GUARDED, "full": FULL, "without volume": WITHOUT_VOLUME, "own claim": OWN_CLAIM}
VERSIONS = ("1.25", "1.31", "1.37")


def accept(values: dict[str, Any]) -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(values)


def over(under: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    both = dict(under)
    for key, value in more.items():
        both[key] = over(both[key], value) if isinstance(value, dict) and isinstance(both.get(key), dict) else value
    return both


def configuration(manifests: list[dict[str, Any]]) -> Config:
    return Config.model_validate(yaml.safe_load(kinds(manifests)["ConfigMap"]["data"]["groundwire.yaml"]))


def pod(manifests: list[dict[str, Any]]) -> dict[str, Any]:
    return kinds(manifests)["StatefulSet"]["spec"]["template"]["spec"]


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("values", ALL.values(), ids=ALL.keys())
def test_kubernetes_accepts_every_manifest_strictly(values: dict[str, Any], version: str, render: Render) -> None:
    manifests = render(values)
    assert manifests
    for manifest in manifests:
        if manifest["kind"] != "ServiceMonitor":  # its schema belongs to the operator, not to Kubernetes
            kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("values", ALL.values(), ids=ALL.keys())
def test_the_agent_accepts_the_configuration_it_is_given(values: dict[str, Any], render: Render) -> None:
    config = configuration(render(values))
    assert list(config.inconsistencies()) == []
    for name, listener in (
        ("http", config.http),
        ("receive.otlp_http", config.receive.otlp_http),
        ("receive.otlp_grpc", config.receive.otlp_grpc),
    ):
        assert listener.host == "0.0.0.0"
        assert list(listener.problems(name)) == []


def test_options_of_the_configuration_reach_the_agent_unchanged(render: Render) -> None:
    config = configuration(render(FULL))
    assert config.receive.max_body_bytes == 33554432
    assert config.gates[0].model_dump(mode="json")["window"] == "15m"
    assert str(config.data) == "/var/lib/groundwire"


@pytest.mark.parametrize("values", ALL.values(), ids=ALL.keys())
def test_the_pod_runs_with_no_more_rights_than_it_needs(values: dict[str, Any], render: Render) -> None:
    manifests = render(values)
    spec = pod(manifests)
    assert kinds(manifests)["StatefulSet"]["spec"]["replicas"] == 1
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    container = spec["containers"][0]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["resources"]["requests"]
    assert container["resources"]["limits"]["memory"]


@pytest.mark.parametrize("values", ALL.values(), ids=ALL.keys())
def test_every_mount_has_its_volume_and_every_port_is_served(values: dict[str, Any], render: Render) -> None:
    manifests = render(values)
    spec = pod(manifests)
    claims = kinds(manifests)["StatefulSet"]["spec"].get("volumeClaimTemplates", [])
    volumes = {volume["name"] for volume in spec["volumes"]} | {claim["metadata"]["name"] for claim in claims}
    container = spec["containers"][0]
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes
    config = configuration(manifests)
    served = {port["name"]: port["containerPort"] for port in container["ports"]}
    expected = {"http": config.http.port}
    if config.receive.otlp_http.enabled:
        expected["otlp-http"] = config.receive.otlp_http.port
    if config.receive.otlp_grpc.enabled:
        expected["otlp-grpc"] = config.receive.otlp_grpc.port
    assert served == expected
    assert {port["targetPort"]: port["port"] for port in kinds(manifests)["Service"]["spec"]["ports"]} == expected


@pytest.mark.parametrize(("values", "scheme"), [(GUARDED, "HTTP"), (FULL, "HTTPS")])
def test_probes_ask_the_port_that_answers_them(values: dict[str, Any], scheme: str, render: Render) -> None:
    container = pod(render(values))["containers"][0]
    for name, path in (("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")):
        assert container[name]["httpGet"] == {"path": path, "port": "http", "scheme": scheme}


def test_the_service_finds_the_pod(render: Render) -> None:
    manifests = kinds(render(FULL))
    labels = manifests["StatefulSet"]["spec"]["template"]["metadata"]["labels"].items()
    assert manifests["Service"]["spec"]["selector"].items() <= labels
    assert manifests["StatefulSet"]["spec"]["selector"]["matchLabels"].items() <= labels
    assert manifests["StatefulSet"]["spec"]["serviceName"] == manifests["Service"]["metadata"]["name"]


def test_the_token_never_stands_in_the_config_map(render: Render) -> None:
    manifests = kinds(render(FULL))
    assert "s3cret" not in json.dumps([manifests[kind] for kind in manifests if kind != "Secret"])
    assert manifests["Secret"]["data"] == {"token": "czNjcmV0"}
    mounted = next(volume for volume in pod(list(manifests.values()))["volumes"] if volume["name"] == "token")
    assert mounted["secret"]["secretName"] == manifests["Secret"]["metadata"]["name"]


def test_prometheus_scrapes_with_the_token_of_the_secret(render: Render) -> None:
    values = {**GUARDED, "serviceMonitor": {"enabled": True}}
    endpoint = kinds(render(values))["ServiceMonitor"]["spec"]["endpoints"][0]
    assert endpoint["authorization"]["credentials"] == {"name": "rag-token", "key": "bearer"}
    assert (endpoint["port"], endpoint["path"], endpoint["scheme"]) == ("http", "/metrics", "http")


def test_a_changed_configuration_starts_a_new_pod(render: Render) -> None:
    def checksum(values: dict[str, Any]) -> str:
        template = kinds(render(values))["StatefulSet"]["spec"]["template"]
        return template["metadata"]["annotations"]["checksum/config"]

    assert checksum(OPEN) == checksum(OPEN)
    assert checksum(OPEN) != checksum({**OPEN, "config": {"drain": "25s"}})


def test_the_grace_period_outlasts_the_drain() -> None:
    assert VALUES["terminationGracePeriodSeconds"] > Config().drain.total_seconds()


@pytest.mark.parametrize(
    ("auth", "message"),
    [
        ({}, "set auth.existingSecret or auth.token, or auth.allowUnauthenticated: true"),
        ({"existingSecret": "a", "token": "b"}, "existingSecret or token, not both"),
        ({"token": "b", "allowUnauthenticated": True}, "there is a token, so clients must send it"),
    ],
)
def test_an_open_door_must_be_asked_for(auth: dict[str, Any], message: str, render: Render) -> None:
    with pytest.raises(RenderError, match=re.escape(message)):
        render({"auth": auth})


@pytest.mark.parametrize("release", ["rag", "groundwire", "x" * 53])
def test_names_stay_within_what_kubernetes_allows(release: str, render: Render) -> None:
    for manifest in render(OPEN, release=release):
        assert len(manifest["metadata"]["name"]) <= 63
        assert not manifest["metadata"]["name"].endswith("-")


@pytest.mark.parametrize("values", [{}, *ALL.values()], ids=["defaults", *ALL.keys()])
def test_the_schema_accepts_the_values_that_are_meant(values: dict[str, Any]) -> None:
    accept(over(VALUES, values))


@pytest.mark.parametrize(
    "values",
    [
        {"replicas": 2},
        {"persistance": {"enabled": False}},
        {"image": {"tags": "1"}},
        {"image": {"repository": ""}},
        {"auth": {"allowUnauthenticated": "yes"}},
        {"persistence": {"size": "lots"}},
        {"service": {"type": "Headless"}},
        {"config": {"slice": []}},
        {"config": {"receive": {"otlp_htp": {}}}},
        {"config": {"receive": {"otlp_http": {"host": "0.0.0.0"}}}},
        {"config": {"http": {"token": "readable"}}},
        {"config": {"http": {"port": 80}}},
        {"config": {"data": "/elsewhere"}},
        {"config": {"drain": "20"}},
        {"config": {"gates": [{"type": "threshold", "name": "g", "metric": "m", "tolerence": 0.1}]}},
        {"config": {"scorers": [{"type": "claim_suport"}]}},
        {"config": {"sampling": {"probability": 2}}},
    ],
    ids=json.dumps,
)
def test_the_schema_refuses_typos_and_what_the_chart_sets_itself(values: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        accept(over(VALUES, values))


def test_every_value_of_the_chart_is_described_and_every_described_value_is_there() -> None:
    properties = SCHEMA["properties"]
    assert properties.keys() - {"global"} == VALUES.keys()
    for name, part in properties.items():
        assert part.get("description") or part.get("properties"), name


def test_the_schema_is_the_one_of_the_configuration_in_force() -> None:
    generated = values_schema(Config.model_json_schema())
    assert generated == SCHEMA, "regenerate with `make docs`"


def test_the_schema_keeps_to_what_every_version_of_helm_reads() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    text = json.dumps(SCHEMA)
    assert '"$defs"' not in text
    assert "#/$defs/" not in text
    assert not re.search(r'"pattern": "[^"]*\(\?', text), "Go knows no lookaround"
    for name in re.findall(r'"#/definitions/(\w+)"', text):
        assert name in SCHEMA["definitions"]


def test_embedding_leaves_the_schema_of_the_configuration_as_it_was() -> None:
    schema = Config.model_json_schema()
    before = json.dumps(schema)
    values_schema(schema)
    assert json.dumps(schema) == before
