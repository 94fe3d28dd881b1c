"""Direct logit attribution (Elhage et al. 2021) and activation patching (Meng et al. 2022) of some of the small models
of make_reference.py and make_modern_reference.py, in NumPy (float64). Writes explained.json. Run: /usr/bin/python3 make_explained.py
"""

import json
import pathlib

import numpy as np

import make_modern_reference as modern
import make_reference as models

TOKEN, AGAINST = 5, 9
CORRUPT = [3, 7, 1, 8, 7, 12, 0]  # another token at place 3
ALL = {**models.MODELS, **modern.MODELS}
# W_O and its layout, its bias, the final norm, the unembedding; what the gain of a norm is beside its tensor
NAMES = {
    "gpt2": ("h.{}.attn.c_proj.weight", False, "h.{}.attn.c_proj.bias", "ln_f", "wte.weight"),
    "llama": ("model.layers.{}.self_attn.o_proj.weight", True, None, "model.norm", "lm_head.weight"),
    "gpt_neox": ("gpt_neox.layers.{}.attention.dense.weight", True, "gpt_neox.layers.{}.attention.dense.bias",
                 "gpt_neox.final_layer_norm", "embed_out.weight"),
    "olmo2": ("model.layers.{}.self_attn.o_proj.weight", True, None, "model.norm", "lm_head.weight"),
    "gemma3": ("model.layers.{}.self_attn.o_proj.weight", True, None, "model.norm", "model.embed_tokens.weight"),
}
ADDED_NORM = "model.layers.{}.post_attention_layernorm.weight"  # of these two, of what attention adds


def run(family, weights, tokens, passing):
    compute, config = ALL[family]
    stages = []
    before, models.TOKENS, models.passing = (models.TOKENS, models.passing), tokens, passing
    compute(weights, stages, config)
    models.TOKENS, models.passing = before
    return dict(stages)


def explained(family):
    is_modern = family in modern.MODELS
    weights = modern.weights_for(family) if is_modern else models.Weights(list(models.MODELS).index(family))
    parts = {}

    def keeping(part, layer, x):
        parts[part, layer] = x
        return x

    clean = run(family, weights, models.TOKENS, keeping)
    clean_streams = {layer: x for (part, layer), x in parts.items() if part == "stream"}
    heads_out = {layer: x[:, -1] for (part, layer), x in parts.items() if part == "heads"}
    mlps = [parts["mlp", layer][-1] for layer in range(models.LAYERS)]
    output, out_in, bias, norm, unembedding = NAMES[family]
    w = weights.tensors
    readout = w[unembedding][TOKEN] - w[unembedding][AGAINST]
    plus = 1.0 if family == "gemma3" else 0.0
    gain, shift = w[norm + ".weight"] + plus, w.get(norm + ".bias", np.zeros(models.WIDTH))
    is_rms = norm + ".bias" not in w
    last = clean[f"layer_{models.LAYERS - 1}_output"][-1]
    eps = 1e-6 if is_rms else 1e-5
    deviation = np.sqrt((last**2).mean() + eps) if is_rms else np.sqrt(last.var() + eps)

    def contribution(vector):
        return readout @ ((vector - (0 if is_rms else vector.mean())) / deviation * gain)

    per_head = []
    for layer in range(models.LAYERS):
        w_o = w[output.format(layer)].T if out_in else w[output.format(layer)]
        rows = w_o.reshape(models.HEADS, -1, models.WIDTH)
        scale = 1.0
        if is_modern:  # the norm of what attention adds, its deviation frozen
            joined = parts["joined", layer][-1]
            scale = (w[ADDED_NORM.format(layer)] + plus) / np.sqrt((joined**2).mean() + eps)
        per_head.append([contribution(out @ row * scale) for out, row in zip(heads_out[layer], rows)])
    biases = sum((w[bias.format(i)] for i in range(models.LAYERS)), np.zeros(models.WIDTH)) if bias else 0 * gain
    result = {"token": TOKEN, "against": AGAINST, "heads": per_head, "mlps": [contribution(mlp) for mlp in mlps],
              "embedding": contribution(clean_streams[0][-1]), "biases": contribution(biases) + readout @ shift,
              "logit": readout @ (gain * (last - (0 if is_rms else last.mean())) / deviation + shift)}
    total = np.sum(per_head) + sum(result["mlps"]) + result["embedding"] + result["biases"]
    assert abs(total - result["logit"]) < 1e-12 and abs(total - difference(clean)) < 1e-12

    corrupt = run(family, weights, CORRUPT, lambda part, layer, x: x)
    recovered = np.zeros((models.LAYERS, len(CORRUPT)))
    for at in np.ndindex(recovered.shape):
        def restoring(part, layer, x, at=at):
            if (part, layer) != ("stream", at[0]):
                return x
            x = x.copy()
            x[at[1]] = clean_streams[layer][at[1]]
            return x

        patched = run(family, weights, CORRUPT, restoring)
        recovered[at] = (difference(patched) - difference(corrupt)) / (difference(clean) - difference(corrupt))
    return {**result, "corrupt": CORRUPT, "recovered": recovered.ravel().tolist()}


def difference(stages):
    return stages["logits"][-1, TOKEN] - stages["logits"][-1, AGAINST]


if __name__ == "__main__":
    everything = {family: explained(family) for family in NAMES}
    pathlib.Path(__file__).with_name("explained.json").write_text(json.dumps(everything, indent=1) + "\n")
