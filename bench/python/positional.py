"""The sinusoidal positional encoding of 50 positions as a heat map (article: equations 9 and 10, third figure)."""

from command_line import read_options  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

POSITIONS, WIDTH, BASE = 50, 64, 10000


def positional_encoding():
    angles = np.arange(POSITIONS)[:, np.newaxis] / BASE ** (np.arange(0, WIDTH, 2) / WIDTH)
    encoding = np.empty((POSITIONS, WIDTH))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)
    return encoding


def draw(encoding, options):
    figure, axes = plt.subplots(figsize=options.size)
    image = axes.imshow(encoding, cmap="RdBu", aspect="auto")
    axes.set_xlabel("Dimension")
    axes.set_ylabel("Position")
    axes.set_title("Sinusoidal positional encoding")
    figure.colorbar(image, ax=axes)
    figure.tight_layout()
    figure.savefig(options.output, dpi=options.dpi)


def main():
    options = read_options(__doc__)
    encoding = positional_encoding()
    if options.numbers:
        np.savez(options.numbers, encoding=encoding, similarity=encoding @ encoding.T)
    if options.output:
        draw(encoding, options)


if __name__ == "__main__":
    main()
