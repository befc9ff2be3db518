import contextlib

import pytest

from tests import debian

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


def pytest_collection_modifyitems(items):
    """Put files with slow tests first, whole, so that no worker is left with a long one at the end: pages before all.

    Coverage is that of the others: slow tests repeat what they cover, at a scale at which counting lines takes longest.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker("no_cover")
    items.sort(key=lambda item: (item.path not in slow, "docs" not in item.path.parts))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """Say in one line, after everything else, what was skipped for want of Debian's packages."""
    stats = terminalreporter.stats
    skipped = stats.get("skipped", [])
    known = {id(report): debian.named(str(report.longrepr)) for report in skipped}
    stats["skipped"] = [report for report in skipped if known[id(report)] is None]
    yield
    stats["skipped"] = skipped
    lacking = [what for what in known.values() if what is not None]
    if lacking:
        terminalreporter.line(debian.skipped(lacking))
