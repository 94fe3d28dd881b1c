"""Losses and samples of microgpt (Karpathy 2026): Python's own random numbers, PyTorch's gradients in float64.

python3 data/reference/make_microgpt_reference.py data/texts/names.txt
"""
import json
import math
import pathlib
import random
import sys

import torch

torch.set_default_dtype(torch.float64)
HERE = pathlib.Path(__file__).parent
NAMES = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").split()


def norm(x):
    return x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt()


def train(documents, seed, steps, width, heads, layers, block, samples, temperature):
    random.seed(seed)
    docs = list(documents)
    random.shuffle(docs)
    letters = sorted(set("".join(docs)))
    end = len(letters)

    def matrix(rows, columns):
        values = [[random.gauss(0, 0.08) for _ in range(columns)] for _ in range(rows)]
        return torch.tensor(values, requires_grad=True)

    wte, wpe, head = matrix(end + 1, width), matrix(block, width), matrix(end + 1, width)
    stack = [[matrix(width, width) for _ in range(4)] + [matrix(4 * width, width), matrix(width, 4 * width)]
             for _ in range(layers)]
    parameters = [wte, wpe, head] + [w for layer in stack for w in layer]

    def logits(tokens):
        n = len(tokens)
        x = norm(wte[tokens] + wpe[:n])
        mask = torch.full((n, n), -math.inf).triu(1)
        for query, key, value, output, up, down in stack:
            split = lambda w: (norm(x) @ w.T).view(n, heads, width // heads).transpose(0, 1)
            q, k, v = split(query), split(key), split(value)
            weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(width // heads) + mask, dim=-1)
            x = (weights @ v).transpose(0, 1).reshape(n, width) @ output.T + x
            x = torch.relu(norm(x) @ up.T) @ down.T + x
        return x @ head.T

    first = [torch.zeros_like(w) for w in parameters]
    second = [torch.zeros_like(w) for w in parameters]
    losses = []
    for step in range(steps):
        tokens = [end] + [letters.index(letter) for letter in docs[step % len(docs)]] + [end]
        n = min(block, len(tokens) - 1)
        loss = torch.nn.functional.cross_entropy(logits(tokens[:n]), torch.tensor(tokens[1:n + 1]))
        gradients = torch.autograd.grad(loss, parameters)
        losses.append(loss.item())
        rate = 0.01 * (1 - step / steps)
        with torch.no_grad():
            for w, g, m, v in zip(parameters, gradients, first, second):
                m.mul_(0.85).add_(0.15 * g)
                v.mul_(0.99).add_(0.01 * g * g)
                mean, spread = m / (1 - 0.85 ** (step + 1)), v / (1 - 0.99 ** (step + 1))
                w -= rate * mean / (spread.sqrt() + 1e-8)
    words = []
    with torch.no_grad():
        for _ in range(samples):
            tokens, word = [end], ""
            while len(tokens) <= block:
                shares = torch.softmax(logits(tokens)[-1] / temperature, dim=-1).tolist()
                token = random.choices(range(end + 1), weights=shares)[0]
                if token == end:
                    break
                word += letters[token]
                tokens.append(token)
            words.append(word)
    return {"losses": losses, "words": words}


def draws(seed):
    generator = random.Random(seed)
    order = list(range(40))
    values = {"seed": seed, "random": [generator.random() for _ in range(4)],
              "gauss": [generator.gauss(0, 0.08) for _ in range(7)]}
    generator.shuffle(order)
    values["shuffled"] = order
    values["choices"] = [generator.choices(range(5), weights=[0.1, 0.4, 0.0, 0.3, 0.2])[0] for _ in range(30)]
    return values


result = {
    "python": sys.version.split()[0],
    "torch": torch.__version__,
    "draws": [draws(seed) for seed in (0, 42, 4294967295)],
    "default": train(NAMES, 42, 1000, 16, 4, 1, 16, 20, 0.5),
    "small": {"documents": NAMES[:40], **train(NAMES[:40], 7, 60, 12, 3, 2, 5, 6, 1.0)},
}
(HERE / "training" / "microgpt.json").write_text(json.dumps(result) + "\n")
