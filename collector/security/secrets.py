"""Secrets, as a configuration gives them or names their files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from collector.errors import ConfigError


def read_secret(value: SecretStr | None, file: Path | None, where: str) -> str | None:
    """Return a secret given as it is, or read from its file; ``where`` is the path of the key that names the file.

    Raises `ConfigError` for a file that cannot be read, or is empty, and for what is no line of printable ASCII: it
    could not be sent in a header.

    >>> read_secret(SecretStr("s3cret"), None, "sources[0].api_key_file")
    's3cret'
    """
    if value is not None:
        return _sendable(value.get_secret_value(), where.removesuffix("_file"))
    if file is None:
        return None
    secret = read_secret_file(file, where)
    if not secret:
        raise ConfigError(f"{where}: {file} is empty")
    return _sendable(secret, f"{where}: {file}")


def read_secret_file(file: Path, where: str) -> str:
    """Return what a file holds, without the white space around it. Raises `ConfigError`, which repeats none of it."""
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not text"
        raise ConfigError(f"{where}: {file}: cannot be read: {reason}") from error


def _sendable(secret: str, where: str) -> str:
    if not (secret.isascii() and secret.isprintable()):
        raise ConfigError(f"{where}: must be one line of printable ASCII")
    return secret


def environment_secret(name: str, where: str, environment: Mapping[str, str]) -> str:
    """Return a secret that a variable of ``environment`` holds; ``where`` is the path of the key that names it.

    Raises `ConfigError` for a variable that is not set, or holds no line of printable ASCII; it repeats none of it.
    """
    secret = environment.get(name, "").strip()
    if not secret:
        raise ConfigError(f"{where}: the environment variable {name} is not set")
    return _sendable(secret, f"{where}: {name}")
