#!/usr/bin/python3
"""Writes the NumPy reference values of the random and attention tests (NumPy 1.24; needed only to regenerate).

    /usr/bin/python3 data/reference/make_attention_reference.py

Inputs of the attention cases have two decimals, so the same text serves float32 and float64. Results are written
with the fewest digits that give the same float32 or float64 back; NaN and infinities are the strings of the tool's
own JSON. Nothing here comes from attnlab: every stage is NumPy's own matmul, exp, sum and max.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
np.seterr(all="ignore")  # NaN and infinities are results here


# --- The textbook in NumPy ------------------------------------------------------------------------------------


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def softmax_naive(x):
    e = np.exp(x)
    return e / np.sum(e, axis=-1, keepdims=True)


def softmax_global_maximum(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(query, key, value, scale=None, mask=None):
    raw = query @ np.swapaxes(key, -1, -2)
    scores = raw * raw.dtype.type(1 / np.sqrt(query.shape[-1]) if scale is None else scale)
    masked = scores if mask is None else scores + mask
    weights = softmax(masked)
    return {"raw_scores": raw, "scores": scores, "masked": masked, "weights": weights, "output": weights @ value}


def multi_head(weights, query, key, value, mask=None):
    """Head by head, as the article's class; weights = W_Q, W_K, W_V (heads, d_model, width) and W_O."""
    w_q, w_k, w_v, w_o = weights
    heads = [attention(query @ q, key @ k, value @ v, mask=None if mask is None else mask[..., h, :, :])
             for h, (q, k, v) in enumerate(zip(w_q, w_k, w_v))]
    concat = np.concatenate([head["output"] for head in heads], axis=-1)
    return {"weights": np.stack([head["weights"] for head in heads], axis=-3), "output": concat @ w_o}


def article_weights(seed, d_model, heads):
    rng, width = np.random.RandomState(seed), d_model // heads
    w_q, w_k, w_v = (rng.randn(heads, d_model, width) * 0.1 for _ in range(3))
    return w_q, w_k, w_v, rng.randn(heads * width, d_model) * 0.1


# --- The files -------------------------------------------------------------------------------------------------


def number(x):
    if np.isnan(x):
        return "nan"
    if np.isinf(x):
        return "inf" if x > 0 else "-inf"
    text = float(str(x)) if x.dtype == np.float32 else float(x)
    assert x.dtype.type(text) == x
    return text


def array(a):
    a = np.asarray(a)
    return {"shape": list(a.shape), "data": [number(x) for x in a.ravel()]}


def arrays(named):
    return {name: array(a) for name, a in named.items()}


def lines(value, indent=0):
    """JSON with one array per line: short to read, short to diff."""
    pad = "  " * (indent + 1)
    if isinstance(value, dict) and set(value) != {"shape", "data"}:
        items = [pad + json.dumps(k) + ": " + lines(v, indent + 1) for k, v in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + pad[2:] + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(pad + lines(v, indent + 1) for v in value) + "\n" + pad[2:] + "]"
    return json.dumps(value)


def write(path, value):
    (HERE / path).write_text(lines(value) + "\n")


# --- random/numpy_random.json ----------------------------------------------------------------------------------


def checksum(doubles):
    """sum over i of (2 i + 1) * (bits of value i), modulo 2^64: any one changed value or swapped pair shows."""
    bits = doubles.view(np.uint64)
    odd = 2 * np.arange(bits.size, dtype=np.uint64) + np.uint64(1)
    return "%016x" % int((bits * odd).sum(dtype=np.uint64))


def million_normals(seed):
    return checksum(np.random.RandomState(seed).randn(1_000_000))


def million_normals_without_fma(seed):
    """On a processor without fused multiply-add the C library's log, which NumPy calls, rounds some values otherwise."""
    code = f"import make_attention_reference as made; print(made.million_normals({seed}))"
    without_fma = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"}
    return subprocess.run([sys.executable, "-c", code], cwd=HERE, env=without_fma, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def random_streams():
    million, streams = 1_000_000, []
    for seed in (0, 42, 2**32 - 1):
        mixed = np.random.RandomState(seed)
        streams.append({
            "seed": seed,
            "rand": array(np.random.RandomState(seed).rand(5)),
            "randn": array(np.random.RandomState(seed).randn(5)),
            # The second normal of a pair is kept while uniforms are drawn.
            "randn_rand_randn_randn": array([mixed.randn(), mixed.rand(), mixed.randn(), mixed.randn()]),
            "checksum_of_million_rand": checksum(np.random.RandomState(seed).rand(million)),
            "checksum_of_million_randn": million_normals(seed),
            "checksum_of_million_randn_without_fma": million_normals_without_fma(seed),
        })
    write("random/numpy_random.json", streams)


# --- attention/*.json ------------------------------------------------------------------------------------------


def softmax_cases():
    rng = np.random.RandomState(1)
    cases = [
        ("default scores", [2, -1, 0.5, 3, -0.5]),
        ("rows of three", np.round(rng.randn(2, 2, 3) * 3, 2)),
        ("seventeen keys", np.round(rng.randn(2, 17) * 5, 2)),
        ("more keys than one block of the sum", np.round(rng.randn(1, 301), 2)),
        ("rows far from the global maximum", [[1000, 999], [0, -1]]),
        ("a row that is wholly masked", [[-np.inf, -np.inf], [0, -np.inf]]),
        ("NaN and infinity", [[np.nan, 0, 1], [np.inf, 0, 1], [1, 2, 3]]),
    ]
    variants = {"softmax": softmax, "softmax_naive": softmax_naive, "softmax_global_maximum": softmax_global_maximum}
    write("attention/softmax.json", [
        {"name": name, "scores": array(np.asarray(x, float))} | {
            dtype: arrays({v: f(np.asarray(x, dtype)) for v, f in variants.items()}) for dtype in ("float32", "float64")
        } for name, x in cases
    ])


def attention_cases():
    rng = np.random.RandomState(2)

    def draw(*shape, factor=1.0):
        return np.round(rng.randn(*shape) * factor, 2)

    def hidden(shape, where):
        mask = np.zeros(shape)
        mask[where] = -np.inf
        return mask

    causal = hidden((4, 4), np.triu_indices(4, 1))
    cases = [
        ("no batch, three queries, five keys", draw(3, 4), draw(5, 4), draw(5, 2), None, None),
        ("one query and one key", draw(1, 3), draw(1, 3), draw(1, 2), None, None),
        ("odd sizes beyond one vector register", draw(3, 9), draw(33, 9), draw(33, 5), None, None),
        ("batch of 2 x 3, own scale", draw(2, 3, 2, 3), draw(2, 3, 4, 3), draw(2, 3, 4, 2), 0.7, None),
        ("batch of 2 x 3 x 3", draw(2, 3, 3, 2, 2), draw(2, 3, 3, 3, 2), draw(2, 3, 3, 3, 1), None, None),
        ("batch dimensions that broadcast", draw(2, 1, 2, 3), draw(3, 4, 3), draw(1, 4, 2), 1.0, None),
        ("scale 0: the mean of the values", draw(2, 3), draw(4, 3), draw(4, 3), 0.0, None),
        ("scores in the hundreds", draw(3, 4, factor=30), draw(5, 4, factor=30), draw(5, 2), None, None),
        ("causal mask", draw(4, 3), draw(4, 3), draw(4, 2), None, causal),
        ("causal mask over batch and heads", draw(1, 2, 4, 3), draw(1, 2, 4, 3), draw(1, 2, 4, 2), None, causal[None, None]),
        ("one mask for each key", draw(2, 3, 2), draw(2, 5, 2), draw(2, 5, 2), None, hidden((5,), [3, 4])),
        ("mask of shape 2 x 1 x 1 x 5", draw(2, 2, 3, 2), draw(2, 2, 5, 2), draw(2, 2, 5, 1), None,
         hidden((2, 1, 1, 5), (0, 0, 0, slice(3, 5)))),
        ("finite mask of shape 3 x 1", draw(2, 3, 2), draw(2, 5, 2), draw(2, 5, 1), None, draw(3, 1)),
        ("mask that adds a batch dimension", draw(3, 2), draw(4, 2), draw(4, 2), None, draw(2, 3, 4)),
        ("a query that sees no key", draw(3, 2), draw(3, 2), draw(3, 2), None, hidden((3, 3), 1)),
    ]
    written = []
    for name, query, key, value, scale, mask in cases:
        case = {"name": name, "scale": scale, "query": array(query), "key": array(key), "value": array(value),
                "mask": None if mask is None else array(mask)}
        for dtype in ("float32", "float64"):
            typed = [None if a is None else a.astype(dtype) for a in (query, key, value, mask)]
            case[dtype] = arrays(attention(*typed[:3], scale, typed[3]))
        written.append(case)
    write("attention/scaled_dot_product.json", written)


def multi_head_cases():
    # The article's two runs: np.random.seed(42), then (for the heads) RandomState(42) of its own.
    rng = np.random.RandomState(42)
    x, w_q, w_k, w_v = rng.randn(4, 8), *(rng.randn(8, 8) * 0.1 for _ in range(3))
    single = attention(x @ w_q, x @ w_k, x @ w_v)

    x = np.random.RandomState(42).randn(6, 16)
    article = multi_head(article_weights(42, 16, 4), x, x, x)

    # The article's parity listing: x in float32; its own NumPy result is float64, PyTorch's float32.
    x = np.random.RandomState(42).randn(4, 8).astype(np.float32)
    parity_weights = article_weights(0, 8, 2)
    parity = {"float64": arrays(multi_head(parity_weights, x.astype(float), x.astype(float), x.astype(float))),
              "float32": arrays(multi_head([w.astype(np.float32) for w in parity_weights], x, x, x))}

    # Every width different: 3 heads, d_model 4, d_k 2, d_v 3, two queries, three keys, a batch of 2.
    rng = np.random.RandomState(3)
    draw = lambda *shape: np.round(rng.randn(*shape), 2)
    general = {"w_q": draw(3, 4, 2), "w_k": draw(3, 4, 2), "w_v": draw(3, 4, 3), "w_o": draw(9, 4),
               "query": draw(2, 2, 4), "key": draw(2, 3, 4), "value": draw(2, 3, 4), "mask": draw(3, 2, 3)}
    result = {}
    for dtype in ("float32", "float64"):
        g = {name: a.astype(dtype) for name, a in general.items()}
        result[dtype] = arrays(multi_head([g["w_q"], g["w_k"], g["w_v"], g["w_o"]], g["query"], g["key"], g["value"], g["mask"]))
    write("attention/multi_head.json", {"self_attention": arrays(single), "article": arrays(article), "parity": parity,
                                        "general": arrays(general) | result})


def positional_cases():
    encodings = []
    for positions, width, base in ((4, 6, 10000.0), (3, 7, 10000.0), (5, 3, 100.0)):
        angle = np.arange(positions)[:, None] / base ** (2 * (np.arange(width) // 2) / width)
        table = np.where(np.arange(width) % 2 == 0, np.sin(angle), np.cos(angle))
        encodings.append({"positions": positions, "width": width, "base": base, "encoding": array(table)})

    x = np.round(np.random.RandomState(4).randn(2, 3, 6), 2)
    turn = np.exp(1j * np.arange(3)[:, None] / 10000 ** (2 * np.arange(3) / 6))  # a rotation is a complex factor
    interleaved, halves = np.empty_like(x), np.empty_like(x)
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * turn
    interleaved[..., 0::2], interleaved[..., 1::2] = z.real, z.imag
    z = (x[..., :3] + 1j * x[..., 3:]) * turn
    halves[..., :3], halves[..., 3:] = z.real, z.imag
    write("attention/positional.json", {"sinusoidal": encodings,
                                        "rotary": arrays({"x": x, "interleaved": interleaved, "halves": halves})})


if __name__ == "__main__":
    for folder in ("random", "attention"):
        (HERE / folder).mkdir(exist_ok=True)
    random_streams()
    softmax_cases()
    attention_cases()
    multi_head_cases()
    positional_cases()
