"""Signatures of webhooks: HMAC-SHA256 over id, time and body, as the Standard Webhooks specification 1.0.0 has it.

Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from collector.errors import ConfigError
from collector.security.secrets import read_secret_file

PREFIX = "whsec_"
KEY_BYTES = range(24, 65)
MAX_KEYS = 4
"""The one in use and some that are being replaced: a receiver tries each signature."""


def read_keys(file: Path, where: str) -> tuple[bytes, ...]:
    """Return the keys in ``file``, one a line; ``where`` is the path of the key that names the file.

    Raises `ConfigError` for a file that cannot be read and for a line that is no key; no line is repeated.
    """
    lines = read_secret_file(file, where).split()
    if not 1 <= len(lines) <= MAX_KEYS:
        raise ConfigError(
            f"{where}: {file}: {len(lines)} keys; expected the one in use and up to {MAX_KEYS - 1} being rotated out"
        )
    keys = tuple(_key(line) for line in lines)
    for number, key in enumerate(keys, 1):
        if key is None:
            raise ConfigError(
                f"{where}: {file}: key {number} is invalid; expected `{PREFIX}` and base64 of {KEY_BYTES[0]} to "
                f'{KEY_BYTES[-1]} bytes, as from `echo "{PREFIX}$(openssl rand -base64 32)"`'
            )
    return tuple(key for key in keys if key is not None)


def _key(line: str) -> bytes | None:
    if not line.startswith(PREFIX):
        return None
    try:
        key = b64decode(line.removeprefix(PREFIX), validate=True)
    except ValueError:
        return None
    return key if len(key) in KEY_BYTES else None


def signature(keys: Sequence[bytes], *, id_: str, seconds: int, body: bytes) -> str:
    """Return the value of ``webhook-signature``: one signature a key, in their order.

    >>> signature([b"k" * 24], id_="msg", seconds=1_700_000_000, body=b"{}")
    'v1,NUI8WDFxxrUvT9l6kIq4U0i/GoSNxLcI0n6A2rOzFpI='
    """
    signed = b".".join((id_.encode(), str(seconds).encode(), body))
    return " ".join("v1," + b64encode(hmac.digest(key, signed, sha256)).decode() for key in keys)
