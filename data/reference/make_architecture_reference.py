#!/usr/bin/python3
"""Writes data/reference/architecture/pytorch.txt: what PyTorch 1.13 says of the architectures' boxes (only to regenerate).

    /usr/bin/python3 data/reference/make_architecture_reference.py

transformer: the shapes inside an encoder and a decoder layer for 6 words of width 16 (4 heads, 64 hidden units) read
by 5 others, with the numbers of queries and keys of every attention. gpt: the shapes for 5 words of a vocabulary of 9
and the numbers of weights, biases and gains left out as in attnlab's model. The file is JSON; `verify` reads those
named .json as runs. Nothing here comes from attnlab.
"""

import json
from pathlib import Path

import torch
from torch import nn

TOKENS, SO_FAR, WIDTH, HEADS, HIDDEN = 6, 5, 16, 4, 64
WORDS, VOCABULARY, LAYERS = 5, 9, 2


def shapes_in(model, run):
    """Of what each linear layer gives, and of the weights of each attention, under the module's name."""
    shapes = {}

    def keep(name):
        def hook(module, inputs, output):
            if isinstance(module, nn.MultiheadAttention):
                query, key, value = inputs
                found, weights = module.forward(query, key, value, need_weights=True)
                shapes[name] = list(weights.shape[-2:])
            else:
                shapes[name] = list(output.shape[-2:])
        return hook

    for name, module in model.named_modules():
        if isinstance(module, (nn.MultiheadAttention, nn.Embedding)) or (
                isinstance(module, nn.Linear) and "out_proj" not in name):
            module.register_forward_hook(keep(name))
    model.train()  # in eval mode PyTorch takes a fused path, past the hooks
    run()
    return shapes


def matrices(module):
    return sum(weight.numel() for weight in module.parameters() if weight.dim() == 2)


def sizes(**more):
    return dict(d_model=WIDTH, nhead=HEADS, dim_feedforward=HIDDEN, batch_first=True) | more


encoder = nn.TransformerEncoderLayer(**sizes())
decoder = nn.TransformerDecoderLayer(**sizes())
tokens, so_far = torch.randn(1, TOKENS, WIDTH), torch.randn(1, SO_FAR, WIDTH)
transformer = shapes_in(nn.ModuleDict({"encoder": encoder, "decoder": decoder}), lambda: decoder(so_far, encoder(tokens)))

gpt = nn.ModuleDict({"embedding": nn.Embedding(VOCABULARY, WIDTH),
                     "layers": nn.Sequential(*(nn.TransformerEncoderLayer(**sizes(norm_first=True)) for _ in range(LAYERS))),
                     "linear": nn.Linear(WIDTH, VOCABULARY, bias=False)})
words = torch.arange(WORDS)[None]
shapes = shapes_in(gpt, lambda: gpt["linear"](gpt["layers"](gpt["embedding"](words))))
layer = gpt["layers"][0]
weights = {"embedding": matrices(gpt["embedding"]), "attention": matrices(layer.self_attn),
           "mlp": matrices(layer.linear1) + matrices(layer.linear2), "linear": matrices(gpt["linear"]),
           "all": matrices(gpt)}

reference = {"transformer": {"shapes": transformer}, "gpt": {"shapes": shapes, "weights": weights}}
(Path(__file__).resolve().parent / "architecture" / "pytorch.txt").write_text(json.dumps(reference, indent=1) + "\n")
