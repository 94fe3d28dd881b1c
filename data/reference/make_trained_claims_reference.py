#!/usr/bin/python3
"""Writes what PyTorch 1.13 says of the claims that training decides (only to regenerate; it takes ten minutes).

    /usr/bin/python3 data/reference/make_trained_claims_reference.py

The tasks and models of `attnlab train contrast`, written again with PyTorch's autograd, AdamW and random numbers, five
seeds each. The lines are those of make_claims_reference.py. Nothing is compared bit for bit: other random numbers train
another model, so a mean over five seeds has the distance that it may lie away.
"""

import json
import math

import numpy as np
import torch
from torch.nn import functional

from make_attention_reference import HERE
from make_claims_reference import found, plain
from make_training_reference import USUAL, logits_of, names_and_shapes

SEEDS = range(5)
NO_TARGET = -1


def reversals(random, sequences):
    inputs = random.randint(0, 10, (sequences, 16))
    return inputs, inputs[:, ::-1].copy()


def dictionaries(random, sequences):
    """Five of ten keys (words 0 to 9) with one of ten values each (10 to 19), and then the keys in another order."""
    inputs, targets = np.zeros((sequences, 15), int), np.full((sequences, 15), NO_TARGET)
    for row, target in zip(inputs, targets):
        keys, values = random.permutation(10)[:5], random.randint(0, 10, 5)
        row[0:10:2], row[1:10:2] = keys, 10 + values
        order = random.permutation(5)
        row[10:], target[10:] = keys[order], values[order]
    return inputs, targets


def first_parameters(shape, generator):
    parameters = {}
    for name, size in names_and_shapes(shape):
        into = size[-1] if len(size) == 2 else into
        if name in ("wte.weight", "wpe.weight"):
            numbers = torch.randn(size, generator=generator)
        elif "ln_" in name:
            numbers = torch.full(size, 1.0 if name.endswith("weight") else 0.0)
        else:
            numbers = (2 * torch.rand(size, generator=generator) - 1) / math.sqrt(into)
        parameters[name] = numbers.requires_grad_()
    return parameters


def moments(steps):
    return {steps * i * i // 1600 for i in range(40)}


def course(draw, changes, seed, steps, batch, top_rate):
    """[(step, held-out accuracy)]"""
    shape = {**USUAL, "hidden": 0, "heads": 1, "width": 32, "answers": 10, **changes}
    torch.manual_seed(seed)
    parameters = first_parameters(shape, torch.Generator().manual_seed(seed))
    optimiser = torch.optim.AdamW(parameters.values(), lr=top_rate, weight_decay=0.0)
    random = np.random.RandomState(seed + 1)
    inputs, targets = (torch.tensor(part) for part in draw(np.random.RandomState(seed + 2), 256))

    def accuracy():
        with torch.no_grad():
            answers = logits_of(shape, parameters, inputs).argmax(-1)
        return ((answers == targets) & (targets != NO_TARGET)).sum().item() / (targets != NO_TARGET).sum().item()

    points = []
    for step in range(steps):
        if step in moments(steps):
            points.append((step, accuracy()))
        rate = (step + 1) / 50 if step < 50 else 0.5 * (1 + math.cos(math.pi * (step - 50) / (steps - 50)))
        for group in optimiser.param_groups:
            group["lr"] = top_rate * rate
        x, y = (torch.tensor(part) for part in draw(random, batch))
        loss = functional.cross_entropy(logits_of(shape, parameters, x).flatten(0, 1), y.flatten(),
                                        ignore_index=NO_TARGET)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters.values(), 1.0)
        optimiser.step()
    return points + [(steps, accuracy())]


class Trained:
    """Five courses of one variant: their mean end, and the mean of the first step with an accuracy of 0.9."""

    def __init__(self, draw, changes, steps, batch, rate):
        courses = [course(draw, changes, seed, steps, batch, rate) for seed in SEEDS]
        self.accuracy = np.mean([points[-1][1] for points in courses])
        reached = [next((step for step, accuracy in points if accuracy >= 0.9), None) for points in courses]
        self.steps = None if None in reached else np.mean(reached)
        print(draw.__name__, changes, rate, self.accuracy, self.steps, flush=True)


def reverse(changes, steps, batch, rate=3e-3):
    return Trained(reversals, {"vocabulary": 10, "tokens": 16, **changes}, steps, batch, rate)


def dictionary(changes):
    return Trained(dictionaries, {"vocabulary": 20, "tokens": 15, "layers": 2, "causal": True, **changes}, 400, 64, 3e-3)


def near(value, within):
    return {"value": value, "within": within}


def end(trained):
    return near(trained.accuracy, 0.04)


def pace(trained):
    return near(trained.steps, 0.3 * trained.steps)


def claims():
    scaled, raw, huge = (reverse({"width": 256, "scale": scale}, 200, 32) for scale in (None, 1.0, 16.0))
    accuracies = {"accuracy_with": end(scaled), "accuracy_without": end(raw)}
    paces = {"steps_with": pace(scaled), "steps_without": pace(raw)}
    both = ["accuracy_with", "accuracy_without", 0.9, "steps_with", "steps_without"]
    slower = raw.steps > 1.5 * scaled.steps
    yield "A-scaling-helps", found(
        "holds" if raw.accuracy < scaled.accuracy - 0.05 else "holds_only_if" if slower else "fails",
        {**accuracies, **paces, "seeds": 5, "width": 256}, ja=["width", "seeds", *both])
    yield "E-scaling-fails", found(
        "holds" if raw.accuracy < 0.9 else "holds_only_if" if huge.accuracy < 0.9 else "fails",
        {**accuracies, **paces, "accuracy_huge": near(huge.accuracy, 0.1), "seeds": 5, "width": 256},
        ja=["width", "seeds", "accuracy_without", 0.9, "steps_without", "steps_with"],
        en=["width", "accuracy_without", "seeds", "steps_without", 0.9, "steps_with"], corrected_ja=[16, "accuracy_huge"])

    told, untold = reverse({}, 300, 64), reverse({"positions": "none"}, 300, 64)
    yield "E-positions-needed", found(
        "holds" if untold.accuracy < 0.5 and told.accuracy > 0.99 else "fails",
        {"accuracy_with": end(told), "accuracy_without": end(untold), "seeds": 5}, ja=["seeds", "accuracy_without", "accuracy_with"])
    waves = reverse({"positions": "sinusoidal"}, 300, 64)
    yield "D-positions-inject", found(
        "holds" if untold.accuracy < 0.5 and waves.accuracy > 0.9 else "fails",
        {"accuracy_sinusoidal": end(waves), "accuracy_without": end(untold), "accuracy_learned": end(told), "seeds": 5},
        ja=["seeds", "accuracy_without", "accuracy_sinusoidal", "accuracy_learned"])

    deep = {"layers": 12, "hidden": 64}
    post, bare = (reverse({**deep, "norm": norm}, 200, 32) for norm in ("post", "none"))
    fast_pre, fast_post, fast_bare = (reverse({**deep, "norm": norm}, 200, 32, 0.02) for norm in ("pre", "post", "none"))
    as_it_stands = bare.accuracy < post.accuracy - 0.05 or bare.steps > 1.1 * post.steps
    yield "E-norm-efficiency", found(
        "holds" if as_it_stands else "holds_only_if" if fast_bare.accuracy < 0.5 < 0.9 < fast_pre.accuracy else "fails",
        {"accuracy_post": end(post), "accuracy_none": end(bare), "steps_post": pace(post), "steps_none": pace(bare),
         "fast_pre": end(fast_pre), "fast_post": near(fast_post.accuracy, 0.3), "fast_none": near(fast_bare.accuracy, 0.3),
         "rate": 0.003, "high_rate": 0.02, "seeds": 5, "layers": 12},
        ja=["layers", "seeds", "rate", 0.9, "steps_post", "steps_none", "accuracy_post", "accuracy_none"],
        corrected_ja=["high_rate", "fast_pre", "fast_post", "fast_none"])

    four, one = dictionary({"heads": 4}), dictionary({"heads": 1})
    yield "A-several-heads", found(
        "remark" if one.accuracy > four.accuracy - 0.05 and one.steps < four.steps else "holds",
        {"accuracy_four": end(four), "accuracy_one": end(one), "steps_four": pace(four), "steps_one": pace(one), "seeds": 5, "heads": 4},
        ja=[1, "heads", 1, "seeds", 0.9, "steps_four", "steps_one"], en=["heads", "seeds", 0.9, "steps_four", "steps_one"],
        corrected_ja=[1, 1], corrected_en=[])


if __name__ == "__main__":
    torch.set_num_threads(1)
    lines = [json.dumps({"id": name, **plain(value)}, ensure_ascii=False) for name, value in claims()]
    (HERE / "claims/trained.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
