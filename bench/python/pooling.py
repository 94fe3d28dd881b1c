"""The same tokens through SM(XX^T)X, SM(XUU^TX^T)XU and SM(QK^T)V (slides: attention pooling)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

TOKENS, WIDTH, SEED = 5, 4, 0
TITLES = {"1": "XX^T", "2": "XUU^TX^T", "qkv": "QK^T"}


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def experiment():
    random = np.random.RandomState(SEED)
    x = random.randn(TOKENS, WIDTH)
    u, to_query, to_key, to_value = (random.randn(WIDTH, WIDTH) for _ in range(4))
    arrays = {"x": x}
    asymmetry = []
    operands = {"1": (x, x, x), "2": (x @ u, x @ u, x @ u), "qkv": (x @ to_query, x @ to_key, x @ to_value)}
    for name, (query, key, value) in operands.items():
        scores = query @ key.T
        weights = softmax(scores)
        arrays |= {f"scores_{name}": scores, f"weights_{name}": weights, f"output_{name}": weights @ value}
        asymmetry.append(np.abs(scores - scores.T).max())
    arrays["asymmetry"] = np.array(asymmetry)
    return arrays


def draw(arrays, options):
    figure, axes = plt.subplots(1, 3, figsize=options.size)
    largest = max(np.abs(arrays[f"scores_{name}"]).max() for name in TITLES)
    for panel, (name, title) in zip(axes, TITLES.items()):
        image = panel.imshow(arrays[f"scores_{name}"], cmap="RdBu", vmin=-largest, vmax=largest)
        for (row, column), score in np.ndenumerate(arrays[f"scores_{name}"]):
            panel.text(column, row, f"{score:.1f}", ha="center", va="center")
        panel.set_xlabel("Key")
        panel.set_ylabel("Query")
        panel.set_title(title)
    figure.colorbar(image, ax=axes)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="15x6")
