#!/usr/bin/python3
"""Writes the NumPy reference of flash (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_flash_reference.py

The row is read as algorithm 1 of FlashAttention does (Dao et al. 2022): its output is normalised after every tile,
diag(l_new)^-1 (diag(l) e^(m - m_new) O + e^(m_tile - m_new) P V), while attnlab divides once at the end. Numbers moved
are counted one load and one store after another. Nothing here comes from attnlab.
"""

import json
import math
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def tile_by_tile(scores, value, tile):
    m, l, o = -np.inf, 0.0, np.zeros(value.shape[1])
    rows = []
    for begin in range(0, len(scores), tile):
        s, v = scores[begin:begin + tile], value[begin:begin + tile]
        m_tile = s.max()
        if m_tile == -np.inf:  # a masked tile adds nothing
            rows.append((m, 0.0 if m == -np.inf else 1.0, l, o if l > 0 else np.full_like(o, np.nan)))
            continue
        p = np.exp(s - m_tile)
        m_new = max(m, m_tile)
        l_new = math.exp(m - m_new) * l + math.exp(m_tile - m_new) * p.sum()
        o = (l * math.exp(m - m_new) * o + math.exp(m_tile - m_new) * (p @ v)) / l_new
        rows.append((m_new, math.exp(m - m_new), l_new, o))
        m, l = m_new, l_new
    return [np.array(column) for column in zip(*rows)]


class SlowMemory:
    """Counts what is loaded and stored."""

    def __init__(self):
        self.moved = 0

    def move(self, *shape):
        self.moved += math.prod(shape)


def moved_plain(n, d):
    memory = SlowMemory()
    for block in ((n, d), (n, d), (n, n)):  # load Q, K; store S
        memory.move(*block)
    for block in ((n, n), (n, n)):  # load S; store P
        memory.move(*block)
    for block in ((n, n), (n, d), (n, d)):  # load P, V; store O
        memory.move(*block)
    return float(memory.moved)


def moved_tiles(n, d, block, tile=16):
    memory = SlowMemory()
    for begin in range(0, n, block):
        rows = min(block, n - begin)
        memory.move(rows, d)  # load queries
        for key in range(0, n, tile):
            memory.move(min(tile, n - key), d)  # load keys
            memory.move(min(tile, n - key), d)  # load values
        memory.move(rows, d)  # store the output
    return float(memory.moved)


def flash(keys=12, width=4, tile=4, hidden=0, magnitude=1.0, length=8192, d=64, block=256, seed=0):
    stream = np.random.RandomState(seed)
    query, key, value = stream.randn(width), stream.randn(keys, width), stream.randn(keys, width)
    masked = magnitude * (key @ query) / math.sqrt(width)
    masked[:hidden] = -np.inf
    maximum, factor, total, outputs = tile_by_tile(masked, value, tile)
    plain = softmax(masked) @ value
    unscaled, ones = np.zeros(width), 0.0
    for t, begin in enumerate(range(0, keys, tile)):
        if maximum[t] > -np.inf:
            p = np.exp(masked[begin:begin + tile] - maximum[t])
            unscaled, ones = unscaled + p @ value[begin:begin + tile], ones + p.sum()
    lengths = [n for n in (64 << i for i in range(20)) if n <= length]
    arrays = {"query": query, "key": key, "value": value, "masked": masked, "plain": plain, "running_maximum": maximum,
              "factor": factor, "running_sum": total, "tile_output": outputs, "output": outputs[-1],
              "without_factors": unscaled / ones, "length": np.array(lengths, dtype=float),
              "moved_plain": np.array([moved_plain(n, d) for n in lengths]),
              "moved_tiles": np.array([moved_tiles(n, d, block) for n in lengths])}
    rises = sum(0 < f < 1 for f in factor)
    return arrays, {"rescalings": int(rises), "error_without_factors": float(np.abs(unscaled / ones - plain).max()),
                    "moved_ratio": float(arrays["moved_plain"][-1] / arrays["moved_tiles"][-1])}


def plain_json(array):
    data = [x if math.isfinite(x) else str(x) for x in array.ravel().astype(float).tolist()]
    return json.dumps({"shape": list(array.shape), "data": data})


def write(case, flags, result):
    arrays, scalars = result
    folder = HERE / "flash"
    folder.mkdir(exist_ok=True)
    lines = ",\n".join(f'    "{name}": {plain_json(array)}' for name, array in arrays.items())
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n  "scalars": {json.dumps(scalars)},\n'
    (folder / f"{case}.json").write_text(text + '  "arrays": {\n' + lines + "\n  }\n}\n")


write("default", {}, flash())
write("masked", {"keys": "19", "width": "3", "tile": "4", "hidden": "9", "magnitude": "30", "seed": "6",
                 "head-width": "40", "block": "24", "length": "300"},
      flash(keys=19, width=3, tile=4, hidden=9, magnitude=30.0, d=40, block=24, length=300, seed=6))
