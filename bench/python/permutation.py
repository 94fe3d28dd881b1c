"""Self-attention over tokens in two orders, without and with positional encoding (article: equations 1 to 6, 9, 10)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

ORDER, WIDTH, SEED, BASE = [3, 0, 5, 1, 4, 2], 8, 0, 10000


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def positional_encoding(positions):
    angles = np.arange(positions)[:, np.newaxis] / BASE ** (np.arange(0, WIDTH, 2) / WIDTH)
    encoding = np.empty((positions, WIDTH))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)
    return encoding


def experiment():
    random = np.random.RandomState(SEED)
    x = random.randn(len(ORDER), WIDTH)
    to_query, to_key, to_value = (0.1 * random.randn(WIDTH, WIDTH) for _ in range(3))

    def attention(tokens):
        scores = (tokens @ to_query) @ (tokens @ to_key).T / np.sqrt(WIDTH)
        weights = softmax(scores)
        return weights, weights @ (tokens @ to_value)

    arrays = {"x": x, "permuted_x": x[ORDER]}
    for suffix, positions in (("", 0), ("_with_position", positional_encoding(len(ORDER)))):
        arrays["weights" + suffix], arrays["output" + suffix] = attention(x + positions)
        arrays["permuted_weights" + suffix], arrays["permuted_output" + suffix] = attention(x[ORDER] + positions)
        arrays["reordered_output" + suffix] = arrays["output" + suffix][ORDER]
    return arrays


def draw(arrays, options):
    figure, all_axes = plt.subplots(2, 3, figsize=options.size, constrained_layout=True)
    original = list(range(len(ORDER)))
    reach = max(np.abs(arrays[name + suffix] - arrays["output" + suffix].mean(axis=0)).max()
                for name in ("output", "permuted_output") for suffix in ("", "_with_position"))
    for row, suffix in zip(all_axes, ("", "_with_position")):
        mean = arrays["output" + suffix].mean(axis=0)
        for axes, name, title, tokens in zip(row, ("output", "reordered_output", "permuted_output"),
                                             ("Y", "P Y", "Y′"), (original, ORDER, ORDER)):
            axes.imshow(arrays[name + suffix] - mean, cmap="RdBu", vmin=-reach, vmax=reach)
            axes.set_yticks(original, tokens)
            axes.set_xticks([])
            axes.set_title(title)
    all_axes[0, 0].set_ylabel("Without positional encoding")
    all_axes[1, 0].set_ylabel("With positional encoding")
    errors = [np.abs(arrays["permuted_output" + suffix] - arrays["reordered_output" + suffix]).max()
              for suffix in ("", "_with_position")]
    figure.suptitle(f"Reordered: the same rows (off by {errors[0]:.1e}); with positions: not ({errors[1]:.3g})")
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="14x8")
