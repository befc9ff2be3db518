"""Entailment by a cross-encoder in a folder of this machine: batched over the claims and passages of many answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from collector.errors import ConfigError
from collector.models.calibration import Fitted, read_fitted
from collector.models.folder import onnx_of, read_config, weights_of
from collector.models.library import loaded, readable
from collector.models.onnx import OnnxModel
from collector.models.options import EntailmentOptions
from collector.models.outputs import Logits, Outputs, outputs_of
from collector.models.windows import Offsets, nearest, windows, words
from scorers.ports.entailment import Compared, Temperatures

WHERE = "scoring.entailment"
REMEMBERED = 50_000
"""Pairs whose outputs are kept: the scorers of a panel ask for the same ones, and answers repeat."""
CUT = 1_000
"""Passages whose windows are kept."""
SPARE = 8
"""Tokens left free for what a tokenizer puts around a pair, and for pieces that come out otherwise at a cut."""
SHORTEST = 32
"""Tokens below which a claim and a passage do not fit side by side."""
POSITIONS = 2
"""Positions that some models keep to themselves (RoBERTa: 514 of which 512 can be used)."""
DIGITS = 3
"""Decimals of the outputs that count: what the company in a batch changes lies far behind them."""

EntailmentPair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What was loaded: ``predict`` gives the outputs of pairs, a row each, ``tokenize`` the places of tokens."""

    predict: Callable[[Sequence[EntailmentPair]], Logits]
    tokenize: Callable[[str], Offsets]
    longest: int


class LocalEntailment:
    """A model, and the outputs it gave lately."""

    def __init__(
        self,
        name: str,
        network: Network,
        outputs: Outputs,
        *,
        batch: int,
        pairs: int,
        temperatures: Temperatures | None = None,
    ) -> None:
        self._name = name
        self._network = network
        self._outputs = outputs
        self._batch = batch
        self._pairs = pairs
        self._temperatures = temperatures
        self._known: OrderedDict[bytes, Logits] = OrderedDict()
        self._cut: Callable[[str, int], tuple[str, ...]] = lru_cache(maxsize=CUT)(self._windows)

    @property
    def name(self) -> str:
        """The name of the model's folder."""
        return self._name

    @property
    def temperatures(self) -> Temperatures | None:
        """What was fitted for the model, if anything was."""
        return self._temperatures

    def compare(self, passages: Sequence[str], claims: Sequence[str]) -> Compared:
        """Compare each claim with each passage: with its windows, of which the most certain counts."""
        asked, truncated = self._asked(passages, claims)
        self._read(pair for row in asked for _, pair in row)
        supported = np.zeros((len(claims), len(passages)))
        contradicted = None if self._outputs.contradiction is None else np.zeros_like(supported)
        for at, row in enumerate(asked):
            if not row:
                continue
            logits = np.stack([self._known[_key(pair)] for _, pair in row])
            columns = [passage for passage, _ in row]
            np.maximum.at(supported[at], columns, self._outputs.supported(logits))
            against = self._outputs.contradicted(logits)
            if contradicted is not None and against is not None:
                np.maximum.at(contradicted[at], columns, against)
        self._forget()
        return Compared(supported, contradicted, truncated)

    def prepare(self, many: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
        """Read the pairs of many answers, ``(passages, claims)`` each, in common batches; `compare` finds them read."""
        asked = [self._asked(passages, claims)[0] for passages, claims in many]
        self._read(pair for rows in asked for row in rows for _, pair in row)

    def _asked(
        self, passages: Sequence[str], claims: Sequence[str]
    ) -> tuple[list[list[tuple[int, EntailmentPair]]], bool]:
        """Return for each claim the pairs to read with the place of their passage, and whether anything is left out."""
        passages, claims = [readable(text) for text in passages], [readable(text) for text in claims]
        rows: list[list[tuple[int, EntailmentPair]]] = []
        truncated = False
        most = max(1, self._pairs // max(1, len(claims)))
        given: dict[int, tuple[list[tuple[int, str]], list[frozenset[str]]]] = {}
        for claim in claims:
            room, shown = self._room(claim)
            if room not in given:
                pieces = [(at, piece) for at, text in enumerate(passages) for piece in self._cut(text, room)]
                given[room] = pieces, [words(piece) for _, piece in pieces] if len(pieces) > most else []
            pieces, read = given[room]
            chosen = nearest(claim, read, most) if read else range(len(pieces))
            truncated = truncated or shown != claim or len(chosen) < len(pieces)
            rows.append([(pieces[at][0], (pieces[at][1], shown)) for at in chosen])
        return rows, truncated

    def _room(self, claim: str) -> tuple[int, str]:
        """Return the tokens that a window may have beside ``claim``, and what is read of the claim.

        Two lengths of windows only, so that few are cut: a claim takes up a quarter of the input, or half of it.
        """
        whole = self._network.longest - SPARE
        offsets = self._network.tokenize(claim)
        if len(offsets) <= whole // 4:
            return whole - whole // 4, claim
        half = whole // 2
        return whole - half, claim if len(offsets) <= half else claim[: offsets[half - 1][1]]

    def _windows(self, text: str, size: int) -> tuple[str, ...]:
        return windows(text, size, self._network.tokenize)

    def _read(self, pairs: Iterable[EntailmentPair]) -> None:
        wanted = {_key(pair): pair for pair in pairs}
        for key in wanted:
            if key in self._known:
                self._known.move_to_end(key)
        # Alike in length together: what is shorter than the longest of a batch is filled up to it.
        fresh = sorted((k for k in wanted if k not in self._known), key=lambda k: (sum(map(len, wanted[k])), k))
        for start in range(0, len(fresh), self._batch):
            keys = fresh[start : start + self._batch]
            logits = np.round(self._network.predict([wanted[key] for key in keys]), DIGITS)
            if not np.isfinite(logits).all():
                raise ValueError(f"{self._name} returned a value that is not a number")
            self._known.update(zip(keys, logits, strict=True))

    def _forget(self) -> None:
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _key(pair: EntailmentPair) -> bytes:
    digest = blake2b(digest_size=16)
    for text in pair:
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


@lru_cache(maxsize=1)
def local_entailment(options: EntailmentOptions, threads: int | None = None) -> LocalEntailment:
    """Load the model that is configured. Raises `ConfigError` where what loads it, or the model, is missing."""
    outputs, fitted = looked_at(options)
    onnx = onnx_of(options.model, f"{WHERE}.model")
    network = _by_library(options, outputs, threads) if onnx is None else _by_onnx(onnx, options, outputs, threads)
    return LocalEntailment(
        options.model.resolve().name,
        network,
        outputs,
        batch=options.batch,
        pairs=options.pairs,
        temperatures=None if fitted is None else fitted.temperatures,
    )


def _by_library(options: EntailmentOptions, outputs: Outputs, threads: int | None) -> Network:
    folder = str(options.model)
    model = loaded("CrossEncoder", folder, device=options.device, where=WHERE, threads=threads, activation_fn=_as_it_is)
    if model.num_labels != outputs.count:
        raise ConfigError(
            f"{WHERE}.model: {folder}: {model.num_labels} outputs, but its config.json says {outputs.count}"
        )
    if not getattr(model.tokenizer, "is_fast", False):
        raise ConfigError(f"{WHERE}.model: {folder}: its tokenizer gives no token offsets (needs tokenizer.json)")
    longest = _longest(model, options.tokens)
    model.max_seq_length = longest

    def predict(pairs: Sequence[EntailmentPair]) -> Logits:
        found = model.predict(
            list(pairs), batch_size=len(pairs), show_progress_bar=False, convert_to_numpy=True, apply_softmax=False
        )
        return np.asarray(found, np.float64).reshape(len(pairs), outputs.count)

    def tokenize(text: str) -> Offsets:
        read = model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return [(start, end) for start, end in read["offset_mapping"] if end > start]

    return Network(predict=predict, tokenize=tokenize, longest=longest)


def _by_onnx(path: Path, options: EntailmentOptions, outputs: Outputs, threads: int | None) -> Network:
    model = OnnxModel(path, options.model, device=options.device, threads=threads, where=WHERE)
    longest = min(options.tokens, model.longest)
    if longest < SHORTEST:
        raise ConfigError(f"{WHERE}.model: {path}: reads at most {longest} tokens; {SHORTEST} are needed")

    def predict(pairs: Sequence[EntailmentPair]) -> Logits:
        logits, _ = model.run(pairs, longest=longest)
        if logits.shape != (len(pairs), outputs.count):
            raise ValueError(f"{path.name} returned {logits.shape[-1]} outputs, but config.json says {outputs.count}")
        return np.asarray(logits, np.float64)

    return Network(predict=predict, tokenize=model.offsets, longest=longest)


def looked_at(options: EntailmentOptions) -> tuple[Outputs, Fitted | None]:
    """Return what the model's files say of it, without loading it. Raises `ConfigError` for what cannot be used."""
    where = f"{WHERE}.model"
    outputs = outputs_of(read_config(options.model, where), options.labels, f"{where}: {options.model}")
    weights_of(options.model, where)
    return outputs, fitted_for(options)


def fitted_for(options: EntailmentOptions) -> Fitted | None:
    """Return what was fitted for the model, if anything was. Raises `ConfigError` for what is of another model."""
    return read_fitted(options.calibration, options.model, WHERE)


def _as_it_is(outputs: Any) -> Any:
    return outputs


def _longest(model: Any, wanted: int) -> int:
    """Return the longest input: what is wanted, or less where the model or its tokenizer takes less."""
    config = model.config
    bounds = [wanted, model.tokenizer.model_max_length]
    positions = getattr(config, "max_position_embeddings", None)
    # Relative positions (T5: none, DeBERTa: -1 or few) bound nothing.
    if isinstance(positions, int) and positions > POSITIONS:
        bounds.append(positions - POSITIONS)
    longest = int(min(bounds))
    if longest < SHORTEST:
        raise ConfigError(
            f"{WHERE}.model: {model.config.name_or_path}: reads at most {longest} tokens; {SHORTEST} are needed"
        )
    return longest
