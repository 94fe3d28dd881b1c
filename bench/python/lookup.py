"""Hard and soft dictionary lookup by temperature (slides: query, key and value; article: soft dictionary)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

VALUES = ("Soseki", "Ogai", "Atsushi", "Basho")
QUERY, TEMPERATURE = 1, (0.05, 0.2, 0.5, 1.0, 2.0, 5.0, 100.0)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def experiment():
    keys = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    temperature = np.array(TEMPERATURE)
    scores = keys @ keys[QUERY]
    weights = softmax(scores / temperature[:, None])
    return {"keys": keys, "query": keys[QUERY], "scores": scores, "temperature": temperature, "weights": weights,
            "output": weights @ keys}


def draw(arrays, options):
    figure, (plane, table) = plt.subplots(1, 2, figsize=options.size)
    for name, (x, y) in zip(VALUES, arrays["keys"]):
        plane.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": "gray", "lw": 2})
        plane.text(1.15 * x, 1.15 * y, name, ha="center", va="center")
    plane.plot(*arrays["output"].T, "o-", color="tab:green")
    plane.set_xlim(-1.75, 1.75)
    plane.set_ylim(-1.35, 1.35)
    plane.set_aspect("equal")
    plane.grid(True)
    plane.set_title("The output moves")
    image = table.imshow(arrays["weights"], cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (i, j), weight in np.ndenumerate(arrays["weights"]):
        table.text(j, i, f"{weight:.2f}", ha="center", va="center", color="white" if weight > 0.5 else "black")
    table.set_xticks(range(len(VALUES)), VALUES)
    table.set_yticks(range(len(TEMPERATURE)), [f"{t:g}" for t in TEMPERATURE])
    table.set_ylabel("Temperature")
    table.set_title("Weights by temperature")
    figure.colorbar(image, ax=table)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="12x6")
