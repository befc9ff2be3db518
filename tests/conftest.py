import contextlib

import pytest

# No test says how long it may take: on a busy machine an example takes any time. Those of models do without hypothesis.
with contextlib.suppress(ImportError):
    from hypothesis import settings

    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")


def pytest_addoption(parser):
    parser.addoption("--regenerate", action="store_true", help="rewrite golden files; the diff is the review")


@pytest.fixture
def regenerate(request):
    return request.config.getoption("--regenerate")
