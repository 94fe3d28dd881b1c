"""One encoder layer on six random tokens, from X to the output as matrices on one scale (slides: layer normalisation,
residual representation, MLP, encoder layer)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

TOKENS, WIDTH, HEADS, HIDDEN, SEED = 6, 16, 4, 64, 0


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def layer_norm(tokens, delta=1e-5):
    deviation = tokens - tokens.mean(axis=-1, keepdims=True)
    return deviation / np.sqrt((deviation**2).mean(axis=-1, keepdims=True) + delta)


def experiment():
    random = np.random.RandomState(SEED)
    x = random.randn(TOKENS, WIDTH)
    to_query, to_key, to_value = (0.1 * random.randn(HEADS, WIDTH, WIDTH // HEADS) for _ in range(3))
    to_output = 0.1 * random.randn(WIDTH, WIDTH)
    widen, narrow = 0.1 * random.randn(WIDTH, HIDDEN), 0.1 * random.randn(HIDDEN, WIDTH)
    query, key, value = x @ to_query, x @ to_key, x @ to_value
    weights = softmax(query @ key.swapaxes(1, 2) / np.sqrt(WIDTH // HEADS))
    concat = np.hstack(list(weights @ value))
    attention = concat @ to_output
    residual_1 = x + attention
    norm_1 = layer_norm(residual_1)
    mlp = np.maximum(norm_1 @ widen, 0) @ narrow
    residual_2 = norm_1 + mlp
    return {"x": x, "query": query, "key": key, "value": value, "weights": weights, "concat": concat,
            "attention": attention, "residual_1": residual_1, "norm_1": norm_1, "mlp": mlp, "residual_2": residual_2,
            "output": layer_norm(residual_2)}


def draw(arrays, options):
    rows = (("x", "attention", "residual_1", "norm_1"), ("norm_1", "mlp", "residual_2", "output"))
    reach = max(np.abs(arrays[name]).max() for row in rows for name in row)
    figure, grid = plt.subplots(2, 4, figsize=options.size, layout="constrained")
    for axes, name in zip(grid.flat, (name for row in rows for name in row)):
        image = axes.imshow(arrays[name], cmap="RdBu", vmin=-reach, vmax=reach)
        axes.set_title(name)
        axes.set_xticks([])
        axes.set_yticks([])
    figure.colorbar(image, ax=grid, label="Value")
    figure.suptitle("One encoder layer")
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw)
