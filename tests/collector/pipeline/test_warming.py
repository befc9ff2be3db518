import subprocess
import sys

CHECK = """
from datetime import UTC, datetime
import scorers.models.loading as loading
from adapters.schema import Answer, Passage
from collector.pipeline.score_task import evaluate
from collector.pipeline.warming import warm_up
from scorers import production_panel
from scorers.base import Env

warm_up()
def refused(name):
    raise AssertionError(f"{name} is loaded by the first answer")
loading.files = refused
answer = Answer(id="a", question="May I?", answer="You may.", passages=(Passage(id="p", text="You may not."),))
print(evaluate(answer, production_panel(), Env(now=datetime(2026, 1, 1, tzinfo=UTC)), 60.0).evaluation)
"""


def test_the_first_answer_after_warming_up_reads_no_model():
    run = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=True)
    assert '"faithfulness"' in run.stdout
    assert "is loaded by" not in run.stdout
