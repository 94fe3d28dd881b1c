#!/usr/bin/python3
"""Writes the NumPy reference of encoder (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_encoder_reference.py

Each file data/reference/encoder/<case>.json holds the flags of the run, its arrays under the names of the tool's --json,
and its scalars. The steps are those of the slides ("layer normalisation", "residual representation", "MLP", "encoder,
one layer"), drawn in the order of encoder() below; nothing here comes from attnlab. With --print, the numbers of
src/experiments/expected/encoder_rows.cpp.
"""

import sys
from pathlib import Path

import numpy as np

from make_attention_reference import array, write

HERE = Path(__file__).resolve().parent
EPS = 1e-5


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x):
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + EPS)


def slide_norm(x):
    """As printed on the slide: sigma, not its square, under the root."""
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.std(axis=-1, keepdims=True) + EPS)


def length(x):
    """Mean Euclidean length of the tokens."""
    return np.sqrt((x**2).sum(axis=-1)).mean()


class Layer:
    def __init__(self, random, width, heads, hidden):
        head = width // heads
        self.w_query, self.w_key, self.w_value = (random.randn(heads, width, head) * 0.1 for _ in range(3))
        self.w_output = random.randn(width, width) * 0.1
        self.w_1, self.w_2 = random.randn(width, hidden) * 0.1, random.randn(hidden, width) * 0.1

    def heads(self, x):
        query, key, value = x @ self.w_query, x @ self.w_key, x @ self.w_value
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        weights = softmax(scores)
        concat = np.concatenate(list(weights @ value), axis=-1)
        return {"query": query, "key": key, "value": value, "scores": scores, "weights": weights, "concat": concat,
                "attention": concat @ self.w_output}

    def attend(self, x):
        return self.heads(x)["attention"]

    def mlp(self, x):
        return np.maximum(x @ self.w_1, 0) @ self.w_2

    def post(self, x):
        stages = self.heads(x)
        residual_1 = x + stages["attention"]
        norm_1 = layer_norm(residual_1)
        residual_2 = norm_1 + self.mlp(norm_1)
        return stages | {"residual_1": residual_1, "norm_1": norm_1, "mlp": self.mlp(norm_1),
                         "residual_2": residual_2, "output": layer_norm(residual_2)}

    def pre(self, x):
        norm_1 = layer_norm(x)
        stages = self.heads(norm_1)
        residual_1 = x + stages["attention"]
        norm_2 = layer_norm(residual_1)
        residual_2 = residual_1 + self.mlp(norm_2)
        return stages | {"norm_1": norm_1, "residual_1": residual_1, "norm_2": norm_2, "mlp": self.mlp(norm_2),
                         "residual_2": residual_2, "output": residual_2}


def reaction(f, x):
    """[i, j]: how far the result's row i moves when token j is set to zero."""
    moved = np.empty((len(x), len(x)))
    for j in range(len(x)):
        changed = x.copy()
        changed[j] = 0
        moved[:, j] = np.sqrt(((f(changed) - f(x)) ** 2).sum(axis=-1))
    return moved


def encoder(seed, tokens, width, heads, hidden, norm, example):
    random = np.random.RandomState(seed)
    x = random.randn(tokens, width)
    layer = Layer(random, width, heads, hidden)
    stages = {"post": layer.post, "pre": layer.pre}[norm](x)
    example = np.array(example, dtype=float)
    stretch = np.array([0.1, 0.3, 1.0, 3.0, 10.0])
    tokens_stretched = stretch[:, None] * example
    arrays = {"x": x, **stages, "attention_reaction": reaction(layer.attend, x),
              "norm_reaction": reaction(layer_norm, x), "mlp_reaction": reaction(layer.mlp, x),
              "example": example, "example_norm": layer_norm(example), "example_slide": slide_norm(example),
              "deviation": tokens_stretched.std(axis=-1), "variance_after": layer_norm(tokens_stretched).var(axis=-1),
              "variance_after_slide": slide_norm(tokens_stretched).var(axis=-1)}
    scalars = {"length_x": length(x), "length_attention": length(stages["attention"]), "length_mlp": length(stages["mlp"]),
               "length_output": length(stages["output"]), "length_output_post": length(layer.post(x)["output"]),
               "length_output_pre": length(layer.pre(x)["output"]),
               "example_variance": example.var(), "example_variance_after": layer_norm(example).var(),
               "example_variance_after_slide": slide_norm(example).var()}
    return arrays, {name: float(value) for name, value in scalars.items()}


def case(name, flags, result):
    arrays, scalars = result
    (HERE / "encoder").mkdir(exist_ok=True)
    write(f"encoder/{name}.json", {"flags": flags, "scalars": scalars, "arrays": {n: array(a) for n, a in arrays.items()}})


if __name__ == "__main__":
    default = encoder(0, 6, 16, 4, 64, "post", [1, 2, 3, 4])
    if "--print" in sys.argv:
        for stage in ("attention", "residual_1", "norm_1", "mlp", "residual_2", "output"):
            print(stage, default[0][stage][0, :4].tolist())
        print(default[1])
        print({n: default[0][n].round(4).tolist() for n in ("attention_reaction", "norm_reaction", "mlp_reaction")})
    case("default", {}, default)
    case("pre", {"norm": "pre", "tokens": "3", "width": "6", "heads": "2", "hidden": "5", "seed": "1",
                 "example": "-1,0.5,7"}, encoder(1, 3, 6, 2, 5, "pre", [-1, 0.5, 7]))
