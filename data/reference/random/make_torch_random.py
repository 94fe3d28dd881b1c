#!/usr/bin/python3
"""Writes torch_random.json: the beginnings of PyTorch's CPU stream (PyTorch 1.13; only to regenerate).

    /usr/bin/python3 data/reference/random/make_torch_random.py

For each seed, every entry starts from torch.manual_seed(seed) anew; `mixed` draws its five arrays one after the other.
"""

import json
from pathlib import Path

import torch
from torch import nn

COUNTS = (15, 16, 17, 31, 32, 40, 100)


def array(tensor):
    # nine digits tell every float32 from its neighbours
    return {"shape": list(tensor.shape), "data": [float(f"{v:.9g}") for v in tensor.detach().flatten().tolist()]}


def after(seed, draw):
    torch.manual_seed(seed)
    return draw()


def mixed():
    return [array(t) for t in (torch.randn(3), torch.randn(18), torch.rand(2), torch.randn(2), torch.randn(1))]


def layers():
    result = []
    for n_in, n_out in ((3, 2), (5, 1), (1, 4)):
        layer = nn.Linear(n_in, n_out)
        result.append({"in": n_in, "out": n_out, "weight": array(layer.weight), "bias": array(layer.bias)})
    return result


def stream(seed):
    entry = {"seed": seed, "rand": after(seed, lambda: array(torch.rand(20)))}
    for count in COUNTS:
        entry[f"randn_{count}"] = after(seed, lambda: array(torch.randn(count)))
    entry["mixed"] = after(seed, mixed)
    entry["linear"] = after(seed, layers)
    return entry


def text(entry):
    return "  {" + ",\n   ".join(f'"{name}": {json.dumps(value)}' for name, value in entry.items()) + "}"


if __name__ == "__main__":
    entries = [stream(seed) for seed in (0, 42, 4294967295)]
    Path(__file__).with_name("torch_random.json").write_text("[\n" + ",\n".join(map(text, entries)) + "\n]\n")
