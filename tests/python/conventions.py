"""Weight files as libraries write them, read by `attend --projections` and compared with a forward pass in NumPy.

    python3 conventions.py PROGRAM

Every convention as npz and safetensors, rectangular and square, with and without biases: each result is right, or is
refused, or (square matrices whose names leave the layout open) comes with a warning. Exit code 77 (skipped) where
Python lacks NumPy. What attnlab saves itself it reads back, too.
"""

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(77)

TOKENS = 5


def save_safetensors(path, tensors, metadata=None):
    """https://github.com/huggingface/safetensors#format"""
    header, data = ({"__metadata__": metadata} if metadata else {}), b""
    for name, array in tensors.items():
        content = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": "F64", "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


# --- The layer, as the paper has it: tokens @ W + b, W of (in, heads * width)


class Layer:
    def __init__(self, seed, model, heads, kv_heads, width, bias, out):
        draw = np.random.default_rng(seed).standard_normal
        self.heads, self.kv_heads, self.width = heads, kv_heads, width
        self.x = draw((TOKENS, model))
        columns = {"q": heads * width, "k": kv_heads * width, "v": kv_heads * width}
        self.w = {role: draw((model, size)) for role, size in columns.items()}
        self.w["o"] = draw((heads * width, out))
        self.b = {role: draw(matrix.shape[1]) for role, matrix in self.w.items()} if bias else {}
        self.gain = {}

    def forward(self, scale=None, rotate=None):
        projected = {role: self.x @ self.w[role] + self.b.get(role, 0.0) for role in "qkv"}
        outputs = []
        for head in range(self.heads):
            shared = head // (self.heads // self.kv_heads)
            q = projected["q"][:, head * self.width:(head + 1) * self.width]
            k, v = (projected[role][:, shared * self.width:(shared + 1) * self.width] for role in "kv")
            if self.gain:
                q, k = rms_norm(q) * self.gain["q"], rms_norm(k) * self.gain["k"]
            if rotate:
                q, k = rotate(q), rotate(k)
            scores = q @ k.T * (1 / np.sqrt(self.width) if scale is None else scale)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            outputs.append(weights / weights.sum(-1, keepdims=True) @ v)
        return np.concatenate(outputs, -1) @ self.w["o"] + self.b.get("o", 0.0)


def rms_norm(x):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)


def rotate_halves(x, base=10000.0):
    """Llama's: coordinate i turns with coordinate i + d / 2."""
    half = x.shape[1] // 2
    angle = np.arange(len(x))[:, None] / base ** (np.arange(half) / half)
    a, b = x[:, :half], x[:, half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], 1)


def rotate_pairs(x, base=10000.0):
    """RoFormer's: coordinate 2 i turns with coordinate 2 i + 1, as complex numbers."""
    half = x.shape[1] // 2
    angle = np.arange(len(x))[:, None] / base ** (np.arange(half) / half)
    turned = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * angle)
    return np.stack([turned.real, turned.imag], -1).reshape(x.shape)


def scaled_halves(turns, factor):
    """Llama's with other frequencies, and an attention factor."""
    def rotate(x):
        angle = np.arange(len(x))[:, None] * turns(len(x))
        a, b = np.split(x, 2, axis=1)
        return factor * np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], 1)
    return rotate


def rotating(rotate, base=10000.0, width=None):
    """The first coordinates of a head alone, as many as width says."""
    return lambda x: np.concatenate([rotate(x[:, :width], base), x[:, len(x[0]) if width is None else width:]], 1)


# --- How each library keeps it: tensors by name


def linears(layer, names, prefix="", turned=True):
    """An nn.Linear, (out, in), or a Conv1D, (in, out), each; names of q, k, v, o."""
    tensors = {}
    for role, name in zip("qkvo", names):
        tensors[f"{prefix}{name}.weight"] = layer.w[role].T if turned else layer.w[role]
        if role in layer.b:
            tensors[f"{prefix}{name}.bias"] = layer.b[role]
    return tensors


def bare(layer, names, biases, turned):
    tensors = {name: layer.w[role].T if turned else layer.w[role] for role, name in zip("qkvo", names)}
    tensors.update({name: layer.b[role] for role, name in zip("qkvo", biases) if role in layer.b})
    return tensors


def joint_matrix(layer):
    return np.concatenate([layer.w[role] for role in "qkv"], 1)


def joint_bias(layer):
    return np.concatenate([layer.b[role] for role in "qkv"])


def joint(layer, name, output, prefix="", turned=True, suffix=".weight", bias_suffix=".bias"):
    matrix = joint_matrix(layer)
    tensors = {prefix + name + suffix: matrix.T if turned else matrix,
               f"{prefix}{output}.weight": layer.w["o"].T if turned else layer.w["o"]}
    if layer.b:
        tensors[prefix + name + bias_suffix] = joint_bias(layer)
        tensors[f"{prefix}{output}.bias"] = layer.b["o"]
    return tensors


def by_head(layer):
    """GPT-NeoX: view(..., heads, 3 * width), each head with its q, k, v."""
    def interleaved(parts):
        split = [part.reshape(*part.shape[:-1], layer.heads, layer.width) for part in parts]
        return np.concatenate(split, -1).reshape(*parts[0].shape[:-1], -1)
    prefix = "gpt_neox.layers.0.attention."
    tensors = {f"{prefix}query_key_value.weight": interleaved([layer.w[role] for role in "qkv"]).T,
               f"{prefix}dense.weight": layer.w["o"].T}
    if layer.b:
        tensors[f"{prefix}query_key_value.bias"] = interleaved([layer.b[role] for role in "qkv"])
        tensors[f"{prefix}dense.bias"] = layer.b["o"]
    return tensors


def by_group(layer, joint="query_key_value", output="dense"):
    """Falcon, Megatron-Core: of each group its queries, its key, its value."""
    shared = layer.heads // layer.kv_heads
    columns = []
    for group in range(layer.kv_heads):
        columns += [layer.w["q"][:, shared * group * layer.width:shared * (group + 1) * layer.width]]
        columns += [layer.w[role][:, group * layer.width:(group + 1) * layer.width] for role in "kv"]
    return {f"a.{joint}.weight": np.concatenate(columns, 1).T, f"a.{output}.weight": layer.w["o"].T}


def keras(layer):
    """keras.layers.MultiHeadAttention: EinsumDense kernels (in, heads, width), out (heads, width, out)."""
    name = {"q": "query", "k": "key", "v": "value", "o": "attention_output"}
    tensors = {f"mha/{name[role]}/kernel:0": layer.w[role].reshape(len(layer.w[role]), -1, layer.width) for role in "qkv"}
    tensors["mha/attention_output/kernel:0"] = layer.w["o"].reshape(layer.heads, layer.width, -1)
    for role, bias in layer.b.items():
        tensors[f"mha/{name[role]}/bias:0"] = bias if role == "o" else bias.reshape(-1, layer.width)
    return tensors


def flax_bert(layer):
    name = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}
    return {f"layer.0.attention.{name[role]}.kernel": matrix for role, matrix in layer.w.items()} | {
        f"layer.0.attention.{name[role]}.bias": bias for role, bias in layer.b.items()}


def per_head(layer, names, output):
    tensors = {f"{output}.weight": layer.w["o"].T}
    if layer.b:
        tensors[f"{output}.bias"] = layer.b["o"]
    for head in range(layer.heads):
        part = slice(head * layer.width, (head + 1) * layer.width)
        for role, name in zip("qkv", names):
            tensors[f"heads.{head}.{name}.weight"] = layer.w[role][:, part].T
            if layer.b:
                tensors[f"heads.{head}.{name}.bias"] = layer.b[role][part]
    return tensors


def torch_separate(layer):
    """nn.MultiheadAttention with kdim or vdim given."""
    tensors = {f"{role}_proj_weight": layer.w[role].T for role in "qkv"} | {"out_proj.weight": layer.w["o"].T}
    if layer.b:
        tensors |= {"in_proj_bias": joint_bias(layer), "out_proj.bias": layer.b["o"]}
    return tensors


def bert(layer, prefix="encoder.layer.0.attention.", own="self."):
    tensors = linears(layer, [own + "query", own + "key", own + "value", "output.dense"], prefix)
    return tensors | {f"{prefix[:-10]}intermediate.dense.weight": np.ones((7, 3)),
                      f"{prefix[:-10]}output.dense.weight": np.ones((3, 7)),
                      f"{prefix[:-10]}output.dense.bias": np.ones(3)}


def gpt(layer, turned):
    more = {"h.0.mlp.c_fc.weight": np.ones((3, 7)), "h.0.mlp.c_proj.weight": np.ones((7, 3)),
            "h.0.mlp.c_proj.bias": np.ones(3)}
    return joint(layer, "c_attn", "c_proj", "h.0.attn.", turned) | more


def gpt_neo(layer):
    tensors = linears(layer, ["q_proj", "k_proj", "v_proj", "out_proj"], "h.0.attn.attention.")
    return {name: array for name, array in tensors.items() if name.endswith("weight") or "out_proj" in name}


def without_input_biases(layer):
    for role in "qkv":
        layer.b.pop(role, None)


def with_gains(layer):
    draw = np.random.default_rng(9).standard_normal
    layer.gain = {role: draw(layer.width) for role in "qk"}
    return linears(layer, ["q_proj", "k_proj", "v_proj", "o_proj"], "model.layers.0.self_attn.") | {
        f"model.layers.0.self_attn.{role}_norm.weight": layer.gain[role] for role in "qk"}


def course_qwen3(layer):
    """The course's Qwen3MultiHeadAttention(wq, wk, wv, wo, q_norm, k_norm)."""
    with_gains(layer)
    return bare(layer, *COURSE, True) | {f"{role}_norm": layer.gain[role] for role in "qk"}


LLAMA = ["q_proj", "k_proj", "v_proj", "o_proj"]
OWN_BIASES = ["bias_query", "bias_key", "bias_value", "bias_output"]
PAPER = ["W_Q", "W_K", "W_V", "W_O"], ["b_Q", "b_K", "b_V", "b_O"]
COURSE = ["wq", "wk", "wv", "wo"], ["bq", "bk", "bv", "bo"]

# name, tensors of a layer, and what else: kv (heads of keys), rectangular (False where the library has none), biases
# (those it may have), scale, rotate, flags, guess (the layout of a square one is warned of)
CONVENTIONS = [
    ("attnlab", lambda l: bare(l, ["w_query", "w_key", "w_value", "w_output"], OWN_BIASES, False), {}),
    ("attnlab, nn.Linear", lambda l: bare(l, ["weight_query", "weight_key", "weight_value", "weight_output"], OWN_BIASES, True), {}),
    ("A", lambda l: per_head(l, ["linear_q", "linear_k", "linear_v"], "linear_o"), {"per_head": True}),
    ("Karpathy", lambda l: per_head(l, ["query", "key", "value"], "proj"), {"per_head": True}),
    ("B", lambda l: bare(l, *COURSE, True), {"guess": True}),
    ("NumPy, wq (in, out)", lambda l: bare(l, *COURSE, False), {"guess": True, "other": "in-out"}),
    ("paper, W_Q (in, out)", lambda l: bare(l, *PAPER, False), {"guess": True}),
    ("paper, W_Q (out, in)", lambda l: bare(l, *PAPER, True), {"guess": True, "other": "out-in"}),
    ("C, d2l", lambda l: linears(l, ["W_q", "W_k", "W_v", "W_o"]), {}),
    ("annotated", lambda l: linears(l, ["linears.0", "linears.1", "linears.2", "linears.3"], "self_attn."), {}),
    ("nn.MultiheadAttention", lambda l: joint(l, "in_proj", "out_proj", "", True, "_weight", "_bias"), {}),
    ("kdim", torch_separate, {}),
    ("the course's tests", lambda l: bare(l, [f"{role}_proj_weight" for role in ("q", "k", "v", "out")], [], True), {"biases": [False]}),
    ("BERT", bert, {}),
    ("DistilBERT", lambda l: linears(l, ["q_lin", "k_lin", "v_lin", "out_lin"], "transformer.layer.0.attention."), {}),
    ("Keras", keras, {"per_head": True, "kv": 2}),
    ("BERT in Flax", flax_bert, {}),
    ("Phi-2", lambda l: linears(l, ["q_proj", "k_proj", "v_proj", "dense"], "model.layers.0.self_attn."), {"rotate": rotate_halves, "flags": ["--rope", "halves"]}),
    ("the course's Qwen3", course_qwen3, {"biases": [False], "guess": True, "rotate": rotate_halves, "flags": ["--rope", "halves"]}),
    ("Megatron-Core", lambda l: by_group(l, "linear_qkv", "linear_proj"), {"kv": 2, "biases": [False]}),
    ("ViT", lambda l: bert(l, "vit.encoder.layer.0.attention.", "attention."), {}),
    ("GPT-2", lambda l: gpt(l, False), {}),
    ("nanoGPT", lambda l: gpt(l, True), {}),
    ("GPT-Neo", gpt_neo, {"scale": 1.0, "biases": [True], "prepare": without_input_biases}),
    ("GPT-J", lambda l: linears(l, ["q_proj", "k_proj", "v_proj", "out_proj"], "h.0.attn."), {"biases": [False], "rotate": rotate_pairs, "flags": ["--rope", "pairs"]}),
    ("BART", lambda l: linears(l, ["q_proj", "k_proj", "v_proj", "out_proj"], "layers.0.self_attn."), {"biases": [True]}),
    ("GPT-NeoX", by_head, {}),
    ("Llama", lambda l: linears(l, LLAMA, "model.layers.0.self_attn."), {"kv": 2, "rotate": rotate_halves, "flags": ["--rope", "halves"]}),
    ("Llama (Meta)", lambda l: linears(l, ["wq", "wk", "wv", "wo"], "layers.0.attention."), {"kv": 2, "rotate": rotate_pairs, "flags": ["--rope", "pairs"]}),
    ("Qwen3", with_gains, {"kv": 2, "rotate": rotate_halves, "flags": ["--rope", "halves"]}),
    ("Phi-3", lambda l: joint(l, "qkv_proj", "o_proj", "model.layers.0.self_attn."), {"kv": 2, "rotate": rotate_halves, "flags": ["--rope", "halves"]}),
    ("timm", lambda l: joint(l, "qkv", "proj", "blocks.0.attn."), {}),
    ("flash-attn", lambda l: joint(l, "Wqkv", "out_proj", "mixer."), {}),
    ("T5", lambda l: linears(l, ["q", "k", "v", "o"], "block.0.layer.0.SelfAttention."), {"scale": 1.0, "biases": [False]}),
    ("MLX", lambda l: linears(l, ["query_proj", "key_proj", "value_proj", "out_proj"]), {}),
    ("GGUF, Llama", lambda l: linears(l, ["attn_q", "attn_k", "attn_v", "attn_output"], "blk.0."), {"kv": 2, "biases": [False], "rotate": rotate_pairs, "flags": ["--rope", "pairs"]}),
    ("GGUF, Qwen", lambda l: linears(l, ["attn_q", "attn_k", "attn_v", "attn_output"], "blk.0."), {"kv": 2, "biases": [True], "rotate": rotate_halves, "flags": ["--rope", "halves"]}),
    ("GGUF, GPT-2", lambda l: joint(l, "attn_qkv", "attn_output", "blk.0."), {}),
    ("diffusers", lambda l: linears(l, ["to_q", "to_k", "to_v", "to_out.0"], "attn1."), {}),
    ("q_linear", lambda l: linears(l, ["q_linear", "k_linear", "v_linear", "out"]), {}),
]


# --- Running


class Workplace:
    def __init__(self, program):
        self.program = program
        self.folder = Path(tempfile.mkdtemp())
        self.files = self.mistakes = 0

    def attend(self, x, projections, flags):
        np.save(self.folder / "x.npy", x)
        run = subprocess.run([self.program, "attend", "--lang", "en", "--no-figure", "--quiet", "--x", "x.npy", "--projections",
                              projections, "--save-output", "o.npy", *flags], cwd=self.folder, capture_output=True, text=True)
        self.files += 1
        return run, np.load(self.folder / "o.npy") if run.returncode == 0 else None

    def write(self, tensors, ending, metadata=None):
        path = self.folder / f"layer.{ending}"
        if ending == "npz":
            np.savez(path, **tensors)
        else:
            save_safetensors(path, tensors, metadata)
        return path.name

    def check(self, what, good, run):
        if good:
            return
        self.mistakes += 1
        print(f"{what}: wrong\n  exit code {run.returncode}\n  {run.stderr.strip()}")


def check_convention(place, name, tensors_of, facts):
    for shape in ("square", "rectangular"):
        for bias in facts.get("biases", [False, True]):
            heads, width = 4, 6
            model = heads * width if shape == "square" else 10
            layer = Layer(len(name), model, heads, facts.get("kv", heads), width, bias, model)
            facts.get("prepare", lambda layer: None)(layer)
            tensors = tensors_of(layer)
            expected = layer.forward(facts.get("scale"), facts.get("rotate"))
            flags = list(facts.get("flags", []))
            if not facts.get("per_head"):
                flags += ["--heads", "4"] + (["--kv-heads", "2"] if "kv" in facts else [])
            is_guess = facts.get("guess") and shape == "square"
            for ending in ("npz", "safetensors"):
                what = f"{name}, {shape}, {'bias' if bias else 'no bias'}, {ending}"
                file = place.write(tensors, ending)
                run, output = place.attend(layer.x, file, flags)
                right = output is not None and np.allclose(output, expected, rtol=1e-9, atol=1e-9)
                warned = "leave the layout open" in run.stderr
                place.check(what, warned if is_guess and "other" in facts else right and warned == bool(is_guess), run)
                if "rotate" in facts:
                    run, _ = place.attend(layer.x, file, [flag for flag in flags if flag not in ("--rope", *facts["flags"])])
                    place.check(f"{what}, advice", f"{' '.join(facts['flags'])} does the same" in run.stderr, run)
                if is_guess and "other" in facts:
                    run, output = place.attend(layer.x, file, flags + ["--layout", facts["other"]])
                    settled = output is not None and np.allclose(output, expected) and "leave" not in run.stderr
                    place.check(f"{what}, --layout {facts['other']}", settled, run)


def refuses(place, what, tensors, message, flags=()):
    for ending in ("npz", "safetensors"):
        run, _ = place.attend(np.ones((TOKENS, 8)), place.write(tensors, ending), list(flags))
        place.check(f"{what}, {ending}", run.returncode in (1, 2) and message in run.stderr, run)


def warns(place, what, tensors, message, flags=()):
    run, _ = place.attend(np.ones((TOKENS, 8)), place.write(tensors, "npz"), list(flags))
    place.check(what, run.returncode == 0 and message in run.stderr, run)


def check_leftovers(place):
    eye, row = np.eye(8), np.ones(8)
    llama = {f"{name}.weight": eye for name in LLAMA}
    for name, array in {"q_norm.bias": row, "q_proj.lora_A.weight": eye, "q_proj.lora_B.default.weight": eye,
                        "sinks": np.ones(1)}.items():
        refuses(place, f"Llama with {name}", llama | {name: array}, f"'{name}' in the file of --projections would change")
        warns(place, f"Llama, --ignore {name}", llama | {name: array}, "--rope halves", ["--ignore", name])
    two = llama | {"out_proj.weight": 2 * eye}
    refuses(place, "two output matrices", two, "a second output matrix")
    warns(place, "the other is ignored", two, "--rope halves", ["--ignore", "out_proj.weight"])
    in_proj = {"in_proj_weight": np.ones((24, 8)), "out_proj.weight": eye}
    refuses(place, "bias_k", in_proj | {"bias_k": np.ones((1, 1, 8)), "bias_v": np.ones((1, 1, 8))}, "add_bias_kv")
    t5 = {f"SelfAttention.{role}.weight": eye for role in "qkvo"}
    refuses(place, "T5", t5 | {"SelfAttention.relative_attention_bias.weight": np.ones((32, 1))}, "relative position bias")
    warns(place, "T5 has no scale", t5, "does not scale its scores")
    warns(place, "named", llama | {"extra": row}, "1 tensor(s) of --projections were not read: 'extra'")
    refuses(place, "bare names", {"query": eye, "key": eye, "value": eye, "output": eye}, "has no W_Q")
    refuses(place, "no keys", {"q_proj.weight": eye, "v_proj.weight": eye}, "has no 'k_proj.weight'")
    refuses(place, "two layers", {f"{layer}.{name}": array for layer in "ab" for name, array in llama.items()}, "2 attention layers")
    refuses(place, "--ignore of nothing", llama, "has no such tensor", ["--ignore", "nothing"])
    # The bias of another layer is never borrowed.
    other = {"W_Q": eye, "W_K": eye, "W_V": eye, "W_O": eye, "other.b_Q": 100 * row}
    place.attend(np.eye(8), place.write({"W_Q": eye, "W_K": eye, "W_V": eye, "W_O": eye}, "npz"), [])
    without = np.load(place.folder / "o.npy")
    run, output = place.attend(np.eye(8), place.write(other, "npz"), [])
    place.check("no borrowed bias", output is not None and np.array_equal(output, without) and "other.b_Q" in run.stderr, run)


def check_told_heads(place):
    layer = Layer(1, 24, 4, 2, 6, False, 24)
    tensors = linears(layer, LLAMA)
    expected = layer.forward()
    file = place.write(tensors, "safetensors", {"num_attention_heads": "4", "num_key_value_heads": "2"})
    run, output = place.attend(layer.x, file, [])
    place.check("heads from metadata", output is not None and np.allclose(output, expected), run)
    (place.folder / "config.json").write_text(json.dumps({"num_attention_heads": 4, "num_key_value_heads": 2}))
    for ending in ("npz", "safetensors"):
        run, output = place.attend(layer.x, place.write(tensors, ending), [])
        place.check(f"heads from config.json, {ending}", output is not None and np.allclose(output, expected), run)
    (place.folder / "config.json").unlink()
    run, _ = place.attend(layer.x, place.write(tensors, "npz"), [])
    place.check("grouped heads that nobody tells of", run.returncode == 2, run)


def check_told_rotary(place):
    """--rope auto: what the file or the config.json beside it says, against the rotations above."""
    layer = Layer(2, 32, 4, 2, 8, False, 32)
    llama, meta = linears(layer, LLAMA), linears(layer, ["wq", "wk", "wv", "wo"], "layers.0.attention.")
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    config = place.folder / "config.json"
    scaled = {"model_type": "llama", "rope_theta": 5e5}
    frequencies = {"rotary_emb.inv_freq": 300.0 ** -(np.arange(3) / 3)}
    cases = [
        ("llama", llama, scaled, [], rotating(rotate_halves, 5e5)),
        ("llama of old, no rope_theta", llama, {"model_type": "llama", "rope_scaling": None}, [], rotate_halves),
        ("no model_type", llama, {"rope_theta": 5e5}, [], rotating(rotate_halves, 5e5)),
        ("rope_parameters", llama, {"model_type": "qwen3", "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}, [],
         rotating(rotate_halves, 1e6)),
        ("interpolation", llama, scaled | {"rope_scaling": {"type": "linear", "factor": 4.0}}, [],
         scaled_halves(lambda n: 5e5 ** -(np.arange(4) / 4) / 4, 1.0)),
        # Peng et al. 2023: the ramp runs from pair 1 to pair 3 of width 8 (L = 1e4, base 5e5: 1.19 down, 2.25 up)
        ("yarn", llama, scaled | {"rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 10000}}, [],
         scaled_halves(lambda n: 5e5 ** -(np.arange(4) / 4) * (1 - 0.75 * np.clip((np.arange(4) - 1) / 2, 0, 1)),
                       0.1 * np.log(4.0) + 1)),
        # of more tokens than 4
        ("longrope", llama, {"model_type": "llama", "max_position_embeddings": 64, "original_max_position_embeddings": 4,
                             "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 4, "long_factor": [1.1, 2.0, 3.0, 9.0]}}, [],
         scaled_halves(lambda n: 1e4 ** -(np.arange(4) / 4) / np.array([1.1, 2.0, 3.0, 9.0]), np.sqrt(1 + np.log(16) / np.log(4)))),
        ("part of a head", llama, {"model_type": "phi", "rope_theta": 1e4, "partial_rotary_factor": 0.5}, [],
         rotating(rotate_halves, 1e4, 4)),
        ("glm's half of a head in pairs", llama, {"model_type": "glm"}, [], rotating(rotate_pairs, 1e4, 4)),
        ("cohere", llama, {"model_type": "cohere", "rope_theta": 8e6}, [], rotating(rotate_pairs, 8e6)),
        ("Meta's names", meta, scaled, [], rotating(rotate_pairs, 5e5)),
        ("--rope none", llama, scaled, ["--rope", "none"], None),
        ("--rope pairs", llama, scaled, ["--rope", "pairs"], rotate_pairs),
        ("--rope-base", llama, scaled, ["--rope-base", "77", "--rope-width", "6"], rotating(rotate_halves, 77.0, 6)),
        ("inv_freq", llama | frequencies, {}, [], rotating(rotate_halves, 300.0, 6)),
        ("inv_freq, --rope none", llama | frequencies, {}, ["--rope", "none"], None),
        ("alibi", by_group(layer), {"model_type": "falcon", "alibi": True}, [], None),
        ("falcon", by_group(layer), {"model_type": "falcon", "rope_theta": 1e4}, [], rotate_halves),
        ("nothing said", llama, {}, [], None),
    ]
    for what, tensors, said, flags, rotate in cases:
        config.write_text(json.dumps(heads | said))
        run, output = place.attend(layer.x, place.write(tensors, "safetensors"), flags)
        place.check(f"--rope auto: {what}", output is not None and np.allclose(output, layer.forward(None, rotate)), run)
        advised = "does the same" in run.stderr
        place.check(f"--rope auto: {what}, advice", advised == (what == "nothing said"), run)
    config.unlink()
    own, metadata = Layer(5, 32, 4, 4, 8, True, 32), {"format": "attnlab", "settings": json.dumps({"positions": "rotary"})}
    run, output = place.attend(own.x, place.write(gpt(own, False), "safetensors", metadata), ["--heads", "4"])
    place.check("attnlab's own", output is not None and np.allclose(output, own.forward(None, rotate_pairs)), run)
    for what, said, flags, message in [
        ("llama3", scaled | {"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, [], "rope_scaling (llama3) without low_freq_factor"),
        ("yarn", scaled | {"rope_scaling": {"type": "yarn"}}, [], "rope_scaling (yarn) without factor"),
        ("mrope", scaled | {"rope_scaling": {"type": "mrope"}}, [], "'rope_scaling (mrope)'"),
        ("layers that differ", scaled | {"model_type": "gemma3_text", "rope_local_base_freq": 1e4}, [], "'rope_local_base_freq'"),
        ("a fraction of a coordinate", scaled | {"rotary_dim": 3.5}, [], "'rotary_dim = 3.5'"),
        ("a width beyond every number", scaled | {"rotary_dim": 1e30}, [], "'rotary_dim = 1e+30'"),
        ("more than the head", scaled | {"partial_rotary_factor": 1e30}, [], "'partial_rotary_factor = 1e+30'"),
        ("a width wider than the head", scaled | {"rotary_dim": 2**60}, [], "1152921504606846976"),
        ("a model that nobody knows", scaled | {"model_type": "new"}, [], "model_type: 'new'"),
        ("a base of nothing", {}, ["--rope-base", "5"], "--rope-base needs --rope"),
    ]:
        config.write_text(json.dumps({"num_attention_heads": 4} | said))
        refuses(place, f"--rope auto: {what}", {f"{name}.weight": np.eye(8) for name in LLAMA}, message, flags)
    config.unlink()
    odd = {f"{name}.weight": np.eye(8) for name in LLAMA} | {"rotary_emb.inv_freq": np.array([1.0, 0.9, 0.001, 1e-4])}
    refuses(place, "rescaled frequencies", odd, "no powers")
    warns(place, "rescaled frequencies, --ignore", odd, "--rope halves", ["--ignore", "rotary_emb.inv_freq"])


def check_joint_order(place):
    """Two groups of heads in one matrix: by group (Falcon), or all queries, keys, values (ChatGLM)."""
    layer = Layer(3, 24, 4, 2, 6, False, 24)
    expected = layer.forward()
    flags = ["--heads", "4", "--kv-heads", "2"]
    blocks = joint(layer, "query_key_value", "dense", "a.")
    for what, tensors, more, right, warned in [
        ("Falcon's", by_group(layer), [], True, True),
        ("Falcon's, told", by_group(layer), ["--joint-order", "groups"], True, False),
        ("ChatGLM's", blocks, [], False, True),
        ("ChatGLM's, told", blocks, ["--joint-order", "blocks"], True, False),
        ("qkv", joint(layer, "qkv", "proj", "a."), [], True, True),
        ("qkv by groups, told", by_group(layer, "qkv", "proj"), ["--joint-order", "groups"], True, False),
        ("Phi-3's", joint(layer, "qkv_proj", "o_proj", "a."), [], True, False),
    ]:
        run, output = place.attend(layer.x, place.write(tensors, "npz"), flags + more)
        agrees = output is not None and np.allclose(output, expected)
        place.check(f"columns: {what}", agrees == right and ("--joint-order" in run.stderr) == warned, run)


def check_prefix(place):
    """BertSelfAttention is the attention without its output matrix, which stands outside."""
    layer = Layer(4, 24, 4, 4, 6, True, 24)
    file = place.write(bert(layer), "npz")
    run, output = place.attend(layer.x, f"{file}:encoder.layer.0.attention", ["--heads", "4"])
    place.check("BERT's attention", output is not None and np.allclose(output, layer.forward()) and "outside" not in run.stderr, run)
    layer.w["o"] = np.eye(24)
    layer.b.pop("o")
    run, output = place.attend(layer.x, f"{file}:encoder.layer.0.attention.self", ["--heads", "4"])
    told = "'encoder.layer.0.attention.output.dense.weight' stands outside the prefix" in run.stderr
    place.check("BERT's attention.self", output is not None and np.allclose(output, layer.forward()) and told, run)


# What attnlab saves, it reads back: experiment and flags, the array that `attend` gives, its tokens, its weights.
SAVED = [
    ("heads --variant article", "output", ["--x", ":x"], ""),
    ("heads --variant parity", "output", ["--x", ":x"], ""),
    ("heads --variant book", "output", ["--query", ":query_input", "--key", ":key_input", "--value", ":value_input"], ""),
    ("heads --variant course", "output", ["--x", ":x", "--mask", ":mask"], ""),
    ("heads --variant notebook", "output", ["--x", ":x"], ""),
    ("heads --tokens 5 --width 12 --heads 3", "output", ["--x", ":x"], ""),
    ("self-attention", "output", ["--x", ":x"], ""),
    ("self-attention --scale none", "output", ["--x", ":x", "--scale", "none"], ""),
    ("permutation", "output", ["--x", ":x"], ""),
    ("pooling", "output_qkv", ["--x", ":x", "--scale", "none"], ""),
    ("encoder", "attention", ["--x", ":x"], ""),
    ("decoder", "layer_0_attention", ["--x", ":layer_0_norm_1", "--mask", "causal"], ":layer_0"),
    ("decoder", "layer_1_attention", ["--x", ":layer_1_norm_1", "--mask", "causal"], ":layer_1"),
    ("masks", "output", ["--query", ":query", "--key", ":key", "--value", ":value", "--mask", ":mask"], None),
]


def check_saved(place):
    for experiment, array, tokens, weights in SAVED:
        for ending in ("npz", "csv", "json"):
            file = f"saved.{ending}"
            subprocess.run([place.program, *experiment.split(), "--no-figure", "--quiet", "--data", file], cwd=place.folder, check=True)
            words = [file + word if word.startswith(":") else word for word in tokens]
            words += [] if weights is None else ["--projections", file + weights]
            run = subprocess.run([place.program, "attend", "--lang", "en", "--no-figure", *words, "--check",
                                  f"output={file}:{array}"], cwd=place.folder, capture_output=True, text=True)
            place.files += 1
            place.check(f"{experiment}, {ending}", run.returncode == 0 and "agrees" in run.stdout, run)


def main():
    place = Workplace(str(Path(sys.argv[1]).resolve()))
    for convention in CONVENTIONS:
        check_convention(place, *convention)
    check_leftovers(place)
    check_told_heads(place)
    check_told_rotary(place)
    check_joint_order(place)
    check_prefix(place)
    check_saved(place)
    print(f"{place.files} files, {place.mistakes} mistakes")
    sys.exit(place.mistakes != 0)


main()
