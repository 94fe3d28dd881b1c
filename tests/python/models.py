"""Runs the programs that `model --code` writes for a small model of every family: they hold assertions. And `attend`,
whose table of names is another one, has to see the same weights in a layer of each.

    python3 models.py PROGRAM FOLDER

FOLDER has the models (tests/model/reference). Exit code 77 (skipped) where Python lacks NumPy; without PyTorch the
programs that need it are left out.
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from programs import np, torch

FAMILIES = ["gpt2", "llama", "mistral", "qwen2", "qwen3", "gpt_neox", "bert", "roberta", "distilbert",
            "llama_yarn", "llama_longrope", "opt", "bloom", "falcon_7b", "falcon_40b",
            "phi3", "olmo2", "olmo3", "smollm3", "gemma2", "gemma3", "mixtral"]


def write_model(reference, folder, kind):
    """kind: float32, or bfloat16, of which the numbers have few enough digits."""
    header, data = {}, b""
    for name, tensor in reference["tensors"].items():
        values = np.array(tensor["values"], "<f4")
        stored = values.tobytes() if kind == "F32" else (values.view("<u4") >> 16).astype("<u2").tobytes()
        header[name] = {"dtype": kind, "shape": tensor["shape"], "data_offsets": [len(data), len(data) + len(stored)]}
        data += stored
    text = json.dumps(header).encode()
    (folder / "config.json").write_text(json.dumps(reference["config"]))
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


LAYERS = {  # where attend finds layer 0 of a family, and what its config.json does not tell it
    "gpt2": ("h.0.attn", "normed", ["--mask", "causal"]),
    "mistral": ("model.layers.0.self_attn", "normed", ["--mask", "causal,window:2", "--kv-heads", "2"]),
    "qwen2": ("model.layers.0.self_attn", "normed", ["--mask", "causal", "--kv-heads", "2"]),
    "qwen3": ("model.layers.0.self_attn", "normed", ["--mask", "causal", "--kv-heads", "2"]),
    "gpt_neox": ("gpt_neox.layers.0.attention", "normed", ["--mask", "causal"]),
    "llama_yarn": ("model.layers.0.self_attn", "normed", ["--mask", "causal", "--kv-heads", "2"]),
    "llama_longrope": ("model.layers.0.self_attn", "normed", ["--mask", "causal", "--kv-heads", "2"]),
    "opt": ("model.decoder.layers.0.self_attn", "normed", ["--mask", "causal"]),
    "bloom": ("transformer.h.0.self_attention", "normed", ["--mask", "causal", "--bias", "alibi"]),
    "falcon_7b": ("transformer.h.0.self_attention", "normed", ["--mask", "causal", "--kv-heads", "1"]),
    "falcon_40b": ("transformer.h.0.self_attention", "normed", ["--mask", "causal", "--kv-heads", "2"]),
    "phi3": ("model.layers.0.self_attn", "normed", ["--mask", "causal,window:4", "--kv-heads", "2"]),
    "mixtral": ("model.layers.0.self_attn", "normed", ["--mask", "causal", "--kv-heads", "2"]),
    "bert": ("bert.encoder.layer.0.attention", None, []),
    "roberta": ("roberta.encoder.layer.0.attention", None, []),
    "distilbert": ("distilbert.transformer.layer.0.attention", None, []),
}


def check_with_attend(program, family, folder, tokens):
    prefix, stage, options = LAYERS[family]
    quiet = ["--no-figure", "--quiet"]
    subprocess.run([program, "model", folder, "--tokens", tokens, "--data", folder / "model.npz", *quiet], check=True)
    stages = np.load(folder / "model.npz")
    np.save(folder / "x.npy", stages["layer_0_" + stage] if stage else stages["embedding"])
    subprocess.run([program, "attend", "--x", folder / "x.npy", "--projections",
                    f"{folder / 'model.safetensors'}:{prefix}", "--heads", "4", *options, "--data",
                    folder / "attend.npz", *quiet], check=True, stderr=subprocess.DEVNULL)
    weights = np.load(folder / "attend.npz")["weights"]
    assert np.allclose(weights, stages["layer_0_weights"], atol=1e-5), family


def check_loop(program, folder, tokens):
    """The program of a generation chooses the same tokens; with another seed's numbers it does not."""
    ways = [["--choice", "greedy"], ["--choice", "temperature", "--temperature", "3"], ["--choice", "top-k"],
            ["--choice", "top-p", "--top-p", "0.8"]]
    for way in ways:
        for library in ["numpy"] + (["torch"] if torch and way == ways[-1] else []):
            code = subprocess.run([program, "generation", folder, "--tokens", tokens, "--generate", "3", "--seed", "2",
                                   "--code", library, *way], check=True, capture_output=True, text=True).stdout
            assert "def read(tokens)" in code and "assert agrees(tokens" in code
            subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    wrong = code.replace("return kept[-1]", "return 0").replace("return token\n", "return 0\n")
    failed = subprocess.run([sys.executable, "-c", wrong], capture_output=True, text=True)
    assert "AssertionError" in failed.stderr


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    runs = 0
    for number, family in enumerate(FAMILIES):
        reference = json.loads((source / (family + ".json")).read_text())
        tokens = ",".join(map(str, reference["tokens"]))
        if family in LAYERS:
            with tempfile.TemporaryDirectory() as name:
                write_model(reference, pathlib.Path(name), "F32")
                check_with_attend(program, family, pathlib.Path(name), tokens)
                if family not in ("bert", "roberta", "distilbert", "llama_longrope", "phi3"):
                    check_loop(program, name, tokens.rsplit(",", 3)[0])
        for library in ["numpy"] + (["torch"] if torch else []):
            for without in [[], ["--without", "L0H1,L1M"]]:
                with tempfile.TemporaryDirectory() as name:
                    write_model(reference, pathlib.Path(name), "BF16" if number % 2 else "F32")
                    code = subprocess.run([program, "model", name, "--tokens", tokens, "--code", library, *without],
                                          check=True, capture_output=True, text=True).stdout
                    assert "assert agrees(layer_1_weights" in code
                    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
                    if library == "numpy":  # and what it asserts can fail
                        wrong = re.sub(r"/\s+math\.sqrt\(", "/ math.sqrt(1 + ", code)
                        failed = subprocess.run([sys.executable, "-c", wrong], capture_output=True, text=True)
                        assert "AssertionError" in failed.stderr, family
                    runs += 1
    print(runs, "programs; attend agrees on", len(LAYERS), "families")


if __name__ == "__main__":
    main()
