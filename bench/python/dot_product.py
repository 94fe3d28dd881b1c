"""Dot products of vectors in the plane: angle and projection (textbook: figures 2.2.4 and 2.2.5)."""

from command_line import run  # first: it chooses the Agg backend

import matplotlib.pyplot as plt
import numpy as np

A, B, C = (1.2, 0.9), (1.4, 0.5), (-0.6, 1.3)


def experiment():
    vectors = np.array([A, B, C])
    products = vectors @ vectors.T
    lengths = np.linalg.norm(vectors, axis=1)
    cosines = np.clip(products / np.outer(lengths, lengths), -1, 1)
    np.fill_diagonal(cosines, 1)
    return {"vectors": vectors, "products": products, "lengths": lengths,
            "projections": products / lengths[:, None], "angles": np.degrees(np.arccos(cosines))}


def draw(arrays, options):
    vectors, products, lengths = arrays["vectors"], arrays["products"], arrays["lengths"]
    figure, panels = plt.subplots(1, 2, figsize=options.size)
    for axes, other, name in zip(panels, (1, 2), "bc"):
        foot = products[0, other] / lengths[0] ** 2 * vectors[0]
        for vector, label, colour in ((vectors[0], "a", "tab:orange"), (vectors[other], name, "tab:blue")):
            axes.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2})
            axes.annotate(label, vector, textcoords="offset points", xytext=(6, 4))
        axes.plot(*zip(vectors[other], foot), "k--")
        axes.plot(*zip((0, 0), foot), color="tab:green", lw=4)
        start, end = (np.arctan2(y, x) for x, y in (vectors[0], vectors[other]))
        arc = np.linspace(start, end, 25)
        axes.plot(0.4 * np.cos(arc), 0.4 * np.sin(arc), color="gray")
        axes.text(0.45 * np.cos(arc[12]), 0.45 * np.sin(arc[12]), f"{arrays['angles'][0, other]:.1f}°")
        axes.set_title(f"a·{name} = {products[0, other]:.2f}")
        axes.set_xlim(-0.8, 1.7)
        axes.set_ylim(-0.6, 1.9)
        axes.set_aspect("equal")
        axes.grid(True)
    figure.savefig(options.output, dpi=options.dpi)


if __name__ == "__main__":
    run(__doc__, experiment, draw, size="12x6.75")
