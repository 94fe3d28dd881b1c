"""softmax(QK^T/sqrt(d)) V in NumPy, PyTorch and ONNX Runtime, float32: one measurement, as JSON on one line.

attention.py LIBRARY LENGTH HEADS [causal]   the median of runs that last 0.1 s together, after one that does not count
attention.py LIBRARY about                   the versions and the BLAS in use; exit code 1 where it is not to be had

LIBRARY: numpy; torch, the formula; fused, F.scaled_dot_product_attention; onnx, com.microsoft.MultiHeadAttention.
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


def numpy_attention(length, heads, causal=False):
    assert not causal
    query, key, value = np.random.default_rng(0).standard_normal((3, heads, length, WIDTH), dtype=np.float32)
    scale = np.float32(1 / math.sqrt(WIDTH))

    def attention():
        scores = query @ key.swapaxes(-1, -2) * scale
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True) @ value

    return attention


def torch_tensors(length, heads):
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    return torch, torch.randn(3, 1, heads, length, WIDTH)


def fused_attention(length, heads, causal=False):
    torch, (query, key, value) = torch_tensors(length, heads)

    def attention():
        with torch.no_grad():
            return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=causal)

    return attention


def onnx_attention(length, heads, causal=False):
    import onnx
    import onnxruntime

    names = ["query", "key", "value"]
    node = onnx.helper.make_node("MultiHeadAttention", names, ["output"], domain="com.microsoft", num_heads=heads,
                                 unidirectional=int(causal))
    shape = [1, length, heads * WIDTH]
    tensors = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name in [*names, "output"]]
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("com.microsoft", 1)]
    graph = onnx.helper.make_graph([node], "attention", tensors[:3], tensors[3:])
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feeds = dict(zip(names, np.random.default_rng(0).standard_normal((3, *shape), dtype=np.float32)))
    return lambda: session.run(None, feeds)


def torch_attention(length, heads, causal=False):
    assert not causal
    torch, (query, key, value) = torch_tensors(length, heads)

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
    if library == "onnx":
        import onnxruntime

        name, build = f"ONNX Runtime {onnxruntime.__version__}", "com.microsoft.MultiHeadAttention"
    elif library in ("torch", "fused"):
        import torch

        if library == "fused" and not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            sys.exit(f"PyTorch {torch.__version__} has none, 2.0 and newer have")
        torch.randn(64, 64) @ torch.randn(64, 64)
        build = ", ".join(re.findall(r"BLAS_INFO=\w+|USE_MKL\w*=\w+|Intel\(R\) MKL-DNN v[\d.]+",
                                     torch.__config__.show()))
        name = f"PyTorch {torch.__version__}, {len(os.sched_getaffinity(0))} threads"
    else:
        build = "its own"
        name = f"NumPy {np.__version__}"
    return {"name": name, "build": build, "libraries": loaded_blas(), "openblas": openblas_config()}


def main():
    library = sys.argv[1]
    if sys.argv[2] == "about":
        print(json.dumps(about(library)))
        return
    make = {"numpy": numpy_attention, "torch": torch_attention, "fused": fused_attention, "onnx": onnx_attention}[library]
    work = make(int(sys.argv[2]), int(sys.argv[3]), "causal" in sys.argv[4:])
    print(json.dumps({"seconds": median_seconds(work)}))


if __name__ == "__main__":
    main()
