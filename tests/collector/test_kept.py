"""Recorded answers as commands take them: from files or an agent, sampled alike wherever they are drawn."""

import io
import json
from collections import Counter

import pytest

from adapters.base import AdaptOptions
from collector.commands.asking import AskedAgent
from collector.commands.kept import KeptAnswers, gathered
from collector.commands.progress import Progress
from collector.errors import ConfigError


class Pages(AskedAgent):
    """An agent that keeps `count` answers and gives them in pages."""

    count = 250

    def get(self, path, parameters=None, *, also=None):
        assert (path, also) == ("/v1/answers", None)
        last = (parameters["before"] or self.count + 1) - 1
        seqs = range(last, max(0, last - parameters["limit"]), -1)
        return {
            "answers": [{"answer": {"id": f"a{seq}", "question": "q"}} for seq in seqs],
            "next": seqs[-1] if seqs and seqs[-1] > 1 else None,
        }


def taken(kept):
    err = io.StringIO()
    return [each.answer.id for each in gathered(kept, AdaptOptions(), Progress(None), err, Counter())]


def test_all_pages_of_an_agent_are_read_as_far_as_is_wanted():
    agent = Pages(url="http://agent")
    assert sorted(taken(KeptAnswers(agent=agent))) == sorted(f"a{seq}" for seq in range(1, 251))
    assert sorted(taken(KeptAnswers(agent=agent, newest=120))) == sorted(f"a{seq}" for seq in range(131, 251))


def test_a_sample_of_files_is_that_of_an_agent_with_the_same_answers(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"a{seq}", "question": "q", "answer": "a"}) + "\n" for seq in range(1, 251))
    )
    from_files = taken(KeptAnswers(files=[path], sample=20))
    assert from_files == taken(KeptAnswers(agent=Pages(url="http://agent"), sample=20))
    assert len(set(from_files)) == 20
    assert from_files != taken(KeptAnswers(files=[path], sample=20, seed=1))


def test_answers_of_another_version_are_no_answers():
    class Other(Pages):
        def get(self, *_, **__):
            return {"answers": [{"answer": {"name": 1}}], "next": None}

    with pytest.raises(ConfigError, match="another version"):
        taken(KeptAnswers(agent=Other(url="http://agent")))


@pytest.mark.parametrize("kept", [KeptAnswers(), KeptAnswers(files=["x"], agent=Pages(url="http://agent"))])
def test_answers_come_from_one_place(kept):
    with pytest.raises(ConfigError, match="give files of recorded answers, or --agent"):
        taken(kept)
