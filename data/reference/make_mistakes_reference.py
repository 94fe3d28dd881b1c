#!/usr/bin/python3
"""Prints the numbers of src/experiments/mistakes/expected.toml (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_mistakes_reference.py
"""

import numpy as np

L, D = 6, 8


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def draw():
    rng = np.random.RandomState(0)
    return rng.randn(L, D), rng.randn(L, D), rng


q, k, _ = draw()
scores = q @ k.T / np.sqrt(D)
wrong = softmax(scores, axis=0)
print("wrong-axis right[0]", repr(softmax(scores)[0]))
print("wrong-axis wrong[0]", repr(wrong[0]), "error", np.abs(wrong.sum(axis=1) - 1).max())

rng = np.random.RandomState(0)
q, k = rng.randn(16, 16), rng.randn(16, 16)
for name, divisor in (("wrong-sqrt", np.sqrt(64)), ("no-scaling", 1.0)):
    print(name, "right error", abs(np.std(q @ k.T / np.sqrt(16)) - 1), "error", abs(np.std(q @ k.T / divisor) - 1))

q, k, _ = draw()
future = np.triu(np.ones((L, L), bool), 1)
far_q, far_k = q.copy(), k.copy()
far_q[:, 7] = 1e5 * np.sqrt(D)
far_k[:, 7] = np.where(np.arange(L) < 3, -1.0, 0.0)
leaking = softmax(far_q @ far_k.T / np.sqrt(D) - 1e5 * future)
print("small-mask wrong[0]", repr(leaking[0]), "error", (leaking * future).sum(axis=1).max())
w = softmax(np.where(~future, -np.inf, scores)[:-1])
print("inverted-mask wrong[0]", repr(w[0]))
w = scores.copy()
w += future
w = softmax(w)
print("boolean-mask wrong[0]", repr(w[0]), "error", (w * future).sum(axis=1).max())

x = np.random.RandomState(0).randn(L, 16)
for name, parts in (("right", x.reshape(L, 4, 4).transpose(1, 0, 2)), ("wrong", x.reshape(4, L, 4))):
    print("reshaped-heads", name, repr(softmax(parts[0] @ parts[0].T / 2.0)[0]))

rng = np.random.RandomState(0)
x = rng.randn(L, 16)
wq, wk, wv = (rng.randn(4, 16, 4) * 0.1 for _ in range(3))
wo = rng.randn(16, 16) * 0.25
head = softmax((x @ wq[0]) @ (x @ wk[0]).T / 2.0) @ (x @ wv[0])
print("no-output-projection wrong[0,:4]", repr(np.abs(head[0])), "right[0,:4]", repr(np.abs(head @ wo[:4])[0, :4]))

q, k, rng = draw()
chance = rng.randn(L, L)
w = softmax(8.0 * (q @ k.T))
dropped = np.where(chance < -1.2815515655446004, 0.0, w / 0.9)
print("dropout wrong[0]", repr(dropped[0]), "max", dropped.max(), "error", np.abs(dropped.sum(axis=1) - 1).max())


def encoding(first, n, d):
    p = np.arange(first, first + n)[:, None] / 10000 ** (2 * np.arange(d // 2) / d)
    pe = np.zeros((n, d))
    pe[:, 0::2], pe[:, 1::2] = np.sin(p), np.cos(p)
    return pe


s = encoding(0, 8, 32) @ encoding(1, 8, 32).T
print("off-by-one wrong[1,:4]", repr(s[1, :4]), "argmax", s.argmax(axis=1))
