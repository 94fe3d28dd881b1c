"""bench/compare --attention: attnlab's kernels beside PyTorch's and NumPy's softmax(QK^T/sqrt(d)) V, float32.

Every measurement is a process of its own that times itself (attention_once.cpp, python/attention.py), so imports and
inputs are not counted. All of them are made once per round; what is printed is the median over the rounds.
"""

import json
import pathlib
import shlex
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
WIDTH = 64
HEADS = 8
LONG = 1024, 4096
SHORT = 64, 128, 256, 512
MEMORY_LENGTH = 65536
MEGABYTE = 1e6

MEASUREMENT_ROW = "{:<20} {:>6} {:>6} {:>10} {:>9}"
RATIO_ROW = "{:<38} {:>6} {:>6} {:>9} {:>9}  {}"


def run(command):
    """What a program prints, read as JSON."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        last = (result.stderr.strip() or f"exit code {result.returncode}").splitlines()[-1]
        raise RuntimeError(f"{last}\n    from: {shlex.join(map(str, command))}")
    return json.loads(result.stdout)


def commands(binary):
    """Every measurement of a round: (what, length, heads) and its command."""
    def attnlab(kind, length, heads):
        return (f"attnlab, {kind}", length, heads), [binary, kind, str(length), str(heads)]

    def python(name, library, length, heads):
        return (name, length, heads), [PYTHON, HERE / "python" / "attention.py", library, str(length), str(heads)]

    for length in LONG:
        yield attnlab("streaming", length, HEADS)
        yield ("sgemm", length, HEADS), [binary, "gemm"]
        yield attnlab("causal", length, HEADS)
        yield python("PyTorch", "torch", length, HEADS)
        yield python("NumPy", "numpy", length, HEADS)
    for heads in (1, HEADS):
        for length in SHORT:
            yield attnlab("plain", length, heads)
            yield python("NumPy", "numpy", length, heads)


def flops(what, length, heads):
    return 4 * heads * length**2 * WIDTH / (2 if "causal" in what else 1)


def medians(binary, rounds):
    """Seconds of every measurement; for sgemm, its operations per second."""
    seen = {}
    for _ in range(rounds):
        for key, command in commands(binary):
            answer = run(command)
            seen.setdefault(key, []).append(answer.get("flops") or answer["seconds"])
    return {key: statistics.median(values) for key, values in seen.items()}


def print_machine(binary):
    print(f"attnlab: one thread per processor, each with {run([binary, 'gemm'])['blas']}")
    for library in ("torch", "numpy"):
        about = run([PYTHON, HERE / "python" / "attention.py", library, "about"])
        print(f"{about['name']}: {about['build']}; loads {', '.join(about['libraries']) or 'no BLAS library'}"
              + (f" ({about['openblas']})" if about["openblas"] else ""))


def print_measurements(found):
    print(MEASUREMENT_ROW.format("measurement", "L", "heads", "ms", "GFLOP/s"))
    for (what, length, heads), value in found.items():
        if what == "sgemm":
            print(MEASUREMENT_ROW.format(what, "", "", "", f"{value / 1e9:.1f}"))
        else:
            print(MEASUREMENT_ROW.format(what, length, heads, f"{value * 1e3:.3f}",
                                         f"{flops(what, length, heads) / value / 1e9:.1f}"))


def ratios(found):
    """(name, length, heads, ratio, the least it should be or None)"""
    for length in LONG:
        ours = found["attnlab, streaming", length, HEADS]
        targeted = length == 4096
        yield "PyTorch / streaming", length, HEADS, found["PyTorch", length, HEADS] / ours, 4.5 if targeted else None
        yield "NumPy / streaming", length, HEADS, found["NumPy", length, HEADS] / ours, 2.8 if targeted else None
        rate = flops("streaming", length, HEADS) / ours
        yield "streaming's rate / sgemm's", length, HEADS, rate / found["sgemm", length, HEADS], 0.80
        causal = found["attnlab, causal", length, HEADS]
        yield "streaming / streaming causal", length, HEADS, ours / causal, 1.7 if targeted else None
    for heads in (1, HEADS):
        for length in SHORT:
            ratio = found["NumPy", length, heads] / found["attnlab, plain", length, heads]
            yield "NumPy / plain", length, heads, ratio, 1.0


def verdict(met):
    return "-" if met is None else "PASS" if met else "MISS"


def print_ratios(found):
    """Returns the verdicts."""
    verdicts = []
    print(RATIO_ROW.format("ratio", "L", "heads", "value", "target", "result"))
    for name, length, heads, ratio, target in ratios(found):
        met = None if target is None else ratio >= target
        verdicts.append(met)
        print(RATIO_ROW.format(name, length, heads, f"{ratio:.2f}", "-" if target is None else f"{target:.2f}",
                               verdict(met)))
    return [met for met in verdicts if met is not None]


def print_memory(binary):
    answer = run([binary, "streaming", str(MEMORY_LENGTH), "1", "once"])
    beyond = (answer["peak_bytes"] - answer["tensor_bytes"]) / MEGABYTE
    met = beyond < 32
    print(RATIO_ROW.format("peak memory beyond inputs and output", MEMORY_LENGTH, 1, f"{beyond:.1f} MB", "< 32 MB",
                           verdict(met)))
    return met


def compare_attention(binary, rounds):
    """Prints everything; returns the counts (passed, missed)."""
    print_machine(binary)
    print(f"float32, D = {WIDTH}, median of {rounds} interleaved runs; these builds on this machine, no others\n")
    found = medians(binary, rounds)
    print_measurements(found)
    print()
    verdicts = print_ratios(found)
    verdicts.append(print_memory(binary))
    return sum(verdicts), len(verdicts) - sum(verdicts)
