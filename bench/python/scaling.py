"""Scores against softmax output with and without 1/sqrt(d), for d = 1 and 100 (textbook: code 2.2.5 to 2.2.7)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

LOW, HIGH, KEYS, SEED = 1, 100, 20, 0


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def experiment():
    random = np.random.RandomState(SEED)
    query_low = random.randn(LOW)
    query_high = random.randn(HIGH)
    keys_low = random.randn(KEYS, LOW)
    keys_high = random.randn(KEYS, HIGH)
    scores_low = keys_low @ query_low
    scores_high = keys_high @ query_high
    return {"scores_low": scores_low,
            "weights_low": softmax(scores_low),
            "weights_low_scaled": softmax(scores_low / np.sqrt(LOW)),
            "scores_high": scores_high,
            "weights_high": softmax(scores_high),
            "weights_high_scaled": softmax(scores_high / np.sqrt(HIGH))}


def draw(arrays, options):
    figure, grid = plt.subplots(2, 2, figsize=options.size)
    top = max(arrays["weights_low_scaled"].max(), arrays["weights_high_scaled"].max()) + 0.1
    for row, (name, width) in enumerate((("low", LOW), ("high", HIGH))):
        for column, (suffix, how) in enumerate((("", "without scaling"), ("_scaled", "scaled"))):
            axes = grid[row, column]
            axes.scatter(arrays[f"scores_{name}"], arrays[f"weights_{name}{suffix}"], s=5)
            axes.set_title(f"d = {width}, {how}")
            if name == "low" or suffix:  # the book leaves the unscaled wide panel free: its .80 would be cut off
                axes.set_ylim(-0.01, top)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="12x12")
