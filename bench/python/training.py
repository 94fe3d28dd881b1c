#!/usr/bin/python3
"""The models of `attnlab train` in PyTorch: how many steps a second, as JSON.

    /usr/bin/python3 bench/python/training.py induction --threads 2

Attention as modules and functions of PyTorch are used in practice: one joint projection, batched matmul over the heads,
torch.optim.AdamW, clipping. Batches are drawn before the clock starts. As attnlab's, a training of so many `steps`
looks 41 times at `held_out` sequences; their share of time is measured and added to the steps'.
"""

import argparse
import json
import math
import time

import torch
from torch import nn
from torch.nn import functional

# What `attnlab train TASK` takes by default.
TASKS = {
    "reverse": dict(vocabulary=10, tokens=16, width=32, heads=1, layers=1, mlp=0, norm=False, causal=False, batch=64,
                    steps=1000, held_out=256),
    "induction": dict(vocabulary=20, tokens=32, width=32, heads=2, layers=2, mlp=0, norm=False, causal=True, batch=64,
                      steps=1000, held_out=128),
    "text": dict(vocabulary=62, tokens=48, width=48, heads=4, layers=2, mlp=96, norm=True, causal=True, batch=16,
                 steps=1200, held_out=48),
    "world": dict(vocabulary=443, tokens=64, width=64, heads=4, layers=4, mlp=256, norm=True, causal=True, batch=32,
                  activation=nn.GELU, steps=6000, held_out=512),
}
LOOKS = 41  # of a training, whatever its steps


class Layer(nn.Module):
    def __init__(self, width, heads, mlp, norm, causal, tokens, activation):
        super().__init__()
        self.heads, self.scale = heads, 1 / math.sqrt(width // heads)
        self.joint, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, mlp), activation(), nn.Linear(mlp, width)) if mlp else None
        self.norm_1 = nn.LayerNorm(width) if norm else nn.Identity()
        self.norm_2 = nn.LayerNorm(width) if norm else nn.Identity()
        hidden = torch.ones(tokens, tokens).triu(1).bool() if causal else None
        self.register_buffer("hidden", hidden)

    def attention(self, x):
        batch, tokens, width = x.shape
        joint = self.joint(x).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        query, key, value = joint.unbind(0)
        scores = query @ key.transpose(-2, -1) * self.scale
        if self.hidden is not None:
            scores = scores.masked_fill(self.hidden, -math.inf)
        return self.output((scores.softmax(-1) @ value).transpose(1, 2).reshape(x.shape))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x if self.mlp is None else x + self.mlp(self.norm_2(x))


class Model(nn.Module):
    def __init__(self, vocabulary, tokens, width, heads, layers, mlp, norm, causal, activation=nn.ReLU):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Parameter(torch.randn(tokens, width))
        self.layers = nn.Sequential(*[Layer(width, heads, mlp, norm, causal, tokens, activation) for _ in range(layers)])
        self.norm = nn.LayerNorm(width) if norm else nn.Identity()
        self.answer = nn.Linear(width, vocabulary)

    def forward(self, inputs):
        return self.answer(self.norm(self.layers(self.words(inputs) + self.places)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    sizes = TASKS[arguments.task]
    total, held_out, batch = (sizes[name] for name in ("steps", "held_out", "batch"))
    model = Model(**{name: size for name, size in sizes.items() if name not in ("steps", "held_out", "batch")})
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0)
    shape = (batch, sizes["tokens"])
    batches = [torch.randint(0, sizes["vocabulary"], shape) for _ in range(arguments.steps + 5)]
    for step, inputs in enumerate(batches):
        if step == 5:
            began = time.perf_counter()
        logits = model(inputs)
        loss = functional.cross_entropy(logits.view(-1, sizes["vocabulary"]), inputs.flip(1).reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    step_seconds = (time.perf_counter() - began) / arguments.steps
    inputs = torch.randint(0, sizes["vocabulary"], (held_out, sizes["tokens"]))
    began = time.perf_counter()
    with torch.no_grad():
        for _ in range(5):
            logits = model(inputs)
            functional.cross_entropy(logits.view(-1, sizes["vocabulary"]), inputs.flip(1).reshape(-1))
    look_seconds = (time.perf_counter() - began) / 5
    print(json.dumps({"steps_per_second": 1 / (step_seconds + look_seconds * LOOKS / total)}))


if __name__ == "__main__":
    main()
