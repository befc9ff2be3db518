"""The tutorials, followed to the letter: each ends in an alarm, and in its resolution."""

import pytest

from tests.docs.tutorial import Reader

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


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
        assert "150 EUR" in reader.printed[-1]
        reader.follow()
        assert states(reader.agent, "freshness")[0] == "pass"
        recorded = told(reader.agent, "freshness")
        assert "fail" in recorded
        assert recorded[-1] == "pass"


def test_a_platform_engineer_has_a_bad_release_taken_back_and_the_next_one_promoted(tmp_path):
    with Reader("docs/tutorials/platform-engineer.md", tmp_path) as reader:
        reader.follow(until="4. A release that is worse")
        reader.follow(until="5. The next release")
        assert not (reader.folder / "candidate").exists()
        assert "### Gate canary: **FAIL** over 2.1" in (reader.folder / "summary.md").read_text()
        assert states(reader.agent, "canary")[0] == "fail"
        reader.follow()
        assert (reader.folder / "stable").read_text() == "2.2\n"
        assert told(reader.agent, "canary")[-1] == "pass"


def test_an_ml_engineer_finds_the_slice_that_pays_for_an_update_and_takes_it_back(tmp_path):
    with Reader("docs/tutorials/ml-engineer.md", tmp_path) as reader:
        reader.follow(until="3. Bring out the update")
        assert "identical in every pair: numeric_fidelity" in "".join(reader.printed)
        reader.follow(until="4. Compare, and decide")
        assert states(reader.agent, "grounded") == ("fail", {"rooms": "pass", "fees": "fail"})
        assert states(reader.agent, "helpful")[0] == "pass"
        reader.follow()
        assert "What does the" in reader.printed[-2]
        assert states(reader.agent, "update")[1]["fees"] == "fail"
        assert states(reader.agent, "grounded")[0] == "pass"
