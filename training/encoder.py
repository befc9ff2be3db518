"""Trains the encoder on examples of `training.encoderdata`, for as long as it is told.

    python -m training.encoder --base MINILM --examples FOLDER --mix paired=6 frames=2 crossed=2 sentences=2 public=2 \
        --minutes 60 --out FOLDER [--device cuda --workers 8 --batch 256] [--resume FILE]

Needs the extra `models`, and nothing of the product. Batches are of like length and drawn from the parts by their
weights. The rate rises over the first steps and falls to nothing at the end of the time, so that a run can be of any
length. Every few minutes the network is written to ``last.pt`` and measured on what is kept aside.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from training.encoderexample import SUPPORTED, Example, read
from training.encodernet import Batch, PairEncoder, loss_of, tokenizer_of

POOL = 32
"""Batches that are sorted by length together."""
AHEAD = 8
"""Batches that each worker prepares ahead."""


def drawn(
    parts: Mapping[str, Sequence[Example]], weights: Mapping[str, float], rng: random.Random
) -> Iterator[Example]:
    """Yield examples without end, each part in rounds of its own, by weight."""
    rounds = {name: _rounds(examples, random.Random(rng.random())) for name, examples in parts.items()}  # noqa: S311
    while True:
        yield next(rounds[rng.choices(list(weights), list(weights.values()))[0]])


def _rounds(examples: Sequence[Example], rng: random.Random) -> Iterator[Example]:
    while True:
        yield from rng.sample(examples, len(examples))


def batches(examples: Iterator[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """Yield batches of examples alike in length."""
    while True:
        pool = sorted(
            (next(examples) for _ in range(POOL * size)), key=lambda each: len(each.premise + each.hypothesis)
        )
        found = [pool[at : at + size] for at in range(0, len(pool), size)]
        rng.shuffle(found)
        yield from found


@dataclass(frozen=True)
class Stream(IterableDataset[Batch]):
    """Batches without end; each worker draws its own."""

    base: Path
    parts: Mapping[str, Sequence[Example]]
    weights: Mapping[str, float]
    size: int
    seed: int

    def __iter__(self) -> Iterator[Batch]:
        """Yield batches."""
        worker = get_worker_info()
        rng = random.Random(self.seed * 1000 + (worker.id if worker else 0))  # noqa: S311 - no secret
        tokenizer = tokenizer_of(self.base)
        for examples in batches(drawn(self.parts, self.weights, rng), self.size, rng):
            yield Batch(tokenizer, examples)


def doubts(net: PairEncoder, tokenizer: object, examples: Sequence[Example], size: int = 64) -> np.ndarray:
    """Return of each example the log-odds that it is not supported."""
    net.eval()
    device = next(net.parameters()).device
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].premise + examples[at].hypothesis))
    found = np.zeros(len(examples))
    with torch.no_grad():
        for start in range(0, len(order), size):
            part = order[start : start + size]
            batch = Batch(tokenizer, [examples[at] for at in part]).to(device)
            with torch.autocast(device.type, torch.bfloat16):
                logits, _ = net(**batch.fed)
            shares = torch.log_softmax(logits.float(), -1)
            rest = torch.logsumexp(shares[:, 1:], -1)
            found[part] = (rest - shares[:, SUPPORTED]).cpu().numpy()
    net.train()
    return found


def measured(examples: Sequence[Example], found: np.ndarray, *, by_kind: bool = False) -> dict[str, float]:
    """Return the AUROC of what is not supported, of all and by kind against all that is supported."""
    wrong = np.array([each.label != SUPPORTED for each in examples])
    figures = {"all": round(float(roc_auc_score(wrong, found)), 3)}
    kinds = np.array([each.kind for each in examples])
    for kind in sorted(set(kinds[wrong])) if by_kind else ():
        at = ~wrong | (kinds == kind)
        figures[str(kind)] = round(float(roc_auc_score(wrong[at], found[at])), 3)
    return figures


def train(given: argparse.Namespace) -> None:
    """Train until the time is over."""
    began = time.monotonic()
    device = torch.device(given.device)
    torch.manual_seed(given.seed)
    net = PairEncoder(given.base, given.dropout, "sdpa")
    if given.resume:
        load(net, given.resume)
    net.to(device)
    tokenizer = tokenizer_of(given.base)
    weights = {name: float(share) for name, share in (part.split("=") for part in given.mix)}
    parts = {name: read(given.examples / f"{name}.jsonl") for name in weights}
    aside = {name: read(given.examples / f"{name}.jsonl")[:: given.every] for name in given.aside}
    stream = Stream(given.base, parts, weights, given.batch, given.seed)
    ahead = AHEAD if given.workers else None
    loader = DataLoader(stream, batch_size=None, num_workers=given.workers, prefetch_factor=ahead)
    learned = [each for each in net.parameters() if each.requires_grad]
    steps = torch.optim.AdamW(_groups(net), lr=given.rate, betas=(0.9, 0.98), eps=1e-6, fused=True)
    net.train()
    losses: list[torch.Tensor] = []
    seen, written = 0, time.monotonic()
    for step, batch in enumerate(loader):
        spent = (time.monotonic() - began) / (given.minutes * 60)
        if spent >= 1:
            break
        rate = given.rate * min(1.0, (step + 1) / given.warmup) * _falling(spent)
        for group in steps.param_groups:
            group["lr"] = rate
        batch.to(device)
        with torch.autocast(device.type, torch.bfloat16):
            outputs = net(**batch.fed)
        loss = loss_of(outputs, batch, given.smoothing)
        steps.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        steps.step()
        losses.append(loss.detach())
        seen += len(batch.labels)
        if time.monotonic() - written > given.write * 60:
            written = time.monotonic()
            save(net, given.out / "last.pt")
            _say(net, tokenizer, aside, f"{(written - began) / 60:.1f} min", seen, losses, rate)
    save(net, given.out / "last.pt")
    _say(net, tokenizer, aside, "end", seen, losses, 0.0, by_kind=given.kinds)


def save(net: PairEncoder, path: Path) -> None:
    """Write what was learned, in half precision: embeddings of words are those of the base."""
    learned = {name for name, each in net.named_parameters() if each.requires_grad}
    torch.save({name: each.half().cpu() for name, each in net.state_dict().items() if name in learned}, path)


def load(net: PairEncoder, path: Path) -> None:
    """Read what `save` wrote. Raises ``ValueError`` for a file that holds more or less than what is learned."""
    found = torch.load(path, weights_only=True)
    learned = {name for name, each in net.named_parameters() if each.requires_grad}
    if found.keys() != learned:
        wrong = sorted(found.keys() ^ learned)
        raise ValueError(f"{path}: not the weights of this network: {len(wrong)} are missing or unknown, as {wrong[0]}")
    net.load_state_dict(found, strict=False)


def _falling(spent: float) -> float:
    """Return the share of the rate after a share of the time: a cosine down to a fiftieth."""
    return 0.02 + 0.98 * (1 + math.cos(math.pi * min(1.0, spent))) / 2


def _groups(net: PairEncoder) -> list[dict[str, object]]:
    named = [(name, each) for name, each in net.named_parameters() if each.requires_grad]
    return [
        {"params": [each for _, each in named if each.ndim > 1], "weight_decay": 0.01},
        {"params": [each for _, each in named if each.ndim <= 1], "weight_decay": 0.0},
    ]


def _say(
    net: PairEncoder,
    tokenizer: object,
    aside: Mapping[str, Sequence[Example]],
    when: str,
    seen: int,
    losses: list[torch.Tensor],
    rate: float,
    *,
    by_kind: bool = False,
) -> None:
    figures = {name: measured(each, doubts(net, tokenizer, each), by_kind=by_kind) for name, each in aside.items()}
    print(f"{when}: {seen} examples, {_loss(losses)}, rate {rate:.1e}, {figures}", flush=True)
    losses.clear()


def _loss(losses: Sequence[torch.Tensor]) -> str:
    return f"loss {float(torch.stack(list(losses)).mean()):.3f}" if losses else "no step since"


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--mix", nargs="+", default=["paired=6", "frames=2", "crossed=2", "sentences=2", "public=2"])
    parser.add_argument("--aside", nargs="+", default=["paired-aside", "public-aside"])
    parser.add_argument("--every", type=int, default=1, help="of what is kept aside, one in so many is measured")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="network to go on from")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--write", type=float, default=4, help="minutes between two checkpoints")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--warmup", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32, help="examples of a step")
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--smoothing", type=float, default=0.03)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--workers", type=int, default=0, help="processes that prepare batches")
    parser.add_argument("--kinds", action="store_true", help="measure by kind at the end")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    train(given)


if __name__ == "__main__":
    main()
