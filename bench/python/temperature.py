"""Largest weight and entropy of softmax against its temperature (textbook: section 2.2.2)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

SCORES = np.array([[2.0, -1.0, 0.5, 3.0, -0.5]])


def experiment():
    temperature = 0.1 * 1000.0 ** (np.arange(61) / 60)
    divided = SCORES / temperature[:, None]
    exponentials = np.exp(divided - divided.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    logarithms = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    return {"temperature": temperature, "divided": divided, "weights": weights, "largest": weights.max(axis=-1),
            "entropy": -(weights * logarithms).sum(axis=-1)}


def draw(arrays, options):
    figure, axes = plt.subplots(1, 2, figsize=options.size)
    for panel, name in zip(axes, ("largest", "entropy")):
        panel.semilogx(arrays["temperature"], arrays[name])
        panel.set_xlabel("temperature")
        panel.set_ylabel(name)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="12x5.5")
