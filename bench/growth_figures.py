"""bench/compare --growth: how attnlab's time grows with the length, the heads and the layers; one figure each.

Length and heads are the kernels' alone (attention_once), layers those of `attnlab model` with random models of GPT-2's
width, as whole processes. Every point is the median over the rounds, and each round goes through all points.
"""

import json
import pathlib
import statistics
import tempfile

from model_ratios import HERE, PYTHON, TOKENS, timed

LENGTHS = [256, 512, 1024, 2048, 4096, 8192, 16384]
PLAIN_LENGTHS = LENGTHS[:4]  # it keeps all its stages: 8 heads of 4096 x 4096 would be gigabytes
HEADS = [1, 2, 4, 8, 16, 32]
TOTAL_WIDTH = 512
LAYERS = [1, 2, 4, 8, 12]


def kernel(program, kind, **sizes):
    words = [f"{name}={value}" for name, value in sizes.items()]
    return lambda: json.loads(timed([program, kind, *words])[1].stdout)["seconds"]


def model(program, folder, layers):
    timed([PYTHON, str(HERE / "python" / "gpt2.py"), "write", folder, str(layers)])
    return lambda: timed([program, "model", folder, "--tokens", TOKENS, "--no-figure"])[0]


def curves_of(program, kernels, folder):
    """Figure -> (scale, what is on its axis, {curve: {place on the axis: one measurement}})."""
    layers = {}
    for count in LAYERS:
        of_this_size = pathlib.Path(folder, str(count))
        of_this_size.mkdir()
        layers[count] = model(program, of_this_size, count)
    return {
        "length": ("log", "queries and keys (8 heads, width 64)", {
            "streaming": {length: kernel(kernels, "streaming", queries=length) for length in LENGTHS},
            "streaming, causal": {length: kernel(kernels, "causal", queries=length) for length in LENGTHS},
            "plain": {length: kernel(kernels, "plain", queries=length) for length in PLAIN_LENGTHS}}),
        "heads": ("log", "heads (1,024 queries and keys)", {
            "width 64 each": {count: kernel(kernels, "streaming", queries=1024, heads=count) for count in HEADS},
            f"width {TOTAL_WIDTH} together": {
                count: kernel(kernels, "streaming", queries=1024, heads=count, width=TOTAL_WIDTH // count)
                for count in HEADS}}),
        "layers": ("linear", "layers (GPT-2's width, 64 tokens, the whole process)", {"attnlab model": layers})}


def draw(path, scale, axis, curves):
    from matplotlib import pyplot, ticker  # here, so that the other comparisons do without it
    figure, axes = pyplot.subplots(figsize=(8, 5))
    for name, points in curves.items():
        axes.plot(list(points), [1e3 * seconds for seconds in points.values()], "o-", label=name)
    axes.set(xlabel=axis, ylabel="milliseconds", xscale=scale, yscale=scale)
    if scale == "linear":
        axes.set(xlim=(0, None), ylim=(0, None))
    places = sorted({place for points in curves.values() for place in points})
    axes.set_xticks(places, [f"{place:,}" for place in places])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,g}"))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=144, bbox_inches="tight")


def draw_growth(program, kernels, runs, folder):
    """Prints every median with its ratio to the one before; writes growth-{length,heads,layers}.png into `folder`."""
    if not kernels.is_file():
        raise RuntimeError(f"there is no program {kernels}; build it first (cmake --preset bench && cmake --build --preset bench)")
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise RuntimeError("no matplotlib to draw with (apt-get install python3-matplotlib)") from None
    matplotlib.use("agg")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="attnlab-growth-") as models:
        figures = curves_of(program, kernels, models)
        measurements = [(figure, curve, place, measure) for figure, (*_, curves) in figures.items()
                        for curve, points in curves.items() for place, measure in points.items()]
        rounds = [[measure() for *_, measure in measurements] for _ in range(runs)]
    medians = {}
    for (figure, curve, place, _), seconds in zip(measurements, zip(*rounds)):
        medians.setdefault(figure, {}).setdefault(curve, {})[place] = statistics.median(seconds)
    for figure, curves in medians.items():
        for curve, points in curves.items():
            times = list(points.values())
            steps = ["", *(f"x{after / before:.2f}" for before, after in zip(times, times[1:]))]
            print(f"\n{figure}: {curve}")
            for (place, seconds), step in zip(points.items(), steps):
                print(f"{place:>8} {1e3 * seconds:>10.2f} ms  {step}")
        path = pathlib.Path(folder, f"growth-{figure}.png")
        draw(path, *figures[figure][:2], curves)
        print(path)
