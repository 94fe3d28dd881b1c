#!/usr/bin/python3
"""Writes PyTorch's values for the variants of `heads` (NumPy 1.24, PyTorch 1.13; only to regenerate).

    /usr/bin/python3 data/reference/make_heads_reference.py

- src/experiments/heads/pytorch_*.txt: what nn.MultiheadAttention gives in the article's comparison. The tool shows it
  beside its own result, so it is compiled in.
- data/reference/heads/{parity,book,notebook,course,...}.json: the arrays of the other variants, for the tests.

The steps are those of the documents' own code; nothing here comes from attnlab.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

ROOT = Path(__file__).resolve().parent.parent.parent


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def write(case, flags, arrays, scalars=None):
    lines = []
    for name, a in arrays.items():
        a = a.detach().numpy() if isinstance(a, torch.Tensor) else a
        # nine digits tell every float32 from its neighbours
        data = [float(f"{v:.9g}") if a.dtype == np.float32 else float(v) for v in a.ravel()]
        lines.append(f'    "{name}": {json.dumps({"shape": list(a.shape), "data": data})}')
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n' + f'  "scalars": {json.dumps(scalars or {})},\n'
    text = text.replace("-Infinity", '"-inf"')
    text += '  "arrays": {\n' + ",\n".join(lines).replace("-Infinity", '"-inf"') + "\n  }\n}\n"
    (ROOT / "data/reference/heads" / f"{case}.json").write_text(text)


# --- Article: NumPy against nn.MultiheadAttention ----------------------------------------------------------------


def scratch(x, heads, seed):
    """The article's class, in the type of NumPy's promotion: float32 tokens, float64 weights."""
    rng, d_model = np.random.RandomState(seed), x.shape[-1]
    d_k = d_model // heads
    w_q, w_k, w_v = (rng.randn(heads, d_model, d_k) * 0.1 for _ in range(3))
    w_o = rng.randn(heads * d_k, d_model) * 0.1
    weights = softmax((x @ w_q) @ np.swapaxes(x @ w_k, -1, -2) / np.sqrt(d_k))
    return (w_q, w_k, w_v, w_o), weights, np.concatenate(list(weights @ (x @ w_v)), axis=-1) @ w_o


def parity():
    x = np.random.RandomState(42).randn(4, 8).astype(np.float32)
    (w_q, w_k, w_v, w_o), weights, output = scratch(x, 2, 0)
    layer = nn.MultiheadAttention(8, 2, bias=False)
    fused = np.concatenate([np.concatenate(list(w), axis=1).T for w in (w_q, w_k, w_v)], axis=0)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.from_numpy(fused))
        layer.out_proj.weight.copy_(torch.from_numpy(w_o.T))
        tokens = torch.from_numpy(x).unsqueeze(1)
        theirs, per_head = layer(tokens, tokens, tokens, average_attn_weights=False)
    theirs, per_head = theirs.squeeze(1).numpy(), per_head.squeeze(0).numpy()
    write("parity", {"variant": "parity"}, {"x": x, "weights": per_head, "output": theirs, "pytorch_output": theirs,
                                            "pytorch_weights": per_head, "query": (x @ w_q).astype(np.float32)},
          {"largest_difference_float64": float(np.max(np.abs(output - theirs)))})
    return theirs, per_head


def write_shown(output, weights):
    for name, values in {"output": output, "weights": weights}.items():
        np.savetxt(ROOT / f"src/experiments/heads/pytorch_{name}.txt", values.reshape(-1, 4), fmt="%.9g")


# --- Textbook: code 2.2.8 to 2.2.11, linear_o with n_heads * d_v inputs ------------------------------------------


class Head(nn.Module):
    def __init__(self, d_k, d_v, d_model):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d_model, d_k), nn.Linear(d_model, d_k), nn.Linear(d_model, d_v)


class Book(nn.Module):
    def __init__(self, heads, d_k, d_v, d_model):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_k, d_v, d_model) for _ in range(heads)])
        self.o = nn.Linear(heads * d_v, d_model)

    def forward(self, query, key, value):
        stages = {name: [] for name in ("query", "key", "value", "scores", "weights", "head_output")}
        for head in self.heads:
            q, k, v = head.q(query), head.k(key), head.v(value)
            score = torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5
            weight = torch.softmax(score, dim=-1)
            for name, stage in zip(stages, (q, k, v, score, weight, torch.bmm(weight, v))):
                stages[name].append(stage)
        concat = torch.cat(stages["head_output"], dim=-1)
        return {**{name: torch.stack(s, dim=1) for name, s in stages.items()}, "concat": concat,
                "output": self.o(concat)}


def book(seed, batch, d_model, heads, queries, keys):
    torch.manual_seed(seed)
    model = Book(heads, d_model // heads, d_model // heads, d_model)
    query, key, value = (torch.randn(batch, n, d_model) for n in (queries, keys, keys))
    return {"query_input": query, "key_input": key, "value_input": value,
            "weight_query": torch.cat([head.q.weight for head in model.heads]), "weight_output": model.o.weight,
            "bias_key": torch.cat([head.k.bias for head in model.heads]), **model(query, key, value)}


# --- Notebook: one nn.Linear for all heads -----------------------------------------------------------------------


def notebook(seed, tokens, d_model, heads):
    torch.manual_seed(seed)
    x = torch.randn(1, tokens, d_model)
    w_q, w_k, w_v, w_o = (nn.Linear(d_model, d_model) for _ in range(4))
    q, k, v = (w(x).view(1, -1, heads, d_model // heads).permute(0, 2, 1, 3) for w in (w_q, w_k, w_v))
    scores = torch.matmul(q, k.transpose(-2, -1)) / torch.sqrt(torch.tensor(d_model // heads, dtype=torch.float32))
    weights = torch.softmax(scores, dim=-1)
    concat = torch.matmul(weights, v).permute(0, 2, 1, 3).contiguous().view(1, -1, d_model)
    return {"query": q, "key": k, "value": v, "scores": scores, "weights": weights, "output": w_o(concat)}


# --- Course: weights (H D) x E, a mask 1 x H x L x L --------------------------------------------------------------


def course(seed, length, width, heads, scale=None):
    rng, n, d = np.random.RandomState(seed), 2, width // heads
    x = rng.randn(n, length, width)
    w_q, w_k, w_v, w_o = (rng.randn(width, width) / np.sqrt(width) for _ in range(4))

    def split(a):
        return (x @ a.T).reshape(n, length, heads, d).transpose(0, 2, 1, 3)

    q, k, v = split(w_q), split(w_k), split(w_v)
    back = np.arange(length)[:, None] - np.arange(length)[None]  # how far key j lies behind query i
    mask = np.stack([np.where((back >= 0) & (back <= h + 1), 0.0, -np.inf) for h in range(heads)])[None]
    scores = q @ k.swapaxes(-2, -1) * (1 / np.sqrt(d) if scale is None else scale)
    weights = softmax(scores + mask)
    concat = (weights @ v).transpose(0, 2, 1, 3).reshape(n, length, width)
    return {"x": x, "weight_query": w_q, "weight_output": w_o, "query": q, "key": k, "value": v, "mask": mask, "scores": scores,
            "weights": weights, "concat": concat, "output": concat @ w_o.T}


if __name__ == "__main__":
    write_shown(*parity())
    write("book", {"variant": "book"}, book(0, 2, 16, 4, 3, 4))
    write("book_small", {"variant": "book", "seed": "5", "width": "6", "heads": "2", "tokens": "2", "keys": "3"},
          book(5, 2, 6, 2, 2, 3))
    write("notebook", {"variant": "notebook"}, notebook(0, 7, 128, 4))
    write("notebook_small", {"variant": "notebook", "seed": "3", "width": "6", "heads": "3", "tokens": "2"},
          notebook(3, 2, 6, 3))
    write("course", {"variant": "course"}, course(0, 5, 16, 4))
    write("course_scaled", {"variant": "course", "seed": "1", "tokens": "3", "width": "6", "heads": "2", "scale": "2"},
          course(1, 3, 6, 2, 2.0))
    b, c = book(0, 2, 16, 4, 3, 4), notebook(0, 7, 128, 4)
    print("book", b["output"][0, 0, :4].tolist(), b["weights"][0, 0, 0].tolist())
    print("notebook", c["output"][0, 0, :6].tolist(), c["weights"][0, 0, 0].tolist())
    print("course", course(0, 5, 16, 4)["output"][0, 0, :4], course(0, 5, 16, 4)["weights"][0, 0])
