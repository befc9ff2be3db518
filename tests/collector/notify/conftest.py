import pytest

from tests.collector.notify.bench import Bench


@pytest.fixture
def make(tmp_path):
    made = []

    def bench(**given):
        made.append(Bench(tmp_path, **given))
        return made[-1]

    yield bench
    for bench in made:
        bench.close()
