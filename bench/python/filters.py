"""Moving average, EMA and attention as matrices of weights on one noisy sine (article: table of fixed filters)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

SAMPLES, WINDOW, ALPHA, NOISE = 64, 5, 0.3, 0.3


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def compute():
    np.random.seed(0)
    time = np.arange(SAMPLES)
    signal = np.sin(2 * np.pi * (2 * time / SAMPLES)) + NOISE * np.random.randn(SAMPLES)

    lag = time[:, np.newaxis] - time
    band = (np.abs(lag) <= WINDOW // 2).astype(float)
    moving_average = band / band.sum(axis=1, keepdims=True)

    ema = np.where(lag >= 0, ALPHA * (1 - ALPHA) ** np.abs(lag), 0)
    ema[:, 0] /= ALPHA  # the first sample keeps the rest

    windows = np.lib.stride_tricks.sliding_window_view(np.pad(signal, WINDOW // 2, mode="edge"), WINDOW)
    attention = softmax(windows @ windows.T / np.sqrt(WINDOW))

    arrays = {"signal": signal}
    for name, weights in (("moving_average", moving_average), ("ema", ema), ("attention", attention)):
        arrays[name + "_weights"] = weights
        arrays[name + "_output"] = weights @ signal
    return arrays


def draw(arrays, options):
    figure, panels = plt.subplots(1, 3, figsize=options.size)
    for axes, name, title in zip(panels, ("moving_average", "ema", "attention"),
                                 ("Moving average (5)", "EMA (0.3)", "Attention")):
        image = axes.imshow(arrays[name + "_weights"], cmap="Blues", vmin=0)
        axes.set_title(title)
        axes.set_xlabel("Input sample")
        axes.set_ylabel("Output sample")
        figure.colorbar(image, ax=axes)
    figure.tight_layout()
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, compute, draw)
