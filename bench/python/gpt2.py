"""GPT-2 in PyTorch, eagerly, from model.safetensors: the likeliest next tokens, every layer's weights kept.

    gpt2.py write FOLDER [LAYERS]        124 million random float32 with the 12 layers of GPT-2
    gpt2.py read FOLDER ID,ID,...        prints {"seconds": of the forward alone, "tokens": the five likeliest}
"""

import json
import math
import pathlib
import struct
import sys
import time

import numpy
import torch
from torch.nn import functional

WIDTH, LAYERS, HEADS, VOCABULARY, POSITIONS = 768, 12, 12, 50257, 1024


def shapes(layers):
    found = {"wte.weight": (VOCABULARY, WIDTH), "wpe.weight": (POSITIONS, WIDTH), "ln_f.weight": (WIDTH,),
             "ln_f.bias": (WIDTH,)}
    for layer in range(layers):
        for name, shape in {"ln_1.weight": (WIDTH,), "ln_1.bias": (WIDTH,), "attn.c_attn.weight": (WIDTH, 3 * WIDTH),
                            "attn.c_attn.bias": (3 * WIDTH,), "attn.c_proj.weight": (WIDTH, WIDTH),
                            "attn.c_proj.bias": (WIDTH,), "ln_2.weight": (WIDTH,), "ln_2.bias": (WIDTH,),
                            "mlp.c_fc.weight": (WIDTH, 4 * WIDTH), "mlp.c_fc.bias": (4 * WIDTH,),
                            "mlp.c_proj.weight": (4 * WIDTH, WIDTH), "mlp.c_proj.bias": (WIDTH,)}.items():
            found[f"h.{layer}.{name}"] = shape
    return found


def write(folder, layers):
    random = numpy.random.default_rng(0)
    header, place = {}, 0
    for name, shape in shapes(layers).items():
        size = 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [place, place + size]}
        place += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, shape in shapes(layers).items():
            values = 0.03 * random.standard_normal(shape, dtype=numpy.float32)
            file.write((values + (1.0 if ".ln_" in "." + name and name.endswith("weight") else 0.0)).tobytes())
    (folder / "config.json").write_text(json.dumps({
        "model_type": "gpt2", "n_embd": WIDTH, "n_layer": layers, "n_head": HEADS, "vocab_size": VOCABULARY,
        "n_positions": POSITIONS, "activation_function": "gelu_new"}))


def tensors_of(file):
    mapped = numpy.memmap(file, numpy.uint8, "c")
    start = 8 + int(mapped[:8].view("<u8")[0])
    return {name: torch.from_numpy(mapped[start + one["data_offsets"][0]:start + one["data_offsets"][1]].view("<f4"))
            .reshape(one["shape"]) for name, one in json.loads(bytes(mapped[8:start])).items()}


def forward(w, tokens):
    def norm(x, name):
        return functional.layer_norm(x, (WIDTH,), w[name + ".weight"], w[name + ".bias"], 1e-5)

    def affine(x, name):
        return torch.addmm(w[name + ".bias"], x, w[name + ".weight"])

    count = len(tokens)
    mask = torch.full((count, count), -math.inf).triu(1)
    x = w["wte.weight"][tokens] + w["wpe.weight"][:count]
    kept = []
    for layer in range(LAYERS):
        h = f"h.{layer}."
        q, k, v = (part.view(count, HEADS, -1).transpose(0, 1)
                   for part in affine(norm(x, h + "ln_1"), h + "attn.c_attn").split(WIDTH, -1))
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]) + mask, -1)
        kept.append(weights)
        x = x + affine((weights @ v).transpose(0, 1).reshape(count, WIDTH), h + "attn.c_proj")
        inner = functional.gelu(affine(norm(x, h + "ln_2"), h + "mlp.c_fc"), approximate="tanh")
        x = x + affine(inner, h + "mlp.c_proj")
    return norm(x, "ln_f") @ w["wte.weight"].T, kept


def read(folder, tokens):
    torch.set_num_threads(2)
    with torch.inference_mode():
        begin = time.perf_counter()
        logits, _ = forward(tensors_of(folder / "model.safetensors"), torch.tensor(tokens))
        seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "tokens": logits[-1].topk(5).indices.tolist()}))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(pathlib.Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else LAYERS)
    else:
        read(pathlib.Path(sys.argv[2]), [int(token) for token in sys.argv[3].split(",")])
