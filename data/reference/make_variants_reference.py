#!/usr/bin/python3
"""Writes the NumPy and PyTorch reference of variants (NumPy 1.24, PyTorch 1.13; only to regenerate).

    /usr/bin/python3 data/reference/make_variants_reference.py

Each file data/reference/variants/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars. Everything is written from the papers' formulas, head by head and token by token, in another way
than the tool's: the latent's keys with one matrix W_D W_UK, what a window reaches by a search through the graph, softmax
with a 1 by its definition, entropies by torch.distributions. Nothing here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.distributions import Categorical

HERE = Path(__file__).resolve().parent


def softmax(scores):
    return torch.softmax(torch.tensor(scores), dim=-1).numpy()


def grouped(random, kv_heads):
    q, k, v = (random.randn(8, 6, 4) for _ in range(3))
    group = 8 // kv_heads
    plain, shared, output = [], [], []
    for h in range(8):
        first = h // group * group
        key = sum(k[first:first + group]) / group  # of the group that the head is in
        value = sum(v[first:first + group]) / group
        plain.append(softmax(q[h] @ k[h].T / 2))
        shared.append(softmax(q[h] @ key.T / 2))
        output.append(shared[-1] @ value)
    plain, shared = np.array(plain), np.array(shared)
    return {"plain_weights": plain, "repeated_weights": shared, "repeated_output": np.array(output)}, {
        "ratio": group, "plain_bytes": 2 * 2 * 8 * 4, "shared_bytes": 2 * 2 * kv_heads * 4, "one_bytes": 2 * 2 * 4,
        "change": np.abs(plain - shared).max()}


def latent(random, rank):
    x, w_q = random.randn(6, 16), random.randn(4, 16, 4) / 4
    w_d = random.randn(16, rank) / 4
    w_uk, w_uv = (random.randn(4, rank, 4) / np.sqrt(rank) for _ in range(2))
    scores = [x @ w_q[h] @ (x @ (w_d @ w_uk[h])).T / 2 for h in range(4)]
    output = [softmax(scores[h]) @ (x @ (w_d @ w_uv[h])) for h in range(4)]
    return {"latent": x @ w_d, "absorbed_scores": np.array(scores), "output": np.array(output)}, {
        "plain_numbers": 32, "latent_numbers": rank, "published_plain": 32768, "published_latent": 576,
        "published_ratio": 32768 / 576}


def window(random, width):
    q, k = random.randn(20, 8), random.randn(20, 8)
    scores = q @ k.T / np.sqrt(8)
    place = np.arange(20)
    back = place[:, None] - place
    local = softmax(np.where((back >= 0) & (back < width), scores, -np.inf))
    plain = softmax(np.where(back >= 0, scores, -np.inf))
    reached, reach = {19}, []
    for _ in range(5):
        reached = {j for i in reached for j in range(max(0, i - width + 1), i + 1)}
        reach.append(len(reached))
    numbers = {f"reach_{layer + 1}": count for layer, count in enumerate(reach)}
    return {"local_weights": local, "plain_weights": plain, "layer_5": np.linalg.matrix_power(local, 5),
            "layer_6": plain @ np.linalg.matrix_power(local, 5)}, {
                "window": width, "tokens": 20, **numbers, "reach_global": 20}


def norm(random, magnitude):
    q, k = (magnitude * random.randn(128, 256) for _ in range(2))
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) * 16 for x in (q, k)]
    scores = {"plain": q @ k.T / 16, "unscaled": unit[0] @ unit[1].T, "normed": unit[0] @ unit[1].T / 16}
    arrays, numbers = {}, {"magnitude": magnitude}
    for kind, values in scores.items():
        arrays[f"{kind}_entropy"] = Categorical(logits=torch.tensor(values)).entropy().numpy()
        numbers[f"{kind}_spread"] = values.std()
        numbers[f"{kind}_bits"] = arrays[f"{kind}_entropy"].mean() / np.log(2)
    return arrays, numbers


def difference(random, layer):
    q, k, noise = random.randn(8, 8), random.randn(16, 8), 0.3 * random.randn(8, 16)
    scores = q @ k.T / np.sqrt(8)
    first = scores.copy()
    first[:, 5] += 2.5
    one, two = softmax(first), softmax(scores + noise)
    begins = [0.8 - 0.6 * np.exp(-0.3 * (l - 1)) for l in (1, 2, 3, layer)]
    weights = one - begins[3] * two
    return {"plain_weights": one, "second_weights": two, "weights": weights}, {
        "lambda": begins[3], "lambda_1": begins[0], "lambda_2": begins[1], "lambda_3": begins[2], "layer": layer,
        "plain_share": 100 * one[0, 5], "share": 100 * weights[0, 5] / np.abs(weights[0]).sum()}


def linear(random, decay):
    q, k, v = (random.randn(12, 4) for _ in range(3))
    back = np.subtract.outer(np.arange(12), np.arange(12))
    plain = softmax(np.where(back >= 0, q @ k.T / 2, -np.inf))
    states, output = [], []
    for t in range(12):
        states.append(sum(decay ** (t - s) * np.outer(k[s], v[s]) for s in range(t + 1)))
        output.append(sum(decay ** (t - s) * (q[t] @ k[s]) * v[s] for s in range(t + 1)))
    return {"plain_weights": plain, "states": np.array(states), "output": np.array(output),
            "recurrent_output": np.array(output)}, {"decay": decay, "tokens": 12, "state": 16, "cache": 96}


def talking(random, strength):
    q, k, v = (random.randn(4, 6, 4) for _ in range(3))
    weights = np.array([softmax(q[h] @ k[h].T / 2) for h in range(4)])
    mixing = np.eye(4) + strength * random.randn(4, 4)
    mixed = np.array([sum(mixing[h, g] * weights[h] for h in range(4)) for g in range(4)])
    sums = mixed.sum(axis=2)
    return {"weights": weights, "mixed_weights": mixed, "mixed_output": np.array([mixed[g] @ v[g] for g in range(4)])}, {
        "heads": 4, "least_sum": sums.min(), "largest_sum": sums.max()}


def sparse(random, kept):
    q, k = random.randn(24, 16), random.randn(24, 16)
    scores, index = q @ k.T / 4, q[:, :8] @ k[:, :8].T
    plain = softmax(scores)
    chosen = np.argsort(-index, axis=1)
    best = np.argsort(-plain, axis=1)
    masked = np.full((24, 24), -np.inf)
    for i in range(24):
        masked[i, chosen[i, :kept]] = scores[i, chosen[i, :kept]]
    share, best_share = (np.take_along_axis(plain, order, 1).cumsum(axis=1).mean(axis=0) for order in (chosen, best))
    return {"plain_weights": plain, "weights": softmax(masked), "share": share, "best_share": best_share}, {
        "kept": kept, "keys": 24, "share": 100 * share[kept - 1], "best_share": 100 * best_share[kept - 1],
        "uniform_share": 100 * kept / 24}


def sink(random, width):
    q, k = random.randn(12, 8), random.randn(12, 8)
    drawn = q @ k.T / np.sqrt(8)
    scores = drawn.copy()
    scores[:, 0] += 4
    arrays = {name: np.zeros((12, 12)) for name in ("plain_weights", "local_weights", "kept_weights", "softmax_one")}
    for i in range(12):
        near = list(range(max(0, i - width + 1), i + 1))
        kept = sorted(set(near) | set(range(min(4, i + 1))))
        for name, keys in (("plain_weights", list(range(i + 1))), ("local_weights", near), ("kept_weights", kept)):
            arrays[name][i, keys] = softmax(scores[i, keys])
        terms = np.exp(drawn[i, :i + 1])
        arrays["softmax_one"][i, :i + 1] = terms / (1 + terms.sum())
    plain, sums = arrays["plain_weights"][11], arrays["softmax_one"].sum(axis=1)
    return arrays, {"window": width, "alone": 100 * plain[near].sum(), "with_sinks": 100 * plain[kept].sum(),
                    "least_sum": sums.min(), "largest_sum": sums.max()}


def gate(random):
    x = random.randn(6, 8)
    w_q, w_k, w_v = (random.randn(8, 8) / np.sqrt(8) for _ in range(3))
    w_g = random.randn(8, 1)
    opened = torch.sigmoid(torch.tensor(x @ w_g)).numpy()
    weights = softmax(x @ w_q @ (x @ w_k).T / np.sqrt(8))
    return {"gate": opened, "weights": weights, "gated_output": opened * (weights @ (x @ w_v)),
            "gated_weights": opened * weights}, {
                "least_gate": opened.min(), "largest_gate": opened.max(), "published_plain": 46.7, "published_gated": 4.8}


def write(case, flags, seed, results):
    arrays, scalars = {}, {}
    for name, (compute, *arguments) in results.items():
        ours, numbers = compute(np.random.RandomState(seed), *arguments)
        arrays.update({f"{name}_{stage}": values for stage, values in ours.items()})
        scalars.update({f"{name}_{number}": float(value) for number, value in numbers.items()})
    folder = HERE / "variants"
    folder.mkdir(exist_ok=True)
    lines = [f'    "{name}": {json.dumps({"shape": list(a.shape), "data": a.ravel().tolist()})}'
             for name, a in arrays.items()]
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


write("default", {}, 0, {
    "grouped": (grouped, 2), "latent": (latent, 4), "window": (window, 4), "norm": (norm, 2.0),
    "difference": (difference, 3), "linear": (linear, 0.8), "talking": (talking, 0.3), "sparse": (sparse, 6),
    "sink": (sink, 4), "gate": (gate,)})
write("moved", {"kv-heads": "1", "latent": "9", "window": "3", "magnitude": "0.5", "depth": "2", "decay": "0.95",
                "mixing": "0.7", "kept": "11", "seed": "5"}, 5, {
    "grouped": (grouped, 1), "latent": (latent, 9), "window": (window, 3), "norm": (norm, 0.5),
    "difference": (difference, 2), "linear": (linear, 0.95), "talking": (talking, 0.7), "sparse": (sparse, 11),
    "sink": (sink, 3), "gate": (gate,)})
