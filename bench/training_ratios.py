"""bench/compare --training: steps a second of `attnlab train` beside the same models in PyTorch.

Both times are those of a training with its looks at held-out sequences in between. The two run in turns; what is
printed are the medians over the rounds, of the rates and of the ratios.
"""

import json
import os
import pathlib
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
TASKS = {"reverse": ["--no-control"], "induction": ["--no-control"], "text": [], "world": []}
TARGET = 5.0
ROW = "{:<12} {:>14} {:>14} {:>8} {:>8}  {}"


def output_of(command, **environment):
    result = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if result.returncode != 0:
        last = (result.stderr.strip() or f"exit code {result.returncode}").splitlines()[-1]
        raise RuntimeError(f"{last}\n    from: {' '.join(map(str, command))}")
    return json.loads(result.stdout)


def attnlab_rate(binary, task):
    """Of all steps but the first: what a training of one step takes, too, is no step's."""
    def timed(*more):
        began = time.perf_counter()
        report = output_of([binary, "train", task, "--no-figure", "--json", *TASKS[task], *more])
        return time.perf_counter() - began, report["scalars"]["steps"]

    (seconds, steps), (beside, _) = timed(), timed("--steps", "1")
    return (steps - 1) / (seconds - beside)


def pytorch_rate(task, threads, python):
    script = str(HERE / "python" / "training.py")
    # Threads of OpenBLAS's own would compete with PyTorch's: with two of each a step takes 40 times as long.
    rate = output_of([*python, script, task, "--threads", str(threads)], OPENBLAS_NUM_THREADS="1")
    return rate["steps_per_second"]


def compare_training(binary, runs, python):
    """Prints the table, beside PyTorch with the number of threads that suits each task best; returns how many targets were
    reached and missed."""
    print(ROW.format("task", "attnlab", "PyTorch", "ratio", "target", "result"))
    reached = 0
    for task in TASKS:
        threads = range(1, len(os.sched_getaffinity(0)) + 1)
        rounds = [(attnlab_rate(binary, task), max(pytorch_rate(task, count, python) for count in threads))
                  for _ in range(runs)]
        ours, theirs = (statistics.median(rates) for rates in zip(*rounds))
        ratio = statistics.median(own / other for own, other in rounds)
        reached += ratio >= TARGET
        print(ROW.format(task, f"{ours:.0f} steps/s", f"{theirs:.0f} steps/s", f"{ratio:.1f}", f"{TARGET:.1f}",
                         "PASS" if ratio >= TARGET else "MISS"))
    return reached, len(TASKS) - reached
