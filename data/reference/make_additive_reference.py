#!/usr/bin/python3
"""Writes the NumPy reference of additive attention (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_additive_reference.py

attention/additive.json: the layer on batches, with unequal widths. additive/<case>.json: the experiment, with its
flags, the arrays under the names of the tool's --json, and its scalars. The network sees the concatenation [q; k] of
every pair, as in the textbook's figure 2.2.3; nothing here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def pairs_of(query, key):
    """(..., queries, keys, d_q + d_k): every query beside every key."""
    batch = np.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    n_q, n_k = query.shape[-2], key.shape[-2]
    q = np.broadcast_to(query[..., :, None, :], (*batch, n_q, n_k, query.shape[-1]))
    k = np.broadcast_to(key[..., None, :, :], (*batch, n_q, n_k, key.shape[-1]))
    return np.concatenate([q, k], axis=-1)


def additive(query, key, value, w, v):
    hidden = np.tanh(pairs_of(query, key) @ w)
    scores = hidden @ v
    weights = softmax(scores)
    return {"hidden": hidden, "scores": scores, "weights": weights, "output": weights @ value}


def stored(array):
    return {"shape": list(array.shape), "data": [float(x) for x in array.ravel()]}


def write(path, content):
    path = HERE / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=None, separators=(", ", ": ")) + "\n")


# --- The layer --------------------------------------------------------------------------------------------------


def layer_case(name, seed, query, key, d_v, units):
    rng = np.random.RandomState(seed)
    q, k, v = rng.randn(*query), rng.randn(*key), rng.randn(*key[:-1], d_v)
    w, s = rng.randn(query[-1] + key[-1], units), rng.randn(units)
    stages = additive(q, k, v, w, s)
    return {"name": name, **{n: stored(a) for n, a in
                             (("query", q), ("key", k), ("value", v), ("w_hidden", w), ("w_score", s))},
            "stages": {n: stored(a) for n, a in stages.items()}}


write("attention/additive.json", [
    layer_case("equal widths", 0, (3, 4), (5, 4), 2, 3),
    layer_case("unequal widths", 1, (2, 3), (4, 6), 3, 5),
    layer_case("one of everything", 2, (1, 1), (1, 1), 1, 1),
    layer_case("a batch", 3, (2, 3, 4), (2, 5, 2), 3, 4),
    layer_case("batches that broadcast", 4, (3, 1, 2, 4), (2, 3, 5), 2, 3),
    layer_case("a query without a batch", 5, (2, 4), (2, 3, 5), 2, 3),
])


# --- The experiment ---------------------------------------------------------------------------------------------


def experiment(flags, seed=0, queries=3, keys=5, d_q=128, d_k=128, units=64):
    rng = np.random.RandomState(seed)
    query, key = rng.randn(queries, d_q), rng.randn(keys, d_k)
    w = rng.randn(d_q + d_k, units) / np.sqrt(d_q + d_k)
    v = rng.randn(units) / np.sqrt(units)
    stages = additive(query, key, key, w, v)
    linear = w @ v
    arrays = {"query": query, "key": key, **{n: stages[n] for n in ("hidden", "scores", "weights", "output")},
              "linear": linear, "linear_scores": pairs_of(query, key) @ linear,
              "linear_weights": softmax(pairs_of(query, key) @ linear)}
    if d_q == d_k:
        arrays["dot_scores"] = query @ key.T
        arrays["dot_weights"] = softmax(query @ key.T)
        arrays["scaled_dot_weights"] = softmax(query @ key.T / np.sqrt(d_k))
    arrays = {n: a for n, a in arrays.items() if a.size <= 1000}
    scalars = {"additive_parameters": w.size + v.size, "largest_weight": float(stages["weights"].max())}
    return {"flags": flags, "arrays": {n: stored(a) for n, a in arrays.items()}, "scalars": scalars}


write("additive/default.json", experiment({}))
write("additive/unequal.json", experiment(
    {"queries": "2", "keys": "4", "query-width": "6", "key-width": "3", "units": "5", "seed": "7"},
    seed=7, queries=2, keys=4, d_q=6, d_k=3, units=5))
