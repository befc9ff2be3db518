"""What the files in a model's folder say, read without the library: enough to refuse a wrong one at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from collector.errors import ConfigError

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_SAMPLE = 65_536


def read_config(folder: Path, where: str) -> Mapping[str, Any]:
    """Return the model's own configuration. Raises `ConfigError`, which names ``where``, for what is no model."""
    if not folder.is_dir():
        raise ConfigError(f"{where}: {folder}: no such folder")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{where}: {folder}: no config.json") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{where}: {folder}: config.json cannot be read: {error}") from error
    if not isinstance(config, dict):
        raise ConfigError(f"{where}: {folder}: config.json is not an object")
    if config.get("auto_map"):
        raise ConfigError(f"{where}: {folder}: the model ships code of its own (auto_map), which is not run")
    return config


def check_embedding(folder: Path, where: str) -> None:
    """Raise `ConfigError` for a folder that holds no embedding model: some of them have parts, and no configuration."""
    if not (folder / "modules.json").is_file() or (folder / "config.json").exists():
        read_config(folder, where)


def weights_of(folder: Path, where: str) -> tuple[Path, ...]:
    """Return the files of weights. Raises `ConfigError` where there are none."""
    found = tuple(sorted(path for pattern in WEIGHTS for path in folder.glob(pattern)))
    if not found:
        raise ConfigError(f"{where}: {folder}: no weights (model.safetensors or pytorch_model.bin)")
    return found


def fingerprint(folder: Path, where: str) -> str:
    """Return what tells one model from another: its configuration, and size and both ends of its weights."""
    digest = sha256((folder / "config.json").read_bytes())
    for path in weights_of(folder, where):
        size = path.stat().st_size
        digest.update(f"{path.name}:{size}:".encode())
        with path.open("rb") as file:
            digest.update(file.read(_SAMPLE))
            file.seek(max(0, size - _SAMPLE))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()[:32]
