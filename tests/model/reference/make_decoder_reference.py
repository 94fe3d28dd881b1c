"""Small models with random weights of OPT, BLOOM and Falcon, as make_reference.py makes those of the other families.

Written in NumPy (float64) from the papers (Zhang et al. 2022, Le Scao et al. 2022, Almazrouei et al. 2023, and for the
linear biases Press et al. 2022), with nothing of attnlab; checked against PyTorch's own functions where --torch is given.
Writes FAMILY.json. Run: /usr/bin/python3 make_decoder_reference.py [--torch]
"""

import math
import sys

import numpy as np

from make_reference import (ACTIVATIONS, HEADS, HIDDEN, LAYERS, POSITIONS, TOKENS, VOCABULARY, WIDTH, attention, heads_of,
                            joined, layer_norm, rotate, softmax, write)


def opt(w, stages, config):
    def linear(x, name, out):
        return x @ w(name + ".weight", out, x.shape[-1]).T + w(name + ".bias", out)

    def norm(x, name):
        return layer_norm(x, w(name + ".weight", WIDTH, around=1.0), w(name + ".bias", WIDTH), 1e-5)

    d = "model.decoder."
    places = np.arange(2, 2 + len(TOKENS))  # two rows stand before the first place's
    x = w(d + "embed_tokens.weight", VOCABULARY, WIDTH)[TOKENS]
    x = x + w(d + "embed_positions.weight", POSITIONS + 2, WIDTH)[places]
    for i in range(LAYERS):
        h = f"{d}layers.{i}."
        inner = norm(x, h + "self_attn_layer_norm")
        q, k, v = (heads_of(linear(inner, f"{h}self_attn.{part}_proj", WIDTH), HEADS) for part in "qkv")
        weights, out = attention(q, k, v, True)
        x = x + linear(joined(out), h + "self_attn.out_proj", WIDTH)
        inner = np.maximum(linear(norm(x, h + "final_layer_norm"), h + "fc1", HIDDEN), 0)
        x = x + linear(inner, h + "fc2", WIDTH)
        stages += [(f"layer_{i}_query", q), (f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    last = norm(x, d + "final_layer_norm")
    stages.append(("logits", last @ w(d + "embed_tokens.weight", VOCABULARY, WIDTH).T))


def biased_attention(q, k, v, slopes):
    """Each head takes its slope times the distance off the scores (Press et al. 2022, section 3)."""
    n = q.shape[1]
    distance = np.arange(n)[:, None] - np.arange(n)[None]
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1]) - np.array(slopes)[:, None, None] * distance
    weights = softmax(np.where(distance < 0, -np.inf, scores))
    return weights, weights @ v


def bloom(w, stages, config):
    d = WIDTH // HEADS
    slopes = [2 ** (-8 * (head + 1) / HEADS) for head in range(HEADS)]

    def linear(x, name, out):
        return x @ w(name + ".weight", out, x.shape[-1]).T + w(name + ".bias", out)

    def norm(x, name):
        return layer_norm(x, w(name + ".weight", WIDTH, around=1.0), w(name + ".bias", WIDTH), 1e-5)

    t = "transformer."
    x = norm(w(t + "word_embeddings.weight", VOCABULARY, WIDTH)[TOKENS], t + "word_embeddings_layernorm")
    for i in range(LAYERS):
        h = f"{t}h.{i}."
        joint = linear(norm(x, h + "input_layernorm"), h + "self_attention.query_key_value", 3 * WIDTH)
        q, k, v = joint.reshape(len(x), HEADS, 3, d).transpose(2, 1, 0, 3)
        weights, out = biased_attention(q, k, v, slopes)
        x = x + linear(joined(out), h + "self_attention.dense", WIDTH)
        inner = linear(norm(x, h + "post_attention_layernorm"), h + "mlp.dense_h_to_4h", 4 * WIDTH)
        x = x + linear(ACTIVATIONS["gelu_new"](inner), h + "mlp.dense_4h_to_h", WIDTH)
        stages += [(f"layer_{i}_query", q), (f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    stages.append(("logits", norm(x, t + "ln_f") @ w(t + "word_embeddings.weight", VOCABULARY, WIDTH).T))


def falcon(w, stages, config):
    d = WIDTH // HEADS
    is_new = config["new_decoder_architecture"]
    kv_heads = config["num_kv_heads"] if is_new else 1  # that of 7B says num_kv_heads, too: as many as queries
    group = HEADS // kv_heads
    frequencies = config.get("rope_theta", 10000.0) ** (-np.arange(0, d, 2) / d)

    def linear(x, name, out):
        y = x @ w(name + ".weight", out, x.shape[-1]).T
        return y + w(name + ".bias", out) if config["bias"] else y

    def norm(x, name):
        return layer_norm(x, w(name + ".weight", WIDTH, around=1.0), w(name + ".bias", WIDTH), 1e-5)

    t = "transformer."
    x = w(t + "word_embeddings.weight", VOCABULARY, WIDTH)[TOKENS]
    for i in range(LAYERS):
        h = f"{t}h.{i}."
        read = norm(x, h + ("ln_attn" if is_new else "input_layernorm"))
        read_by_mlp = norm(x, h + "ln_mlp") if is_new else read
        joint = linear(read, h + "self_attention.query_key_value", (HEADS + 2 * kv_heads) * d)
        joint = joint.reshape(len(x), kv_heads, group + 2, d)  # group by group: its queries, its key, its value
        q = joint[:, :, :group].reshape(len(x), HEADS, d).transpose(1, 0, 2)
        k, v = (joint[:, :, group + part].transpose(1, 0, 2) for part in (0, 1))
        q, k = rotate(q, frequencies, True), rotate(k, frequencies, True)
        weights, out = attention(q, k, v, True)
        inner = ACTIVATIONS["gelu"](linear(read_by_mlp, h + "mlp.dense_h_to_4h", config.get("ffn_hidden_size", 4 * WIDTH)))
        x = (x + linear(joined(out), h + "self_attention.dense", WIDTH)
             + linear(inner, h + "mlp.dense_4h_to_h", WIDTH))
        stages += [(f"layer_{i}_query", q), (f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    stages.append(("logits", norm(x, t + "ln_f") @ w(t + "word_embeddings.weight", VOCABULARY, WIDTH).T))


FALCON = {"model_type": "falcon", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
          "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS, "multi_query": True, "parallel_attn": True,
          "alibi": False}
MODELS = {
    "opt": (opt, {"model_type": "opt", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
                  "ffn_dim": HIDDEN, "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS,
                  "word_embed_proj_dim": WIDTH, "do_layer_norm_before": True, "activation_function": "relu",
                  "_remove_final_layer_norm": False, "enable_bias": True, "layer_norm_elementwise_affine": True}),
    "bloom": (bloom, {"model_type": "bloom", "n_embed": WIDTH, "n_layer": LAYERS, "num_attention_heads": HEADS,
                      "n_inner": None, "vocab_size": VOCABULARY, "seq_length": POSITIONS, "layer_norm_epsilon": 1e-5,
                      "apply_residual_connection_post_layernorm": False}),
    "falcon_7b": (falcon, {**FALCON, "new_decoder_architecture": False, "num_kv_heads": HEADS, "bias": False}),
    "falcon_40b": (falcon, {**FALCON, "new_decoder_architecture": True, "num_kv_heads": 2, "bias": True,
                            "ffn_hidden_size": HIDDEN, "rope_theta": 500.0}),
}


def check_with_torch():
    """The pieces of the above against PyTorch's own."""
    import torch
    from torch.nn import functional

    random = np.random.default_rng(1)
    x = random.standard_normal((3, 5))
    assert (np.maximum(x, 0) == functional.relu(torch.tensor(x)).numpy()).all()
    q, k, v = (random.standard_normal((4, 7, 8)) for _ in range(3))
    slopes = [0.25, 0.0625, 0.015625, 0.00390625]  # of four heads: 2^-2, 2^-4, ...
    # a bias that grows with the place of the key alone gives the same weights, as BLOOM's own code has it
    places = torch.tensor(slopes, dtype=torch.float64)[:, None, None] * torch.arange(7)
    mask = torch.full((7, 7), -math.inf, dtype=torch.float64).triu(1)
    weights = torch.softmax(places + torch.tensor(q) @ torch.tensor(k).transpose(1, 2) / math.sqrt(8) + mask, -1)
    assert np.abs(biased_attention(q, k, v, slopes)[1] - (weights @ torch.tensor(v)).numpy()).max() < 1e-12
    print("functions agree with PyTorch", torch.__version__)


if __name__ == "__main__":
    if "--torch" in sys.argv:
        check_with_torch()
    for seed, (name, (compute, config)) in enumerate(MODELS.items(), 100):
        write(name, compute, config, seed)
