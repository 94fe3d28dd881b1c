"""softmax(QK^T/sqrt(d)) V as NumPy or PyTorch writes it, float32: one measurement, as JSON on one line.

attention.py numpy|torch LENGTH HEADS    the median of runs that last 0.1 s together, after one that does not count
attention.py numpy|torch about           the versions and the BLAS in use
"""

import json
import math
import os
import re
import statistics
import sys
import time

import numpy as np

WIDTH = 64
LEAST_SECONDS = 0.1


def numpy_attention(length, heads):
    query, key, value = np.random.default_rng(0).standard_normal((3, heads, length, WIDTH), dtype=np.float32)
    scale = np.float32(1 / math.sqrt(WIDTH))

    def attention():
        scores = query @ key.swapaxes(-1, -2) * scale
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True) @ value

    return attention


def torch_attention(length, heads):
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    query, key, value = torch.randn(3, heads, length, WIDTH)

    def attention():
        with torch.no_grad():
            return torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(WIDTH), dim=-1) @ value

    return attention


def median_seconds(work):
    work()
    seconds = []
    while sum(seconds) < LEAST_SECONDS:
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def loaded_blas():
    """The libraries of linear algebra in this process, behind Debian's symbolic links."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split()[-1] for line in maps if "/" in line}
    return sorted(path for path in paths if "blas" in path.lower() or "mkl" in path.lower())


def openblas_config():
    """What OpenBLAS says of itself, where that is what runs."""
    import ctypes

    for path in loaded_blas():
        try:
            get_config = ctypes.CDLL(path).openblas_get_config
        except (OSError, AttributeError):
            continue
        get_config.restype = ctypes.c_char_p
        return get_config().decode()
    return None


def about(library):
    """The version, how it was built, and what it loads."""
    if library == "torch":
        import torch

        torch.randn(64, 64) @ torch.randn(64, 64)
        build = ", ".join(re.findall(r"BLAS_INFO=\w+|USE_MKL\w*=\w+|Intel\(R\) MKL-DNN v[\d.]+",
                                     torch.__config__.show()))
        name = f"PyTorch {torch.__version__}, {len(os.sched_getaffinity(0))} threads"
    else:
        build = "libraries " + ", ".join(np.__config__.get_info("blas_opt").get("libraries", ["unknown"]))
        name = f"NumPy {np.__version__}"
    return {"name": name, "build": build, "libraries": loaded_blas(), "openblas": openblas_config()}


def main():
    library = sys.argv[1]
    if sys.argv[2] == "about":
        print(json.dumps(about(library)))
        return
    make = {"numpy": numpy_attention, "torch": torch_attention}[library]
    print(json.dumps({"seconds": median_seconds(make(int(sys.argv[2]), int(sys.argv[3])))}))


if __name__ == "__main__":
    main()
