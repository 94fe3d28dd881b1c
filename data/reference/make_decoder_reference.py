#!/usr/bin/python3
"""Writes the NumPy reference of decoder (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_decoder_reference.py

Each file data/reference/decoder/<case>.json holds the flags of the run, its arrays under the names of the tool's --json,
and its scalars. The model is GPT-2's: every layer x + Attention(LN(x)), then x + MLP(LN(x)), a last LN, and the
slides' LSM (a linear map and softmax). The slides fix no numbers; drawn in this order from one RandomState: embedding
(vocabulary, width); per layer W_Q, W_K, W_V (heads, width, width / heads), W_O (width, width), W_1 (width, 4 width),
W_2 (4 width, width); the output's W (width, vocabulary). All but the embedding are divided by the root of the number
of inputs. Positions are the article's sines. Nothing here comes from attnlab. With --print, the numbers of
src/experiments/expected/decoder_rows.cpp.
"""

import sys
from pathlib import Path

import numpy as np

from make_attention_reference import array, write
from make_encoder_reference import layer_norm, softmax

HERE = Path(__file__).resolve().parent
NEKO = ["吾輩", "は", "猫", "で", "ある", "。", "名前", "まだ", "ない"]


def sines(positions, width):
    angle = np.arange(positions)[:, None] / 10000 ** (2 * (np.arange(width) // 2) / width)
    return np.where(np.arange(width) % 2 == 0, np.sin(angle), np.cos(angle))


class Decoder:
    def __init__(self, seed, vocabulary, width, heads, layers):
        random, self.layers = np.random.RandomState(seed), []
        draw = lambda *shape: random.randn(*shape) / np.sqrt(shape[-2])
        self.embedding = random.randn(vocabulary, width)
        for _ in range(layers):
            head = width // heads
            self.layers.append([draw(heads, width, head), draw(heads, width, head), draw(heads, width, head),
                                draw(width, width), draw(width, 4 * width), draw(4 * width, width)])
        self.w_vocabulary = draw(width, vocabulary)

    def run(self, tokens, causal=True):
        n = len(tokens)
        mask = np.triu(np.full((n, n), -np.inf), 1) if causal else np.zeros((n, n))
        x = self.embedding[tokens] + sines(n, self.embedding.shape[1])
        stream, added, weights = [x], [], []
        for w_q, w_k, w_v, w_o, w_1, w_2 in self.layers:
            z = layer_norm(x)
            query, key, value = z @ w_q, z @ w_k, z @ w_v
            a = softmax(query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1]) + mask)
            added.append(np.concatenate(list(a @ value), axis=-1) @ w_o)
            x = x + added[-1]
            stream.append(x)
            added.append(np.maximum(layer_norm(x) @ w_1, 0) @ w_2)
            x = x + added[-1]
            stream.append(x)
            weights.append(a)
        logits = layer_norm(x) @ self.w_vocabulary
        norms = lambda many: np.sqrt((np.array(many) ** 2).sum(axis=-1))
        return {"x": stream[0], "weights": np.array(weights), "final_norm": layer_norm(x), "logits": logits,
                "probabilities": softmax(logits), "stream_length": norms(stream), "added_length": norms(added)}


def reaction(model, tokens, causal):
    """[i, j]: how far the logits of position i move when the word at position j becomes the next of the vocabulary."""
    before, moved = model.run(tokens, causal)["logits"], np.empty((len(tokens), len(tokens)))
    for j in range(len(tokens)):
        changed = list(tokens)
        changed[j] = (changed[j] + 1) % len(model.embedding)
        moved[:, j] = np.sqrt(((model.run(changed, causal)["logits"] - before) ** 2).sum(axis=-1))
    return moved


def decoder(seed, tokens, vocabulary, width, heads, layers):
    model = Decoder(seed, vocabulary, width, heads, layers)
    arrays = model.run(tokens)
    arrays["reaction"] = reaction(model, tokens, True)
    arrays["reaction_without_mask"] = reaction(model, tokens, False)
    last = arrays["probabilities"][-1]
    scalars = {"largest_probability": float(last.max()), "most_likely": int(last.argmax()),
               "entropy": float(-(last * np.log(last)).sum())}
    return arrays, scalars


def case(name, flags, result):
    arrays, scalars = result
    (HERE / "decoder").mkdir(exist_ok=True)
    write(f"decoder/{name}.json", {"flags": flags, "scalars": scalars, "arrays": {n: array(a) for n, a in arrays.items()}})


if __name__ == "__main__":
    default = decoder(0, [0, 1, 2, 3, 4], len(NEKO), 16, 4, 2)
    if "--print" in sys.argv:
        for name, value in default[0].items():
            print(name, value.round(3).tolist() if name not in ("logits", "probabilities") else value.tolist())
        print(default[1])
        print(NEKO[default[1]["most_likely"]])
    case("default", {}, default)
    case("small", {"vocabulary": "a,b,c", "prompt": "c,a,a,b", "layers": "3", "width": "6", "heads": "2", "seed": "7"},
         decoder(7, [2, 0, 0, 1], 3, 6, 2, 3))
