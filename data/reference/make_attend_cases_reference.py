#!/usr/bin/python3
"""Writes data/reference/attend/*.json: what `attnlab attend` gives for tensors, flags and weights (only to regenerate).

    /usr/bin/python3 data/reference/make_attend_cases_reference.py

No inputs are stored but masks: RandomState(seed).randn draws those that a case names under "inputs", in that order,
each times its factor under "times". "layer" lists those that are weights, under the names that a file would give
them; "flags" are those of `attend`. Every case is computed in NumPy's float64 from definitions written here, and what
PyTorch has a module or a function for is asserted to agree: torch.softmax, nn.MultiheadAttention, and the rotations
as Hugging Face's Llama (rotate_half) and Meta's (view_as_complex) write them.
"""

import numpy as np
import torch

from make_attention_reference import HERE, array, lines

topics = {}


# --- Definitions ------------------------------------------------------------------------------------------------


def readable(queries, keys, causal=None, window=None, padding=0):
    """Which key each query may read; its place is counted from the end, or (top-left) from the first key."""
    mask = np.ones((queries, keys), bool)
    for i in range(queries):
        for j in range(keys):
            place = i + (0 if causal == "top-left" else keys - queries)
            if causal and j > place:
                mask[i, j] = False
            if window is not None and abs(place - j) > window or j >= keys - padding:
                mask[i, j] = False
    return np.where(mask, 0.0, -np.inf)


def alibi_slopes(heads):
    """get_slopes of Press et al. 2022's own code."""
    def of_power(n):
        start = 2 ** (-(2 ** -(np.log2(n) - 3)))
        return [start * start**i for i in range(n)]
    if np.log2(heads).is_integer():
        return of_power(heads)
    closest = 2 ** int(np.floor(np.log2(heads)))
    return of_power(closest) + alibi_slopes(2 * closest)[0::2][: heads - closest]


def alibi(heads, queries, keys):
    distance = np.abs(np.arange(queries)[:, None] + keys - queries - np.arange(keys)[None, :])
    return -np.array(alibi_slopes(heads))[:, None, None] * distance


def rotate(x, first=0, base=10000.0, width=None, pairs=False):
    """Pairs as complex numbers, times exp(i angle)."""
    width = width or x.shape[-1]
    angles = (first + np.arange(x.shape[-2]))[:, None] * base ** (-np.arange(0, width, 2) / width)
    turned, rest = x[..., :width], x[..., width:]
    if pairs:
        z = (turned[..., 0::2] + 1j * turned[..., 1::2]) * np.exp(1j * angles)
        result = np.stack([z.real, z.imag], axis=-1).reshape(turned.shape)
        by_torch = torch.view_as_real(torch.view_as_complex(torch.tensor(turned).reshape(*turned.shape[:-1], -1, 2)) *
                                      torch.polar(torch.ones(angles.shape, dtype=torch.float64), torch.tensor(angles)))
        by_torch = by_torch.flatten(-2)
    else:
        half = width // 2
        z = (turned[..., :half] + 1j * turned[..., half:]) * np.exp(1j * angles)
        result = np.concatenate([z.real, z.imag], axis=-1)
        t, both = torch.tensor(turned), torch.tensor(np.concatenate([angles, angles], axis=-1))
        by_torch = t * both.cos() + torch.cat((-t[..., half:], t[..., :half]), dim=-1) * both.sin()
    agree(result, by_torch.numpy())
    return np.concatenate([result, rest], axis=-1)


def rms_norm(x, gain, eps=1e-6):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps) * gain


def cut(x, heads):
    """(..., L, heads * d) to (..., heads, L, d)."""
    return np.moveaxis(x.reshape(*x.shape[:-1], heads, -1), -2, -3)


def join(x):
    x = np.moveaxis(x, -3, -2)
    return x.reshape(*x.shape[:-2], -1)


def agree(one, other):
    assert np.allclose(one, other, rtol=1e-12, atol=1e-13, equal_nan=True), np.abs(one - other).max()


# --- Attention and what is told of it -------------------------------------------------------------------------


def attention(q, k, v, added=0.0, scale=None, empty="nan"):
    """q (..., heads, queries, d); k and v may have fewer heads, each serving neighbouring heads of q."""
    if q.ndim > 2 and k.ndim > 2 and k.shape[-3] != q.shape[-3]:
        k, v = (np.repeat(x, q.shape[-3] // k.shape[-3], axis=-3) for x in (k, v))
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    masked = q @ np.swapaxes(k, -1, -2) * scale + added
    with np.errstate(invalid="ignore"):
        e = np.exp(masked - masked.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
    agree(weights, torch.softmax(torch.tensor(masked), dim=-1).numpy())
    nothing = (masked == -np.inf).all(axis=-1)
    weights = np.where(nothing[..., None], {"nan": np.nan, "zero": 0.0, "uniform": 1 / k.shape[-2]}[empty], weights)
    finite = np.abs(np.where(np.isfinite(masked), masked, 0))
    return {"weights": weights, "nothing": nothing, "head_output": weights @ v, "largest": finite.max()}


def statistics(weights, nothing, alignment):
    """Means over the queries that read a key; places are counted from the end, or from the first key."""
    *batch, queries, keys = weights.shape
    named = {name: np.zeros(batch) for name in ("entropy", "largest_weight", "mean_distance", "first_token_share",
                                                "diagonal_share", "previous_token_share")}
    for index in np.ndindex(*batch):
        rows = [i for i in range(queries) if not nothing[index][i]]
        for i in rows:
            p, place = weights[index][i], i + (0 if alignment == "top-left" else keys - queries)
            named["entropy"][index] -= sum(w * np.log(w) for w in p if w > 0) / len(rows)
            named["largest_weight"][index] += p.max() / len(rows)
            named["mean_distance"][index] += (p * np.abs(np.arange(keys) - place)).sum() / len(rows)
            named["first_token_share"][index] += p[0] / len(rows)
            named["diagonal_share"][index] += (p[place] if 0 <= place < keys else 0) / len(rows)
            named["previous_token_share"][index] += (p[place - 1] if 0 <= place - 1 < keys else 0) / len(rows)
    return named


def draw(case):
    random = np.random.RandomState(case["seed"])
    times = case.get("times", {})
    return {name: random.randn(*shape) * times.get(name, 1) for name, shape in case["inputs"].items()}


def add(topic, name, inputs, compute, flags=None, layer=None, masks=None, times=None):
    """compute(tensors) gives the arguments of attention(), and "finish", which makes the output of the
    heads' outputs."""
    cases = topics.setdefault(topic, [])
    case = {"name": name, "seed": 100 * len(topics) + len(cases), "inputs": {k: list(s) for k, s in inputs.items()}}
    if times:
        case["times"] = times
    if layer:
        case["layer"] = layer
    if masks:
        case["masks"] = [{"boolean": m.dtype == bool, "array": array(m.astype(float))} for m in masks]
    if flags:
        case["flags"] = flags
    arguments = compute(draw(case))
    finish = arguments.pop("finish", lambda heads: heads)
    result = attention(**arguments)
    output = finish(result["head_output"])
    widths = sum(shape[-1] for shape in case["inputs"].values())
    case["terms"] = int(widths + 2 * result["weights"].shape[-1])
    case["largest_score"] = float(np.ceil(result["largest"]))
    stages = {"output": output}
    if result["weights"].size <= 64:
        stages["weights"] = result["weights"]
    # A number whose digits end in a float: rounding is far below what is allowed.
    told = statistics(result["weights"], result["nothing"], case.get("flags", {}).get("alignment"))
    case["stages"] = {name: array(x) for name, x in (stages | told).items()
                      if name in stages or np.abs(x).max() > 0.01}
    cases.append(case)


# --- Cases ------------------------------------------------------------------------------------------------------


def qkv(a, **more):
    return {"q": a["query"], "k": a["key"], "v": a["value"], **more}


def shapes(batch, queries, keys, d_k=3, d_v=2, kv=None):
    kv = batch if kv is None else kv
    return {"query": (*batch, queries, d_k), "key": (*kv, keys, d_k), "value": (*kv, keys, d_v)}


def plain(topic, name, shape, flags=None, masks=None, times=None, **arguments):
    add(topic, name, shape, lambda a: qkv(a, **arguments), flags, masks=masks, times=times)


def mask_cases():
    topic = "masks"
    plain(topic, "none", shapes((), 4, 6))
    plain(topic, "no scale", shapes((), 4, 6), {"scale": "none"}, scale=1.0)
    plain(topic, "a scale and a temperature", shapes((), 4, 6), {"scale": "0.3", "temperature": "0.5"}, scale=0.6)
    plain(topic, "causal", shapes((2,), 5, 5), {"mask": "causal"}, added=readable(5, 5, "bottom-right"))
    plain(topic, "causal, fewer queries", shapes((), 3, 6), {"mask": "causal"}, added=readable(3, 6, "bottom-right"))
    plain(topic, "causal, fewer queries, top left", shapes((), 3, 6), {"mask": "causal", "alignment": "top-left"},
          added=readable(3, 6, "top-left"))
    for empty in ("nan", "zero", "uniform"):
        plain(topic, f"causal, more queries, empty rows {empty}", shapes((), 5, 3),
              {"mask": "causal", "masked-row": empty}, added=readable(5, 3, "bottom-right"), empty=empty)
    plain(topic, "window", shapes((), 6, 6), {"mask": "window:1"}, added=readable(6, 6, window=1))
    plain(topic, "window, fewer queries", shapes((), 3, 7), {"mask": "window:2"}, added=readable(3, 7, window=2))
    plain(topic, "padding", shapes((), 3, 6), {"mask": "padding:2"}, added=readable(3, 6, padding=2))
    plain(topic, "all of them", shapes((), 5, 7), {"mask": "causal,window:3,padding:1"},
          added=readable(5, 7, "bottom-right", 3, 1))
    truth = np.random.RandomState(1).rand(4, 6) < 0.6
    truth[:, 0], truth[2, 5] = True, False
    truth[1, 5] = not truth[0, 5]
    plain(topic, "truth values, true keeps", shapes((2,), 4, 6), masks=[truth], added=np.where(truth, 0, -np.inf))
    plain(topic, "truth values, true drops", shapes((2,), 4, 6), {"bool-mask": "drop"}, masks=[~truth],
          added=np.where(truth, 0, -np.inf))
    padding = np.arange(6) < np.array([6, 4])[:, None, None, None]  # (2, 1, 1, 6): keys of each entry
    plain(topic, "truth values for each entry", shapes((2, 2), 3, 6), masks=[padding],
          added=np.where(padding, 0, -np.inf))
    numbers = np.round(np.random.RandomState(2).randn(2, 4, 6), 2)
    numbers[0, 1, 3] = numbers[1, 2, 0] = -np.inf
    plain(topic, "numbers for each head", shapes((2,), 4, 6), {"heads": "2"}, masks=[numbers], added=numbers)
    plain(topic, "numbers, truth values and causal", shapes((2,), 4, 6), {"heads": "2", "mask": "causal"},
          masks=[numbers, truth], added=numbers + np.where(truth, 0, -np.inf) + readable(4, 6, "bottom-right"))


def head_cases():
    topic = "heads"
    plain(topic, "two heads in a batch", shapes((2, 2), 3, 4))
    plain(topic, "linear biases", shapes((4,), 4, 6), {"bias": "alibi", "heads": "4"}, added=alibi(4, 4, 6))
    plain(topic, "linear biases of six heads, causal", shapes((6,), 4, 4), {"bias": "alibi", "heads": "6",
          "mask": "causal"}, added=alibi(6, 4, 4) + readable(4, 4, "bottom-right"))
    plain(topic, "shared keys", shapes((4,), 3, 5, kv=(2,)), {"heads": "4", "kv-heads": "2", "mask": "causal"},
          added=readable(3, 5, "bottom-right"))
    plain(topic, "one key head, linear biases", shapes((2, 4), 3, 5, kv=(2, 1)), {"bias": "alibi"},
          added=alibi(4, 3, 5))

    def in_width(a, heads=4, kv=2):
        return {"q": cut(a["query"], heads), "k": cut(a["key"], kv), "v": cut(a["value"], kv), "finish": join}
    add(topic, "in the width, shared keys", {"query": (3, 12), "key": (5, 6), "value": (5, 4)}, in_width,
        {"heads": "4", "kv-heads": "2"})

    def last(a):
        return {name: np.moveaxis(a[long], -2, -3) for name, long in (("q", "query"), ("k", "key"), ("v", "value"))}
    add(topic, "behind the length", {"query": (3, 4, 3), "key": (5, 2, 3), "value": (5, 2, 2)}, last,
        {"head-layout": "last", "heads": "4", "kv-heads": "2"})


def long_cases():
    """More keys than a block (256 of float64, 512 of float32), more queries than a block (256). The first heads'
    biases make the largest score of a row rise from block to block, steeply, the last heads' gently."""
    topic = "long"
    plain(topic, "maxima that rise from block to block", shapes((8,), 2, 1200), {"heads": "8", "bias": "alibi"},
          added=alibi(8, 2, 1200))
    plain(topic, "large scores", shapes((), 3, 1200), times={"query": 4}, )
    plain(topic, "causal, many queries", shapes((), 300, 300, d_v=1), {"mask": "causal"}, times={"query": 2},
          added=readable(300, 300, "bottom-right"))
    plain(topic, "window beyond a block", shapes((), 4, 1100, d_v=1), {"mask": "window:520"},
          added=readable(4, 1100, window=520))


def project(tokens, matrix, bias):
    """tokens · matrix + bias, (in, out)."""
    return tokens @ matrix if bias is None else tokens @ matrix + bias


def layer_case(topic, name, inputs, weights, read, flags, tokens=("x", "x", "x"), heads=2, kv=None, added=0.0,
               turn=lambda q, k: (q, k), norms=lambda q, k, a: (q, k), torch_layer=None):
    """`read(a)` gives W_Q, W_K, W_V, W_O as (in, out), then their biases or None."""
    kv = kv or heads

    def compute(a):
        w = read(a)
        q, k, v = (project(a[token], w[i], w[4 + i]) for i, token in enumerate(tokens))
        q, k = norms(q, k, a)
        q, k = turn(cut(q, heads), cut(k, kv))
        finish = join if w[3] is None else lambda h: project(join(h), w[3], w[7])
        if torch_layer is not None:
            by_torch = torch_layer(a)
            result = attention(q, k, cut(v, kv), added)
            agree(finish(result["head_output"]), by_torch)
        return {"q": q, "k": k, "v": cut(v, kv), "added": added, "finish": finish}
    times = {name: 0.5 for name, shape in weights.items() if len(shape) > 1}
    add(topic, name, inputs | weights, compute, flags, layer=list(weights), times=times)


def multihead(heads, mask=None, tokens=("x", "x", "x")):
    """nn.MultiheadAttention with the drawn weights."""
    def of(a):
        width = a["out_proj.weight"].shape[0]
        k_width = a["k_proj_weight"].shape[1] if "k_proj_weight" in a else None
        v_width = a["v_proj_weight"].shape[1] if "v_proj_weight" in a else None
        layer = torch.nn.MultiheadAttention(width, heads, kdim=k_width, vdim=v_width, bias="in_proj_bias" in a,
                                            batch_first=True, dtype=torch.float64)
        layer.load_state_dict({name: torch.tensor(a[name]) for name in layer.state_dict()})
        mask_of = None if mask is None else torch.tensor(mask)
        with torch.no_grad():
            return layer(*(torch.tensor(a[token]) for token in tokens), attn_mask=mask_of)[0].numpy()
    return of


def thirds(x, q, k):
    return np.split(x, [q, q + k], axis=0)


def joint(name, bias, out, out_bias, q, k, transposed=True):
    """W_Q, W_K, W_V one below the other, (out, in); with transposed=False (in, out), side by side."""
    def read(a):
        rows = a[name] if transposed else a[name].T
        w = [x.T for x in thirds(rows, q, k)]
        w_out = a[out].T if transposed else a[out]
        biases = thirds(a[bias], q, k) if bias else [None] * 3
        return [*w, w_out, *biases, a[out_bias] if out_bias else None]
    return read


def separate(names, out_in):
    """Eight names or None."""
    def read(a):
        return [None if n is None else (a[n].T if out_in and a[n].ndim == 2 else a[n]) for n in names]
    return read


LLAMA = [f"{x}_proj.weight" for x in "qkvo"]


def layer_cases():
    topic = "layers"
    causal = np.triu(np.ones((4, 4), bool), 1)
    mha = {"in_proj_weight": (24, 8), "in_proj_bias": (24,), "out_proj.weight": (8, 8), "out_proj.bias": (8,)}
    read = joint("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias", 8, 8)
    layer_case(topic, "nn.MultiheadAttention", {"x": (2, 4, 8)}, mha, read, {"heads": "2"}, torch_layer=multihead(2))
    layer_case(topic, "nn.MultiheadAttention, causal, four heads", {"x": (1, 4, 8)}, mha, read,
               {"heads": "4", "mask": "causal"}, heads=4, added=readable(4, 4, "bottom-right"),
               torch_layer=multihead(4, causal))
    apart = {"q_proj_weight": (8, 8), "k_proj_weight": (8, 5), "v_proj_weight": (8, 6), "in_proj_bias": (24,),
             "out_proj.weight": (8, 8), "out_proj.bias": (8,)}
    other = ("query", "key", "value")

    def read_apart(a):
        return [a["q_proj_weight"].T, a["k_proj_weight"].T, a["v_proj_weight"].T, a["out_proj.weight"].T,
                *thirds(a["in_proj_bias"], 8, 8), a["out_proj.bias"]]
    layer_case(topic, "nn.MultiheadAttention, other widths", {"query": (1, 3, 8), "key": (1, 4, 5), "value": (1, 4, 6)},
               apart, read_apart, {"heads": "2"}, tokens=other, torch_layer=multihead(2, tokens=other))
    llama = {"q_proj.weight": (12, 8), "k_proj.weight": (6, 8), "v_proj.weight": (6, 8), "o_proj.weight": (8, 12),
             "q_proj.bias": (12,), "k_proj.bias": (6,), "v_proj.bias": (6,), "o_proj.bias": (8,)}
    layer_case(topic, "Llama's names, shared keys, biases", {"x": (3, 8)}, llama,
               separate(LLAMA + [f"{x}_proj.bias" for x in "qkvo"], True),
               {"heads": "4", "kv-heads": "2", "mask": "causal"}, heads=4, kv=2, added=readable(3, 3, "bottom-right"))
    bias_of_queries = {"q_proj.weight": (8, 8), "q_proj.bias": (8,), "k_proj.weight": (8, 8), "v_proj.weight": (8, 8)}
    layer_case(topic, "a bias of the queries alone, no W_O", {"x": (3, 8)}, bias_of_queries,
               separate([*LLAMA[:3], None, "q_proj.bias", None, None, None], True), {"heads": "2"})
    shared = {"qkv.weight": (20, 7), "qkv.bias": (20,), "proj.weight": (7, 12), "proj.bias": (7,)}
    layer_case(topic, "one matrix, shared keys", {"x": (3, 7)}, shared,
               joint("qkv.weight", "qkv.bias", "proj.weight", "proj.bias", 12, 4), {"heads": "6", "kv-heads": "2"},
               heads=6, kv=2)
    gpt2 = {"c_attn.weight": (6, 18), "c_attn.bias": (18,), "c_proj.weight": (6, 6), "c_proj.bias": (6,)}
    layer_case(topic, "GPT-2's matrix (in, out)", {"x": (2, 3, 6)}, gpt2,
               joint("c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias", 6, 6, transposed=False),
               {"heads": "3", "mask": "causal"}, heads=3, added=readable(3, 3, "bottom-right"))
    ours = {"w_q": (6, 6), "w_k": (6, 6), "w_v": (6, 4), "w_o": (4, 5), "b_q": (6,), "b_k": (6,), "b_v": (4,), "b_o": (5,)}
    names = ["w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"]
    layer_case(topic, "the textbook's names (in, out)", {"x": (3, 6)}, ours, separate(names, False), {"heads": "2"})
    turned = {"w_q": (6, 5), "w_k": (6, 5), "w_v": (4, 5), "w_o": (5, 4)}
    layer_case(topic, "the same as (out, in)", {"x": (3, 5)}, turned,
               lambda a: [a["w_q"].T, a["w_k"].T, a["w_v"].T, a["w_o"].T, None, None, None, None],
               {"heads": "2", "layout": "out-in"})
    per_head = {"w_q": (2, 6, 3), "w_k": (2, 6, 3), "w_v": (2, 6, 2), "w_o": (2, 2, 5)}

    def read_per_head(a):
        side_by_side = [np.concatenate(list(a[n]), axis=1) for n in ("w_q", "w_k", "w_v")]
        return [*side_by_side, np.concatenate(list(a["w_o"]), axis=0), None, None, None, None]
    layer_case(topic, "a matrix for each head", {"x": (3, 6)}, per_head, read_per_head, {})


def turns(**how):
    """Of queries and keys; the queries begin at how's first."""
    first = how.pop("first", 0)
    return lambda q, k: (rotate(q, first, **how), rotate(k, **how))


def each_head(eps=1e-6, more=0):
    def norms(q, k, a):
        return [join(rms_norm(cut(x, x.shape[-1] // gain.size), gain + more, eps))
                for x, gain in ((q, a["q_norm.weight"]), (k, a["k_norm.weight"]))]
    return norms


def all_heads(q, k, a):
    return rms_norm(q, a["q_norm.weight"]), rms_norm(k, a["k_norm.weight"])


def position_cases():
    topic = "positions"

    def turned(name, shape, flags, added=0.0, **how):
        def compute(a):
            q, k = turns(**how)(a["query"], a["key"])
            return qkv({**a, "query": q, "key": k}, added=added)
        add(topic, name, shape, compute, flags)
    turned("halves", shapes((), 4, 4, d_k=6), {"rope": "halves"})
    turned("pairs", shapes((), 4, 4, d_k=6), {"rope": "pairs"}, pairs=True)
    turned("halves, a part, base 100", shapes((2,), 4, 4, d_k=8),
           {"rope": "halves", "rope-width": "4", "rope-base": "100", "heads": "2", "mask": "causal"},
           added=readable(4, 4, "bottom-right"), width=4, base=100.0)
    turned("pairs, a part, base 500000", shapes((2,), 4, 4, d_k=8), {"rope": "pairs", "rope-width": "4",
           "rope-base": "500000"}, width=4, base=500000.0, pairs=True)
    turned("a cache: fewer queries", shapes((), 2, 6, d_k=4), {"rope": "halves", "mask": "causal"},
           added=readable(2, 6, "bottom-right"), first=4)
    turned("top left", shapes((), 2, 6, d_k=4), {"rope": "pairs", "mask": "causal", "alignment": "top-left"},
           added=readable(2, 6, "top-left"), pairs=True)
    turned("more queries than keys", shapes((), 5, 3, d_k=4), {"rope": "halves"}, first=-2)

    weights = {"q_proj.weight": (16, 6), "k_proj.weight": (8, 6), "v_proj.weight": (8, 6), "o_proj.weight": (6, 16)}
    no_bias = separate(LLAMA + [None] * 4, True)
    flags = {"heads": "4", "kv-heads": "2", "mask": "causal"}
    causal = readable(4, 4, "bottom-right")
    layer_case(topic, "Llama's layer", {"x": (4, 6)}, weights, no_bias, {**flags, "rope": "halves",
               "rope-base": "500000"}, heads=4, kv=2, added=causal, turn=turns(base=500000.0))
    per_head = weights | {"q_norm.weight": (4,), "k_norm.weight": (4,)}
    layer_case(topic, "Qwen3's layer", {"x": (4, 6)}, per_head, no_bias, {**flags, "rope": "halves",
               "rope-base": "1000000"}, heads=4, kv=2, added=causal, turn=turns(base=1e6), norms=each_head())
    whole = weights | {"q_norm.weight": (16,), "k_norm.weight": (8,)}
    layer_case(topic, "OLMo2's layer", {"x": (4, 6)}, whole, no_bias, {**flags, "rope": "halves"}, heads=4, kv=2,
               added=causal, turn=turns(), norms=all_heads)
    layer_case(topic, "Gemma 3's layer", {"x": (4, 6)}, per_head, no_bias, {**flags, "rope": "halves",
               "norm-gain": "plus-one"}, heads=4, kv=2, added=causal, turn=turns(), norms=each_head(more=1))
    layer_case(topic, "norms with another eps, nothing turned", {"x": (4, 6)}, per_head, no_bias,
               {**flags, "norm-eps": "0.5"}, heads=4, kv=2, added=causal, norms=each_head(0.5))


mask_cases()
head_cases()
long_cases()
layer_cases()
position_cases()
source = (f"NumPy {np.__version__}, from definitions; PyTorch {torch.__version__.split('+')[0]} agrees "
          "(torch.softmax, nn.MultiheadAttention, rotations)")
for topic, cases in topics.items():
    (HERE / "attend" / f"{topic}.json").write_text(lines({"source": source, "cases": cases}) + "\n")
