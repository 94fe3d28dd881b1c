"""Runs the programs that `model --code` writes for a small model of every family: they hold assertions.

    python3 models.py PROGRAM FOLDER

FOLDER has the models (tests/model/reference). Exit code 77 (skipped) where Python lacks NumPy; without PyTorch the
programs that need it are left out.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None

FAMILIES = ["gpt2", "llama", "mistral", "qwen2", "qwen3", "gpt_neox", "bert", "roberta", "distilbert"]


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


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    runs = 0
    for number, family in enumerate(FAMILIES):
        reference = json.loads((source / (family + ".json")).read_text())
        tokens = ",".join(map(str, reference["tokens"]))
        for library in ["numpy"] + (["torch"] if torch else []):
            for without in [[], ["--without", "L0H1,L1M"]]:
                with tempfile.TemporaryDirectory() as name:
                    write_model(reference, pathlib.Path(name), "BF16" if number % 2 else "F32")
                    code = subprocess.run([program, "model", name, "--tokens", tokens, "--code", library, *without],
                                          check=True, capture_output=True, text=True).stdout
                    assert "assert agrees(layer_1_weights" in code
                    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
                    if library == "numpy":  # and what it asserts can fail
                        wrong = code.replace("/ math.sqrt(", "/ math.sqrt(1 + ")
                        failed = subprocess.run([sys.executable, "-c", wrong], capture_output=True, text=True)
                        assert "AssertionError" in failed.stderr, family
                    runs += 1
    print(runs, "programs")


if __name__ == "__main__":
    main()
