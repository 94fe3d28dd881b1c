"""The same scores under four masks as heat maps, and what finite masks leak (course: task 1, the additive mask)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

QUERIES, KEYS, WIDTH, SEED = 6, 6, 8, 0
PADDED, REACH = 2, 1


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def readable_keys():
    """True where the query may read the key."""
    query, key = np.arange(QUERIES)[:, np.newaxis], np.arange(KEYS)
    return {"none": np.ones((QUERIES, KEYS), bool),
            "causal": key <= query,
            "padding": np.broadcast_to(key < KEYS - PADDED, (QUERIES, KEYS)),
            "window": np.abs(key - query) <= REACH}


def experiment():
    random = np.random.RandomState(SEED)
    query, key, value = random.randn(QUERIES, WIDTH), random.randn(KEYS, WIDTH), random.randn(KEYS, WIDTH)
    scores = query @ key.T / np.sqrt(WIDTH)
    arrays = {"query": query, "key": key, "value": value, "scores": scores}
    leaks = []
    for name, readable in readable_keys().items():
        weights = softmax(scores + np.where(readable, 0, -np.inf))
        arrays["weights_" + name] = weights
        leaks.append(np.where(readable, 0, weights).sum(axis=-1))
    arrays["weights"] = arrays["weights_causal"]
    arrays["output"] = arrays["weights"] @ value
    arrays["leak"] = np.array(leaks + leaks[1:2])  # the last row: the mask of the output, causal
    return arrays


def draw(arrays, options):
    figure, all_axes = plt.subplots(1, 4, figsize=options.size, sharey=True, constrained_layout=True)
    titles = ("No mask", "Causal", f"Padding: last {PADDED}", f"Window: ±{REACH}")
    for axes, title, (name, readable) in zip(all_axes, titles, readable_keys().items()):
        weights = arrays["weights_" + name]
        image = axes.imshow(np.where(readable, weights, np.nan), cmap="Blues", vmin=0, vmax=1)
        axes.set_facecolor("0.9")
        for (row, column), weight in np.ndenumerate(weights):
            text = f"{weight:.2f}" if readable[row, column] else "/"
            axes.text(column, row, text, ha="center", va="center", color="white" if weight > 0.5 else "black")
        axes.set_xlabel("Key")
        axes.set_title(title)
    all_axes[0].set_ylabel("Query")
    figure.suptitle("Hidden keys get 0, and the rest of each row sums to 1")
    figure.colorbar(image, ax=all_axes, label="Weight")
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="16x6")
