"""Whoever changes the sizes in a document's code gets the tool's numbers: the originals of bench/python with other
sizes and seeds, against the same flags.

    python3 originals.py PROGRAM bench/python

Exit code 77 (skipped) where Python lacks NumPy. Nothing is drawn: matplotlib is not needed.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import types

try:
    import numpy as np
except ImportError:
    sys.exit(77)

# Module: what its constants become, and the flags of the same run.
RUNS = [
    ("scaling", {"LOW": 2, "HIGH": 64, "KEYS": 31, "SEED": 5}, "--low-dim 2 --high-dim 64 --keys 31 --seed 5"),
    ("scaling", {"HIGH": 300}, "--high-dim 300"),
    ("variance", {"DIMS": (2, 9, 33), "PAIRS": 150, "QUERIES": 7, "KEYS": 5, "SEED": 3},
     "--dims 2,9,33 --pairs 150 --queries 7 --keys 5 --seed 3"),
    ("additive", {"QUERIES": 2, "KEYS": 7, "WIDTH": 6, "UNITS": 5, "SEED": 4},
     "--queries 2 --keys 7 --query-width 6 --key-width 6 --units 5 --seed 4"),
    ("additive", {"UNITS": 70}, "--units 70"),
    ("pooling", {"TOKENS": 7, "WIDTH": 3, "SEED": 8}, "--tokens 7 --width 3 --seed 8"),
    ("self_attention", {"TOKENS": 9, "WIDTH": 5, "SEED": 7}, "--tokens 9 --width 5 --seed 7"),
    ("heads", {"TOKENS": 3, "WIDTH": 12, "HEADS": 3, "SEED": 1}, "--tokens 3 --width 12 --heads 3 --seed 1"),
    ("masks", {"QUERIES": 7, "KEYS": 9, "WIDTH": 5, "SEED": 2, "PADDED": 3}, "--queries 7 --keys 9 --width 5 --seed 2 --alignment top-left"),
    ("permutation", {"ORDER": [1, 3, 0, 2], "WIDTH": 6, "SEED": 7}, "--order 1,3,0,2 --width 6 --seed 7"),
    ("encoder", {"TOKENS": 3, "WIDTH": 12, "HEADS": 3, "HIDDEN": 7, "SEED": 9},
     "--tokens 3 --width 12 --heads 3 --hidden 7 --seed 9"),
    ("decoder", {"LAYERS": 1}, "--layers 1"),
    ("decoder", {"LAYERS": 4, "WIDTH": 6, "HEADS": 3, "SEED": 9}, "--layers 4 --width 6 --heads 3 --seed 9"),
    ("filters", {"SAMPLES": 31, "WINDOW": 3}, "--samples 31 --window 3"),
]


def pretend_matplotlib():
    matplotlib = types.ModuleType("matplotlib")
    matplotlib.use = lambda backend: None
    matplotlib.pyplot = types.ModuleType("matplotlib.pyplot")
    sys.modules.update({"matplotlib": matplotlib, "matplotlib.pyplot": matplotlib.pyplot})


def numbers_of(module, constants):
    original = importlib.reload(importlib.import_module(module))
    for name, value in constants.items():
        assert hasattr(original, name), f"{module} has no {name}"
        setattr(original, name, value)
    return (original.experiment if hasattr(original, "experiment") else original.compute)()


def main(program, folder):
    pretend_matplotlib()
    sys.path.insert(0, os.path.abspath(folder))
    program = os.path.abspath(program)
    wrong = compared = 0
    with tempfile.TemporaryDirectory() as place:
        data = os.path.join(place, "run.npz")
        for module, constants, flags in RUNS:
            call = [module.replace("_", "-"), *flags.split(), "--no-figure", "--quiet", "--data", data]
            subprocess.run([program, *call], check=True)
            expected = numbers_of(module, constants)
            with np.load(data) as stored:
                both = [name for name in expected if name in stored.files]
                assert both, f"{module}: no array in common"
                for name in both:
                    compared += 1
                    one, other = np.asarray(expected[name], dtype=float), stored[name]
                    if one.shape != other.shape or not np.allclose(one, other, rtol=1e-9, atol=1e-11, equal_nan=True):
                        wrong += 1
                        print(f"{module} {flags}: {name} is not the document's")
    print(f"{len(RUNS)} runs, {compared} arrays, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
