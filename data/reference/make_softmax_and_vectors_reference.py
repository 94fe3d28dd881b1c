#!/usr/bin/python3
"""Writes the NumPy reference of softmax and vectors (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_softmax_and_vectors_reference.py

Each file data/reference/<experiment>/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars; arrays computed in float32 stand apart, because they agree to fewer digits. The steps are
those of the textbook's code 2.2.1 to 2.2.4; nothing here comes from attnlab.
"""

import json
import math
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def naive_softmax(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


def softmax(x):
    return naive_softmax(x - x.max(axis=-1, keepdims=True))


# --- softmax: code 2.2.1, with and without the maximum -----------------------------------------------------------


def softmax_experiment(scores, temperature):
    scores, temperature = np.array(scores), np.array(temperature)
    magnitude = np.array([1, 10, 50, 88, 89, 100, 500, 709, 710, 1000], dtype=float)
    sweep = magnitude[:, None] * (scores / np.abs(scores).max())
    tempered = softmax(scores / temperature[:, None])
    rows = np.array([[1000.0, 999.0], [0.0, -1.0]])
    with np.errstate(all="ignore"):  # the overflow and 0/0 are the lesson
        entropy = -np.where(tempered > 0, tempered * np.log(tempered), 0).sum(axis=1)
        arrays = {"scores": scores, "weights": softmax(scores), "magnitude": magnitude,
                  "naive_float64": naive_softmax(sweep), "stable_float64": softmax(sweep),
                  "temperature": temperature, "temperature_weights": tempered, "entropy": entropy,
                  "global_max": naive_softmax(rows - rows.max()), "row_max": softmax(rows)}
        float32 = {"naive_float32": naive_softmax(sweep.astype(np.float32)),
                   "stable_float32": softmax(sweep.astype(np.float32))}
    return arrays, {"exp_50": math.exp(50)}, float32


# --- vectors: code 2.2.2 to 2.2.4 --------------------------------------------------------------------------------


def attention(queries, vectors, scale):
    weights = softmax(queries @ vectors.T * scale)
    return weights @ vectors, weights


def vectors_experiment(count, queries, long_index, length, scale):
    theta = 2 * math.pi / count
    vectors = np.array([[math.cos(theta * i), math.sin(theta * i)] for i in range(count)])
    queries = np.array(queries)
    longer = vectors.copy()
    longer[long_index] *= length
    output, weights = attention(queries, vectors, scale)
    long_output, long_weights = attention(queries, longer, scale)
    arrays = {"vectors": vectors, "queries": queries, "weights": weights, "output": output, "long_vectors": longer,
              "long_weights": long_weights, "long_output": long_output}
    scalars = {"largest_weight": float(weights[0].max()), "largest_index": int(weights[0].argmax()),
               "output_length": float(np.linalg.norm(output[0])),
               "long_weight_before": float(weights[0, long_index]),
               "long_weight_after": float(long_weights[0, long_index])}
    return arrays, scalars, {}


# --- Files -------------------------------------------------------------------------------------------------------


def plain(array):
    data = [x if math.isfinite(x) else str(x) for x in array.ravel().astype(float).tolist()]
    return json.dumps({"shape": list(array.shape), "data": data})


def block(arrays):
    return ",\n".join(f'    "{name}": {plain(array)}' for name, array in arrays.items())


def write(experiment, case, flags, result):
    arrays, scalars, float32 = result
    folder = HERE / experiment
    folder.mkdir(exist_ok=True)
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + block(arrays) + '\n  },\n  "float32_arrays": {\n' + block(float32) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


HALF = 1 / math.sqrt(2)
write("softmax", "default", {}, softmax_experiment([2, -1, 0.5, 3, -0.5], [0.25, 0.5, 1, 2, 4]))
write("softmax", "negative", {"scores": "-3,-1.5,-7,0.25,-0.125,-20", "temperature": "0.01,3,100"},
      softmax_experiment([-3, -1.5, -7, 0.25, -0.125, -20], [0.01, 3, 100]))
write("vectors", "default", {}, vectors_experiment(10, [[HALF, HALF]], 3, 5.0, 1.0))
write("vectors", "several", {"queries": "45,0,90"}, vectors_experiment(10, [[HALF, HALF], [1, 0], [0, 1]], 3, 5.0, 1.0))
TURN = math.radians(-100)
write("vectors", "scaled", {"count": "7", "query-angle": "-100", "long": "6:2.5", "scale": "default"},
      vectors_experiment(7, [[math.cos(TURN), math.sin(TURN)]], 5, 2.5, HALF))
