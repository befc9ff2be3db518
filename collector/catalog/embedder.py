"""Embeddings by a sentence-transformers model in a folder of this machine, loaded only where one is configured."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from collector.errors import ConfigError
from scorers.embedding import Vectors

REMEMBERED = 20_000
"""Texts whose vectors are kept: the candidates of traffic, which asks for the same things again."""
BATCH = 64


class LocalEmbedder:
    """A model and the vectors it gave lately."""

    def __init__(self, name: str, model: Any) -> None:
        self._name = name
        self._model = model
        self._known: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """The folder of the model."""
        return self._name

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a unit vector for each text; those met lately are not computed again."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            vectors = self._model.encode(
                fresh, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
            self._known.update(zip(fresh, np.asarray(vectors, np.float32), strict=True))
        for text in texts:
            self._known.move_to_end(text)
        found = np.stack([self._known[text] for text in texts]) if texts else np.empty((0, 0), np.float32)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found


@lru_cache(maxsize=1)
def local_embedder(folder: str, device: str = "auto") -> LocalEmbedder:
    """Load the model in ``folder``. Raises `ConfigError` where the extra `models` or the model is missing."""
    if not Path(folder).is_dir():
        raise ConfigError(f"catalog.embeddings.model: {folder}: no such folder")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ConfigError("catalog.embeddings: needs the extra `models`: pip install 'groundwire[models]'") from error
    try:
        model = SentenceTransformer(folder, device=None if device == "auto" else device, local_files_only=True)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ConfigError(f"catalog.embeddings.model: {folder}: {' '.join(str(error).split())[:200]}") from error
    return LocalEmbedder(folder, model)
