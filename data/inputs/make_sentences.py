#!/usr/bin/env python3
"""Writes data/inputs/sentences.toml: what the models that come along make of a sentence in each language.

    data/inputs/make_sentences.py [ATTNLAB]    # after data/models/make.sh

The layer is that of the head without which the likeliest next word becomes least likely. `self-attention` and `heads`
show it as their first figure; tests/model/sentences_test.cpp computes it again.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ATTNLAB = sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "build/release/attnlab"
SENTENCES = {"en": "the books above the tree", "ja": "花子は作家だ。毎日"}


def arrays_of(model, sentence):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arrays.json"
        command = [ATTNLAB, "model", model, sentence, "--ablate", "--no-figure", "--quiet", "--data", file]
        subprocess.run(command, check=True)
        return json.loads(file.read_text())["arrays"]


def recorded(language, sentence):
    model = f"world.{language}"
    arrays = arrays_of(model, sentence)
    words = subprocess.run([ATTNLAB, "model", model, "--words"], check=True, capture_output=True, text=True).stdout
    words = words.splitlines()
    size = arrays["logits"]["shape"][1]
    logits = arrays["logits"]["data"][-size:]
    total = sum(math.exp(logit) for logit in logits)
    best = max(range(size), key=lambda word: logits[word])
    probability = math.exp(logits[best]) / total
    changes = arrays["ablation"]["data"]
    heads = arrays["ablation"]["shape"][1]
    place = min(range(len(changes)), key=lambda head: changes[head])
    layer = place // heads
    tokens = arrays["weights"]["shape"][3]
    map_size = tokens * tokens
    yield f"[{language}]"
    yield f'model = "{model}"'
    yield f'text = "{sentence}"'
    yield f"labels = {json.dumps([words[int(token)] for token in arrays['tokens']['data']], ensure_ascii=False)}"
    yield f'next = "{words[best]}"'
    yield f"probability = {probability:.4f}"
    yield f"layer = {layer}"
    yield f"head = {place % heads}"
    without = [probability * math.exp(change) for change in changes[layer * heads : (layer + 1) * heads]]
    yield f"without = [{', '.join(f'{p:.4f}' for p in without)}]  # each head of the layer, the same probability"
    yield "weights = [  # of each head of the layer, a query a line"
    for head in range(heads):
        begin = (layer * heads + head) * map_size
        for query in range(tokens):
            row = arrays["weights"]["data"][begin + query * tokens : begin + (query + 1) * tokens]
            yield "  " + ", ".join(f"{weight:.4f}" for weight in row) + ","
    yield "]"


lines = ["# Written by data/inputs/make_sentences.py."]
for language, sentence in SENTENCES.items():
    lines += ["", *recorded(language, sentence)]
(HERE / "sentences.toml").write_text("\n".join(lines) + "\n")
