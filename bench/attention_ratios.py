"""bench/compare --attention: attnlab's kernels beside those of NumPy, PyTorch and ONNX Runtime, float32.

Every measurement is a process of its own that times itself (attention_once.cpp, python/attention.py,
node/attention.mjs), so imports and inputs are not counted. All of them are made once per round, what is compared one
after the other; what is printed are the medians over the rounds, of the times and of the ratios.
"""

import json
import os
import pathlib
import shlex
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
NODE = ["node", str(HERE / "node" / "attention.mjs")]
WIDTH = 64
HEADS = 8
LONG = 1024, 4096
SHORT = 64, 128, 256, 512
WIDTHS = 32, 80, 96, 128
MANY_KEYS = 65536
MEGABYTE = 1e6
VARIABLE = "OPENBLAS_CORETYPE"
CORES = {"Prescott": None, "Haswell": "avx2", "SkylakeX": "avx512vl"}  # and the instructions that each needs

MEASUREMENT_ROW = "{:<34} {:>6} {:>6} {:>10} {:>9} {:>7}"
RATIO_ROW = "{:<46} {:>6} {:>9} {:>9}  {}"


def run(command, environment=None):
    """What a program prints, read as JSON."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(environment or {})})
    if result.returncode != 0:
        last = (result.stderr.strip() or f"exit code {result.returncode}").splitlines()[-1]
        raise RuntimeError(f"{last}\n    from: {shlex.join(map(str, command))}")
    return json.loads(result.stdout)


def runnable_cores():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return [core for core, needed in CORES.items() if needed is None or needed in flags]


def peers_of(python):
    """The libraries by what they are called in a table: the start of their command, and what they say of themselves;
    and of those that cannot run, why not."""
    script = [*python, str(HERE / "python" / "attention.py")]
    peers, left_out = {}, {}
    for name, command in {"PyTorch": [*script, "torch"], "PyTorch, fused": [*script, "fused"],
                          "ONNX Runtime": [*script, "onnx"], "NumPy": [*script, "numpy"],
                          "ONNX Runtime by npm": NODE}.items():
        try:
            peers[name] = command, run([*command, "about"])
        except (OSError, RuntimeError) as failure:
            left_out[name] = str(failure).splitlines()[0]
    return peers, left_out


CAUSAL = "PyTorch, fused", "ONNX Runtime"  # those that leave out what is hidden
FULL = *CAUSAL, "PyTorch", "ONNX Runtime by npm"


def commands(binary, peers):
    """Every measurement of a round: (what, length, heads), its command and its environment."""
    def attnlab(what, queries, *words, heads=HEADS, **environment):
        kind = what.split(",")[0]
        return (what, queries, heads), [binary, kind, f"queries={queries}", f"heads={heads}", *words], environment

    def peer(name, length, heads, *words):
        return (", ".join([name, *words]), length, heads), [*peers[name][0], str(length), str(heads), *words], {}

    for length in LONG:
        yield ("sgemm", length, HEADS), [binary, "gemm"], {}
        yield attnlab("streaming", length)
        yield attnlab("causal", length)
        for core in runnable_cores():
            yield attnlab(f"streaming, {VARIABLE}={core}", length, **{VARIABLE: core})
        for name in peers:
            yield peer(name, length, HEADS)
            if name in CAUSAL:
                yield peer(name, length, HEADS, "causal")
    for width in WIDTHS:
        yield attnlab(f"streaming, D = {width}", LONG[0], f"width={width}")
    yield attnlab("streaming, 2 heads of keys", LONG[0], "kv-heads=2")
    yield ("dgemm", LONG[0], HEADS), [binary, "gemm", "type=double"], {}
    yield attnlab("streaming, double", LONG[0], "type=double")
    yield ("copy", 1, HEADS), [binary, "copy"], {}
    yield attnlab(f"streaming, {MANY_KEYS} keys", 1, f"keys={MANY_KEYS}")
    for heads in (1, HEADS):
        for length in SHORT:
            yield attnlab("plain", length, heads=heads)
            yield peer("NumPy", length, heads)


def measured(binary, rounds, peers):
    """For every round what each measurement answers."""
    return [{key: run(command, environment) for key, command, environment in commands(binary, peers)}
            for _ in range(rounds)]


def medians(found):
    """The numbers of every measurement over the rounds."""
    return {key: {name: statistics.median(one[key][name] for one in found)
                  for name, value in answer.items() if not isinstance(value, str)}
            for key, answer in found[0].items()}


def print_machine(binary, peers, left_out):
    answer = run([binary, "gemm"])
    print(f"attnlab: one thread per processor, vector instructions {answer['simd']}; sgemm: {answer['blas']}")
    for name, (_, about) in peers.items():
        loads = f"; loads {', '.join(about['libraries']) or 'no BLAS library'}" if "libraries" in about else ""
        openblas = f" ({about['openblas']})" if about.get("openblas") else ""
        print(f"{name}: {about['name']}; {about.get('build', '')}{loads}{openblas}")
    for name, reason in left_out.items():
        print(f"left out: {name} ({reason})")


def print_measurements(found):
    print(MEASUREMENT_ROW.format("measurement", "L", "heads", "ms", "GFLOP/s", "GB/s"))
    for (what, length, heads), answer in found.items():
        if what == "copy":
            row = [what, "", "", "", "", f"{answer['rate'] / 1e9:.1f}"]
        elif "rate" in answer:
            row = [what, "", "", "", f"{answer['rate'] / 1e9:.1f}", ""]
        else:
            flops = answer.get("flops", 4 * heads * length**2 * WIDTH)
            rate = f"{answer['input_bytes'] / answer['seconds'] / 1e9:.1f}" if length == 1 else ""
            row = [what, length, heads, f"{answer['seconds'] * 1e3:.3f}", f"{flops / answer['seconds'] / 1e9:.1f}", rate]
        print(MEASUREMENT_ROW.format(*row))


def ratios(found):
    """Of one round: (name, length, ratio, the least it should be or None)"""
    def seconds(what, length, heads=HEADS):
        return found[what, length, heads]["seconds"]

    def rate(what, length):
        return found[what, length, HEADS]["flops"] / seconds(what, length)

    for length in LONG:
        targeted = length == LONG[-1]
        sgemm = found["sgemm", length, HEADS]["rate"]
        yield "streaming's rate / sgemm's", length, rate("streaming", length) / sgemm, 0.85
        yield "streaming / streaming causal", length, seconds("streaming", length) / seconds("causal", length), 1.8
        best = min(seconds(f"streaming, {VARIABLE}={core}", length) for core in runnable_cores())
        yield f"best with {VARIABLE} / as installed", length, best / seconds("streaming", length), 0.97
        for library in ("PyTorch", "NumPy"):
            ratio = seconds(library, length) / seconds("streaming", length)
            yield f"{library} / streaming", length, ratio, 7.0 if targeted else None
        for kind, names, target in (("streaming", FULL, 1.2), ("causal", CAUSAL, 1.5)):
            rivals = {name: found[key]["seconds"] for name in names
                      if (key := (f"{name}, causal" if kind == "causal" else name, length, HEADS)) in found}
            for name, their_seconds in rivals.items():
                yield f"{name} / {kind}", length, their_seconds / seconds(kind, length), None
            if rivals:
                is_fused = any(name != "PyTorch" for name in rivals)
                best = min(rivals.values()) / seconds(kind, length)
                yield f"the best of these / {kind}", length, best, target if is_fused else None
    length = LONG[0]
    sgemm = found["sgemm", length, HEADS]["rate"]
    for width in WIDTHS:
        what = f"streaming, D = {width}"
        yield f"{what}: its rate / sgemm's", length, rate(what, length) / sgemm, 0.85
    ratio = seconds("streaming", length) / seconds("streaming, 2 heads of keys", length)
    yield "own keys / 2 heads of keys for 8", length, ratio, None
    dgemm = found["dgemm", length, HEADS]["rate"]
    yield "double: streaming's rate / dgemm's", length, rate("streaming, double", length) / dgemm, 0.75
    one = found[f"streaming, {MANY_KEYS} keys", 1, HEADS]
    copied = found["copy", 1, HEADS]["rate"]
    yield f"one query, {MANY_KEYS} keys: bytes read / copied", 1, one["input_bytes"] / one["seconds"] / copied, 0.7
    for heads in (1, HEADS):
        for length in SHORT:
            ratio = seconds("NumPy", length, heads) / seconds("plain", length, heads)
            yield f"NumPy / plain, {heads} head{'s' * (heads > 1)}", length, ratio, 1.0


def verdict(met):
    return "-" if met is None else "PASS" if met else "MISS"


def print_ratios(found):
    """The medians of the rounds' ratios: a machine's speed may change from round to round. Returns the verdicts."""
    verdicts = []
    print(RATIO_ROW.format("ratio", "L", "value", "target", "result"))
    for rows in zip(*map(ratios, found)):
        name, length, _, target = rows[0]
        ratio = statistics.median(row[2] for row in rows)
        met = None if target is None else ratio >= target
        verdicts.append(met)
        print(RATIO_ROW.format(name, length, f"{ratio:.2f}", "-" if target is None else f"{target:.2f}", verdict(met)))
    return [met for met in verdicts if met is not None]


def print_memory(binary):
    answer = run([binary, "streaming", f"queries={MANY_KEYS}", "heads=1", "once"])
    beyond = (answer["peak_bytes"] - answer["tensor_bytes"]) / MEGABYTE
    met = beyond < 32
    print(RATIO_ROW.format("peak memory beyond inputs and output", MANY_KEYS, f"{beyond:.1f} MB", "< 32 MB",
                           verdict(met)))
    return met


def compare_attention(binary, rounds, python):
    """Prints everything; returns the counts (passed, missed)."""
    peers, left_out = peers_of(python)
    if missing := {"PyTorch", "NumPy"} - set(peers):
        raise RuntimeError(f"{' and '.join(sorted(missing))}: not in {shlex.join(python)} (bench/README.md)")
    print_machine(binary, peers, left_out)
    print(f"float32, D = {WIDTH}, median of {rounds} interleaved runs; these builds on this machine, no others\n")
    found = measured(binary, rounds, peers)
    print_measurements(medians(found))
    print()
    verdicts = print_ratios(found)
    verdicts.append(print_memory(binary))
    return sum(verdicts), len(verdicts) - sum(verdicts)
