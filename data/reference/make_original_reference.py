#!/usr/bin/python3
"""Writes the arrays of NumPy originals as references of `attnlab verify` (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_original_reference.py NAME ...

bench/python/NAME.py gives data/reference/NAME/original.json, for the experiment's defaults. Nothing here comes from
attnlab.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ORIGINALS = HERE.parent.parent / "bench" / "python"

for name in sys.argv[1:]:
    with tempfile.TemporaryDirectory() as folder:
        numbers = Path(folder) / "numbers.npz"
        subprocess.run([sys.executable, ORIGINALS / f"{name.replace('-', '_')}.py", "--numbers", numbers], check=True)
        arrays = {key: {"shape": list(array.shape), "data": array.ravel().tolist()}
                  for key, array in np.load(numbers).items()}
    lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(array)}" for key, array in arrays.items())
    (HERE / name).mkdir(exist_ok=True)
    (HERE / name / "original.json").write_text(f'{{\n  "flags": {{}},\n  "arrays": {{\n{lines}\n  }}\n}}\n')
