#!/usr/bin/python3
"""Writes the NumPy and PyTorch reference of recurrence (NumPy 1.24, PyTorch 1.13; only to regenerate).

    /usr/bin/python3 data/reference/make_recurrence_reference.py

Each file data/reference/recurrence/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars. All gradients are PyTorch's own (torch.autograd), the orthogonal matrix is that of
np.linalg.qr, and the steps come from a search through the graph. Nothing here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.autograd.functional import jacobian

HERE = Path(__file__).resolve().parent
torch.set_default_dtype(torch.float64)


def orthonormal(w):
    """Gram-Schmidt's rows: Q of the QR decomposition, with a positive diagonal of R."""
    q, r = np.linalg.qr(w.T)
    return (q * np.sign(np.diag(r))).T


def size(matrix):
    return np.linalg.norm(np.asarray(matrix)) / np.sqrt(len(matrix))


def rnn(w, driven):
    states = [torch.tanh(driven[0])]
    for step in driven[1:]:
        states.append(torch.tanh(w @ states[-1] + step))
    return torch.stack(states)


def last_state(w, driven, t):
    """h_T as a function of h_t."""
    def follow(h):
        for step in driven[t + 1:]:
            h = torch.tanh(w @ h + step)
        return h
    return follow


def longest_and_shortest(reads, n):
    """By breadth-first search from every token, and the length of the longest chain of results."""
    steps, paths = np.zeros(n), np.full((n, n), np.inf)
    for result in range(n):
        steps[result] = 1 + max([steps[name[1]] for name in reads[result] if name[0] == "result"], default=0)
        front, distance = {("result", result)}, 0
        while front:
            distance += 1
            found = {name for _, at in front for name in reads[at]}
            for kind, at in found:
                if kind == "token":
                    paths[result, at] = min(paths[result, at], distance)
            front = {name for name in found if name[0] == "result"}
    return steps, paths


def recurrence(n=24, d=16, radii=(0.7, 1.0, 1.2), scale=0.001, seed=0):
    random = np.random.RandomState(seed)
    w_random = random.randn(d, d)
    u = random.randn(d, d) * scale
    w_q, w_k, w_v = (random.randn(d, d) / np.sqrt(d) for _ in range(3))
    x = random.randn(n, d)
    driven = torch.tensor(x @ u.T)
    q = orthonormal(w_random)
    states, gradient = [], []
    for radius in radii:
        w = torch.tensor(radius * q)
        h = rnn(w, driven)
        states.append(h.numpy())
        gradient.append([size(jacobian(last_state(w, driven, t), h[t])) for t in range(n - 1, -1, -1)])
    x_, w_q_, w_k_, w_v_ = (torch.tensor(a) for a in (x, w_q, w_k, w_v))

    def attention(tokens):
        weights = torch.softmax(tokens[-1] @ w_q_ @ (tokens @ w_k_).T / d**0.5, dim=-1)
        return weights @ (tokens @ w_v_)

    by_token = jacobian(attention, x_)  # (width out, tokens, width in)
    attention_gradient = np.array([size(by_token[:, t]) for t in range(n - 1, -1, -1)])
    half = (n - 1) // 2
    near, far = attention_gradient[1:1 + half].sum(), attention_gradient[n - half:].sum()
    chain = [[("token", i)] + ([("result", i - 1)] if i else []) for i in range(n)]
    every = [[("token", j) for j in range(n)] for _ in range(n)]
    rnn_steps, rnn_paths = longest_and_shortest(chain, n)
    attention_steps, attention_paths = longest_and_shortest(every, n)
    gradient = np.array(gradient)
    return {"radius": np.array(radii), "orthogonal": q, "driven": driven.numpy(), "states": np.array(states),
            "gradient": gradient, "per_step": gradient[:, -1] ** (1 / (n - 1)),
            "output": attention(x_).numpy()[None], "attention_gradient": attention_gradient,
            "rnn_steps": rnn_steps, "rnn_paths": rnn_paths, "attention_steps": attention_steps,
            "attention_paths": attention_paths}, {
                "rnn_steps_of_all": float(rnn_steps.max()), "attention_steps_of_all": float(attention_steps.max()),
                "attention_change_per_step": float((far / near) ** (1 / (n - 1 - half)))}


def numbers(array):
    """JSON cannot write an infinity: a string stands for it."""
    return ["inf" if np.isinf(value) else value for value in array.ravel().tolist()]


def write(case, flags, result):
    arrays, scalars = result
    folder = HERE / "recurrence"
    folder.mkdir(exist_ok=True)
    lines = [f'    "{name}": {json.dumps({"shape": list(a.shape), "data": numbers(a)})}'
             for name, a in arrays.items()]
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


write("default", {}, recurrence())
write("small", {"tokens": "5", "width": "3", "radius": "0.5,1.5", "input-scale": "0.4", "seed": "7"},
      recurrence(5, 3, (0.5, 1.5), 0.4, 7))
