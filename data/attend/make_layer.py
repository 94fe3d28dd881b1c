"""A small attention layer made by hand, for `attnlab attend`: four heads with one habit each.

    /usr/bin/python3 make_layer.py      writes x.npy and layer.npz beside itself

x holds the sinusoidal encodings of 48 positions (Vaswani et al. 2017, section 3.5, with base 100). A rotation
turns the encoding of a position into that of the one before, so that

    head 0 reads the previous token, head 1 its own place, head 2 the first token (by its bias alone),
    and head 3 reads broadly around itself.
"""

from pathlib import Path

import numpy as np

LENGTH, WIDTH, HEADS, BASE = 48, 32, 4, 100.0
SHARP, BROAD = 60.0, 2.5

frequencies = BASE ** (-np.arange(WIDTH // 2) / (WIDTH // 2))
angles = np.outer(np.arange(LENGTH), frequencies)
x = np.zeros((LENGTH, WIDTH))
x[:, 0::2], x[:, 1::2] = np.sin(angles), np.cos(angles)

one_back = np.zeros((WIDTH, WIDTH))  # x[p] @ one_back = x[p - 1]
for i, w in enumerate(frequencies):
    one_back[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(w), np.sin(w)], [-np.sin(w), np.cos(w)]]
assert np.allclose(x[1:] @ one_back, x[:-1])

identity, nothing = np.eye(WIDTH), np.zeros((WIDTH, WIDTH))
w_q = np.hstack([SHARP * one_back, SHARP * identity, nothing, BROAD * identity])
b_q = np.concatenate([np.zeros(2 * WIDTH), SHARP * x[0], np.zeros(WIDTH)])
w_k = w_v = np.hstack([identity] * HEADS)
w_o = np.vstack([identity] * HEADS) / HEADS

folder = Path(__file__).parent
np.save(folder / "x.npy", x.astype("f4"))
np.savez(folder / "layer.npz", **{n: a.astype("f4") for n, a in dict(W_Q=w_q, W_K=w_k, W_V=w_v, W_O=w_o, b_Q=b_q).items()})
