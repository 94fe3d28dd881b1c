"""Small models with random weights, one of each family, and every stage of what they compute over a few tokens.

Written from the papers in NumPy (float64), with nothing of attnlab; checked against PyTorch's
own functions where --torch is given. Writes FAMILY.json: the configuration, the tensors under the family's names, the
tokens, the stages. Run: /usr/bin/python3 make_reference.py [--torch]
"""

import json
import math
import pathlib
import sys

import numpy as np

WIDTH, LAYERS, HEADS, VOCABULARY, POSITIONS, HIDDEN = 16, 2, 4, 13, 24, 20
TOKENS = [3, 7, 1, 3, 7, 12, 0]


def erf(x):
    return np.vectorize(math.erf)(x)


ACTIVATIONS = {
    "gelu": lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))),
    "gelu_new": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + np.exp(-x)),
}


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class Weights:
    """Random tensors, drawn at their first use."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.tensors = {}

    def __call__(self, name, *shape, around=0.0, scale=0.4):
        if name not in self.tensors:
            drawn = around + scale * self.random.standard_normal(shape)
            self.tensors[name] = np.round(16 * drawn) / 16  # few digits, exact in float32 and float16
        return self.tensors[name]


def layer_norm(x, gain, bias, eps):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * gain + bias


def rms_norm(x, gain, eps):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * gain


def heads_of(x, heads):
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def rotate(x, frequencies, halves):
    """x (heads, n, d): the first 2 len(frequencies) coordinates turn (Su et al. 2021, eq. 34)."""
    x = x.copy()
    pairs = len(frequencies)
    angles = np.arange(x.shape[1])[:, None] * frequencies
    one = np.arange(pairs) if halves else 2 * np.arange(pairs)
    other = one + pairs if halves else one + 1
    a, b = x[..., one].copy(), x[..., other].copy()
    x[..., one] = a * np.cos(angles) - b * np.sin(angles)
    x[..., other] = a * np.sin(angles) + b * np.cos(angles)
    return x


def attention(q, k, v, causal, window=None):
    """q (heads, n, d), k and v (kv_heads, n, d)."""
    k = np.repeat(k, len(q) // len(k), 0)
    v = np.repeat(v, len(q) // len(v), 0)
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    n = scores.shape[-1]
    distance = np.arange(n)[:, None] - np.arange(n)[None]
    if causal:
        scores = np.where(distance < 0, -np.inf, scores)
    if window:
        scores = np.where(distance >= window, -np.inf, scores)
    weights = softmax(scores)
    return weights, weights @ v


def joined(x):
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


def passing(part, layer, x):
    """What the stream before a layer, its heads' outputs and its MLP come through: make_explained.py looks here."""
    return x


def gpt2(w, stages, config):
    def affine(x, name, out):
        return x @ w(name + ".weight", x.shape[-1], out) + w(name + ".bias", out)

    def norm(x, name):
        return layer_norm(x, w(name + ".weight", WIDTH, around=1.0), w(name + ".bias", WIDTH), 1e-5)

    x = w("wte.weight", VOCABULARY, WIDTH)[TOKENS] + w("wpe.weight", POSITIONS, WIDTH)[: len(TOKENS)]
    for i in range(LAYERS):
        h = f"h.{i}."
        x = passing("stream", i, x)
        q, k, v = np.split(affine(norm(x, h + "ln_1"), h + "attn.c_attn", 3 * WIDTH), 3, -1)
        weights, out = attention(heads_of(q, HEADS), heads_of(k, HEADS), heads_of(v, HEADS), True)
        x = x + affine(joined(passing("heads", i, out)), h + "attn.c_proj", WIDTH)
        inner = ACTIVATIONS["gelu_new"](affine(norm(x, h + "ln_2"), h + "mlp.c_fc", 4 * WIDTH))
        x = x + passing("mlp", i, affine(inner, h + "mlp.c_proj", WIDTH))
        stages += [(f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    stages.append(("logits", norm(x, "ln_f") @ w("wte.weight", VOCABULARY, WIDTH).T))


def llama_frequencies(config, d):
    scaling = config.get("rope_scaling")
    frequencies = config.get("rope_theta", 10000.0) ** (-np.arange(0, d, 2) / d)
    if not scaling:
        return frequencies
    if scaling.get("type") == "yarn":  # Peng et al. 2023, with the ramp of their code
        ends = [d * math.log(scaling["original_max_position_embeddings"] / (turns * 2 * math.pi))
                / (2 * math.log(config["rope_theta"])) for turns in (32, 1)]
        low, high = max(math.floor(ends[0]), 0), min(math.ceil(ends[1]), d - 1)
        ramp = np.clip((np.arange(d // 2) - low) / (high - low), 0, 1)
        return frequencies / scaling["factor"] * ramp + frequencies * (1 - ramp)
    if scaling.get("type") == "longrope":  # Ding et al. 2024: these texts are longer than the first length
        return frequencies / np.array(scaling["long_factor"])
    # Grattafiori et al. 2024, as Meta's apply_scaling writes it
    old = scaling["original_max_position_embeddings"]
    low_wave, high_wave = old / scaling["low_freq_factor"], old / scaling["high_freq_factor"]
    scaled = []
    for frequency in frequencies:
        wave = 2 * math.pi / frequency
        if wave < high_wave:
            scaled.append(frequency)
        elif wave > low_wave:
            scaled.append(frequency / scaling["factor"])
        else:
            smooth = (old / wave - scaling["low_freq_factor"]) / (
                scaling["high_freq_factor"] - scaling["low_freq_factor"])
            scaled.append((1 - smooth) * frequency / scaling["factor"] + smooth * frequency)
    return np.array(scaled)


def attention_factor(config):
    """What queries and keys are multiplied with."""
    scaling = config.get("rope_scaling") or {}
    if scaling.get("type") == "yarn":
        return 0.1 * math.log(scaling["factor"]) + 1
    if scaling.get("type") == "longrope":
        old = config["original_max_position_embeddings"]
        return math.sqrt(1 + math.log(config["max_position_embeddings"] / old) / math.log(old))
    return 1.0


def llama(w, stages, config):
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    d = config.get("head_dim", WIDTH // heads)
    eps = config["rms_norm_eps"]
    frequencies = llama_frequencies(config, d)

    def linear(x, name, out, bias=False):
        y = x @ w(name + ".weight", out, x.shape[-1]).T
        return y + w(name + ".bias", out) if bias else y

    def norm(x, name, width=WIDTH):
        return rms_norm(x, w(name + ".weight", width, around=1.0), eps)

    x = w("model.embed_tokens.weight", VOCABULARY, WIDTH)[TOKENS]
    for i in range(LAYERS):
        a = f"model.layers.{i}.self_attn."
        x = passing("stream", i, x)
        inner = norm(x, f"model.layers.{i}.input_layernorm")
        biased = config["model_type"] == "qwen2"
        q = heads_of(linear(inner, a + "q_proj", heads * d, biased), heads)
        k = heads_of(linear(inner, a + "k_proj", kv_heads * d, biased), kv_heads)
        v = heads_of(linear(inner, a + "v_proj", kv_heads * d, biased), kv_heads)
        if config["model_type"] == "qwen3":
            q, k = norm(q, a + "q_norm", d), norm(k, a + "k_norm", d)
        q, k = (attention_factor(config) * rotate(x_, frequencies, True) for x_ in (q, k))
        window = config.get("sliding_window") if config.get("use_sliding_window", True) else None
        weights, out = attention(q, k, v, True, window)
        x = x + linear(joined(passing("heads", i, out)), a + "o_proj", WIDTH)
        m = f"model.layers.{i}."
        inner = norm(x, m + "post_attention_layernorm")
        gate = ACTIVATIONS["silu"](linear(inner, m + "mlp.gate_proj", HIDDEN))
        inner = gate * linear(inner, m + "mlp.up_proj", HIDDEN)
        x = x + passing("mlp", i, linear(inner, m + "mlp.down_proj", WIDTH))
        stages += [(f"layer_{i}_query", q), (f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    last = norm(x, "model.norm")
    tied = config["tie_word_embeddings"]
    head = w("model.embed_tokens.weight" if tied else "lm_head.weight", VOCABULARY, WIDTH)
    stages.append(("logits", last @ head.T))


def gpt_neox(w, stages, config):
    d = WIDTH // HEADS
    turned = int(d * config["rotary_pct"])
    frequencies = config["rotary_emb_base"] ** (-np.arange(0, turned, 2) / turned)

    def linear(x, name, out):
        return x @ w(name + ".weight", out, x.shape[-1]).T + w(name + ".bias", out)

    def norm(x, name):
        return layer_norm(x, w(name + ".weight", WIDTH, around=1.0), w(name + ".bias", WIDTH), 1e-5)

    x = w("gpt_neox.embed_in.weight", VOCABULARY, WIDTH)[TOKENS]
    for i in range(LAYERS):
        h = f"gpt_neox.layers.{i}."
        x = passing("stream", i, x)
        joint = linear(norm(x, h + "input_layernorm"), h + "attention.query_key_value", 3 * WIDTH)
        q, k, v = joint.reshape(len(x), HEADS, 3, d).transpose(2, 1, 0, 3)
        q, k = rotate(q, frequencies, True), rotate(k, frequencies, True)
        weights, out = attention(q, k, v, True)
        attended = linear(joined(passing("heads", i, out)), h + "attention.dense", WIDTH)
        inner = ACTIVATIONS["gelu"](linear(norm(x, h + "post_attention_layernorm"), h + "mlp.dense_h_to_4h", HIDDEN))
        x = x + attended + passing("mlp", i, linear(inner, h + "mlp.dense_4h_to_h", WIDTH))
        stages += [(f"layer_{i}_query", q), (f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    stages.append(("logits", norm(x, "gpt_neox.final_layer_norm") @ w("embed_out.weight", VOCABULARY, WIDTH).T))


def bert(w, stages, config):
    kind = config["model_type"]
    names = {
        "bert": ("bert.encoder.layer.{}.", "attention.self.query", "attention.self.key", "attention.self.value",
                 "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense",
                 "output.LayerNorm", "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
                 "cls.predictions.bias"),
        "distilbert": ("distilbert.transformer.layer.{}.", "attention.q_lin", "attention.k_lin", "attention.v_lin",
                       "attention.out_lin", "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm",
                       "vocab_transform", "vocab_layer_norm", "vocab_projector.bias"),
    }
    names["roberta"] = ("roberta.encoder.layer.{}.", *names["bert"][1:9], "lm_head.dense", "lm_head.layer_norm",
                        "lm_head.bias")
    layer, query, key, value, output, norm_1, up, down, norm_2, transform, transform_norm, bias = names[kind]
    eps = config.get("layer_norm_eps", 1e-12)

    def linear(x, name, out):
        return x @ w(name + ".weight", out, x.shape[-1]).T + w(name + ".bias", out)

    def norm(x, name):
        return layer_norm(x, w(name + ".weight", WIDTH, around=1.0), w(name + ".bias", WIDTH), eps)

    e = kind + ".embeddings."
    first = 2 if kind == "roberta" else 0  # behind the place of the padding token
    places = np.arange(first, first + len(TOKENS))
    x = w(e + "word_embeddings.weight", VOCABULARY, WIDTH)[TOKENS]
    x = x + w(e + "position_embeddings.weight", POSITIONS, WIDTH)[places]
    if kind != "distilbert":
        x = x + w(e + "token_type_embeddings.weight", 1 if kind == "roberta" else 2, WIDTH)[0]
    x = norm(x, e + "LayerNorm")
    for i in range(LAYERS):
        h = layer.format(i)
        q, k, v = (heads_of(linear(x, h + name, WIDTH), HEADS) for name in (query, key, value))
        weights, out = attention(q, k, v, False)
        x = norm(x + linear(joined(out), h + output, WIDTH), h + norm_1)
        x = norm(x + linear(ACTIVATIONS["gelu"](linear(x, h + up, HIDDEN)), h + down, WIDTH), h + norm_2)
        stages += [(f"layer_{i}_weights", weights), (f"layer_{i}_output", x)]
    said = norm(ACTIVATIONS["gelu"](linear(x, transform, WIDTH)), transform_norm)
    stages.append(("logits", said @ w(e + "word_embeddings.weight", VOCABULARY, WIDTH).T + w(bias, VOCABULARY)))


LLAMA = {
    "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": 2,
    "intermediate_size": HIDDEN, "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS,
    "hidden_act": "silu", "rms_norm_eps": 1e-6, "tie_word_embeddings": False,
}
BERT = {
    "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": HIDDEN,
    "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
}
MODELS = {
    "gpt2": (gpt2, {"model_type": "gpt2", "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS,
                    "vocab_size": VOCABULARY, "n_positions": POSITIONS, "activation_function": "gelu_new"}),
    "llama": (llama, {"model_type": "llama", **LLAMA, "rope_theta": 500.0, "rope_scaling": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64}}),
    "mistral": (llama, {"model_type": "mistral", **LLAMA, "sliding_window": 3}),
    "qwen2": (llama, {"model_type": "qwen2", **LLAMA, "tie_word_embeddings": True, "sliding_window": 3,
                      "use_sliding_window": False}),
    "qwen3": (llama, {"model_type": "qwen3", **LLAMA, "head_dim": 6}),
    "gpt_neox": (gpt_neox, {"model_type": "gpt_neox", **BERT, "layer_norm_eps": 1e-5, "rotary_pct": 0.5,
                            "rotary_emb_base": 10000, "use_parallel_residual": True}),
    "bert": (bert, {"model_type": "bert", **BERT, "type_vocab_size": 2}),
    "roberta": (bert, {"model_type": "roberta", **BERT, "layer_norm_eps": 1e-5, "type_vocab_size": 1}),
    "distilbert": (bert, {"model_type": "distilbert", "dim": WIDTH, "n_layers": LAYERS, "n_heads": HEADS,
                          "hidden_dim": HIDDEN, "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS,
                          "activation": "gelu"}),
    "llama_yarn": (llama, {"model_type": "llama", **LLAMA, "head_dim": 12, "rope_theta": 500.0, "rope_scaling": {
        "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}}),
    "llama_longrope": (llama, {"model_type": "llama", **LLAMA, "original_max_position_embeddings": 4,
                               "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.0],
                                                "long_factor": [1.25, 6.0]}}),
}


def rounded(values, digits):
    return [float(f"{value:.{digits}g}") for value in np.asarray(values).ravel()]


def check_with_torch():
    """The pieces of the above against PyTorch's own."""
    import torch
    from torch.nn import functional

    random = np.random.default_rng(0)
    x = random.standard_normal((3, 5, 16))
    t = torch.tensor(x)
    gain, bias = random.standard_normal(16), random.standard_normal(16)
    pairs = [
        (layer_norm(x, gain, bias, 1e-5),
         functional.layer_norm(t, (16,), torch.tensor(gain), torch.tensor(bias), 1e-5)),
        (ACTIVATIONS["gelu"](x), functional.gelu(t)),
        (ACTIVATIONS["gelu_new"](x), functional.gelu(t, approximate="tanh")),
        (ACTIVATIONS["silu"](x), functional.silu(t)),
        (softmax(x), torch.softmax(t, -1)),
    ]
    q, k, v = (random.standard_normal((4, 7, 8)) for _ in range(3))
    mask = torch.full((7, 7), -math.inf, dtype=torch.float64).triu(1)
    weights = torch.softmax(torch.tensor(q) @ torch.tensor(k).transpose(1, 2) / math.sqrt(8) + mask, -1)
    pairs.append((attention(q, k, v, True)[1], weights @ torch.tensor(v)))
    # a turn is a product of complex numbers, as Meta's Llama writes it
    frequencies = 10000.0 ** (-np.arange(0, 8, 2) / 8)
    turns = torch.polar(torch.ones(7, 4, dtype=torch.float64), torch.tensor(np.arange(7)[:, None] * frequencies))
    turned = torch.view_as_real(torch.view_as_complex(torch.tensor(q).reshape(4, 7, 4, 2)) * turns).flatten(-2)
    pairs.append((rotate(q, frequencies, False), turned))
    for mine, theirs in pairs:
        difference = np.abs(mine - theirs.numpy()).max()
        assert difference < 1e-12, difference
    print(f"{len(pairs)} functions agree with PyTorch {torch.__version__}")


def write(name, compute, config, weights):
    """NAME.json: the configuration, the tensors, the tokens, the stages."""
    stages = []
    compute(weights, stages, config)
    tensors = {tensor: {"shape": list(values.shape), "values": rounded(values, 9)}
               for tensor, values in weights.tensors.items()}
    whole = {"config": config, "tensors": tensors, "tokens": TOKENS,
             "stages": {stage: rounded(values, 8) for stage, values in stages}}
    text = json.dumps(whole, separators=(",", ":"))
    pathlib.Path(__file__).with_name(name + ".json").write_text(text + "\n")
    print(name, len(text))


def main():
    if "--torch" in sys.argv:
        check_with_torch()
    for seed, (name, (compute, config)) in enumerate(MODELS.items()):
        write(name, compute, config, Weights(seed))


if __name__ == "__main__":
    main()
