#!/usr/bin/python3
"""Writes data/reference/training/: gradients and a course of losses from PyTorch 1.13 (only to regenerate).

    /usr/bin/python3 data/reference/make_training_reference.py

gradients.json: small models in double, of every kind that `attnlab train` has. Parameters are RandomState(seed).randn
in the order of "parameters", times 0.3, and norms' gains 1 + 0.3 randn; inputs and targets are stored. PyTorch's
autograd gives the loss and its gradient by every parameter.

losses.json: the first 100 losses of a model that torch.manual_seed makes from nn.Embedding and nn.Linear, trained by
torch.optim.AdamW on sequences to be said backwards: int(random_sample() * symbols) from RandomState(seed + 1).
"""

import json
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from make_attention_reference import HERE, array

USUAL = {"vocabulary": 5, "answers": 4, "tokens": 5, "width": 8, "heads": 2, "layers": 1, "hidden": 6, "norm": "none",
         "norm_kind": "layer", "positions": "learned", "activation": "relu", "causal": False, "scale": None,
         "source": None}

CASES = [
    {},
    {"hidden": 0, "layers": 2, "causal": True, "positions": "rotary"},
    {"norm": "post", "positions": "sinusoidal"},
    {"norm": "pre", "layers": 2, "activation": "gelu", "causal": True},
    {"norm": "post", "norm_kind": "rms", "activation": "gelu"},
    {"norm": "pre", "norm_kind": "rms", "positions": "none", "scale": 1.0},
    {"norm": "pre", "heads": 4, "positions": "rotary"},
    {"norm": "post", "causal": True, "positions": "sinusoidal", "source": {"vocabulary": 6, "tokens": 7, "layers": 2}},
    {"norm": "pre", "causal": True, "layers": 2, "activation": "gelu",
     "source": {"vocabulary": 4, "tokens": 4, "layers": 1}},
]


def of_source(shape):
    """The encoder by itself."""
    return {**shape, **shape["source"], "causal": False, "source": None}


def names_and_shapes(shape):
    """As src/training/model_shape.cpp lists them."""
    width, found = shape["width"], []

    def linear(name, out, into):
        found.extend([(name + ".weight", (out, into)), (name + ".bias", (out,))])

    def norm(name):
        found.append((name + ".weight", (width,)))
        if shape["norm_kind"] == "layer":
            found.append((name + ".bias", (width,)))

    def stack(prefix, shape):
        found.append((prefix + "wte.weight", (shape["vocabulary"], width)))
        if shape["positions"] == "learned":
            found.append((prefix + "wpe.weight", (shape["tokens"], width)))
        for i in range(shape["layers"]):
            layer = f"{prefix}h.{i}."
            if shape["norm"] != "none":
                norm(layer + "ln_1")
            linear(layer + "attn.c_attn", 3 * width, width)
            linear(layer + "attn.c_proj", width, width)
            if shape["source"]:
                if shape["norm"] != "none":
                    norm(layer + "ln_cross_attn")
                linear(layer + "crossattention.q_attn", width, width)
                linear(layer + "crossattention.c_attn", 2 * width, width)
                linear(layer + "crossattention.c_proj", width, width)
            if shape["hidden"] > 0:
                if shape["norm"] != "none":
                    norm(layer + "ln_2")
                linear(layer + "mlp.c_fc", shape["hidden"], width)
                linear(layer + "mlp.c_proj", width, shape["hidden"])
        if shape["norm"] == "pre":
            norm(prefix + "ln_f")

    if shape["source"]:
        stack("encoder.", of_source(shape))
    stack("", shape)
    linear("lm_head", shape["answers"], width)
    return found


def sinusoids(tokens, width):
    angles = np.arange(tokens)[:, None] / 10000 ** (np.arange(0, width, 2) / width)
    table = np.zeros((tokens, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return torch.tensor(table)


def rotated(x):
    """The pairs (2i, 2i + 1) of (..., tokens, width) turned by position · 10000^(-2i / width)."""
    tokens, width = x.shape[-2:]
    angles = torch.arange(tokens)[:, None].to(x) * 10000 ** (-torch.arange(0, width, 2).to(x) / width)
    turned = torch.view_as_complex(x.reshape(*x.shape[:-1], width // 2, 2)) * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).reshape(x.shape)


def stack_output(shape, p, inputs, prefix="", memory=None, lengths=None):
    """What the layers make of (sequences, tokens); lengths: how many tokens of each source count."""
    width, heads = shape["width"], shape["heads"]
    tokens = inputs.shape[1]

    def norm(name, x):
        if shape["norm_kind"] == "rms":
            return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * p[name + ".weight"]
        return functional.layer_norm(x, (width,), p[name + ".weight"], p[name + ".bias"], 1e-5)

    def linear(name, x):
        return functional.linear(x, p[name + ".weight"], p[name + ".bias"])

    def split(x):
        return x.reshape(*x.shape[:2], heads, width // heads).transpose(1, 2)

    def mixed(query, key, value, hidden):
        scale = 1 / math.sqrt(width // heads) if shape["scale"] is None else shape["scale"]
        scores = (query @ key.transpose(-2, -1) * scale).masked_fill(hidden, -math.inf)
        joined = (torch.softmax(scores, -1) @ value).transpose(1, 2)
        return joined.reshape(*joined.shape[:2], width)

    def behind_the_end(keys):
        counted = torch.full((inputs.shape[0],), keys) if lengths is None else torch.tensor(lengths)
        return (torch.arange(keys)[None, :] >= counted[:, None])[:, None, None, :]

    def attention(layer, x):
        query, key, value = (split(part) for part in linear(layer + "attn.c_attn", x).split(width, dim=-1))
        if shape["positions"] == "rotary":
            query, key = rotated(query), rotated(key)
        later = torch.ones(tokens, tokens).triu(1).bool()
        hidden = later if shape["causal"] else behind_the_end(tokens)
        return linear(layer + "attn.c_proj", mixed(query, key, value, hidden))

    def cross_attention(layer, x):
        query = split(linear(layer + "crossattention.q_attn", x))
        key, value = (split(part) for part in linear(layer + "crossattention.c_attn", memory).split(width, dim=-1))
        return linear(layer + "crossattention.c_proj", mixed(query, key, value, behind_the_end(memory.shape[1])))

    def mlp(layer, x):
        activation = {"relu": functional.relu, "gelu": functional.gelu}[shape["activation"]]
        return linear(layer + "mlp.c_proj", activation(linear(layer + "mlp.c_fc", x)))

    def added(layer, name, block, x):
        if shape["norm"] == "pre":
            return x + block(layer, norm(layer + name, x))
        return norm(layer + name, x + block(layer, x)) if shape["norm"] == "post" else x + block(layer, x)

    x = p[prefix + "wte.weight"][inputs]
    if shape["positions"] == "learned":
        x = x + p[prefix + "wpe.weight"][:tokens]
    if shape["positions"] == "sinusoidal":
        x = x + sinusoids(tokens, width).to(x)
    for i in range(shape["layers"]):
        layer = f"{prefix}h.{i}."
        x = added(layer, "ln_1", attention, x)
        if memory is not None:
            x = added(layer, "ln_cross_attn", cross_attention, x)
        if shape["hidden"] > 0:
            x = added(layer, "ln_2", mlp, x)
    return norm(prefix + "ln_f", x) if shape["norm"] == "pre" else x


def logits_of(shape, p, inputs, sources=None, lengths=None):
    memory = stack_output(of_source(shape), p, sources, "encoder.", None, lengths) if shape["source"] else None
    x = stack_output(shape, p, inputs, "", memory, lengths)
    return functional.linear(x, p["lm_head.weight"], p["lm_head.bias"])


def gradient_case(number, changes):
    shape = {**USUAL, **changes}
    random = np.random.RandomState(number)
    parameters = {}
    for name, size in names_and_shapes(shape):
        is_gain = ".ln_" in "." + name and name.endswith("weight")
        parameters[name] = torch.tensor(random.randn(*size) * 0.3 + (1.0 if is_gain else 0.0), requires_grad=True)
    inputs = random.randint(0, shape["vocabulary"], (2, shape["tokens"]))
    targets = random.randint(0, shape["answers"], (2, shape["tokens"]))
    targets[0, 1] = -1  # does not count
    given = {}
    if shape["source"]:
        longest = shape["source"]["tokens"]
        given = {"sources": random.randint(0, shape["source"]["vocabulary"], (2, longest)), "lengths": [longest - 1, longest]}
    sources = torch.tensor(given["sources"]) if given else None
    logits = logits_of(shape, parameters, torch.tensor(inputs), sources, given.get("lengths"))
    loss = functional.cross_entropy(logits.reshape(-1, shape["answers"]), torch.tensor(targets.reshape(-1)),
                                    ignore_index=-1)
    loss.backward()
    return {"shape": shape, "seed": number, "inputs": inputs.reshape(-1).tolist(), "targets": targets.reshape(-1).tolist(),
            **({"sources": given["sources"].reshape(-1).tolist(), "lengths": given["lengths"]} if given else {}),
            "loss": loss.item(), "gradients": {name: array(p.grad.numpy()) for name, p in parameters.items()}}


def course_of_losses():
    shape = {**USUAL, "vocabulary": 10, "answers": 10, "tokens": 8, "width": 16, "hidden": 32, "norm": "pre"}
    settings = {"seed": 0, "steps": 100, "batch": 8, "rate": 0.01, "warm_up": 10, "clip": 1.0, "decay": 0.01}
    torch.manual_seed(settings["seed"])
    parameters = {}
    order = names_and_shapes(shape)
    for name, size in order:
        if name in ("wte.weight", "wpe.weight"):
            parameters[name] = nn.Embedding(*size).weight
        elif len(size) == 2:
            module = nn.Linear(size[1], size[0])
            parameters[name], parameters[name.replace("weight", "bias")] = module.weight, module.bias
        elif "ln_" in name:
            parameters[name] = nn.Parameter(torch.ones(size) if name.endswith("weight") else torch.zeros(size))
    optimiser = torch.optim.AdamW([parameters[name] for name, _ in order], lr=settings["rate"], weight_decay=settings["decay"])
    random = np.random.RandomState(settings["seed"] + 1)
    losses = []
    for step in range(settings["steps"]):
        numbers = (random.random_sample((settings["batch"], shape["tokens"])) * shape["vocabulary"]).astype(int)
        inputs = torch.tensor(numbers)
        logits = logits_of(shape, parameters, inputs)
        loss = functional.cross_entropy(logits.reshape(-1, shape["answers"]), inputs.flip(1).reshape(-1))
        rising = settings["warm_up"]
        share = (step + 1) / rising if step < rising else 0.5 * (
            1 + math.cos(math.pi * (step - rising) / (settings["steps"] - rising)))
        for group in optimiser.param_groups:
            group["lr"] = settings["rate"] * share
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(parameters.values()), settings["clip"])
        optimiser.step()
        losses.append(loss.item())
    return {"shape": shape, "settings": settings, "losses": losses}


def main():
    folder = HERE / "training"
    folder.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    cases = [gradient_case(number, changes) for number, changes in enumerate(CASES)]
    (folder / "gradients.json").write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    (folder / "losses.json").write_text(json.dumps(course_of_losses()) + "\n")


if __name__ == "__main__":
    main()
