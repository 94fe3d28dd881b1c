#!/usr/bin/python3
"""Writes the NumPy reference of scaling, self-attention, heads and positional (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_experiment_reference.py

Each file data/reference/<experiment>/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars. The steps are those of the documents' own code; nothing here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def entropy(p):
    p = p[p > 0]
    return float(-np.sum(p * np.log(p)))


# --- scaling: textbook, code 2.2.5 and 2.2.6 --------------------------------------------------------------------


def scaling(seed, low_dim, high_dim, n_keys):
    rng = np.random.RandomState(seed)
    q1, q2 = rng.randn(low_dim), rng.randn(high_dim)
    k1, k2 = rng.randn(n_keys, low_dim), rng.randn(n_keys, high_dim)
    arrays, scalars = {}, {}
    for name, q, k in (("low", q1, k1), ("high", q2, k2)):
        dot = np.matmul(k, q)
        arrays[f"scores_{name}"] = dot
        arrays[f"scores_{name}_scaled"] = dot / np.sqrt(len(q))
        for suffix in ("", "_scaled"):
            weights = softmax(arrays[f"scores_{name}{suffix}"])
            arrays[f"weights_{name}{suffix}"] = weights
            scalars[f"largest_weight_{name}{suffix}"] = float(weights.max())
            scalars[f"largest_index_{name}{suffix}"] = int(weights.argmax())
            scalars[f"entropy_{name}{suffix}"] = entropy(weights)
    return arrays, scalars


# --- self-attention and heads: article, eq. 1 to 8 --------------------------------------------------------------


def self_attention(seed, tokens, width, scale=None):
    np.random.seed(seed)
    x = np.random.randn(tokens, width)
    w_q, w_k, w_v = (np.random.randn(width, width) * 0.1 for _ in range(3))
    query, key, value = x @ w_q, x @ w_k, x @ w_v
    raw = query @ key.T
    scores = raw / np.sqrt(width) if scale is None else raw * scale
    weights = softmax(scores)
    return {"x": x, "w_query": w_q, "query": query, "key": key, "value": value, "raw_scores": raw, "scores": scores,
            "weights": weights, "output": weights @ value}, {}


def heads(seed, n_tokens, d_model, n_heads):
    np.random.seed(seed)
    x = np.random.randn(n_tokens, d_model)
    rng, d_k = np.random.RandomState(seed), d_model // n_heads
    w_q, w_k, w_v = (rng.randn(n_heads, d_model, d_k) * 0.1 for _ in range(3))
    w_o = rng.randn(n_heads * d_k, d_model) * 0.1
    queries, keys, values = x @ w_q, x @ w_k, x @ w_v
    weights = softmax(queries @ np.swapaxes(keys, -1, -2) / np.sqrt(d_k))
    concat = np.concatenate(list(weights @ values), axis=-1)
    return {"x": x, "w_query": w_q, "query": queries, "key": keys, "value": values, "weights": weights,
            "concat": concat, "output": concat @ w_o}, {}


# --- positional: article, eq. 9 and 10; slides, "properties" ----------------------------------------------------


def encode(positions, width, base):
    pe = np.zeros((len(positions), width))
    divisor = base ** (2 * np.arange((width + 1) // 2) / width)
    pe[:, 0::2] = np.sin(positions[:, None] / divisor)
    pe[:, 1::2] = np.cos(positions[:, None] / divisor[: width // 2])
    return pe


def rotate(x, position, base, halves):
    d = len(x)
    i = np.arange(d // 2)
    angle = position / base ** (2 * i / d)
    first, second = (i, i + d // 2) if halves else (2 * i, 2 * i + 1)
    turned = np.empty(d)
    turned[first] = x[first] * np.cos(angle) - x[second] * np.sin(angle)
    turned[second] = x[first] * np.sin(angle) + x[second] * np.cos(angle)
    return turned


def positional(positions, width, base, offset, seed):
    even = width - width % 2
    r = encode(np.arange(positions), width, base)
    part = r[:, :even]
    similarity = r @ r.T
    later = encode(np.arange(positions) + offset, width, base)[:, :even]
    phi = offset / base ** (2 * np.arange(even // 2) / width)
    shift = np.zeros((even, even))
    for i, angle in enumerate(phi):  # the slides' addition theorem, for row vectors
        c, s = np.cos(angle), np.sin(angle)
        shift[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    rng = np.random.RandomState(seed)
    q, k = rng.randn(even), rng.randn(even)
    distance = np.arange(-(positions - 1), positions)
    rotary = {name: np.array([rotate(q, max(d, 0), base, halves) @ rotate(k, max(-d, 0), base, halves)
                              for d in distance])
              for name, halves in (("rotary_interleaved", False), ("rotary_halves", True))}
    gaps = np.sqrt(((r[:, None] - r[None]) ** 2).sum(-1)) + np.diag(np.full(positions, np.inf))
    steps = np.diff(similarity[0])
    arrays = {"encoding": r, "squared_norm": (part**2).sum(-1), "similarity": similarity, "shift_matrix": shift,
              "relative_scores": part @ later.T, "rotary_distance": distance.astype(float), **rotary}
    scalars = {"closest_distance": float(gaps.min()), "similarity_rises": int((steps > 0).sum()),
               "similarity_minimum": float(similarity[0].min()),
               "similarity_minimum_at": int(similarity[0].argmin())}
    if (steps > 0).any():
        scalars["first_rise"] = int(np.argmax(steps > 0))
    return arrays, scalars


# --- Files ------------------------------------------------------------------------------------------------------


def write(experiment, case, flags, result):
    arrays, scalars = result
    folder = HERE / experiment
    folder.mkdir(exist_ok=True)
    lines = [f'    "{name}": {json.dumps({"shape": list(a.shape), "data": a.ravel().tolist()})}'
             for name, a in arrays.items()]
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


write("scaling", "default", {}, scaling(0, 1, 100, 20))
write("scaling", "wide", {"low-dim": "3", "high-dim": "17", "keys": "5", "seed": "7"}, scaling(7, 3, 17, 5))
write("self-attention", "default", {}, self_attention(42, 4, 8))
write("self-attention", "scaled", {"tokens": "3", "width": "5", "seed": "1", "scale": "30"},
      self_attention(1, 3, 5, 30.0))
write("heads", "default", {}, heads(42, 6, 16, 4))
write("heads", "small", {"tokens": "3", "width": "6", "heads": "3", "seed": "1"}, heads(1, 3, 6, 3))
write("positional", "even", {"positions": "12", "width": "6", "base": "100", "offset": "3", "seed": "5"},
      positional(12, 6, 100.0, 3, 5))
write("positional", "odd", {"positions": "9", "width": "5", "base": "10000", "offset": "2", "seed": "5"},
      positional(9, 5, 10000.0, 2, 5))
