"""Files of other programs' formats, with nothing of attnlab: GGUF by its description (ggml's docs/gguf.md and
convert_hf_to_gguf.py), PyTorch's by PyTorch, SentencePiece's by SentencePiece.

The models are those of make_reference.py, so that their stages are known. Writes files/. Run, with python3-torch and
python3-sentencepiece: /usr/bin/python3 make_files.py
"""

import collections
import json
import os
import pathlib
import pickle
import struct

import numpy as np
import sentencepiece
import torch

import make_reference

FOLDER = pathlib.Path(__file__).with_name("files")
TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8, "Q3_K": 11,
         "Q4_K": 12, "Q5_K": 13, "Q6_K": 14, "BF16": 30}


# --- GGUF


def gguf_text(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(data)) + data


def gguf_value(value):
    if isinstance(value, bool):
        return struct.pack("<IB", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + gguf_text(value)
    kind, code = {int: (5, "<i"), float: (6, "<f"), str: (8, None)}[type(value[0])]
    body = b"".join(gguf_text(item) if code is None else struct.pack(code, item) for item in value)
    return struct.pack("<IIQ", 9, kind, len(value)) + body


def write_gguf(name, values, tensors):
    """tensors: name -> (type, shape, bytes), aligned to 32 bytes."""
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    for key, value in values.items():
        header += gguf_text(key) + gguf_value(value)
    data = b""
    for tensor, (kind, shape, packed) in tensors.items():
        axes = b"".join(struct.pack("<Q", size) for size in reversed(shape))
        header += gguf_text(tensor) + struct.pack("<I", len(shape)) + axes
        header += struct.pack("<IQ", TYPES[kind], len(data))
        data += packed + b"\0" * (-len(packed) % 32)
    header += b"\0" * (-len(header) % 32)
    (FOLDER / name).write_bytes(header + data)


def plain(values, kind="F32"):
    values = np.asarray(values, np.float32)
    packed = {"F32": lambda: values, "F16": lambda: values.astype("<f2"),
              "BF16": lambda: (values.view("<u4") >> 16).astype("<u2")}[kind]()
    return kind, values.shape, packed.tobytes()


def pairs(weight, heads):
    """Llama's halves as neighbours, as llama.cpp keeps them (convert_hf_to_gguf.py, permute)."""
    return weight.reshape(heads, 2, -1, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def reference(name):
    whole = json.loads((FOLDER.parent / (name + ".json")).read_text())
    tensors = {key: np.array(tensor["values"], np.float32).reshape(tensor["shape"])
               for key, tensor in whole["tensors"].items()}
    return whole["config"], tensors


def sizes(family, config, eps):
    heads = config.get("num_attention_heads", config.get("n_head"))
    return {
        "general.architecture": family, f"{family}.block_count": 2, f"{family}.embedding_length": 16,
        f"{family}.feed_forward_length": config.get("intermediate_size", 64),
        f"{family}.attention.head_count": heads, f"{family}.context_length": 24,
        f"{family}.attention.head_count_kv": config.get("num_key_value_heads", heads), **eps(family),
    }


def rms(family):
    return {f"{family}.attention.layer_norm_rms_epsilon": 1e-6}


def layer(family):
    return {f"{family}.attention.layer_norm_epsilon": 1e-12 if family == "bert" else 1e-5}


def renamed(tensors, names):
    """The tensors under llama.cpp's names, biases with their weights."""
    found = {}
    for old, new in names.items():
        for i in range(2 if "{}" in old else 1):
            for end in ("weight", "bias"):
                name = f"{old.format(i)}.{end}"
                if name in tensors:
                    found[f"{new.format(i)}.{end}"] = tensors[name]
    return found


LLAMA_NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    **{f"model.layers.{{}}.{old}": f"blk.{{}}.{new}" for old, new in {
        "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
        "self_attn.k_norm": "attn_k_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
        "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}.items()},
}


def write_llama():
    """Some tensors in half the bytes: their numbers have few digits."""
    config, tensors = reference("llama")
    found = renamed(tensors, LLAMA_NAMES)
    for name in found:
        if "attn_q." in name or "attn_k." in name:
            found[name] = pairs(found[name], 4 if "attn_q" in name else 2)
    frequencies = config["rope_theta"] ** (-np.arange(0, 4, 2) / 4)
    kinds = ["F32", "F16", "BF16"]
    packed = {name: plain(values, kinds[i % 3] if values.ndim == 2 else "F32")
              for i, (name, values) in enumerate(found.items())}
    packed["rope_freqs.weight"] = plain(frequencies / make_reference.llama_frequencies(config, 4))
    write_gguf("llama.gguf", {**sizes("llama", config, rms), "llama.rope.freq_base": 500.0,
                              "llama.rope.dimension_count": 4}, packed)


def write_qwen3():
    config, tensors = reference("qwen3")
    packed = {name: plain(values) for name, values in renamed(tensors, LLAMA_NAMES).items()}
    write_gguf("qwen3.gguf", {**sizes("qwen3", config, rms), "qwen3.attention.key_length": 6,
                              "qwen3.attention.value_length": 6}, packed)


def write_gpt2():
    config, tensors = reference("gpt2")
    found = renamed(tensors, {
        "wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm", "h.{}.ln_1": "blk.{}.attn_norm",
        "h.{}.attn.c_attn": "blk.{}.attn_qkv", "h.{}.attn.c_proj": "blk.{}.attn_output",
        "h.{}.ln_2": "blk.{}.ffn_norm", "h.{}.mlp.c_fc": "blk.{}.ffn_up", "h.{}.mlp.c_proj": "blk.{}.ffn_down"})
    turned = {name: values.T if values.ndim == 2 and name.startswith("blk") else values
              for name, values in found.items()}
    write_gguf("gpt2.gguf", sizes("gpt2", config, layer), {k: plain(v.copy()) for k, v in turned.items()})


def write_gpt_neox():
    config, tensors = reference("gpt_neox")
    names = {"input_layernorm": "attn_norm", "attention.query_key_value": "attn_qkv", "attention.dense": "attn_output",
             "post_attention_layernorm": "ffn_norm", "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down"}
    found = renamed(tensors, {
        "gpt_neox.embed_in": "token_embd", "gpt_neox.final_layer_norm": "output_norm", "embed_out": "output",
        **{f"gpt_neox.layers.{{}}.{old}": f"blk.{{}}.{new}" for old, new in names.items()}})
    for name, values in found.items():
        if "attn_qkv" in name:  # head by head: q, k, v; there all of q, then all of k, then all of v
            found[name] = values.reshape(4, 3, 4, *values.shape[1:]).swapaxes(0, 1).reshape(values.shape)
    write_gguf("gpt_neox.gguf", {**sizes("gptneox", config, layer), "gptneox.rope.dimension_count": 2,
                                 "gptneox.use_parallel_residual": True}, {k: plain(v) for k, v in found.items()})


def write_bert():
    config, tensors = reference("bert")
    names = {"attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
             "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
             "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"}
    found = renamed(tensors, {
        "bert.embeddings.word_embeddings": "token_embd", "bert.embeddings.position_embeddings": "position_embd",
        "bert.embeddings.token_type_embeddings": "token_types", "bert.embeddings.LayerNorm": "token_embd_norm",
        **{f"bert.encoder.layer.{{}}.{old}": f"blk.{{}}.{new}" for old, new in names.items()}})
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "▁the", "▁cat", "▁cats", "s", "▁,", "▁a", "t", "▁t"]
    write_gguf("bert.gguf", {**sizes("bert", config, layer), "tokenizer.ggml.model": "bert",
                             "tokenizer.ggml.tokens": words}, {k: plain(v) for k, v in found.items()})


# --- Numbers packed in blocks, unpacked as llama.cpp's Python does it (gguf-py, quants.py)


def halves(column):
    return np.frombuffer(np.ascontiguousarray(column).tobytes(), "<f2").astype(np.float32)[:, None]


def nibbles(columns, width):
    count = len(columns)
    shifted = columns.reshape(count, -1, 1, width) >> np.array([0, 4], np.uint8).reshape(1, 1, 2, 1)
    return (shifted & 15).reshape(count, -1)


def six_bits(scales):
    d, m, m_d = np.split(scales.reshape(-1, 3, 4), 3, axis=-2)
    scale = np.concatenate([d & 0x3F, (m_d & 0x0F) | ((d >> 2) & 0x30)], axis=-1)
    offset = np.concatenate([m & 0x3F, (m_d >> 4) | ((m >> 2) & 0x30)], axis=-1)
    return scale.reshape(-1, 8, 1).astype(np.float32), offset.reshape(-1, 8, 1).astype(np.float32)


def three_bits(blocks):
    """Q3_K: all bits unpacked, the third one's meaning turned round."""
    count = len(blocks)
    third = np.unpackbits(np.ascontiguousarray(blocks[:, :32]), axis=1, bitorder="little").reshape(count, 32, 8)
    lower = blocks[:, 32:96].reshape(count, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8).reshape(1, 1, 4, 1)
    values = (lower & 3).reshape(count, 256).astype(np.float32) - 4 * (1 - third.swapaxes(1, 2).reshape(count, 256))
    low = blocks[:, 96:104].reshape(count, 1, 8) >> np.array([0, 4], np.uint8).reshape(1, 2, 1)
    high = blocks[:, 104:108].reshape(count, 1, 4) >> np.array([0, 2, 4, 6], np.uint8).reshape(1, 4, 1)
    scales = (low & 15).reshape(count, 16) | (high & 3).reshape(count, 16) << 4
    scales = halves(blocks[:, 108:110]) * (scales.astype(np.float32) - 32)
    return (scales[:, :, None] * values.reshape(count, 16, 16)).reshape(count, 256)


def unpacked(kind, blocks):
    count = len(blocks)
    scale = halves(blocks[:, 208:210] if kind == "Q6_K" else blocks[:, :2])
    if kind == "Q8_0":
        return scale * blocks[:, 2:].view(np.int8)
    if kind == "Q4_0":
        return scale * (nibbles(blocks[:, 2:], 16).astype(np.float32) - 8)
    if kind == "Q4_1":
        return scale * nibbles(blocks[:, 4:], 16).astype(np.float32) + halves(blocks[:, 2:4])
    if kind == "Q5_1":
        bits = np.unpackbits(np.ascontiguousarray(blocks[:, 4:8]), axis=1, bitorder="little")
        return scale * (nibbles(blocks[:, 8:], 16) | bits << 4).astype(np.float32) + halves(blocks[:, 2:4])
    if kind == "Q3_K":
        return three_bits(blocks)
    if kind == "Q5_0":
        bits = np.unpackbits(np.ascontiguousarray(blocks[:, 2:6]), axis=1, bitorder="little")
        return scale * ((nibbles(blocks[:, 6:], 16) | bits << 4).astype(np.float32) - 16)
    if kind == "Q6_K":
        low = nibbles(blocks[:, :128], 64).reshape(count, -1, 32)
        high = blocks[:, 128:192].reshape(count, -1, 1, 32) >> np.array([0, 2, 4, 6], np.uint8).reshape(1, 1, 4, 1)
        values = (low | (high & 3).reshape(count, -1, 32) << 4).astype(np.float32) - 32
        scales = scale * blocks[:, 192:208].view(np.int8)
        return (scales[:, :, None] * values.reshape(count, 16, -1)).reshape(count, -1)
    scales, offsets = six_bits(blocks[:, 4:16])
    values = nibbles(blocks[:, -128:], 32).reshape(count, 8, 32)
    if kind == "Q5_K":
        fifth = blocks[:, 16:48].reshape(count, 1, 32) >> np.arange(8, dtype=np.uint8).reshape(1, 8, 1)
        values = values | (fifth & 1) << 4
    least = halves(blocks[:, 2:4])[:, :, None]
    return (scale[:, :, None] * scales * values - least * offsets).reshape(count, -1)


def write_blocks():
    """Random bytes, but scales that are numbers."""
    random = np.random.default_rng(5)
    every = {}
    for kind, (size, places) in {"Q8_0": (34, [0]), "Q4_0": (18, [0]), "Q5_0": (22, [0]), "Q4_K": (144, [0, 2]),
                                 "Q5_K": (176, [0, 2]), "Q6_K": (210, [208]), "Q4_1": (20, [0, 2]),
                                 "Q5_1": (24, [0, 2]), "Q3_K": (110, [108])}.items():
        blocks = random.integers(0, 256, (3, size), dtype=np.uint8)
        for place in places:
            scales = (2.0 ** random.integers(-6, 0, 3)).astype("<f2")
            blocks[:, place:place + 2] = np.frombuffer(scales.tobytes(), np.uint8).reshape(3, 2)
        every[kind] = {"number": TYPES[kind], "bytes": blocks.ravel().tolist(),
                       "values": [float(value) for value in unpacked(kind, blocks).ravel()]}
    (FOLDER / "blocks.json").write_text(json.dumps(every, separators=(",", ":")) + "\n")


# --- PyTorch


class Calling:
    """A pickle that would run a program."""

    def __reduce__(self):
        return os.system, ("false",)


def write_torch():
    _, tensors = reference("llama")
    state = collections.OrderedDict((name, torch.nn.Parameter(torch.tensor(v))) for name, v in tensors.items())
    torch.save(state, FOLDER / "llama.bin")
    torch.save({"model": state, "anything": Calling()}, FOLDER / "calling.pt")
    config, tensors = reference("gpt2")
    state = collections.OrderedDict()
    for name, values in tensors.items():
        turns = values.ndim == 2 and name.startswith("h.")
        state["_orig_mod.transformer." + name] = torch.tensor(values.T.copy() if turns else values)
    state["_orig_mod.lm_head.weight"] = state["_orig_mod.transformer.wte.weight"]
    optimizer = torch.optim.AdamW([torch.nn.Parameter(torch.zeros(3))])
    arguments = {"n_layer": 2, "n_head": 4, "n_embd": 16, "block_size": 24, "bias": True, "vocab_size": 13,
                 "dropout": 0.0}
    torch.save({"model": state, "optimizer": optimizer.state_dict(), "model_args": arguments, "iter_num": 2000,
                "best_val_loss": torch.tensor(1.5), "config": {"out_dir": "out", "large": 2**40, "none": None}},
               FOLDER / "nanogpt.pt")
    letters = "\n ,.abdehlot"
    meta = {"vocab_size": 13, "itos": dict(enumerate(letters)), "stoi": {letter: i for i, letter in enumerate(letters)}}
    (FOLDER / "meta.pkl").write_bytes(pickle.dumps(meta))
    torch.save({"a": torch.arange(6.0).reshape(2, 3).t()}, FOLDER / "transposed.pt")
    # nanoGPT's MLP has the exact GELU
    weights, stages = make_reference.Weights(0), []
    approximate, make_reference.ACTIVATIONS["gelu_new"] = (make_reference.ACTIVATIONS["gelu_new"],
                                                           make_reference.ACTIVATIONS["gelu"])
    make_reference.gpt2(weights, stages, config)
    make_reference.ACTIVATIONS["gelu_new"] = approximate
    (FOLDER / "nanogpt.json").write_text(json.dumps(make_reference.rounded(dict(stages)["logits"], 8)) + "\n")


# --- SentencePiece

TEXTS = ["Attention is all you need.", "  two  blanks ", "名前はまだ無い。", "ﬁne ½ ＡＢＣ", "unkn✗wn 🙂", "tab\tnew\nline", ""]


def write_sentencepiece():
    """Two small models, and what the library makes of TEXTS; the Unigram one replaces some letters."""
    corpus = FOLDER / "corpus.txt"
    rules = FOLDER / "rules.tsv"
    corpus.write_text("\n".join(["Attention is all you need, and the weights are what you see.",
                                 "The fine cat sat on the mat because it was tired.", "吾輩は猫である。名前はまだ無い。"] * 5))
    rules.write_text("FB01\t66 69\nFF21\t41\nFF22\t42\nFF23\t43\nBD\t31 2044 32\n")
    expected = {"texts": TEXTS}
    for name, kind in (("unigram", "unigram"), ("bpe", "bpe")):
        rule = {"normalization_rule_tsv": str(rules)} if kind == "unigram" else {"normalization_rule_name": "identity"}
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus), model_prefix=str(FOLDER / name), vocab_size=340, hard_vocab_limit=False, model_type=kind,
            byte_fallback=True, remove_extra_whitespaces=False, minloglevel=2, **rule)
        processor = sentencepiece.SentencePieceProcessor(model_file=str(FOLDER / (name + ".model")))
        expected[name] = [processor.encode(text) for text in TEXTS]
    for left_over in [corpus, rules, *FOLDER.glob("*.vocab")]:
        left_over.unlink()
    (FOLDER / "sentencepiece.json").write_text(json.dumps(expected, ensure_ascii=False) + "\n")
    write_pieces()


def write_pieces():
    """The same two, as tokenizer.json and as the values of a GGUF file."""
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString((FOLDER / "unigram.model").read_bytes())
    import base64
    normalizer = {"type": "Precompiled",
                  "precompiled_charsmap": base64.b64encode(model.normalizer_spec.precompiled_charsmap).decode()}
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
    special = [{"id": i, "content": model.pieces[i].piece, "special": True} for i in range(3)]
    (FOLDER / "unigram.json").write_text(json.dumps({
        "added_tokens": special, "normalizer": normalizer, "pre_tokenizer": space,
        "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": True,
                  "vocab": [[piece.piece, piece.score] for piece in model.pieces]}}, ensure_ascii=False) + "\n")
    model.ParseFromString((FOLDER / "bpe.model").read_bytes())
    (FOLDER / "bpe.json").write_text(json.dumps({
        "model": "llama", "tokens": [piece.piece for piece in model.pieces],
        "scores": [piece.score for piece in model.pieces], "token_type": [piece.type for piece in model.pieces],
        "bos_token_id": 1, "eos_token_id": 2}, ensure_ascii=False) + "\n")


def main():
    FOLDER.mkdir(exist_ok=True)
    for write in (write_llama, write_qwen3, write_gpt2, write_gpt_neox, write_bert, write_blocks, write_torch,
                  write_sentencepiece):
        write()
    print(sum(file.stat().st_size for file in FOLDER.iterdir()), "bytes")


if __name__ == "__main__":
    main()
