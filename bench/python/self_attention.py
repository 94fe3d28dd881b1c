"""Self-attention of four random tokens as an annotated heat map (article: equations 1 to 6 and the first figure)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

TOKENS, WIDTH, SEED = 4, 8, 42


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def experiment():
    random = np.random.RandomState(SEED)
    x = random.randn(TOKENS, WIDTH)
    to_query, to_key, to_value = (0.1 * random.randn(WIDTH, WIDTH) for _ in range(3))
    query, key, value = x @ to_query, x @ to_key, x @ to_value
    scores = query @ key.T / np.sqrt(WIDTH)
    weights = softmax(scores)
    return {"x": x, "query": query, "key": key, "value": value,
            "scores": scores, "weights": weights, "output": weights @ value}


def draw(weights, options):
    figure, axes = plt.subplots(figsize=options.size)
    image = axes.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    labels = [f"Token {index}" for index in range(TOKENS)]
    axes.set_xticks(range(TOKENS), labels)
    axes.set_yticks(range(TOKENS), labels)
    axes.set_xlabel("Key position")
    axes.set_ylabel("Query position")
    axes.set_title("Attention weights")
    for (row, column), weight in np.ndenumerate(weights):
        axes.text(column, row, f"{weight:.2f}", ha="center", va="center", fontsize=11)
    figure.colorbar(image, ax=axes)
    figure.tight_layout()
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, lambda arrays, options: draw(arrays["weights"], options))
