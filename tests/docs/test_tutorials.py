"""The tutorials, followed to the letter: each ends in an alarm, and in its resolution."""

import pytest

from tests.docs.tutorial import Reader

pytestmark = pytest.mark.slow


def states(agent, gate):
    body = agent.get(f"/v1/gates/{gate}")[1]
    return body["state"], {each["slice"].get("domain"): each["state"] for each in body["slices"]}


def told(agent, gate):
    """The verdicts that a gate was recorded with, in order."""
    rows = agent.get("/v1/decisions?limit=100")[1]["decisions"]
    return [row["state"] for row in sorted(rows, key=lambda row: row["seq"]) if row["gate"] == gate]


def test_whoever_is_on_call_sees_an_alarm_its_cause_and_its_end(tmp_path):
    with Reader("docs/tutorials/sre.md", tmp_path) as reader:
        reader.follow(until="4. Break it")
        assert states(reader.agent, "freshness") == ("pass", {"travel": "pass", "leave": "pass"})
        reader.follow(until="5. Repair it")
        assert states(reader.agent, "freshness") == ("fail", {"travel": "fail", "leave": "pass"})
        overview = reader.agent.get("/")[1]
        assert "Gate freshness fails: domain=travel" in overview
        assert "catalog" in overview
        assert '"version":"3"' in reader.printed[-1].replace(" ", "")
        reader.follow()
        assert states(reader.agent, "freshness")[0] == "pass"
        assert told(reader.agent, "freshness")[-2:] == ["fail", "pass"]
