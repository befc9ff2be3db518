"""What tests need from Debian. Run as a program it prints the packages, for `apt-get install`."""

from __future__ import annotations

from collections.abc import Sequence

_GO = ("golang", "golang-github-masterminds-sprig-dev", "golang-k8s-sigs-yaml-dev")
PACKAGES = {
    "amtool": ("prometheus-alertmanager",),
    "cc": ("gcc", "libc6-dev"),
    "chromium": ("chromium",),
    "go": _GO,
    "nginx": ("nginx-light",),
    "openssl": ("openssl",),
    "prometheus": ("prometheus",),
    "prometheus-alertmanager": ("prometheus-alertmanager",),
    "promtool": ("prometheus",),
    "the Go library sprig": _GO,
}
"""The packages that bring a program or a library."""


def install(*needed: str) -> str:
    """Return the command that installs what is needed.

    >>> install("promtool", "prometheus")
    'sudo apt-get install prometheus'
    """
    packages = {package for each in needed for package in PACKAGES[each]}
    return f"sudo apt-get install {' '.join(sorted(packages))}"


def without(what: str) -> str:
    """Return why a test is skipped that needs ``what``."""
    return f"{what} is missing; install it with: {install(what)}"


def named(reason: str) -> str | None:
    """Return what a test was skipped for want of, given why it was; ``None`` where it was for something else.

    >>> named("Skipped: " + without("amtool"))
    'amtool'
    """
    return next((what for what in PACKAGES if without(what) in reason), None)


def skipped(lacking: Sequence[str]) -> str:
    """Return in one line how many tests were skipped for want of what, one a test, and the command that installs it.

    >>> skipped(["promtool", "amtool", "promtool"])
    '3 tests skipped without amtool, promtool: sudo apt-get install prometheus prometheus-alertmanager'
    """
    return f"{len(lacking)} tests skipped without {', '.join(sorted(set(lacking)))}: {install(*lacking)}"


if __name__ == "__main__":
    print(*sorted({package for packages in PACKAGES.values() for package in packages}))
