"""bench/compare --model: `attnlab model` beside PyTorch and, where it is named, llama2.c's own program.

A model of GPT-2's size, random, is read by both as whole processes, from the start to the likeliest tokens, which have
to be the same; llama2.c's `run` and attnlab write the same story. They run in turns; printed are medians.
"""

import json
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
TOKENS = ",".join(str(100 + 37 * place) for place in range(64))
ROW = "{:<34} {:>12} {:>12} {:>8} {:>8}  {}"


def timed(command):
    """(seconds, its output)"""
    begin = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        last = (result.stderr.strip() or f"exit code {result.returncode}").splitlines()[-1]
        raise RuntimeError(f"{last}\n    from: {' '.join(map(str, command))}")
    return time.perf_counter() - begin, result


def row(what, ours, theirs, ratio, target):
    print(ROW.format(what, ours, theirs, f"{ratio:.2f}", f"{target:.1f}", "PASS" if ratio >= target else "MISS"))
    return ratio >= target


def compare_reading(binary, runs):
    with tempfile.TemporaryDirectory(prefix="attnlab-model-") as folder:
        timed([PYTHON, str(HERE / "python" / "gpt2.py"), "write", folder])
        ours = [binary, "model", folder, "--tokens", TOKENS, "--no-figure", "--lang", "en"]
        theirs = [PYTHON, str(HERE / "python" / "gpt2.py"), "read", folder, TOKENS]
        rounds = []
        for _ in range(runs):
            seconds, report = timed(ours)
            other_seconds, other = timed(theirs)
            other = json.loads(other.stdout)
            likeliest = [int(token) for token in re.findall(r"^#(\d+) +\d+ +0\.", report.stdout, re.M)]
            if likeliest != other["tokens"]:
                raise RuntimeError(f"attnlab says {likeliest}, PyTorch {other['tokens']}")
            rounds.append((seconds, other_seconds, other["seconds"]))
        own, whole, forward = (statistics.median(times) for times in zip(*rounds))
        peak = max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 0)
        good = row("GPT-2's size, 64 tokens, process", f"{own:.2f} s", f"{whole:.2f} s",
                   statistics.median(other / mine for mine, other, _ in rounds), 1.5)
        print(f"    PyTorch's forward alone, within that: {forward:.2f} s; the largest process had {peak / 1000:.0f} MB")
    return good


def compare_story(binary, runs, program, model, tokenizer):
    """llama2.c prints its rate behind the first token; attnlab's is the difference of a long and a short story."""
    steps, few = 250, 10
    rounds = []
    for _ in range(runs):
        _, other = timed([program, model, "-z", tokenizer, "-t", "0", "-n", str(steps), "-i", "Once upon a time"])
        theirs = float(re.search(r"achieved tok/s: ([\d.]+)", other.stderr).group(1))
        command = [binary, "model", model, "--tokenizer", tokenizer, "Once upon a time", "--no-figure", "--generate"]
        rates = [timed([*command, str(count)])[0] for count in (few, steps - 5)]
        rounds.append(((steps - 5 - few) / (rates[1] - rates[0]), theirs))
    ours, theirs = (statistics.median(rates) for rates in zip(*rounds))
    return row("llama2.c's run, tokens a second", f"{ours:.0f}", f"{theirs:.0f}",
               statistics.median(own / other for own, other in rounds), 1.0)


def compare_models(binary, runs, llama2c):
    """Prints the table; returns how many targets were reached and missed. `llama2c`: run, model, tokenizer."""
    print(ROW.format("model", "attnlab", "peer", "ratio", "target", "result"))
    results = [compare_reading(binary, runs)]
    if llama2c:
        results.append(compare_story(binary, runs, *llama2c))
    return sum(results), len(results) - sum(results)
