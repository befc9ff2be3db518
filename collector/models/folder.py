"""What the files in a model's folder say, read without the library: enough to refuse a wrong one at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from collector.errors import ConfigError

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
ONNX = ("*.onnx", "onnx/*.onnx")
PREFERRED = "model.onnx"
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
    if (
        onnx_of(folder, where) is not None
        or not (folder / "modules.json").is_file()
        or (folder / "config.json").exists()
    ):
        read_config(folder, where)


def onnx_of(folder: Path, where: str) -> Path | None:
    """Return the ONNX file of a folder that has no other weights, ``None`` where it has some, or no ONNX file.

    Raises `ConfigError` where there are several, none of which is called ``model.onnx``.
    """
    if _found(folder, WEIGHTS):
        return None
    files = _found(folder, ONNX)
    if len(files) <= 1:
        return files[0] if files else None
    named = [path for path in files if path.name == PREFERRED]
    if len(named) == 1:
        return named[0]
    names = ", ".join(str(path.relative_to(folder)) for path in files)
    raise ConfigError(f"{where}: {folder}: several ONNX files ({names}); keep one, or call it {PREFERRED}")


def weights_of(folder: Path, where: str) -> tuple[Path, ...]:
    """Return the files of weights. Raises `ConfigError` where there are none."""
    onnx = onnx_of(folder, where)
    found = _found(folder, WEIGHTS) if onnx is None else (onnx,)
    if not found:
        raise ConfigError(f"{where}: {folder}: no weights (model.safetensors, pytorch_model.bin or model.onnx)")
    return found


def _found(folder: Path, patterns: Sequence[str]) -> tuple[Path, ...]:
    return tuple(sorted(path for pattern in patterns for path in folder.glob(pattern)))


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
