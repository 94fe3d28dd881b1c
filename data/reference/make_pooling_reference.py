#!/usr/bin/python3
"""Writes the NumPy reference of attention pooling (NumPy 1.24, SciPy 1.10 for hulls; only to regenerate).

    /usr/bin/python3 data/reference/make_pooling_reference.py

Each file data/reference/pooling/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars. The steps are those of the slides; the sentences use data/inputs/pooling_words.txt. Nothing
here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

HERE = Path(__file__).resolve().parent


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def stored(array):
    array = np.asarray(array, float)
    return {"shape": list(array.shape), "data": [float(x) for x in array.ravel()]}


def schemes(seed, n, d):
    rng = np.random.RandomState(seed)
    x, u = rng.randn(n, d), rng.randn(d, d)
    w_q, w_k, w_v = (rng.randn(d, d) for _ in range(3))
    arrays = {"x": x}
    asymmetry, scalars = [], {}
    for name, q, k, v in (("1", x, x, x), ("2", x @ u, x @ u, x @ u), ("qkv", x @ w_q, x @ w_k, x @ w_v)):
        scores = q @ k.T
        weights = softmax(scores)
        arrays[f"scores_{name}"], arrays[f"weights_{name}"] = scores, weights
        arrays[f"output_{name}"] = weights @ v
        asymmetry.append(np.abs(scores - scores.T).max())
        scalars[f"weight_asymmetry_{name}"] = float(np.abs(weights - weights.T).max())
    arrays["asymmetry"] = np.array(asymmetry)
    scalars["rank_of_value"] = int(np.linalg.matrix_rank(x @ w_v))
    scalars["rank_of_output"] = int(np.linalg.matrix_rank(arrays["output_qkv"]))
    twice = softmax((2 * x @ w_q) @ (2 * x @ w_k).T) @ (2 * x @ w_v)
    scalars["nonlinearity"] = float(np.abs(twice - 2 * arrays["output_qkv"]).max())

    # Random tokens read the same keys: inside the hull, on a line where the values have rank 1, off it with a residual.
    probe, w_o = rng.randn(100, d) * 0.3, rng.randn(d, d)
    weights, value = softmax(probe @ w_q @ (x @ w_k).T), x @ w_v
    sides = ConvexHull(value[:, :2]).equations
    beyond = (sides[:, :2] @ (weights @ value)[:, :2].T + sides[:, 2:]).max(axis=0)
    line = weights @ x[:, :1] @ w_v[:1]
    arrays |= {"probe": probe, "probe_output": weights @ value, "line_output": line, "line_projected": line @ w_o,
               "line_residual": line + probe}
    scalars["outputs_inside_hull"] = int((beyond <= 1e-12).sum())
    for name in ("line_output", "line_projected", "line_residual"):
        scalars[f"rank_of_{name}"] = int(np.linalg.matrix_rank(arrays[name]))
    return arrays, scalars


# --- The sentences ----------------------------------------------------------------------------------------------


def vectors(group, sentence):
    table = {}
    for line in (HERE.parent / "inputs" / "pooling_words.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            line_group, word, *place = line.split()
            if line_group == group:
                table[word] = [float(number) for number in place]
    return np.array([table.get(word, [0.0, 0.0]) for word in sentence.split()])


def read(x, row, projection=np.eye(2)):
    keys = x @ projection
    weights = softmax(keys[row:row + 1] @ keys.T)
    return weights, weights @ x


def sentences():
    arrays = {}

    def add(name, x, row, projection=np.eye(2)):
        arrays[f"{name}_weights"], arrays[f"{name}_output"] = read(x, row, projection)

    for name, text in (("river", "I swam across the river to get to the other bank"),
                       ("money", "I walked across the road to get cash from the bank")):
        add(name, vectors("bank", text), text.split().index("bank"))
    for name in ("tired", "wide"):
        text = f"The animal did not cross the street because it was too {name}"
        x, it = vectors("animal", text), text.split().index("it")
        add(f"{name}_0", x, it)
        add(f"{name}_1", softmax(x @ x.T) @ x, it)
    text = "The artist painted the portrait of a woman with a brush"
    for head in (0, 1):
        add(f"head_{head}", vectors("brush", text), text.split().index("brush"), np.eye(2)[:, head:head + 1])
    text = "吾輩 は 猫 で ある 。 名前 は まだ ない"
    for head in (0, 1):
        add(f"neko_{head}", vectors("neko", text), text.split().index("名前"), np.eye(2)[:, head:head + 1])
    return arrays


def write(case, flags, arrays, scalars):
    path = HERE / "pooling" / f"{case}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"flags": flags, "arrays": {name: stored(a) for name, a in arrays.items()}, "scalars": scalars}
    path.write_text(json.dumps(content) + "\n")


arrays, scalars = schemes(0, 5, 4)
write("default", {}, {**arrays, **sentences()}, scalars)
write("wide", {"tokens": "3", "width": "6", "seed": "2"}, *schemes(2, 3, 6))
