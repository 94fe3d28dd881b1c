"""Softmax of five raw scores, before and after as bars (textbook: figure 2.2.6 and code 2.2.1)."""

from command_line import read_options  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

SCORES = np.array([2.0, -1.0, 0.5, 3.0, -0.5])


def naive_softmax(scores):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax(scores):
    return naive_softmax(scores - scores.max(axis=-1, keepdims=True))


def softmax_with_global_maximum(scores):
    return naive_softmax(scores - scores.max())


def draw(weights, options):
    figure, (before, after) = plt.subplots(1, 2, figsize=options.size)
    for axes, values, title in ((before, SCORES, "Raw scores"), (after, weights, "After softmax")):
        bars = axes.bar(np.arange(len(values)), values)
        axes.bar_label(bars, fmt="%.3f", padding=2)
        axes.margins(y=0.1)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_title(title)
        axes.set_xlabel("Key")
    before.set_ylabel("Score")
    after.set_ylabel("Weight")
    figure.savefig(options.output, dpi=options.dpi)


def numbers(weights, options):
    """All arrays of the experiment; the grids are free choices, so --grids can replace them."""
    grids = {"magnitude": np.array([1, 10, 50, 88, 89, 300, 700, 709.5, 710, 1000]),
             "temperature": np.array([0.1, 0.5, 1, 2, 10])}
    if options.grids:
        with np.load(options.grids) as stored:
            grids = {name: stored[name] for name in grids}
    sweep = grids["magnitude"][:, np.newaxis] * SCORES / np.abs(SCORES).max()
    by_temperature = softmax(SCORES / grids["temperature"][:, np.newaxis])
    pair = np.array([[1000.0, 999.0], [0.0, -1.0]])
    with np.errstate(all="ignore"):  # the overflow and 0/0 are the lesson
        return dict(
            grids, scores=SCORES, weights=weights,
            naive_float32=naive_softmax(sweep.astype(np.float32)), stable_float32=softmax(sweep.astype(np.float32)),
            naive_float64=naive_softmax(sweep), stable_float64=softmax(sweep),
            temperature_weights=by_temperature,
            entropy=-np.where(by_temperature > 0, by_temperature * np.log(by_temperature), 0).sum(axis=1),
            global_max=softmax_with_global_maximum(pair), row_max=softmax(pair))


def main():
    options = read_options(__doc__, extra=lambda parser: parser.add_argument(
        "--grids", metavar="FILE", help="take the arrays magnitude and temperature from this .npz"))
    weights = softmax(SCORES)
    if options.numbers:
        np.savez(options.numbers, **numbers(weights, options))
    if options.output:
        draw(weights, options)


if __name__ == "__main__":
    main()
