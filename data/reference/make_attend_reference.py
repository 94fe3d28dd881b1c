"""Writes attend/multihead_attention.npz: state dicts of PyTorch's nn.MultiheadAttention, and what they give.

Run: /usr/bin/python3 data/reference/make_attend_reference.py
Each case's tensors stand below its name, as in a state dict of a larger model: "fused.in_proj_weight". Beside
them are the inputs (query, key, value, attn_mask: true hides a key), the weights per head and the output.
"""

import pathlib

import numpy as np
import torch

torch.manual_seed(20)
torch.set_num_threads(1)
arrays = {}


def add_case(name, layer, query, key, value, attn_mask=None, key_padding_mask=None):
    for parameter in layer.parameters():  # biases begin at zero, and would show nothing
        torch.nn.init.normal_(parameter, std=0.5)
    with torch.no_grad():
        output, weights = layer(query, key, value, attn_mask=attn_mask, key_padding_mask=key_padding_mask,
                                need_weights=True, average_attn_weights=False)
    arrays.update({f"{name}.layer.{key}": tensor.numpy() for key, tensor in layer.state_dict().items()})
    arrays.update({f"{name}.query": query.numpy(), f"{name}.key": key.numpy(), f"{name}.value": value.numpy()})
    arrays.update({f"{name}.weights": weights.numpy(), f"{name}.output": output.numpy()})
    masks = [mask for mask in (attn_mask, None if key_padding_mask is None else key_padding_mask[:, None, None, :])
             if mask is not None]
    if masks:
        arrays[f"{name}.mask"] = masks[0].numpy()  # true hides; the padding as (batch, 1, 1, keys)


def randn(*shape):
    return torch.randn(*shape)


x = randn(2, 3, 8)
Attention = torch.nn.MultiheadAttention
add_case("fused", Attention(8, 2, batch_first=True), x, x, x)
add_case("fused_no_bias", Attention(8, 4, bias=False, batch_first=True), x, x, x)
add_case("separate", Attention(8, 2, kdim=5, vdim=6, batch_first=True), x, randn(2, 4, 5), randn(2, 4, 6))
add_case("separate_no_bias", Attention(8, 2, kdim=5, vdim=6, bias=False, batch_first=True), x, randn(2, 4, 5),
         randn(2, 4, 6))
causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), diagonal=1)
add_case("attn_mask", Attention(8, 2, batch_first=True), x, x, x, attn_mask=causal)
padding = torch.tensor([[False, False, True], [False, True, True]])
add_case("key_padding", Attention(8, 2, batch_first=True), x, x, x, key_padding_mask=padding)

folder = pathlib.Path(__file__).parent / "attend"
folder.mkdir(exist_ok=True)
np.savez_compressed(folder / "multihead_attention.npz", **arrays)
