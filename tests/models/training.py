"""A small cross-encoder made here: no weights of a real one can be had without a network.

The encoder is all-MiniLM-L6-v2, the head is trained for seconds on generated pairs until it ranks. It stands in for the
weights alone: files, library and every line that loads and asks it are those of a published model.
"""

import random

THINGS = ("hotel", "meal", "taxi", "leave", "laptop", "parcel", "permit", "visit", "badge", "loan")
VALUES = tuple(range(10, 40))
LABELS = ("entailment", "contradiction", "neutral")
STEPS = 60
BATCH = 16


def said(thing, value):
    return f"the {thing} limit is {value}"


def example(rng):
    """Return a passage, a claim, and how they relate: the same, another value, another thing."""
    things = rng.sample(THINGS, 3)
    values = [rng.choice(VALUES) for _ in things]
    told = list(zip(things, values, strict=True))[: rng.randint(1, 2)]
    thing, value = rng.choice(told)
    passage = " ".join(said(*each) for each in told)
    match rng.choice(LABELS):
        case "entailment":
            return passage, said(thing, value), 0
        case "contradiction":
            return passage, said(thing, rng.choice([other for other in VALUES if other != value])), 1
        case _:
            return passage, said(things[2], rng.choice(values)), 2


def trained(base, folder):
    """Write a cross-encoder with three outputs into ``folder``."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from transformers.utils import logging

    rng = random.Random(0)
    torch.manual_seed(0)
    # More of them wait for each other on a busy machine.
    torch.set_num_threads(1)
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    model = AutoModelForSequenceClassification.from_pretrained(
        base,
        local_files_only=True,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
        label2id={name: at for at, name in enumerate(LABELS)},
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model.train()
    steps = torch.optim.AdamW(model.parameters(), lr=2e-4)
    for _ in range(STEPS):
        passages, claims, labels = zip(*(example(rng) for _ in range(BATCH)), strict=True)
        read = tokenizer(list(passages), list(claims), padding=True, return_tensors="pt")
        loss = model(**read, labels=torch.tensor(labels)).loss
        steps.zero_grad()
        loss.backward()
        steps.step()
    model.eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def rearranged(folder, target, rows, labels):
    """Write the model in ``folder`` to ``target`` with other outputs: each row a sum of the old ones, by weights."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True)
    mix = torch.tensor(rows, dtype=torch.float32)
    head = torch.nn.Linear(model.config.hidden_size, len(rows))
    with torch.no_grad():
        head.weight.copy_(mix @ model.classifier.weight)
        head.bias.copy_(mix @ model.classifier.bias)
    model.classifier = head
    model.config.problem_type = None
    model.config.num_labels = len(rows)
    model.config.id2label = dict(enumerate(labels))
    model.config.label2id = {name: at for at, name in enumerate(labels)}
    model.save_pretrained(target)
    AutoTokenizer.from_pretrained(folder, local_files_only=True).save_pretrained(target)
    return target
