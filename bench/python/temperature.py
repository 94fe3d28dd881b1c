"""Largest weight and entropy of softmax against its temperature (textbook: section 2.2.2)."""

from command_line import entropy, np, plt, run, softmax


def experiment():
    temperature = 0.1 * 1000.0 ** (np.arange(61)[:, None] / 60)
    divided = np.array([2.0, -1.0, 0.5, 3.0, -0.5]) / temperature
    weights = softmax(divided)
    return {"temperature": temperature, "divided": divided, "weights": weights, "largest": weights.max(axis=-1),
            "entropy": entropy(weights)}


def draw(arrays, options):
    figure, axes = plt.subplots(1, 2, figsize=options.size)
    for panel, name in zip(axes, ("largest", "entropy")):
        panel.semilogx(arrays["temperature"], arrays[name])
        panel.set(xlabel="temperature", ylabel=name)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="12x5.5")
