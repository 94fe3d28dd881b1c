#!/usr/bin/python3
"""Writes the NumPy reference of rope, and of every way to scale rotary positions (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_rope_reference.py

A pair (a, b) is the complex number a + ib, and its turn by an angle a product with e^(i angle) (Su et al. 2021, eq.
12): no sines and cosines of pairs as in attnlab. The ways are those of Chen et al. 2023, bloc97 2023, Peng et al. 2023
(with the ramp of their code), Grattafiori et al. 2024 and Ding et al. 2024, as Hugging Face's modeling_rope_utils.py
reads them from a config.json. Nothing here comes from attnlab.
"""

import json
import math
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


# --- Frequencies -------------------------------------------------------------------------------------------------


def plain_turns(base, width):
    return base ** -(np.arange(0, width, 2) / width)


def ntk(base, width, growth):
    return plain_turns(base * growth ** (width / (width - 2)), width)


def llama3(base, width, s, length, low, high):
    """Meta's apply_scaling, wave by wave."""
    scaled = []
    for turn in plain_turns(base, width):
        wave = 2 * math.pi / turn
        if wave < length / high:
            scaled.append(turn)
        elif wave > length / low:
            scaled.append(turn / s)
        else:
            smooth = (length / wave - low) / (high - low)
            scaled.append((1 - smooth) * turn / s + smooth * turn)
    return np.array(scaled)


def yarn(base, width, s, length, fast=32, slow=1, truncate=True):
    """jquesnelle/yarn: find_correction_range, linear_ramp_mask; interpolated and extrapolated frequencies mixed."""
    def dimension(rotations):
        return width * math.log(length / (rotations * 2 * math.pi)) / (2 * math.log(base))
    low, high = dimension(fast), dimension(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(width // 2, dtype=float) - low) / (high - low), 0, 1)
    turns = plain_turns(base, width)
    return turns / s * ramp + turns * (1 - ramp)


def mscale(s, m=1.0):
    return 1.0 if s <= 1 else 0.1 * m * math.log(s) + 1.0


def turns_of(config, width, n):
    """Frequencies and attention factor of a config.json, for n tokens."""
    scaling = config.get("rope_scaling") or config.get("rope_parameters") or {}
    base = config.get("rope_theta") or scaling.get("rope_theta") or 10000.0
    way = scaling.get("rope_type", scaling.get("type", "default"))
    longest = config.get("max_position_embeddings")
    trained = scaling.get("original_max_position_embeddings") or config.get("original_max_position_embeddings") or longest
    s = scaling.get("factor")
    factor = 1.0
    if way == "default":
        turns = plain_turns(base, width)
    elif way == "linear":
        turns = plain_turns(base, width) / s
    elif way == "dynamic":
        turns = ntk(base, width, s * max(n, trained) / trained - (s - 1))
    elif way == "llama3":
        turns = llama3(base, width, s, trained, scaling["low_freq_factor"], scaling["high_freq_factor"])
    elif way == "yarn":
        turns = yarn(base, width, s, trained, scaling.get("beta_fast") or 32, scaling.get("beta_slow") or 1,
                     scaling.get("truncate", True))
        m, all_dim = scaling.get("mscale"), scaling.get("mscale_all_dim")
        factor = mscale(s, m) / mscale(s, all_dim) if m and all_dim else mscale(s)
    elif way in ("longrope", "su"):
        if "original_max_position_embeddings" in config or s is None:
            s = longest / trained
        factor = 1.0 if s <= 1 else math.sqrt(1 + math.log(s) / math.log(trained))
        turns = plain_turns(base, width) / np.array(scaling["long_factor" if n > trained else "short_factor"])
    return turns, scaling.get("attention_factor") or factor


# --- rope --------------------------------------------------------------------------------------------------------


def as_complex(x, halves):
    half = len(x) // 2
    return x[:half] + 1j * x[half:] if halves else x[0::2] + 1j * x[1::2]


def score(q, k, m, n, turns, halves=True):
    turned_q = as_complex(q, halves) * np.exp(1j * m * turns)
    turned_k = as_complex(k, halves) * np.exp(1j * n * turns)
    return float((turned_q * turned_k.conj()).real.sum())


def rope(width=128, base=10000.0, positions=48, length=4096.0, s=4.0, distance=5, seed=0):
    stream = np.random.RandomState(seed)
    q, k = stream.randn(width), stream.randn(width)
    turns = plain_turns(base, width)
    where = range(positions)
    right = np.array([score(q, k, m, 0, turns) for m in where])
    wrong = np.array([score(q, k, m, 0, turns, halves=False) for m in where])
    waves = 2 * math.pi / turns
    arrays = {"query": q, "key": k, "frequencies": turns, "wavelengths": waves,
              "scores": np.array([[score(q, k, m, n, turns) for n in where] for m in where]),
              "by_distance": right, "confused": wrong, "reordered": right,
              "scaled_frequencies": np.stack((turns, turns / s, ntk(base, width, s), llama3(base, width, s, length, 1, 4),
                                              yarn(base, width, s, length))),
              "attention_factors": np.array([1.0, 1.0, 1.0, 1.0, mscale(s)])}
    return arrays, {"unturned": float(q @ k), "score_at_distance": right[distance],
                    "unfinished_pairs": int((waves > length).sum()),
                    "largest_confusion": float(np.abs(right - wrong).max()), "yarn_attention_factor": mscale(s)}


# --- Files -------------------------------------------------------------------------------------------------------


def plain(array):
    array = np.asarray(array, dtype=float)
    return {"shape": list(array.shape), "data": array.ravel().tolist()}


def write(case, flags, result):
    arrays, scalars = result
    (HERE / "rope").mkdir(exist_ok=True)
    lines = ",\n".join(f'    "{name}": {json.dumps(plain(array))}' for name, array in arrays.items())
    text = "{\n" + f'  "flags": {json.dumps(flags)},\n  "scalars": {json.dumps(scalars)},\n'
    (HERE / "rope" / f"{case}.json").write_text(text + '  "arrays": {\n' + lines + "\n  }\n}\n")


write("default", {}, rope())
write("small", {"width": "8", "base": "50", "positions": "9", "length": "100", "factor": "16", "distance": "3", "seed": "4"},
      rope(8, 50.0, 9, 100.0, 16.0, 3, 4))

LONG = {"short_factor": [1.0, 1.05, 1.1, 1.2], "long_factor": [1.1, 2.0, 7.5, 31.0]}
DEEPSEEK = {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32, "beta_slow": 1}
CASES = [
    ("as trained", {"rope_theta": 5e5}, 128, 10),
    ("interpolation", {"rope_scaling": {"type": "linear", "factor": 4.0}}, 64, 10),
    ("dynamic NTK below its length", {"max_position_embeddings": 2048, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, 64, 2048),
    ("dynamic NTK beyond", {"max_position_embeddings": 2048, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, 64, 5000),
    ("Llama 3.1", {"rope_theta": 5e5, "max_position_embeddings": 131072, "rope_scaling": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192}}, 128, 10),
    ("Qwen2.5 with YaRN", {"rope_theta": 1e6, "max_position_embeddings": 131072, "rope_scaling": {
        "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}, 128, 10),
    ("gpt-oss", {"rope_theta": 150000, "max_position_embeddings": 131072, "rope_scaling": {
        "rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
        "original_max_position_embeddings": 4096}}, 64, 10),
    ("DeepSeek V3", {"max_position_embeddings": 163840, "rope_scaling": {**DEEPSEEK, "mscale": 1.0, "mscale_all_dim": 1.0}}, 64, 10),
    ("DeepSeek V2", {"max_position_embeddings": 163840, "rope_scaling": {**DEEPSEEK, "mscale": 0.707, "mscale_all_dim": 1.0}}, 64, 10),
    ("YaRN with a factor given", {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 16.0, "attention_factor": 1.5,
                                  "beta_fast": 16, "beta_slow": 2, "original_max_position_embeddings": 512}}, 16, 10),
    ("YaRN of a short context", {"max_position_embeddings": 20, "rope_scaling": {"type": "yarn", "factor": 2.0}}, 8, 10),
    ("Phi-3 within its first length", {"max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
                                       "rope_scaling": {"type": "longrope", **LONG}}, 8, 4096),
    ("Phi-3 beyond", {"max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
                      "rope_scaling": {"type": "su", **LONG}}, 8, 4097),
    ("LongRoPE by a factor", {"max_position_embeddings": 4096, "rope_scaling": {"rope_type": "longrope", "factor": 8.0, **LONG}}, 8, 9),
]
found = []
for name, config, width, n in CASES:
    turns, factor = turns_of(config, width, n)
    base = config.get("rope_theta") or (config.get("rope_parameters") or {}).get("rope_theta") or 10000.0
    found.append({"name": name, "config": config, "base": base, "width": width, "length": n,
                  "float64": {"frequencies": plain(turns), "attention_factor": plain([factor])}})
(HERE / "attention" / "rotary_scaling.json").write_text("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n")
