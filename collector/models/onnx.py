"""Models as ONNX files, run by onnxruntime: a tenth of the memory that the other library takes, and no torch.

A folder has one ``*.onnx`` file, ``config.json`` and ``tokenizer.json``, as exporters write them. What is fed are the
inputs that the file names; a file of a fixed length is padded to it.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from collector.errors import ConfigError
from collector.models.options import Device

MODULES = ("onnxruntime", "tokenizers")
POOLING = Path("1_Pooling") / "config.json"
_FED = ("input_ids", "attention_mask", "token_type_ids")
_LONGEST = 512

Tokens = npt.NDArray[np.int64]


def check_onnx_installed(where: str) -> None:
    """Raise `ConfigError` where the extra `onnx` is missing; nothing is imported."""
    if any(importlib.util.find_spec(name) is None for name in MODULES):
        raise ConfigError(_needed(where))


def _needed(where: str) -> str:
    return f"{where}: needs the extra `onnx`: pip install 'groundwire[onnx]'"


class OnnxModel:
    """One file and its tokenizer: token ids in, the first output of the network out."""

    def __init__(self, path: Path, folder: Path, *, device: Device, threads: int | None, where: str) -> None:
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise ConfigError(_needed(where)) from error
        if device == "cuda" and "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
            raise ConfigError(f"{where}.device: no usable GPU")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        if threads is not None:
            options.intra_op_num_threads = threads
        gpu = device != "cpu" and "CUDAExecutionProvider" in onnxruntime.get_available_providers()
        providers = ["CUDAExecutionProvider", "CPUExecutionProvider"] if gpu else ["CPUExecutionProvider"]
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=providers)
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:
            raise ConfigError(f"{where}.model: {folder}: {' '.join(str(error).split())[:200]}") from error
        inputs = {each.name: each.shape for each in self._session.get_inputs()}
        if unknown := sorted(set(inputs) - set(_FED)):
            raise ConfigError(f"{where}.model: {path}: inputs {', '.join(unknown)} are not supported")
        length = inputs.get("input_ids", [None, None])[-1]
        self.fixed: int | None = length if isinstance(length, int) else None
        self._fed = tuple(inputs)
        self.longest = min(self.fixed or _LONGEST, _positions(folder))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return where each token of a text begins and ends."""
        read = self._tokenizer.encode(text, add_special_tokens=False)
        return [(start, end) for start, end in read.offsets if end > start]

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]], *, longest: int | None = None) -> Any:
        """Return the first output for texts, or pairs of texts, with the mask of their tokens.

        Of a pair that is too long, the end of the first text is cut off.
        """
        most = min(longest or self.longest, self.longest)
        pairs = bool(texts) and not isinstance(texts[0], str)
        self._tokenizer.enable_truncation(most, strategy="only_first" if pairs else "longest_first")
        self._tokenizer.enable_padding(length=self.fixed)
        try:
            read = self._tokenizer.encode_batch(list(texts))
        finally:
            self._tokenizer.no_truncation()
            self._tokenizer.no_padding()
        fed = {
            "input_ids": np.array([each.ids for each in read], np.int64),
            "attention_mask": np.array([each.attention_mask for each in read], np.int64),
            "token_type_ids": np.array([each.type_ids for each in read], np.int64),
        }
        output = self._session.run(None, {name: fed[name] for name in self._fed})[0]
        return np.asarray(output, np.float32), fed["attention_mask"]


class OnnxSentences:
    """An embedding model: the tokens' outputs pooled to one unit vector a text."""

    def __init__(self, model: OnnxModel, folder: Path, where: str) -> None:
        self._model = model
        self._first = _pools_first(folder, where)

    def encode(self, texts: Sequence[str], *, batch_size: int = 32, **_options: Any) -> npt.NDArray[np.float32]:
        """Return a unit vector for each text, like to like in length together."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found: list[npt.NDArray[np.float32] | None] = [None] * len(texts)
        for start in range(0, len(order), batch_size):
            part = order[start : start + batch_size]
            output, mask = self._model.run([texts[at] for at in part])
            for at, vector in zip(part, self._pooled(output, mask), strict=True):
                found[at] = vector
        return np.stack([vector for vector in found if vector is not None])

    def _pooled(self, output: npt.NDArray[np.float32], mask: Tokens) -> npt.NDArray[np.float32]:
        if output.ndim == 2:  # noqa: PLR2004 - pooled by the file itself
            vectors = output
        elif self._first:
            vectors = output[:, 0]
        else:
            weights = mask[:, :, None].astype(np.float32)
            vectors = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)


def _positions(folder: Path) -> int:
    config = _json(folder / "config.json")
    most = config.get("max_position_embeddings")
    return most if isinstance(most, int) and most > 0 else _LONGEST


def _pools_first(folder: Path, where: str) -> bool:
    """Return whether the first token stands for the text, rather than the mean of all."""
    config = _json(folder / POOLING)
    ways = sorted(name for name, chosen in config.items() if name.startswith("pooling_mode_") and chosen is True)
    if ways in ([], ["pooling_mode_mean_tokens"]):
        return False
    if ways == ["pooling_mode_cls_token"]:
        return True
    raise ConfigError(f"{where}.model: {folder}: pooling by {', '.join(ways)} is not supported; mean or cls is")


def _json(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
