import pytest

from tests.peers import require


def test_a_program_that_is_there_is_found() -> None:
    assert require("sh", "apt-get install dash").endswith("/sh")


def test_a_missing_program_skips_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is missing; install it with: apt-get install it"):
        require("no-such-program", "apt-get install it")


def test_a_missing_program_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is missing"):
        require("no-such-program", "apt-get install it")
