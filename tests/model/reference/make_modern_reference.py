"""Small models with random weights of the families that came after Llama: Phi-3, OLMo 2 and 3, SmolLM3, Gemma 2 and 3,
Mixtral; and every stage of what they compute over a few tokens.

Written in NumPy (float64) from the papers and from what the keys of their config.json mean, with nothing of attnlab.
Writes FAMILY.json as make_reference.py does, beside which it has to lie. Run: /usr/bin/python3 make_modern_reference.py
"""

import math

import numpy as np

import make_reference as models
from make_reference import ACTIVATIONS, HIDDEN, LAYERS, LLAMA, VOCABULARY, WIDTH, heads_of, joined, rms_norm, softmax


def frequencies_and_factor(config, d, is_windowed):
    """How fast each pair turns in a layer, and what queries and keys are multiplied with."""
    scaling = config.get("rope_scaling")
    if is_windowed and config["model_type"] in ("olmo3", "gemma3_text"):  # trained at their length: not rescaled
        scaling = None
        config = {**config, "rope_theta": config.get("rope_local_base_freq", config["rope_theta"])}
    if scaling and scaling["rope_type"] == "linear":  # Chen et al. 2023
        return models.llama_frequencies({**config, "rope_scaling": None}, d) / scaling["factor"], 1.0
    config = {**config, "rope_scaling": scaling and {**scaling, "type": scaling["rope_type"]}}
    return models.llama_frequencies(config, d), models.attention_factor(config)


def capped(x, cap):
    """Gemma 2 (2024), section 2: logits are soft-capped."""
    return cap * np.tanh(x / cap) if cap else x


def weights_of(q, k, scale, cap, window):
    """Causal; several heads may share their keys."""
    scores = capped(q @ np.repeat(k, len(q) // len(k), 0).transpose(0, 2, 1) * scale, cap)
    distance = np.arange(q.shape[1])[:, None] - np.arange(k.shape[1])[None]
    hidden = (distance < 0) | (distance >= (window or len(scores[0])))
    return softmax(np.where(hidden, -np.inf, scores))


def window_of(config, layer):
    """layer_types (OLMo 3, and all that Transformers 4.53 or later saved); of Gemma 2 every second layer from the
    first on; of Gemma 3 all but every so-manieth (sliding_window_pattern)."""
    window = config.get("sliding_window")
    if "layer_types" in config:
        return window if config["layer_types"][layer] == "sliding_attention" else None
    if config["model_type"] == "gemma2":
        return window if layer % 2 == 0 else None
    if config["model_type"] == "gemma3_text":
        return window if (layer + 1) % config["sliding_window_pattern"] else None
    return window


def experts_of(w, name, config, x):
    """Jiang et al. 2024 (Mixtral), section 2.1: G(x) = softmax(top-k(x W_g)), and Σ G(x)_i · SwiGLU_i(x)."""
    count, k = config["num_local_experts"], config["num_experts_per_tok"]
    logits = x @ w(name + "gate.weight", count, WIDTH).T
    chosen = np.argsort(-logits, axis=-1)[:, :k]
    router = np.zeros_like(logits)
    for row, places in enumerate(chosen):
        router[row, places] = softmax(logits[row, places])
    hidden = np.zeros((count, len(x), HIDDEN))
    out = np.zeros_like(x)
    for expert in range(count):
        e = f"{name}experts.{expert}."
        w1, w3 = w(e + "w1.weight", HIDDEN, WIDTH), w(e + "w3.weight", HIDDEN, WIDTH)
        w2 = w(e + "w2.weight", WIDTH, HIDDEN)
        for row in np.flatnonzero((chosen == expert).any(-1)):
            hidden[expert, row] = ACTIVATIONS["silu"](w1 @ x[row]) * (w3 @ x[row])
            out[row] += router[row, expert] * (w2 @ hidden[expert, row])
    return router, hidden, out


def decoder(w, stages, config):
    kind = config["model_type"]
    is_gemma, is_olmo = kind.startswith("gemma"), kind.startswith("olmo")
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    d = config.get("head_dim", WIDTH // heads)
    scale = config.get("query_pre_attn_scalar", d) ** -0.5
    act = ACTIVATIONS["gelu_new" if is_gemma else "silu"]  # gelu_pytorch_tanh is gelu_new

    def linear(x, name, out):
        return x @ w(name + ".weight", out, x.shape[-1]).T

    def norm(x, name, width=WIDTH):
        gain = w(name + ".weight", width, around=0.0 if is_gemma else 1.0)
        return rms_norm(x, 1 + gain if is_gemma else gain, config["rms_norm_eps"])

    x = w("model.embed_tokens.weight", VOCABULARY, WIDTH)[models.TOKENS]
    if is_gemma:
        x = x * math.sqrt(WIDTH)
    stages.append(("embedding", x))
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        a = layer + "self_attn."
        x = models.passing("stream", i, x)
        inner = x if is_olmo else norm(x, layer + "input_layernorm")
        if kind == "phi3":
            joint = linear(inner, a + "qkv_proj", (heads + 2 * kv_heads) * d)
            q, k, v = np.split(joint, [heads * d, (heads + kv_heads) * d], -1)
        else:
            q, k = linear(inner, a + "q_proj", heads * d), linear(inner, a + "k_proj", kv_heads * d)
            v = linear(inner, a + "v_proj", kv_heads * d)
        if is_olmo:  # over all heads at once
            q, k = norm(q, a + "q_norm", heads * d), norm(k, a + "k_norm", kv_heads * d)
        q, k, v = heads_of(q, heads), heads_of(k, kv_heads), heads_of(v, kv_heads)
        if kind == "gemma3_text":  # head by head
            q, k = norm(q, a + "q_norm", d), norm(k, a + "k_norm", d)
        window = window_of(config, i)
        if config.get("no_rope_layers", [1] * LAYERS)[i]:  # 1: it has rotary positions
            frequencies, factor = frequencies_and_factor(config, d, window is not None)
            q, k = (factor * models.rotate(one, frequencies, True) for one in (q, k))
        weights = weights_of(q, k, scale, config.get("attn_logit_softcapping"), window)
        out = models.passing("heads", i, weights @ np.repeat(v, heads // kv_heads, 0))
        added = models.passing("joined", i, linear(joined(out), a + "o_proj", WIDTH))
        if is_olmo or is_gemma:
            added = norm(added, layer + "post_attention_layernorm")
        after = x + added
        read = after if is_olmo else norm(
            after, layer + ("pre_feedforward_layernorm" if is_gemma else "post_attention_layernorm"))
        router = []
        if kind == "mixtral":
            weight, hidden, mlp = experts_of(w, layer + "block_sparse_moe.", config, read)
            router = [(f"layer_{i}_router", weight)]
        else:
            m = layer + "mlp."
            if kind == "phi3":
                gate, up = np.split(linear(read, m + "gate_up_proj", 2 * HIDDEN), 2, -1)
            else:
                gate, up = linear(read, m + "gate_proj", HIDDEN), linear(read, m + "up_proj", HIDDEN)
            hidden = act(gate) * up
            mlp = linear(hidden, m + "down_proj", WIDTH)
        if is_olmo or is_gemma:
            mlp = norm(mlp, layer + "post_feedforward_layernorm")
        x = after + models.passing("mlp", i, mlp)
        stages += [(f"layer_{i}_{name}", values) for name, values in (
            ("normed", inner), ("query", q), ("key", k), ("value", v), ("weights", weights), ("head_output", out),
            ("attention", added), ("after_attention", after), ("mlp_input", read), ("hidden", hidden), ("mlp", mlp),
            ("output", x))] + router
    last = norm(x, "model.norm")
    tied = config["tie_word_embeddings"]
    head = w("model.embed_tokens.weight" if tied else "lm_head.weight", VOCABULARY, WIDTH)
    stages.append(("logits", capped(last @ head.T, config.get("final_logit_softcapping"))))


GEMMA = {**LLAMA, "head_dim": 6, "hidden_activation": "gelu_pytorch_tanh", "tie_word_embeddings": True,
         "sliding_window": 3, "query_pre_attn_scalar": 9}
del GEMMA["hidden_act"]
MODELS = {
    "phi3": (decoder, {"model_type": "phi3", **LLAMA, "sliding_window": 5, "original_max_position_embeddings": 4,
                       "rope_theta": 10000.0,
                       "rope_scaling": {"rope_type": "longrope", "short_factor": [1.0, 1.0], "long_factor": [1.25, 6.0]},
                       "auto_map": {"AutoConfig": "configuration_phi3.Phi3Config",
                                    "AutoModelForCausalLM": "modeling_phi3.Phi3ForCausalLM"}}),
    "olmo2": (decoder, {"model_type": "olmo2", **LLAMA, "rope_theta": 500000.0}),
    "olmo3": (decoder, {"model_type": "olmo3", **LLAMA, "head_dim": 12, "rope_theta": 500.0, "sliding_window": 3,
                        "layer_types": ["sliding_attention", "full_attention"],
                        "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                                         "original_max_position_embeddings": 64}}),
    "smollm3": (decoder, {"model_type": "smollm3", **LLAMA, "rope_theta": 500.0, "tie_word_embeddings": True,
                          "no_rope_layers": [1, 0], "no_rope_layer_interval": 2, "use_sliding_window": False,
                          "sliding_window": None, "layer_types": ["full_attention", "full_attention"]}),
    "gemma2": (decoder, {"model_type": "gemma2", **GEMMA, "rope_theta": 10000.0, "attn_logit_softcapping": 2.0,
                         "final_logit_softcapping": 3.0}),
    "gemma3": (decoder, {"model_type": "gemma3_text", **GEMMA, "rope_theta": 5000.0, "rope_local_base_freq": 100.0,
                         "rope_scaling": {"rope_type": "linear", "factor": 8.0}, "sliding_window_pattern": 2,
                         "attn_logit_softcapping": None, "final_logit_softcapping": None}),
    "mixtral": (decoder, {"model_type": "mixtral", **LLAMA, "rope_theta": 1e6, "sliding_window": None,
                          "num_local_experts": 4, "num_experts_per_tok": 2}),
}


def weights_for(name):
    return models.Weights(100 + list(MODELS).index(name))


if __name__ == "__main__":
    for name, (compute, config) in MODELS.items():
        models.write(name, compute, config, weights_for(name))
