"""Standard deviation of q·k and saturation of softmax against d (textbook: footnote 3; article: eq. 4; slides)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

DIMS, PAIRS, QUERIES, KEYS, SEED = (1, 4, 16, 64, 256, 1024), 1000, 200, 20, 0


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def spread():
    random = np.random.RandomState(SEED)
    raw, scaled = [], []
    for d in DIMS:
        query, key = random.randn(PAIRS, d), random.randn(PAIRS, d)
        products = (query * key).sum(axis=1)
        raw.append(products.std())
        scaled.append((products / np.sqrt(d)).std())
    return {"std_raw": np.array(raw), "std_scaled": np.array(scaled)}


def saturation():
    random = np.random.RandomState(SEED + 1)
    result = {}
    for d in DIMS:
        query, key = random.randn(QUERIES, d), random.randn(KEYS, d)
        for name, scores in (("raw", query @ key.T), ("scaled", query @ key.T / np.sqrt(d))):
            weights = softmax(scores)
            jacobian = weights[:, :, None] * np.eye(KEYS) - weights[:, :, None] * weights[:, None, :]
            terms = np.where(weights > 0, weights * np.log(np.where(weights > 0, weights, 1)), 0)
            result.setdefault(f"largest_{name}", []).append(weights.max(axis=1).mean())
            result.setdefault(f"entropy_{name}", []).append(-terms.sum(axis=1).mean())
            result.setdefault(f"gradient_{name}", []).append(np.linalg.norm(jacobian, axis=(1, 2)).mean())
    return {name: np.array(values) for name, values in result.items()}


def experiment():
    return {"dims": np.array(DIMS, dtype=float), **spread(), **saturation()}


def draw(arrays, options):
    figure, axes = plt.subplots(figsize=options.size)
    dims = arrays["dims"]
    axes.loglog(dims, np.sqrt(dims), "k--", label="sqrt(d)")
    axes.loglog(dims, arrays["std_raw"], "o-", color="tab:orange", label="q·k")
    axes.loglog(dims, arrays["std_scaled"], "o-", color="tab:blue", label="q·k / sqrt(d)")
    axes.axhline(1, color="gray", linestyle="--")
    axes.set_xlabel("Dimension d")
    axes.set_ylabel("Standard deviation")
    axes.set_title("Dot products spread like sqrt(d)")
    axes.legend()
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw)
