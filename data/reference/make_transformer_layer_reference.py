#!/usr/bin/python3
"""Writes the reference of layer norm, MLP and Transformer layer (NumPy 1.24, PyTorch 1.13; only to regenerate).

    /usr/bin/python3 data/reference/make_transformer_layer_reference.py

Layer norm and MLP are torch.nn.functional's; the layers are written out in NumPy, sub-step by sub-step, and agree
with nn.TransformerEncoderLayer (asserted here). Inputs have two decimals, so the same text serves float32 and float64.
Nothing here comes from attnlab. The file format is that of make_attention_reference.py.
"""

import numpy as np
import torch

from make_attention_reference import array, arrays, attention, write

EPS = 1e-5
TYPES = ("float32", "float64")


def layer_norm(x, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + x.dtype.type(EPS)) * gain + bias


def mlp(w, x):
    hidden = x @ w["w_1"].T + w["b_1"]
    activated = np.maximum(hidden, 0)
    return {"hidden": hidden, "activated": activated, "output": activated @ w["w_2"].T + w["b_2"]}


def multi_head(w, x, mask):
    heads = [attention(x @ w["w_q"][h] + w["b_q"][h], x @ w["w_k"][h] + w["b_k"][h], x @ w["w_v"][h] + w["b_v"][h],
                       mask=mask) for h in range(len(w["w_q"]))]
    return np.concatenate([head["output"] for head in heads], axis=-1) @ w["w_o"] + w["b_o"]


def layer(w, x, placement, mask):
    """The slides' layer (post), and GPT-2's (pre)."""
    if placement == "post":
        found = multi_head(w, x, mask)
        residual_1 = x + found
        norm_1 = layer_norm(residual_1, w["gain_1"], w["bias_1"])
        made = mlp(w, norm_1)["output"]
        residual_2 = norm_1 + made
        norm_2 = layer_norm(residual_2, w["gain_2"], w["bias_2"])
        output = norm_2
    else:
        norm_1 = layer_norm(x, w["gain_1"], w["bias_1"])
        found = multi_head(w, norm_1, mask)
        residual_1 = x + found
        norm_2 = layer_norm(residual_1, w["gain_2"], w["bias_2"])
        made = mlp(w, norm_2)["output"]
        residual_2 = residual_1 + made
        output = residual_2
    return {"attention": found, "residual_1": residual_1, "norm_1": norm_1, "mlp": made, "residual_2": residual_2,
            "norm_2": norm_2, "output": output}


def torch_layer(w, x, placement, mask):
    """The same weights in nn.TransformerEncoderLayer."""
    heads, width, _ = w["w_q"].shape
    fuse = lambda a: np.concatenate(list(a), axis=-1)  # heads side by side, in columns
    module = torch.nn.TransformerEncoderLayer(width, heads, len(w["w_1"]), 0.0, layer_norm_eps=EPS, batch_first=True,
                                              norm_first=placement == "pre", dtype=torch.float64).eval()
    state = {"self_attn.in_proj_weight": np.concatenate([fuse(w[n]).T for n in ("w_q", "w_k", "w_v")]),
             "self_attn.in_proj_bias": np.concatenate([fuse(w[n]) for n in ("b_q", "b_k", "b_v")]),
             "self_attn.out_proj.weight": w["w_o"].T, "self_attn.out_proj.bias": w["b_o"],
             "linear1.weight": w["w_1"], "linear1.bias": w["b_1"], "linear2.weight": w["w_2"], "linear2.bias": w["b_2"],
             "norm1.weight": w["gain_1"], "norm1.bias": w["bias_1"],
             "norm2.weight": w["gain_2"], "norm2.bias": w["bias_2"]}
    module.load_state_dict({name: torch.tensor(value) for name, value in state.items()})
    with torch.no_grad():
        return module(torch.tensor(x).reshape(-1, *x.shape[-2:]), torch.tensor(mask)).numpy().reshape(x.shape)


def layer_norm_cases(draw):
    cases = [("one token", np.array([1.0, 2.0, 3.0, 4.0])), ("batch of 2 x 3", draw(2, 3, 5)),
             ("far from zero", draw(3, 7) + 1000), ("a constant token", np.full((1, 4), 2.5))]
    result = []
    for name, x in cases:
        gain, bias = draw(x.shape[-1]), draw(x.shape[-1])
        case = {"name": name, "x": array(x), "gain": array(gain), "bias": array(bias)}
        for dtype in TYPES:
            t = lambda a: torch.tensor(a.astype(dtype))
            plain = torch.nn.functional.layer_norm(t(x), x.shape[-1:], eps=EPS)
            affine = torch.nn.functional.layer_norm(t(x), x.shape[-1:], t(gain), t(bias), EPS)
            case[dtype] = arrays({"plain": plain.numpy(), "affine": affine.numpy()})
        result.append(case)
    return result


def layer_cases(draw):
    # 2 heads of width 3, an MLP of 5 hidden units, a causal mask
    shapes = {"w_q": (2, 6, 3), "w_k": (2, 6, 3), "w_v": (2, 6, 3), "w_o": (6, 6), "b_q": (2, 3), "b_k": (2, 3),
              "b_v": (2, 3), "b_o": (6,), "w_1": (5, 6), "b_1": (5,), "w_2": (6, 5), "b_2": (6,),
              "gain_1": (6,), "bias_1": (6,), "gain_2": (6,), "bias_2": (6,)}
    weights = {name: draw(*shape) for name, shape in shapes.items()}
    mask = np.triu(np.full((4, 4), -np.inf), 1)
    cases = []
    for placement in ("post", "pre"):
        for batch in ((), (2, 3)):
            x = draw(*batch, 4, 6)
            case = {"placement": placement, "x": array(x)}
            for dtype in TYPES:
                typed = {name: a.astype(dtype) for name, a in weights.items()}
                stages = layer(typed, x.astype(dtype), placement, mask.astype(dtype))
                case[dtype] = arrays(stages)
            difference = np.abs(stages["output"] - torch_layer(weights, x, placement, mask)).max()
            assert difference < 1e-12, difference
            cases.append(case)
    made = {dtype: arrays(mlp({n: a.astype(dtype) for n, a in weights.items()}, x[0].astype(dtype))) for dtype in TYPES}
    return {"weights": arrays(weights), "mask": array(mask), "mlp": {"x": array(x[0])} | made, "layers": cases}


if __name__ == "__main__":
    random = np.random.RandomState(5)
    draw_two_decimals = lambda *shape: np.round(random.randn(*shape), 2)
    write("attention/layer_norm.json", layer_norm_cases(draw_two_decimals))
    write("attention/transformer_layer.json", layer_cases(draw_two_decimals))
