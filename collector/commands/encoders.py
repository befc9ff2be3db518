"""What reference metrics need from disk: WordNet, and a language encoder in a local folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from collector.errors import ConfigError
from collector.models.folder import onnx_of, read_config
from collector.models.library import loaded, readable
from collector.models.onnx import OnnxModel
from evaluation.reference.embedded import TokenEncoder
from evaluation.reference.overlap import Synonyms
from gates.evidence.arrays import Floats

LONGEST = 512
"""Tokens of a text that are read, as BERT does."""


class _Onnx:
    def __init__(self, model: OnnxModel, where: str) -> None:
        self._model, self._where = model, where

    def tokens(self, text: str) -> Floats:
        output, mask = self._model.run([readable(text)], longest=LONGEST)
        if output.ndim != 3:  # noqa: PLR2004 - texts, tokens, parts
            raise ConfigError(f"{self._where}: its first output has no vector a token")
        return np.asarray(output[0][mask[0] > 0], np.float64)


class _Sentences:
    def __init__(self, model: Any) -> None:
        self._model = model

    def tokens(self, text: str) -> Floats:
        found = self._model.encode(readable(text), output_value="token_embeddings", show_progress_bar=False)
        return np.asarray(found.cpu().numpy(), np.float64)


def encoder_in(folder: Path) -> TokenEncoder:
    """Return the encoder in a folder; nothing is downloaded. Raises `ConfigError` for what is none."""
    where = f"--model {folder}"
    read_config(folder, where)
    path = onnx_of(folder, where)
    if path is not None:
        return _Onnx(OnnxModel(path, folder, device="cpu", threads=None, where=where), where)
    return _Sentences(loaded("SentenceTransformer", str(folder), device="auto", where=where))


def wordnet_in(folder: Path | None) -> Synonyms | None:
    """Return WordNet from a folder of nltk's data, else from where nltk keeps it; ``None`` if it is not there.

    Raises `ConfigError` for a folder that is named and has none.
    """
    import nltk
    from nltk.corpus import wordnet

    if folder is not None:
        nltk.data.path.insert(0, str(folder.resolve()))
    try:
        with catch_warnings():
            # That there are no other languages.
            simplefilter("ignore", UserWarning)
            wordnet.ensure_loaded()
    except LookupError as error:
        if folder is None:
            return None
        raise ConfigError(f"--wordnet {folder}: has no corpora/wordnet") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"--wordnet {folder}: cannot be read as WordNet: {error}") from error
    found: Synonyms = wordnet
    return found
