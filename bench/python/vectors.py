"""Ten unit vectors and one query at 45 degrees (textbook: code 2.2.1 to 2.2.4, figures 2.2.8 to 2.2.10)."""

from command_line import read_options  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

COUNT = 10
LONG_INDEX, LONG_FACTOR = 3, 5.0  # the book's v4, five times as long


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attend(query, keys, values):
    weights = softmax(query @ keys.T)
    return weights @ values, weights


def draw(vectors, query, weights, output, options):
    figure, axes = plt.subplots(figsize=options.size)
    start = np.zeros(COUNT)
    arrows = axes.quiver(start, start, vectors[:, 0], vectors[:, 1], weights, cmap="Blues", clim=(0, weights.max()),
                         angles="xy", scale_units="xy", scale=1, edgecolor="gray", linewidth=0.5)
    for index, (x, y) in enumerate(vectors):
        axes.text(1.17 * x, 1.13 * y, f"v{index + 1}\n{weights[index]:.3f}", ha="center", va="center")
    for (x, y), color, label in ((query, "tab:red", "query"), (output, "tab:green", "output")):
        axes.quiver(0, 0, x, y, color=color, angles="xy", scale_units="xy", scale=1, width=0.004, label=label)
    axes.set_xlim(-1.4, 1.4)
    axes.set_ylim(-1.4, 1.4)
    axes.set_aspect("equal")
    axes.legend(loc="upper left")
    axes.set_title("Vectors coloured by their weight")
    figure.colorbar(arrows, ax=axes, label="Weight")
    figure.savefig(options.output, dpi=options.dpi)


def main():
    options = read_options(__doc__)
    angles = 2 * np.pi / COUNT * np.arange(COUNT)
    vectors = np.column_stack((np.cos(angles), np.sin(angles)))
    query = np.array([1 / np.sqrt(2), 1 / np.sqrt(2)])
    output, weights = attend(query, vectors, vectors)
    if options.numbers:
        long_vectors = vectors.copy()
        long_vectors[LONG_INDEX] *= LONG_FACTOR
        long_output, long_weights = attend(query[np.newaxis], long_vectors, long_vectors)
        np.savez(options.numbers, vectors=vectors, queries=query[np.newaxis], weights=weights[np.newaxis],
                 output=output[np.newaxis], long_vectors=long_vectors, long_weights=long_weights,
                 long_output=long_output)
    if options.output:
        draw(vectors, query, weights, output, options)


if __name__ == "__main__":
    main()
