"""Writes the encoder as the files that the product reads: ONNX in int8, configuration and tokenizer.

    python -m training.encoderexport --base MINILM --net last.pt --out FOLDER

Needs the extra `models`, and the packages `onnx` and `onnxscript`. Weights of matrices and of words become bytes, one
scale a row; the exported network is compared with the trained one on examples.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.encoder import load
from training.encoderexample import read
from training.encodernet import LABELS, LONGEST, Batch, PairEncoder, tokenizer_of

OPSET = 17
COMPARED = 256
"""Examples on which both networks are run."""


class Logits(nn.Module):
    """The encoder with the logits of pairs alone."""

    def __init__(self, net: PairEncoder) -> None:
        super().__init__()
        self.net = net

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return the logits."""
        logits: Tensor = self.net(input_ids, attention_mask, token_type_ids)[0]
        return logits


def export(net: PairEncoder, target: Path) -> None:
    """Write ``model.onnx``, in int8."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    names = ["input_ids", "attention_mask", "token_type_ids"]
    fed = (
        torch.tensor([[101, 2003, 102, 2003, 102]]),
        torch.ones(1, 5, dtype=torch.long),
        torch.tensor([[0, 0, 0, 1, 1]]),
    )
    plain = target / "plain.onnx"
    torch.onnx.export(
        Logits(net).eval(),
        fed,
        str(plain),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={**{name: {0: "pairs", 1: "tokens"} for name in names}, "logits": {0: "pairs"}},
        opset_version=OPSET,
        dynamo=False,
    )
    quantize_dynamic(str(plain), str(target / "model.onnx"), weight_type=QuantType.QInt8, per_channel=True)
    plain.unlink()


def describe(base: Path, target: Path) -> None:
    """Write what the product reads beside the weights."""
    config = {
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "id2label": {str(at): label for at, label in enumerate(LABELS)},
        "max_position_embeddings": LONGEST,
    }
    (target / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    tokenizer = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    (target / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n", encoding="utf-8")


def compared(net: PairEncoder, base: Path, target: Path, examples: Path) -> tuple[float, float]:
    """Return the mean and the largest difference of the shares of support, of the trained and the written network."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(target / "model.onnx"), providers=["CPUExecutionProvider"])
    tokenizer = tokenizer_of(base)
    differences: list[float] = []
    some = read(examples)[:COMPARED]
    for start in range(0, len(some), 16):
        batch = Batch(tokenizer, some[start : start + 16])
        with torch.no_grad():
            own = torch.softmax(net(**batch.fed)[0], -1)[:, 0].numpy()
        (written,) = session.run(None, {name: value.numpy() for name, value in batch.fed.items()})
        shares = np.exp(written - written.max(1, keepdims=True))
        differences += np.abs(own - shares[:, 0] / shares.sum(1)).tolist()
    return float(np.mean(differences)), float(np.max(differences))


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--net", type=Path, required=True, help="network that `training.encoder` wrote")
    parser.add_argument("--examples", type=Path, help="file of examples to compare both networks on")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.out.exists():
        shutil.rmtree(given.out)
    given.out.mkdir(parents=True)
    net = PairEncoder(given.base)
    load(net, given.net)
    net.eval()
    export(net, given.out)
    describe(given.base, given.out)
    size = (given.out / "model.onnx").stat().st_size / 1e6
    told = f"{size:.1f} MB"
    if given.examples:
        mean, most = compared(net, given.base, given.out, given.examples)
        told += f", differs by {mean:.4f} in the mean and {most:.3f} at most"
    print(told)


if __name__ == "__main__":
    main()
