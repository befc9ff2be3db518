"""What Argo Rollouts makes of an AnalysisTemplate, as far as ours use it, written after its sources.

Source: argoproj/argo-rollouts, metricproviders/webmetric/webmetric.go, metricproviders/prometheus/prometheus.go,
utils/evaluate/evaluate.go and analysis/analysis.go.
"""

import http.client
import json
import math
import re
from urllib.parse import urlsplit

import yaml

ERROR, FAILED, INCONCLUSIVE, SUCCESSFUL, RUNNING = "Error", "Failed", "Inconclusive", "Successful", "Running"


class Metric:
    """The one metric of a template, with its arguments filled in."""

    def __init__(self, file, **args):
        template = yaml.safe_load(file.read_text())
        assert (template["apiVersion"], template["kind"]) == ("argoproj.io/v1alpha1", "AnalysisTemplate")
        given = {each["name"]: each.get("value") for each in template["spec"]["args"]} | args
        assert set(args) <= {each["name"] for each in template["spec"]["args"]}
        assert None not in given.values(), "an argument has no value"
        (metric,) = template["spec"]["metrics"]
        text = re.sub(r"\{\{\s*args\.([\w-]+)\s*\}\}", lambda found: given[found[1]], json.dumps(metric))
        assert "{{" not in text
        self.spec = json.loads(text)

    def measure_web(self, *, older=False):
        """Ask once, as the web provider does; return (phase, what was read).

        A body that is no JSON is a success to ``older`` versions; to newer ones it is a text, which conditions over
        numbers cannot read.
        """
        web = self.spec["provider"]["web"]
        url = urlsplit(web["url"])
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=web.get("timeoutSeconds", 10))
        try:
            headers = {each["key"]: each["value"] for each in web.get("headers", [])}
            connection.request(web.get("method", "GET"), f"{url.path}?{url.query}", headers=headers)
            response = connection.getresponse()
            body = response.read()
        except OSError as error:
            return ERROR, str(error)
        finally:
            connection.close()
        if not 200 <= response.status < 300:
            return ERROR, f"received non 2xx response code: {response.status}"
        try:
            value = json.loads(body, parse_constant=_no_json)
        except ValueError:
            return (SUCCESSFUL if older else ERROR), body.decode()
        (name,) = re.fullmatch(r"\{\$\.(\w+)\}", web["jsonPath"]).groups()
        if not isinstance(value, dict) or name not in value:
            return ERROR, "Could not find JSONPath in body"
        return self.evaluated(value[name]), value[name]

    def measure_prometheus(self, prometheus):
        """Query once, as the Prometheus provider does: all values of an instant vector, without their labels."""
        rows = prometheus.query(self.spec["provider"]["prometheus"]["query"])
        values = [float(row["value"][1]) for row in rows]
        return self.evaluated(values), values

    def evaluated(self, result):
        """Return the phase of a measurement. Of two conditions neither of which holds, it is inconclusive."""
        try:
            success = _holds(self.spec["successCondition"], result)
            failure = _holds(self.spec["failureCondition"], result)
        except (TypeError, IndexError):
            return ERROR
        return FAILED if failure else SUCCESSFUL if success else INCONCLUSIVE

    def assessed(self, phases, *, older=False):
        """Return what becomes of the metric after these measurements, in order, and how many it took.

        ``older``: before there was a limit of consecutive successes (1.8), whoever reached ``count`` was successful.
        """
        counted = dict.fromkeys((SUCCESSFUL, FAILED, INCONCLUSIVE), 0)
        errors = 0
        for number, phase in enumerate(phases, 1):
            errors = errors + 1 if phase == ERROR else 0
            if phase != ERROR:
                counted[phase] += 1
            if errors > self.spec["consecutiveErrorLimit"]:
                return ERROR, number
            if counted[INCONCLUSIVE] > self.spec["inconclusiveLimit"]:
                return INCONCLUSIVE, number
            if counted[FAILED] > self.spec["failureLimit"]:
                return FAILED, number
            if not older and phase == SUCCESSFUL:
                assert self.spec["consecutiveSuccessLimit"] == 1
                return SUCCESSFUL, number
            if sum(counted.values()) >= self.spec["count"]:
                return (SUCCESSFUL if older else INCONCLUSIVE), number
        return RUNNING, len(phases)


def _holds(condition, result):
    index, sign, number = re.fullmatch(r"result(\[0\])? (==|<|>) (-?\d+)", condition).groups()
    value = result[0] if index else result
    if isinstance(value, str | list | dict):
        raise TypeError("the types do not match")
    if value is None or math.isnan(value):
        return False
    return {"==": value == int(number), "<": value < int(number), ">": value > int(number)}[sign]


def _no_json(name):
    raise ValueError(f"{name} is not JSON")
