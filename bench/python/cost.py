"""Operations and bytes of a fixed filter, plain and streaming attention against length (article: table, cost row)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

WIDTH, TAPS, BLOCK, BYTES = 64, 5, 64, 8
NAMES = "fixed filter", "plain attention", "streaming attention"


def compute():
    n, d, w, r = 2 ** np.arange(6, 15), WIDTH, TAPS, TAPS // 2
    blocks = -(-n // BLOCK)
    operations = np.array([d * (2 * (n * w - r * (r + 1)) - n),
                           n**2 * (4 * d + 5) - n * (d + 2),
                           n * (4 * n * (d + 1) + blocks * (d + 3) - d - 5)])
    held = np.array([2 * n * d + w, 4 * n * d + n**2, 4 * n * d + np.minimum(BLOCK, n)])
    return {"length": n.astype(float), "operations": operations.astype(float), "bytes": BYTES * held.astype(float)}


def draw(arrays, options):
    figure, panels = plt.subplots(1, 2, figsize=options.size)
    length = arrays["length"]
    for axes, quantity in zip(panels, ("operations", "bytes")):
        for name, values in zip(NAMES, arrays[quantity]):
            slope = np.log2(values[-1] / values[-2])
            axes.loglog(length, values, "o--" if name.startswith("streaming") else "o-", label=f"{name}: {slope:.2f}")
        axes.set_title(quantity.capitalize())
        axes.set_xlabel("Sequence length n")
        axes.set_ylabel(quantity.capitalize())
        axes.legend()
    figure.tight_layout()
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, compute, draw)
