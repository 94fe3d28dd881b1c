#!/usr/bin/python3
"""Writes the NumPy reference of variance and lookup (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_basics_reference.py

Each file data/reference/<experiment>/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars. Nothing here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# --- variance: textbook footnote 3, article eq. 4, slides ---------------------------------------------------------


def entropy(p):
    return -np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(axis=-1)


def jacobian_norm(p):
    return np.array([np.linalg.norm(np.diag(row) - np.outer(row, row)) for row in p])


def variance(dims, pairs=1000, n_queries=200, n_keys=20, seed=0):
    random = np.random.RandomState(seed)
    std_raw, std_scaled = [], []
    for d in dims:
        q, k = random.randn(pairs, d), random.randn(pairs, d)
        products = (q * k).sum(axis=1)
        std_raw.append(products.std())
        std_scaled.append((products / np.sqrt(d)).std())
    arrays = {"dims": np.array(dims, dtype=float), "std_raw": std_raw, "std_scaled": std_scaled}
    random = np.random.RandomState(seed + 1)
    columns = {f"{what}_{which}": [] for which in ("raw", "scaled") for what in ("largest", "entropy", "gradient")}
    for d in dims:
        q, k = random.randn(n_queries, d), random.randn(n_keys, d)
        for which, scores in (("raw", q @ k.T), ("scaled", q @ k.T / np.sqrt(d))):
            p = softmax(scores)
            columns[f"largest_{which}"].append(p.max(axis=-1).mean())
            columns[f"entropy_{which}"].append(entropy(p).mean())
            columns[f"gradient_{which}"].append(jacobian_norm(p).mean())
    arrays.update(columns)
    slope = np.polyfit(np.log(dims), np.log(std_raw), 1)[0]
    return {name: np.array(array) for name, array in arrays.items()}, {"slope_raw": float(slope)}


# --- lookup: slides, query, key and value -------------------------------------------------------------------------


def lookup(query, temperature):
    keys = values = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    query, temperature = np.array(query), np.array(temperature)
    scores = keys @ query
    weights = softmax(scores / temperature[:, None])
    return {"keys": keys, "values": values, "query": query, "scores": scores, "temperature": temperature,
            "weights": weights, "output": weights @ values}, {"found_index": int(scores.argmax())}


# --- Files --------------------------------------------------------------------------------------------------------


def write(experiment, case, flags, result):
    arrays, scalars = result
    folder = HERE / experiment
    folder.mkdir(exist_ok=True)
    lines = [f'    "{name}": {json.dumps({"shape": list(a.shape), "data": a.ravel().tolist()})}'
             for name, a in arrays.items()]
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


write("variance", "default", {}, variance([1, 4, 16, 64, 256, 1024]))
write("variance", "small", {"dims": "2,3,7", "pairs": "100", "queries": "5", "keys": "4", "seed": "7"},
      variance([2, 3, 7], 100, 5, 4, 7))
write("lookup", "default", {}, lookup([0.0, 1.0], [0.05, 0.2, 0.5, 1, 2, 5, 100]))
ANGLE = np.radians(75)
write("lookup", "between", {"query": "75", "temperature": "0.01,0.7,30"},
      lookup([np.cos(ANGLE), np.sin(ANGLE)], [0.01, 0.7, 30]))
