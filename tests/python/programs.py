"""Runs the programs of `--code` and compares every array with --data of the same run.

    python3 programs.py PROGRAM [EXPERIMENT ...]

Exit code 77 (skipped) where Python lacks NumPy; without PyTorch the programs that need it are left out.
"""

import contextlib
import io
import json
import os
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

# Beside the defaults: every variant, other sizes, other seeds.
RUNS = {
    "softmax": ["--scores 0,0,0", "--scores -3,-2.5,700 --temperature 0.1,10"],
    "dot-product": ["--a 3,0 --b 6,0 --c -5,0", "--a 0.01,0 --b 20,-20 --c 0.3,1e-7"],
    "vectors": ["--count 3 --scale default", "--count 40 --query-angle -33.5 --long v7:0.5 --scale 3",
                "--queries 45,0,90,-200 --long none --scale 20"],
    "scaling": ["--seed 3 --low-dim 2 --high-dim 7 --keys 5", "--limits book --high-dim 300 --keys 64 --seed 9",
                "--low-dim 3 --high-dim 130 --keys 5"],
    "variance": ["--dims 3 --pairs 100 --queries 1 --keys 2", "--seed 4294967295 --dims 2,9,33 --queries 7 --keys 5"],
    "additive": ["--queries 2 --keys 3 --query-width 6 --key-width 4 --units 5 --seed 3",
                 "--query-width 5 --key-width 5 --units 3",
                 "--units 70 --query-width 4 --key-width 3", "--units 100 --key-width 9 --rng torch"],
    "lookup": ["--query 45 --temperature 0.001,1e6", "--query Matsuo --temperature 2", "--query -123.4"],
    "pooling": ["--seed 5 --tokens 2 --width 1", "--seed 8 --tokens 20 --width 9"],
    "recurrence": ["--tokens 3 --width 2 --radius 0.01,3 --input-scale 10 --seed 3",
                   "--tokens 40 --width 5 --radius 0.9 --input-scale 0.3"],
    "filters": ["--samples 9 --window 3 --alpha 1 --seed 4", "--samples 8 --window 63 --alpha 0.01 --scale none --noise 2"],
    "cost": ["--longest 128 --width 3 --taps 1 --block 100", "--longest 1048576 --width 1024 --taps 63 --block 7"],
    "cache": ["gpt-oss-20b --batch 3 --dtype int4 --page 7", "deepseek-v3 --length 1000000000 --reserve 1000000000000"],
    "flash": ["--keys 1 --tile 1 --width 1", "--keys 30 --tile 7 --hidden 9 --magnitude 1000 --seed 3",
              "--keys 100 --width 5 --tile 1 --length 128 --rng torch", "--tile 3 --hidden 7 --head-width 5 --block 7"],
    "self-attention": ["--seed 7 --tokens 6 --width 5 --scale 0.3", "--scale none --tokens 40 --width 33",
                       "--tokens 9 --width 6"],
    "heads": ["--seed 3 --tokens 5 --width 12 --heads 3 --scale none", "--variant parity", "--variant book",
              "--variant book --tokens 2 --keys 7 --width 6 --heads 2 --seed 5", "--variant course",
              "--variant course --tokens 40 --heads 2 --width 10",
              "--variant book --head-width 16", "--variant notebook --width 8 --heads 3 --head-width 5", "--head-width 7",
              "--tokens 9 --width 20 --heads 5", "--variant course --tokens 7", "--variant notebook",
              "--variant notebook --width 8 --heads 1 --tokens 2"],
    "masks": ["--mask causal,window:2 --queries 4 --keys 9 --width 5 --seed 3",
              "--mask padding:2 --hidden -1e5 --magnitude 30", "--mask none --hidden float16 --alignment top-left",
              "--mask causal,window:2 --queries 5 --keys 9 --alignment top-left",
              "--queries 7 --keys 4 --masked-row zero", "--queries 7 --keys 4 --masked-row uniform",
              "--queries 30 --keys 30 --masked-row nan"],
    "permutation": ["--order 1,0 --width 2 --seed 7", "--order 4,3,2,1,0,5,8,7,6 --width 5 --seed 3"],
    "positional": ["--positions 2 --width 2", "--positions 9 --width 7 --base 100 --offset 12 --seed 5"],
    "rope": ["--width 2 --positions 3 --distance 0", "--width 10 --base 50 --length 100 --factor 16 --seed 5 --rng torch"],
    "encoder": ["--norm pre --seed 3", "--tokens 1 --width 2 --heads 1 --hidden 1 --example 5,-3", "--tokens 9 --width 30 --heads 3 --hidden 7 --norm pre --example 1e6,0,3"],
    "decoder": ["--layers 4 --width 24", "--layers 1 --seed 4 --prompt 猫", "--layers 4 --width 6 --heads 3 --seed 9 --prompt 猫,猫,。,ない", "--vocabulary a,b --prompt a,b,a,b,a,b,a --layers 3 --width 2 --heads 1"],
    "variants": ["--seed 3", "grouped --kv-heads 1", "grouped --kv-heads 8", "latent --latent 9", "window --window 7",
                 "norm --magnitude 0.5", "difference --depth 1", "linear --decay 0.95", "talking --mixing 0",
                 "sparse --kept 1", "sink --window 2", "gate --seed 4"],
    "mistakes": ["--seed 3", "off-by-one", "small-mask --seed 5", "reshaped-heads"],
}


# attend over files that attend_files() writes.
ATTEND_RUNS = [
    "--query q.npy --key k.npy --value v.npy",
    "--query q.npy --key k.npy --value v.npy --mask causal --scale none --temperature 2",
    "--query q.npy --key k.npy --value v.npy --mask mask.npy --masked-row uniform",
    "--query q.npy --key k.npy --value v.npy --mask mask.npy --masked-row zero",
    "--query q.npy --key k.npy --value v.npy --mask mask.npy --masked-row nan",
    "--query q4.npy --key k4.npy --value v4.npy --mask window:2",
    "--query q4.npy --key k4.npy --value v4.npy --bias alibi",
    "--query q4.npy --key k4.npy --value v4.npy --heads 4 --rope pairs --rope-width 2 --alignment top-left",
    "--x x.npy --heads 2",
    "--x x.npy --projections layer.npz --heads 4 --kv-heads 2 --mask causal",
    "--x x.npy --projections layer.npz --heads 4 --kv-heads 2 --rope halves --rope-base 500 --norm-gain plus-one",
    "--query x.npy --key x.npy --value x.npy --projections layer.npz --heads 4 --kv-heads 2 --dtype float32",
]


def attend_files(folder):
    """Matrices, heads that share keys, a mask that leaves a row without a key, and a layer in Qwen3's names."""
    stream = np.random.RandomState(0)
    arrays = {"q": (3, 4), "k": (5, 4), "v": (5, 2), "q4": (2, 4, 6, 4), "k4": (2, 2, 7, 4), "v4": (2, 2, 7, 3),
              "x": (2, 6, 8)}
    for name, shape in arrays.items():
        np.save(os.path.join(folder, name + ".npy"), stream.randn(*shape))
    mask = np.ones((3, 5), dtype=bool)
    mask[1] = False
    mask[0, 2:] = False
    np.save(os.path.join(folder, "mask.npy"), mask)
    layer = {"q_proj.weight": (16, 8), "k_proj.weight": (8, 8), "v_proj.weight": (8, 8), "o_proj.weight": (8, 16),
             "q_proj.bias": (16,), "k_proj.bias": (8,), "v_proj.bias": (8,), "o_proj.bias": (8,),
             "q_norm.weight": (4,), "k_norm.weight": (4,)}
    np.savez(os.path.join(folder, "layer.npz"), **{name: stream.randn(*shape) for name, shape in layer.items()})


def output(program, words):
    run = subprocess.run([program, *words], capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: {run.stderr.strip()}")
    return run.stdout


def difference(name, found, expected, tolerance):
    """What is wrong with an array of the program; None if nothing is."""
    if torch is not None and isinstance(found, torch.Tensor):
        found = found.numpy()
    found = np.asarray(found)
    if found.shape != expected.shape:
        return f"{name} has shape {found.shape}, not {expected.shape}"
    if not np.allclose(found, expected, rtol=tolerance, atol=tolerance, equal_nan=True):
        return f"{name} differs by {np.nanmax(np.abs(found - expected))}"
    return None


def failures(program, experiment, words, library, folder):
    """Runs the program that attnlab writes, and compares all that it computes."""
    data = os.path.join(folder, "run.npz")
    measured = {"measured"}
    call = [experiment, *words, "--no-figure", "--data", data]
    arrays = json.loads(output(program, [*call, "--json"]))["arrays"]
    file = os.path.join(folder, "run.py")  # beside it run.arrays.npz, where it has many values
    output(program, [experiment, *words, "--code", library, "-o", file, "--quiet"])
    with open(file, encoding="utf-8") as text:
        code = text.read()
    longest = max(len(line) for line in code.splitlines())
    if longest > 100:
        yield f"a line of {longest} characters"
    if torch is None and "\nimport torch\n" in code:  # a run in PyTorch's numbers, in NumPy too
        return
    namespace = {"__name__": "program", "__file__": file}
    try:
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            exec(compile(code, "program.py", "exec"), namespace)
    except Exception as error:  # noqa: BLE001
        yield f"{type(error).__name__}: {error}"
        return
    from_torch = "torch" in words or "torch.Generator" in code
    with np.load(data) as stored:
        for name in stored.files:
            if name not in namespace:
                if experiment != "cost" and name not in measured:
                    yield f"{name} is missing"
                continue
            single = arrays[name]["dtype"] == "float32"
            single = single or name == "difference"  # of float32 arrays
            tolerance = 1e-4 if from_torch or experiment == "attend" and "float32" in words else 1e-5 if single else 1e-10
            wrong = difference(name, namespace[name], stored[name], tolerance)
            if wrong:
                yield wrong


def main(program, wanted):
    libraries = ["numpy"] if torch is None else ["numpy", "torch"]
    count = 0
    wrong = 0
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        attend_files(folder)
        for experiment, variants in [*RUNS.items(), ("attend", ATTEND_RUNS)]:
            if wanted and experiment not in wanted:
                continue
            flags = output(program, [experiment, "--help", "--lang", "en"])
            runs = variants if experiment == "attend" else ["", *variants]
            if "--rng" in flags and torch is not None:
                runs += [run + " --rng torch" for run in runs if "parity" not in run and "--rng" not in run]
            for run in runs:
                for library in libraries:
                    count += 1
                    for what in failures(program, experiment, run.split(), library, folder):
                        wrong += 1
                        print(f"{experiment} {run} --code {library}: {what}")
    print(f"{count} programs, {wrong} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
