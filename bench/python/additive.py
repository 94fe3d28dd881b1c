"""Additive attention beside the dot product on the same random inputs (textbook: figure 2.2.3, section 2.2.2)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

QUERIES, KEYS, WIDTH, UNITS, SEED = 3, 5, 128, 64, 0


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def experiment():
    random = np.random.RandomState(SEED)
    query, key = random.randn(QUERIES, WIDTH), random.randn(KEYS, WIDTH)
    hidden = random.randn(2 * WIDTH, UNITS) / np.sqrt(2 * WIDTH)
    score = random.randn(UNITS) / np.sqrt(UNITS)
    pairs = np.concatenate([np.repeat(query[:, None], KEYS, axis=1), np.repeat(key[None], QUERIES, axis=0)], axis=-1)
    scores = np.tanh(pairs @ hidden) @ score
    dot = query @ key.T
    return {"query": query, "key": key, "scores": scores, "weights": softmax(scores), "dot_weights": softmax(dot),
            "scaled_dot_weights": softmax(dot / np.sqrt(WIDTH))}


def draw(arrays, options):
    figure, axes = plt.subplots(1, 3, figsize=options.size)
    titles = {"weights": "Additive", "dot_weights": "Dot product", "scaled_dot_weights": "Dot product / √d"}
    for panel, (name, title) in zip(axes, titles.items()):
        image = panel.imshow(arrays[name], cmap="Blues", vmin=0, vmax=1)
        for (row, column), weight in np.ndenumerate(arrays[name]):
            panel.text(column, row, f"{weight:.2f}", ha="center", va="center")
        panel.set_xlabel("Key")
        panel.set_ylabel("Query")
        panel.set_title(title)
    figure.colorbar(image, ax=axes)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="14x5")
