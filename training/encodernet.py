"""The encoder: all-MiniLM-L6-v2 that reads a premise and a hypothesis together, with two heads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertModel
from transformers.utils import logging

from training.encoderexample import Example

LABELS = ("entailment", "neutral", "contradiction")
LONGEST = 192
"""Tokens of a pair."""

ROLES = 4
"""A token of the premise that the hypothesis has too, or not; one of the hypothesis that the premise has, or not."""

_SPECIAL = 999
"""Token ids up to here are special or unused in the vocabulary."""


class PairEncoder(nn.Module):
    """Logits of entailment, neutral and contradiction, and of each token of the hypothesis that it is wrong.

    Beside words and places, each token is told whether the other text has it too: what differs is what matters.
    """

    def __init__(self, base: Path, dropout: float = 0.05, attention: str = "eager") -> None:
        super().__init__()
        logging.disable_progress_bar()
        logging.set_verbosity_error()
        self.bert = BertModel.from_pretrained(
            base,
            local_files_only=True,
            dtype=torch.float32,
            add_pooling_layer=False,
            attn_implementation=attention,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=0.0,
        )
        width = int(self.bert.config.hidden_size)
        self.roles = nn.Embedding(ROLES, width)
        nn.init.normal_(self.roles.weight, std=0.02)
        self.mark = nn.Linear(width, 1)
        self.mix = nn.Linear(3 * width + 1, width)
        self.drop = nn.Dropout(0.1)
        self.classify = nn.Linear(width, len(LABELS))
        self.bert.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of pairs, and those of their tokens."""
        embeddings = self.bert.embeddings
        words = embeddings.word_embeddings(input_ids) + self.roles(roles_of(input_ids, token_type_ids))
        hidden = self.bert(inputs_embeds=words, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]
        marks = self.mark(hidden).squeeze(-1)
        own = (token_type_ids * attention_mask).to(hidden.dtype)
        mean = (hidden * own.unsqueeze(-1)).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        far = (1 - own) * -1e4
        most = (hidden + far.unsqueeze(-1)).max(1)[0]
        worst = (marks + far).max(1, keepdim=True)[0]
        mixed = torch.tanh(self.mix(self.drop(torch.cat([hidden[:, 0], mean, most, worst], -1))))
        return self.classify(self.drop(mixed)), marks


def roles_of(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
    """Return for each token 0 or 1 in the premise, 2 or 3 in the hypothesis: the odd ones stand in both texts."""
    other = token_type_ids.unsqueeze(2) != token_type_ids.unsqueeze(1)
    word = (input_ids > _SPECIAL).unsqueeze(1)
    same = (input_ids.unsqueeze(2) == input_ids.unsqueeze(1)) & other & word
    return 2 * token_type_ids + same.any(2).to(token_type_ids.dtype)


class Batch:
    """Examples as tensors: ``fed`` to the network, ``labels``, and ``marks`` of tokens (-1 where nothing is known)."""

    def __init__(self, tokenizer: Any, examples: Sequence[Example]) -> None:
        read = tokenizer.encode_batch([(each.premise, each.hypothesis) for each in examples])
        self.fed = {
            "input_ids": torch.tensor([each.ids for each in read]),
            "attention_mask": torch.tensor([each.attention_mask for each in read]),
            "token_type_ids": torch.tensor([each.type_ids for each in read]),
        }
        self.labels = torch.tensor([each.label for each in examples])
        self.marks = torch.tensor([list(_marks(*pair)) for pair in zip(read, examples, strict=True)])

    def to(self, device: torch.device) -> Batch:
        """Move the tensors, and return the batch."""
        self.fed = {name: each.to(device, non_blocking=True) for name, each in self.fed.items()}
        self.labels = self.labels.to(device, non_blocking=True)
        self.marks = self.marks.to(device, non_blocking=True)
        return self


def _marks(read: Any, example: Example) -> Iterator[float]:
    for kind, special, (start, end) in zip(read.type_ids, read.special_tokens_mask, read.offsets, strict=True):
        if kind != 1 or special or example.spans is None:
            yield -1.0
        else:
            yield float(any(start < last and first < end for first, last in example.spans))


def tokenizer_of(base: Path) -> Any:
    """Return the tokenizer, which cuts the premise of a long pair, and fills up to the longest of a batch."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST, strategy="longest_first")
    tokenizer.enable_padding()
    return tokenizer


def loss_of(outputs: tuple[Tensor, Tensor], batch: Batch, smoothing: float) -> Tensor:
    """Return the loss of the classes and, by half, of the marks that are known: wrong words count for more."""
    logits, marks = (each.float() for each in outputs)
    whole = nn.functional.cross_entropy(logits, batch.labels, label_smoothing=smoothing)
    known = (batch.marks >= 0).float()
    wrong = batch.marks.clamp(min=0)
    each = nn.functional.binary_cross_entropy_with_logits(
        marks, wrong, reduction="none", weight=known * (1 + 4 * wrong)
    )
    return whole + each.sum() / known.sum().clamp(min=1) / 2
