import pytest


def pytest_addoption(parser):
    parser.addoption("--regenerate", action="store_true", help="rewrite golden files; the diff is the review")


@pytest.fixture
def regenerate(request):
    return request.config.getoption("--regenerate")
