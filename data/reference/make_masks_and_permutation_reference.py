#!/usr/bin/python3
"""Writes the reference of masks and permutation (NumPy 1.24 and PyTorch 1.13; only to regenerate).

    /usr/bin/python3 data/reference/make_masks_and_permutation_reference.py

Each file data/reference/<experiment>/<case>.json holds the flags of the run, its arrays under the names of the tool's
--json, and its scalars. The steps are those of the course's task 1 (softmax of scores plus mask) and of the article's
equations 1 to 6; nothing here comes from attnlab. With -inf the additive mask must equal PyTorch's masked_fill.
"""

import json
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent


def softmax(x):
    with np.errstate(invalid="ignore"):
        e = np.exp(x - np.max(x, axis=-1, keepdims=True))
        return e / np.sum(e, axis=-1, keepdims=True)


# --- masks: course, task 1 ----------------------------------------------------------------------------------------


def readable(kind, queries, keys, number, alignment):
    """True where the query may read the key."""
    query, key = np.arange(queries)[:, None], np.arange(keys)[None, :]
    place = query + (keys - queries if alignment == "bottom-right" else 0)  # both sequences end, or begin, together
    if kind == "causal":
        return key <= place
    if kind == "padding":
        return np.broadcast_to(key < keys - number, (queries, keys))
    if kind == "window":
        return np.abs(key - place) <= number
    return np.ones((queries, keys), bool)


def attend(scores, may_read, hidden, masked_row):
    mask = np.where(may_read, 0.0, hidden)
    masked = scores + mask
    weights = softmax(masked)
    empty = np.all(np.isneginf(masked), axis=-1)
    if np.isinf(hidden):
        torch_weights = torch.softmax(torch.tensor(scores).masked_fill(torch.tensor(~may_read), -np.inf), -1).numpy()
        assert np.allclose(weights, torch_weights, rtol=1e-13, atol=0, equal_nan=True)
    weights[empty] = {"nan": np.nan, "zero": 0.0, "uniform": 1.0 / scores.shape[1]}[masked_row]
    return mask, masked, weights, np.sum(np.where(may_read, 0.0, weights), axis=-1)


def masks(queries=6, keys=6, width=8, mask="causal", alignment="bottom-right", hidden="-inf", masked_row="nan",
          magnitude=1.0, seed=0):
    rng = np.random.RandomState(seed)
    query, key, value = rng.randn(queries, width), rng.randn(keys, width), rng.randn(keys, width)
    raw = query @ key.T
    scores = raw * magnitude / np.sqrt(width)
    hidden = {"float16": float(np.finfo(np.float16).min)}.get(hidden) or float(hidden)
    numbers = {"padding": keys // 3, "window": 1}
    chosen = [] if mask == "none" else mask.split(",")
    for item in chosen:
        name, _, number = item.partition(":")
        if number:
            numbers[name] = int(number)
    kinds = {kind: readable(kind, queries, keys, numbers.get(kind), alignment)
             for kind in ("none", "causal", "padding", "window")}
    kinds[""] = np.logical_and.reduce([kinds["none"]] + [kinds[item.partition(":")[0]] for item in chosen])
    arrays = {"query": query, "key": key, "value": value, "raw_scores": raw, "scores": scores}
    leaks = []
    for kind, may_read in kinds.items():
        suffix = "_" + kind if kind else ""
        added, masked, weights, leak = attend(scores, may_read, hidden, masked_row)
        arrays.update({"mask" + suffix: added, "masked" + suffix: masked, "weights" + suffix: weights})
        leaks.append(leak)
    arrays["output"] = arrays["weights"] @ value
    arrays["leak"] = np.array(leaks)
    return arrays, {"rows_without_keys": int(np.sum(~kinds[""].any(axis=-1)))}


# --- permutation: article, eq. 1 to 6, 9 and 10 ---------------------------------------------------------------------


def encode(positions, width):
    angles = np.arange(positions)[:, None] / 10000 ** (np.arange(0, width, 2) / width)
    encoding = np.empty((positions, width))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)[:, :width // 2]
    return encoding


def permutation(order, width=8, seed=0):
    rng = np.random.RandomState(seed)
    n = len(order)
    x = rng.randn(n, width)
    w_q, w_k, w_v = (rng.randn(width, width) * 0.1 for _ in range(3))

    def attention(x):
        weights = softmax((x @ w_q) @ (x @ w_k).T / np.sqrt(width))
        return weights, weights @ (x @ w_v)

    arrays = {"x": x, "w_query": w_q, "w_key": w_k, "w_value": w_v, "permuted_x": x[order],
              "encoding": encode(n, width)}
    for suffix, positions in (("", 0.0), ("_with_position", arrays["encoding"])):
        weights, output = attention(x + positions)
        permuted_weights, permuted_output = attention(x[order] + positions)
        arrays.update({"weights" + suffix: weights, "output" + suffix: output,
                       "permuted_weights" + suffix: permuted_weights, "permuted_output" + suffix: permuted_output,
                       "reordered_output" + suffix: output[order]})
    difference = np.abs(arrays["permuted_output_with_position"] - arrays["output_with_position"][order]).max()
    unmoved = np.abs(arrays["permuted_output"] - arrays["output"]).max()
    return arrays, {"equivariance_error_with_position": float(difference), "unmoved_difference": float(unmoved)}


# --- The files ----------------------------------------------------------------------------------------------------


def number(value):
    return float(value) if np.isfinite(value) else str(float(value))  # "nan", "inf", "-inf": JSON has no such numbers


def write(experiment, case, flags, result):
    arrays, scalars = result
    folder = HERE / experiment
    folder.mkdir(exist_ok=True)
    lines = [f'    "{name}": {json.dumps({"shape": list(a.shape), "data": [number(v) for v in a.ravel()]})}'
             for name, a in arrays.items()]
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


write("masks", "default", {}, masks())
write("masks", "together", {"queries": "4", "keys": "7", "width": "3", "mask": "causal,padding:1,window:2",
                            "alignment": "top-left", "seed": "3"},
      masks(4, 7, 3, "causal,padding:1,window:2", "top-left", seed=3))
write("masks", "nothing-to-read", {"queries": "6", "keys": "4", "masked-row": "nan"}, masks(6, 4))
write("masks", "uniform", {"queries": "6", "keys": "4", "masked-row": "uniform", "mask": "causal,window:0"},
      masks(6, 4, mask="causal,window:0", masked_row="uniform"))
write("masks", "zero", {"mask": "padding:6", "masked-row": "zero"}, masks(mask="padding:6", masked_row="zero"))
write("masks", "leaking", {"hidden": "-1e5", "magnitude": "1e5"}, masks(hidden="-1e5", magnitude=1e5))
write("masks", "tie", {"hidden": "-1e5", "magnitude": "83748"}, masks(hidden="-1e5", magnitude=83748.0))
write("masks", "float16", {"hidden": "float16", "magnitude": "60000", "mask": "window"},
      masks(hidden="float16", magnitude=6e4, mask="window"))
write("permutation", "default", {}, permutation([3, 0, 5, 1, 4, 2]))
write("permutation", "odd", {"order": "2,0,1", "width": "5", "seed": "7"}, permutation([2, 0, 1], 5, 7))
