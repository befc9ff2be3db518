"""The library that loads models, imported on demand: without network, without code from a model's folder, and quiet."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from typing import Any

from collector.errors import ConfigError
from collector.models.options import Device

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
MODULES = ("sentence_transformers", "torch")


def check_installed(where: str) -> None:
    """Raise `ConfigError` where the extra `models` is missing; nothing is imported."""
    if any(importlib.util.find_spec(name) is None for name in MODULES):
        raise ConfigError(needed(where))


def needed(where: str) -> str:
    """Return what to do where the library is missing."""
    return f"{where}: needs the extra `models`: pip install torch==2.13.0 'groundwire[models]'"


def loaded(kind: str, folder: str, *, device: Device, where: str, threads: int | None = None, **options: Any) -> Any:
    """Return the model in ``folder`` as a ``kind`` of the library. Raises `ConfigError` where that fails.

    ``threads`` bounds what each process computes with; all cores if left out.
    """
    make = _maker(kind, where)
    if device == "cuda" or threads is not None:
        import torch

        if device == "cuda" and not torch.cuda.is_available():
            raise ConfigError(f"{where}.device: no usable GPU")
        if threads is not None:
            torch.set_num_threads(threads)
    try:
        return make(
            folder,
            device=None if device == "auto" else device,
            local_files_only=True,
            trust_remote_code=False,
            **options,
        )
    except Exception as error:
        raise ConfigError(f"{where}.model: {folder}: {' '.join(str(error).split())[:200]}") from error


def readable(text: str) -> str:
    r"""Return ``text`` as a tokenizer takes it: half a character of UTF-16 is none.

    >>> readable("half \ud800")
    'half ?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _maker(kind: str, where: str) -> Callable[..., Any]:
    # Before the import: the library reads these once.
    os.environ.update(OFFLINE)
    try:
        import sentence_transformers
    except ImportError as error:
        raise ConfigError(needed(where)) from error
    with suppress(ImportError):
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
    with suppress(ImportError):
        from tqdm import tqdm  # type: ignore[import-untyped]

        # Its own lock is shared between processes, and left behind where a worker is killed.
        tqdm.set_lock(RLock())
    make: Callable[..., Any] = getattr(sentence_transformers, kind)
    return make
