"""What an embedding model has to offer; which one there is, if any, is for whoever makes an `Env` to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""A row a text, each of length 1."""


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their cosine."""

    @property
    def name(self) -> str:
        """What tells one model from another."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each text; the same text has the same one."""
        ...
