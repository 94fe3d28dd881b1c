"""Four attention heads over six random tokens, one heat map each (article: equations 7 and 8 and the second figure)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

TOKENS, WIDTH, HEADS, SEED = 6, 16, 4, 42


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def experiment():
    """x and the layer's weights come from two generators with one seed, as in the article."""
    x = np.random.RandomState(SEED).randn(TOKENS, WIDTH)
    random = np.random.RandomState(SEED)
    head_width = WIDTH // HEADS
    to_query, to_key, to_value = (0.1 * random.randn(HEADS, WIDTH, head_width) for _ in range(3))
    to_output = 0.1 * random.randn(HEADS * head_width, WIDTH)
    stages = []
    for head in range(HEADS):
        query, key, value = x @ to_query[head], x @ to_key[head], x @ to_value[head]
        weights = softmax(query @ key.T / np.sqrt(head_width))
        stages.append((query, key, value, weights, weights @ value))
    query, key, value, weights, outputs = (np.array(stage) for stage in zip(*stages))
    return {"x": x, "query": query, "key": key, "value": value, "weights": weights,
            "output": np.concatenate(outputs, axis=-1) @ to_output}


def draw(weights, options):
    rows = 2 if options.size[0] < 2 * options.size[1] else 1  # the article's one row needs a very wide page
    figure, grid = plt.subplots(rows, HEADS // rows, figsize=options.size)
    for head, axes in enumerate(grid.flat):
        axes.imshow(weights[head], cmap="Blues", vmin=0, vmax=1)
        axes.set_title(f"Head {head}")
        axes.set_xlabel("Key")
        axes.set_ylabel("Query")
    figure.suptitle("Weights of each head", fontsize=14)
    figure.tight_layout()
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, lambda arrays, options: draw(arrays["weights"], options))
