#!/usr/bin/python3
"""Writes the NumPy reference of filters (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_filters_reference.py

Moving average and EMA are computed as the loops that people write, their matrices as the loops' answers to single
ones; attention with the softmax of the article. Nothing here comes from attnlab. With --rows it prints the numbers of
src/experiments/expected/filters_rows.cpp instead.
"""

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def moving_average(x, window):
    r = window // 2
    return np.array([x[max(0, t - r) : t + r + 1].mean() for t in range(len(x))])


def ema(x, alpha):
    y = [x[0]]
    for sample in x[1:]:
        y.append(alpha * sample + (1 - alpha) * y[-1])
    return np.array(y)


def matrix(loop, n):
    return np.array([loop(one) for one in np.eye(n)]).T


def filters(seed, n, window, alpha, noise, scale=None):
    t = np.arange(n)
    normals = np.random.RandomState(seed).randn(n)
    arrays = {"noise": normals}

    def attend(periods, prefix):
        clean = np.sin(2 * np.pi * (periods * t / n))
        x = clean + noise * normals
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, window // 2, mode="edge"), window)
        scores = windows @ windows.T * (1 / np.sqrt(window) if scale is None else scale)
        weights = softmax(scores)
        arrays.update({prefix + "clean": clean, prefix + "signal": x, prefix + "windows": windows,
                       prefix + "scores": scores, prefix + "attention_weights": weights})
        return clean, x, weights

    clean, x, weights = attend(2, "")
    other = attend(3, "other_")[2]
    fixed = {"moving_average": lambda v: moving_average(v, window), "ema": lambda v: ema(v, alpha)}
    far = np.abs(t[:, None] - t) > window // 2
    rms = lambda y: float(np.sqrt(np.mean((y - clean) ** 2)))
    scalars = {"distance_signal": rms(x)}
    for name, loop in fixed.items():
        arrays[name + "_weights"], arrays[name + "_output"] = matrix(loop, n), loop(x)
    arrays["attention_output"] = weights @ x
    for name in ("moving_average", "ema", "attention"):
        scalars["distance_" + name] = rms(arrays[name + "_output"])
        scalars["far_weight_" + name] = float((arrays[name + "_weights"] * far).sum() / n)
    scalars["largest_change_attention"] = float(np.abs(weights - other).max())
    return arrays, scalars


def write(case, flags, result, keep=lambda name: True):
    arrays, scalars = result
    folder = HERE / "filters"
    folder.mkdir(exist_ok=True)
    lines = [f'    "{name}": {json.dumps({"shape": list(a.shape), "data": a.ravel().tolist()})}'
             for name, a in arrays.items() if keep(name)]
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars)},\n'
    text += '  "arrays": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    (folder / f"{case}.json").write_text(text)


if "--rows" in sys.argv:
    default_arrays, default_scalars = filters(0, 64, 5, 0.3, 0.3)
    for name in ("signal", "moving_average_output", "ema_output", "attention_output"):
        print(name, default_arrays[name][:4].tolist())
    for name in ("moving_average_weights", "ema_weights", "attention_weights"):
        print(name, default_arrays[name][7, :10].tolist())
    print(default_scalars)
else:
    # The default's matrices (64, 64) are left out: the small case has them all.
    write("default", {}, filters(0, 64, 5, 0.3, 0.3), lambda name: not name.endswith(("weights", "scores", "windows")))
    write("small", {"samples": "9", "window": "3", "alpha": "0.5", "noise": "1", "scale": "2", "seed": "7"},
          filters(7, 9, 3, 0.5, 1.0, 2.0))
