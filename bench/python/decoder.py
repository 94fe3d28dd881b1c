"""A small GPT with random weights: the next word's probabilities as bars and for every position (slides: GPT preview).

The slides give the architecture but no numbers; sizes and order of drawing are attnlab's.
"""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

WORDS, PROMPT, WIDTH, HEADS, LAYERS, SEED = 9, [0, 1, 2, 3, 4], 16, 4, 2, 0


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def layer_norm(tokens, delta=1e-5):
    deviation = tokens - tokens.mean(axis=-1, keepdims=True)
    return deviation / np.sqrt((deviation**2).mean(axis=-1, keepdims=True) + delta)


def sinusoids(positions, width):
    angles = np.arange(positions)[:, None] / 10000 ** (2 * np.arange(width // 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(positions, width)


def experiment():
    random = np.random.RandomState(SEED)

    def draw_weights(*shape):
        return random.randn(*shape) / np.sqrt(shape[-2])

    embedding = random.randn(WORDS, WIDTH)
    layers = []
    for _ in range(LAYERS):
        projections = [draw_weights(HEADS, WIDTH, WIDTH // HEADS) for _ in range(3)]
        layers.append((*projections, draw_weights(WIDTH, WIDTH), draw_weights(WIDTH, 4 * WIDTH),
                       draw_weights(4 * WIDTH, WIDTH)))
    to_words = draw_weights(WIDTH, WORDS)

    mask = np.triu(np.full((len(PROMPT), len(PROMPT)), -np.inf), 1)
    x = stream = embedding[PROMPT] + sinusoids(len(PROMPT), WIDTH)
    all_weights = []
    for to_query, to_key, to_value, to_output, widen, narrow in layers:
        tokens = layer_norm(stream)
        scores = (tokens @ to_query) @ (tokens @ to_key).swapaxes(1, 2) / np.sqrt(WIDTH // HEADS)
        weights = softmax(scores + mask)
        stream = stream + np.hstack(list(weights @ (tokens @ to_value))) @ to_output
        stream = stream + np.maximum(layer_norm(stream) @ widen, 0) @ narrow
        all_weights.append(weights)
    logits = layer_norm(stream) @ to_words
    return {"x": x, "weights": np.array(all_weights), "logits": logits, "probabilities": softmax(logits)}


def draw(probabilities, options):
    figure, (bars, maps) = plt.subplots(1, 2, figsize=options.size, layout="constrained")
    drawn = bars.bar(range(WORDS), probabilities[-1])
    bars.bar_label(drawn, fmt="%.2f")
    bars.set_xlabel("Next word")
    bars.set_ylabel("Probability")
    image = maps.imshow(probabilities, cmap="Blues", vmin=0)
    for (row, column), probability in np.ndenumerate(probabilities):
        maps.text(column, row, f"{probability:.2f}", ha="center", va="center", fontsize=9)
    maps.set_xlabel("Next word")
    maps.set_ylabel("Last word so far")
    figure.colorbar(image, ax=maps, label="Probability")
    figure.suptitle("The next word, untrained")
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, lambda arrays, options: draw(arrays["probabilities"], options))
