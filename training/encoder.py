"""Trains the encoder on examples of `training.encoderdata`, for as long as it is told.

    python -m training.encoder --base MINILM --examples FOLDER --mix frames=4 sentences=2 public=2 \
        --minutes 60 --out FOLDER [--resume FILE] [--processes 2]

Needs the extra `models`. Batches are of like length and drawn from the parts by their weights. The rate rises over the
first steps and falls to nothing at the end of the time, so that a run can be of any length. Every few minutes the
network is written to ``last.pt`` and measured on what is kept aside.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from sklearn.metrics import roc_auc_score

from training.encodernet import Batch, PairEncoder, loss_of, tokenizer_of
from training.encoderpairs import SUPPORTED, Example

POOL = 32
"""Batches that are sorted by length together."""


def read(path: Path) -> list[Example]:
    """Return the examples of a file."""
    with path.open(encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines)
        return [Example(**{**row, "spans": _spans(row["spans"])}) for row in rows]


def _spans(written: Sequence[Sequence[int]] | None) -> tuple[tuple[int, int], ...] | None:
    return None if written is None else tuple((start, end) for start, end in written)


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


def doubts(net: PairEncoder, tokenizer: object, examples: Sequence[Example], size: int = 64) -> np.ndarray:
    """Return of each example the log-odds that it is not supported."""
    net.eval()
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].premise + examples[at].hypothesis))
    found = np.zeros(len(examples))
    with torch.no_grad():
        for start in range(0, len(order), size):
            part = order[start : start + size]
            with torch.autocast("cpu", torch.bfloat16):
                logits, _ = net(**Batch(tokenizer, [examples[at] for at in part]).fed)
            shares = torch.log_softmax(logits.float(), -1)
            rest = torch.logsumexp(shares[:, 1:], -1)
            found[part] = (rest - shares[:, SUPPORTED]).numpy()
    net.train()
    return found


def measured(examples: Sequence[Example], found: np.ndarray, *, by_kind: bool = False) -> dict[str, float]:
    """Return the AUROC of what is not supported, of all and by kind against all that is supported."""
    wrong = np.array([each.label != SUPPORTED for each in examples])
    figures = {"all": round(float(roc_auc_score(wrong, found)), 3)}
    kinds = np.array([each.kind for each in examples])
    for kind in sorted(set(kinds[wrong])) if by_kind else ():
        at = ~wrong | (kinds == kind)
        figures[kind] = round(float(roc_auc_score(wrong[at], found[at])), 3)
    return figures


def train(rank: int, given: argparse.Namespace) -> None:
    """Train in one of the processes, which share their gradients."""
    torch.set_num_threads(1)
    began = time.monotonic()
    if given.processes > 1:
        os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
        os.environ.setdefault("MASTER_PORT", str(given.port))
        dist.init_process_group("gloo", rank=rank, world_size=given.processes)
    torch.manual_seed(given.seed)
    net = PairEncoder(given.base)
    if given.resume:
        net.load_state_dict(torch.load(given.resume, weights_only=True))
    tokenizer = tokenizer_of(given.base)
    weights = {name: float(share) for name, share in (part.split("=") for part in given.mix)}
    parts = {name: read(given.examples / f"{name}.jsonl") for name in weights}
    aside = {name: read(given.examples / f"{name}.jsonl")[:: given.every] for name in given.aside}
    rng = random.Random(given.seed * 1000 + rank)  # noqa: S311 - no secret
    stream = batches(drawn(parts, weights, rng), given.batch, rng)
    learned = [each for each in net.parameters() if each.requires_grad]
    steps = torch.optim.AdamW(_groups(net), lr=given.rate, betas=(0.9, 0.98), eps=1e-6)
    net.train()
    losses: list[float] = []
    seen, written = 0, began
    for step, examples in enumerate(stream):
        spent = torch.tensor((time.monotonic() - began) / (given.minutes * 60))
        if given.processes > 1:
            dist.broadcast(spent, 0)
        if spent >= 1:
            break
        rate = given.rate * min(1.0, (step + 1) / given.warmup) * _falling(float(spent))
        for group in steps.param_groups:
            group["lr"] = rate
        batch = Batch(tokenizer, examples)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = net(**batch.fed)
        loss = loss_of(outputs, batch, given.smoothing)
        steps.zero_grad(set_to_none=False)
        loss.backward()
        if given.processes > 1:
            _share(learned, given.processes)
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        steps.step()
        losses.append(loss.item())
        seen += len(examples) * given.processes
        due = rank == 0 and time.monotonic() - written > given.write * 60
        if due:
            written = time.monotonic()
            torch.save(net.state_dict(), given.out / "last.pt")
            _say(net, tokenizer, aside, f"{(written - began) / 60:.1f} min", seen, losses, rate)
    if rank == 0:
        torch.save(net.state_dict(), given.out / "last.pt")
        _say(net, tokenizer, aside, "end", seen, losses, 0.0, by_kind=True)


def _falling(spent: float) -> float:
    """Return the share of the rate after a share of the time: a cosine down to a fiftieth."""
    return 0.02 + 0.98 * (1 + math.cos(math.pi * min(1.0, spent))) / 2


def _groups(net: PairEncoder) -> list[dict[str, object]]:
    named = [(name, each) for name, each in net.named_parameters() if each.requires_grad]
    return [
        {"params": [each for _, each in named if each.ndim > 1], "weight_decay": 0.01},
        {"params": [each for _, each in named if each.ndim <= 1], "weight_decay": 0.0},
    ]


def _share(learned: Sequence[torch.nn.Parameter], processes: int) -> None:
    grads = [each.grad for each in learned if each.grad is not None]
    flat = torch.cat([each.reshape(-1) for each in grads])
    dist.all_reduce(flat)
    flat /= processes
    at = 0
    for each in grads:
        each.copy_(flat[at : at + each.numel()].view_as(each))
        at += each.numel()


def _say(
    net: PairEncoder,
    tokenizer: object,
    aside: Mapping[str, Sequence[Example]],
    when: str,
    seen: int,
    losses: list[float],
    rate: float,
    *,
    by_kind: bool = False,
) -> None:
    figures = {name: measured(each, doubts(net, tokenizer, each), by_kind=by_kind) for name, each in aside.items()}
    print(f"{when}: {seen} examples, loss {np.mean(losses):.3f}, rate {rate:.1e}, {figures}", flush=True)
    losses.clear()


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--mix", nargs="+", default=["frames=4", "sentences=2", "public=2"])
    parser.add_argument("--aside", nargs="+", default=["frames-aside", "public-aside"])
    parser.add_argument("--every", type=int, default=1, help="of what is kept aside, one in so many is measured")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="network to go on from")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--write", type=float, default=4, help="minutes between two checkpoints")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--warmup", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32, help="of each process")
    parser.add_argument("--smoothing", type=float, default=0.03)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--port", type=int, default=29511)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.processes == 1:
        train(0, given)
    else:
        mp.spawn(train, (given,), nprocs=given.processes)


if __name__ == "__main__":
    main()
