"""Embeddings by a model of this machine, loaded only where one is configured."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from collector.models.folder import check_embedding, onnx_of
from collector.models.library import check_installed, loaded, readable
from collector.models.onnx import OnnxModel, OnnxSentences, check_onnx_installed
from collector.models.options import Device
from collector.models.universal import UNIVERSAL, check_universal_installed, universal_sentences
from scorers.ports.embedding import Vectors

REMEMBERED = 20_000
"""Texts whose vectors are kept: the candidates of traffic, which asks for the same things again."""
BATCH = 64
WHERE = "catalog.embeddings"


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
            read = [readable(text) for text in fresh]
            vectors = self._model.encode(
                read, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
            self._known.update(zip(fresh, np.asarray(vectors, np.float32), strict=True))
        for text in texts:
            self._known.move_to_end(text)
        found = np.stack([self._known[text] for text in texts]) if texts else np.empty((0, 0), np.float32)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found


def check_embedder(model: Path) -> None:
    """Raise `ConfigError` where a model, or what loads it, is missing; nothing is imported."""
    where = f"{WHERE}.model"
    if str(model) == UNIVERSAL:
        check_universal_installed(WHERE)
        return
    check_embedding(model, where)
    (check_installed if onnx_of(model, where) is None else check_onnx_installed)(WHERE)


@lru_cache(maxsize=1)
def local_embedder(folder: str, device: Device = "auto", threads: int | None = None) -> LocalEmbedder:
    """Load the model in ``folder``. Raises `ConfigError` where what loads it, or the model, is missing."""
    path, where = Path(folder), f"{WHERE}.model"
    if folder == UNIVERSAL:
        return LocalEmbedder(folder, universal_sentences(WHERE))
    check_embedding(path, where)
    onnx = onnx_of(path, where)
    if onnx is None:
        return LocalEmbedder(folder, loaded("SentenceTransformer", folder, device=device, where=WHERE, threads=threads))
    return LocalEmbedder(
        folder, OnnxSentences(OnnxModel(onnx, path, device=device, threads=threads, where=WHERE), path, WHERE)
    )
