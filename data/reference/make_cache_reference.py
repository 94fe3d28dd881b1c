#!/usr/bin/python3
"""Writes tests/experiments/cache/reference.json (only to regenerate): what configurations of models keep of each token.

    /usr/bin/python3 data/reference/make_cache_reference.py

Apart from attnlab's reader: each row says what its layers keep in plain numbers, as the paper or the class in
Transformers has it, and the bytes are summed layer by layer, token by token. `config` holds the keys of the published
config.json, under the names that the family gives them. 16 bit a number.
"""

import json
import pathlib

FULL = None  # no window


def heads(count, width, window=FULL):
    """A layer that keeps a key and a value of every head."""
    return {"numbers": 2 * count * width, "window": window}


def latent(rank, rotary):
    """DeepSeek-V2 (2024), eq. 9 to 19 and table 1: (d_c + d_h^R) a token and layer."""
    return {"numbers": rank + rotary, "window": FULL}


NONE = {"numbers": 0, "window": FULL}  # a state, or the cache of an earlier layer


def alternating(layers, period, windowed, full):
    return [full if (i + 1) % period == 0 else windowed for i in range(layers)]


def cycle(words, layers):
    return [words[i % len(words)] for i in range(layers)]


ROWS = [
    # The golden numbers of the issue, in KiB.
    dict(name="GPT-2 XL", kib=300, source="Radford et al. 2019",
         config=dict(model_type="gpt2", n_layer=48, n_head=25, n_embd=1600, n_ctx=1024, n_positions=1024),
         layers=[heads(25, 64)] * 48),
    dict(name="Llama 3 8B", kib=128, source="Grattafiori et al. 2024, table 3",
         config=dict(model_type="llama", num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8,
                     hidden_size=4096),
         layers=[heads(8, 128)] * 32),
    dict(name="gpt-oss-20b", kib=48, source="OpenAI 2025: banded window of 128 in every other layer",
         config=dict(model_type="gpt_oss", num_hidden_layers=24, num_attention_heads=64, num_key_value_heads=8,
                     head_dim=64, hidden_size=2880, sliding_window=128,
                     layer_types=cycle(["sliding_attention", "full_attention"], 24)),
         layers=cycle([heads(8, 64, 128), heads(8, 64)], 24)),
    dict(name="OLMo 2 7B", kib=512, source="OLMo team 2024",
         config=dict(model_type="olmo2", num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=32,
                     hidden_size=4096),
         layers=[heads(32, 128)] * 32),
    dict(name="Qwen3 235B", kib=188, source="Yang et al. 2025, table 2",
         config=dict(model_type="qwen3_moe", num_hidden_layers=94, num_attention_heads=64, num_key_value_heads=4,
                     head_dim=128, hidden_size=4096, use_sliding_window=False, sliding_window=None,
                     max_window_layers=94),
         layers=[heads(4, 128)] * 94),
    dict(name="Gemma 3 27B", kib=496, source="Gemma team 2025, table 1; window 1024, 5 : 1",
         config=dict(model_type="gemma3", text_config=dict(
             model_type="gemma3_text", num_hidden_layers=62, num_attention_heads=32, num_key_value_heads=16,
             head_dim=128, hidden_size=5376, sliding_window=1024)),
         layers=alternating(62, 6, heads(16, 128, 1024), heads(16, 128))),
    dict(name="DeepSeek V3", kib=68.625, source="DeepSeek-AI 2024, section 4.2",
         config=dict(model_type="deepseek_v3", num_hidden_layers=61, num_attention_heads=128,
                     num_key_value_heads=128, hidden_size=7168, kv_lora_rank=512, q_lora_rank=1536,
                     qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128),
         layers=[latent(512, 64)] * 61),
    # Other ways to say it.
    dict(name="OPT-13B", kib=800, source="Kwon et al. 2023, section 3: 2 * 5120 * 40 * 2 bytes = 800 KB",
         config=dict(model_type="opt", num_hidden_layers=40, num_attention_heads=40, hidden_size=5120),
         layers=[heads(40, 128)] * 40),
    dict(name="Falcon 7B", kib=8, source="Almazrouei et al. 2023; num_kv_heads does not count with multi_query",
         config=dict(model_type="falcon", num_hidden_layers=32, num_attention_heads=71, num_kv_heads=71,
                     hidden_size=4544, multi_query=True, new_decoder_architecture=False),
         layers=[heads(1, 64)] * 32),
    dict(name="Falcon 40B", kib=120, source="Almazrouei et al. 2023",
         config=dict(model_type="falcon", num_hidden_layers=60, num_attention_heads=128, num_kv_heads=8,
                     hidden_size=8192, multi_query=True, new_decoder_architecture=True),
         layers=[heads(8, 64)] * 60),
    dict(name="StarCoder", kib=20, source="Li et al. 2023: multi-query by default",
         config=dict(model_type="gpt_bigcode", n_layer=40, n_head=48, n_embd=6144),
         layers=[heads(1, 128)] * 40),
    dict(name="GPT-J 6B", kib=448, source="Wang and Komatsuzaki 2021",
         config=dict(model_type="gptj", n_layer=28, n_head=16, n_embd=4096, rotary_dim=64),
         layers=[heads(16, 256)] * 28),
    dict(name="Pythia 6.9B", kib=512, source="Biderman et al. 2023",
         config=dict(model_type="gpt_neox", num_hidden_layers=32, num_attention_heads=32, hidden_size=4096),
         layers=[heads(32, 128)] * 32),
    dict(name="BLOOM 560M", kib=96, source="BigScience 2022",
         config=dict(model_type="bloom", n_layer=24, num_attention_heads=16, n_embed=1024),
         layers=[heads(16, 64)] * 24),
    dict(name="MPT 7B", kib=512, source="MosaicML 2023",
         config=dict(model_type="mpt", n_layers=32, n_heads=32, d_model=4096,
                     attn_config=dict(attn_type="multihead_attention", alibi=True)),
         layers=[heads(32, 128)] * 32),
    dict(name="DBRX", kib=160, source="Databricks 2024",
         config=dict(model_type="dbrx", n_layers=40, n_heads=48, d_model=6144, attn_config=dict(kv_n_heads=8)),
         layers=[heads(8, 128)] * 40),
    dict(name="ChatGLM 2", kib=28, source="GLM team 2024: 2 groups",
         config=dict(model_type="chatglm", num_layers=28, num_attention_heads=32, hidden_size=4096, kv_channels=128,
                     multi_query_attention=True, multi_query_group_num=2),
         layers=[heads(2, 128)] * 28),
    dict(name="Mistral Nemo", kib=160, source="Mistral AI 2024: heads of 128, not 5120 / 32 = 160",
         config=dict(model_type="mistral", num_hidden_layers=40, num_attention_heads=32, num_key_value_heads=8,
                     head_dim=128, hidden_size=5120, sliding_window=None),
         layers=[heads(8, 128)] * 40),
    dict(name="Mistral 7B v0.1", kib=128, source="Jiang et al. 2023, table 1",
         config=dict(model_type="mistral", num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8,
                     hidden_size=4096, sliding_window=4096),
         layers=[heads(8, 128, 4096)] * 32),
    dict(name="Gemma 2 9B", kib=336, source="Gemma team 2024, table 1: windows in every other layer",
         config=dict(model_type="gemma2", num_hidden_layers=42, num_attention_heads=16, num_key_value_heads=8,
                     head_dim=256, hidden_size=3584, sliding_window=4096),
         layers=cycle([heads(8, 256, 4096), heads(8, 256)], 42)),
    dict(name="Gemma 3n E4B", kib=40, source="Gemma3nTextConfig: the last 15 of 35 layers share",
         config=dict(model_type="gemma3n", text_config=dict(
             model_type="gemma3n_text", num_hidden_layers=35, num_attention_heads=8, num_key_value_heads=2,
             head_dim=256, hidden_size=2048, sliding_window=512, num_kv_shared_layers=15)),
         layers=alternating(20, 5, heads(2, 256, 512), heads(2, 256)) + [NONE] * 15),
    dict(name="Gemma 4 31B", kib=880, source="Gemma4TextConfig: other heads in the layers without a window",
         config=dict(model_type="gemma4_text", num_hidden_layers=60, num_attention_heads=32, num_key_value_heads=16,
                     num_global_key_value_heads=4, head_dim=256, global_head_dim=512, hidden_size=5376,
                     attention_k_eq_v=True, sliding_window=1024,
                     layer_types=cycle(["sliding_attention"] * 5 + ["full_attention"], 60)),
         layers=alternating(60, 6, heads(16, 256, 1024), heads(4, 512))),
    dict(name="Llama 4 Scout", kib=192, source="Llama4TextConfig: chunks of 8192 but in every fourth layer",
         config=dict(model_type="llama4", text_config=dict(
             model_type="llama4_text", num_hidden_layers=48, num_attention_heads=40, num_key_value_heads=8,
             head_dim=128, hidden_size=5120, attention_chunk_size=8192, no_rope_layers=[])),
         layers=alternating(48, 4, heads(8, 128, 8192), heads(8, 128))),
    dict(name="Llama 3.2 Vision 11B", kib=128, source="Mllama: 8 of 40 layers attend to the picture",
         config=dict(model_type="mllama", text_config=dict(
             model_type="mllama_text_model", num_hidden_layers=40, num_attention_heads=32, num_key_value_heads=8,
             hidden_size=4096, cross_attention_layers=[3, 8, 13, 18, 23, 28, 33, 38])),
         layers=[NONE if i in (3, 8, 13, 18, 23, 28, 33, 38) else heads(8, 128) for i in range(40)]),
    dict(name="Qwen2 with windows", kib=56, source="Qwen2Config: windows from max_window_layers on",
         config=dict(model_type="qwen2", num_hidden_layers=28, num_attention_heads=28, num_key_value_heads=4,
                     hidden_size=3584, use_sliding_window=True, sliding_window=4096, max_window_layers=21),
         layers=[heads(4, 128)] * 21 + [heads(4, 128, 4096)] * 7),
    dict(name="Qwen2 7B", kib=56, source="Yang et al. 2024, table 1: the window is switched off",
         config=dict(model_type="qwen2", num_hidden_layers=28, num_attention_heads=28, num_key_value_heads=4,
                     hidden_size=3584, use_sliding_window=False, sliding_window=131072, max_window_layers=28),
         layers=[heads(4, 128)] * 28),
    dict(name="Command R7B", kib=128, source="Cohere 2024: three windows, one without",
         config=dict(model_type="cohere2", num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8,
                     hidden_size=4096, sliding_window=4096, sliding_window_pattern=4),
         layers=alternating(32, 4, heads(8, 128, 4096), heads(8, 128))),
    dict(name="EXAONE 4 32B", kib=256, source="LG AI 2025: LLLG",
         config=dict(model_type="exaone4", num_hidden_layers=64, num_attention_heads=40, num_key_value_heads=8,
                     head_dim=128, hidden_size=5120, sliding_window=4096, sliding_window_pattern="LLLG"),
         layers=alternating(64, 4, heads(8, 128, 4096), heads(8, 128))),
    dict(name="GPT-Neo 2.7B", kib=320, source="Black et al. 2021",
         config=dict(model_type="gpt_neo", num_layers=32, num_heads=20, hidden_size=2560, window_size=256,
                     attention_types=[[["global", "local"], 16]]),
         layers=cycle([heads(20, 128), heads(20, 128, 256)], 32)),
    dict(name="Kimi Linear 48B", kib=7.875, source="Kimi team 2025: 7 of 27 layers, MLA",
         config=dict(model_type="kimi_linear", num_hidden_layers=27, num_attention_heads=32, num_key_value_heads=32,
                     hidden_size=2304, kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128,
                     linear_attn_config=dict(full_attn_layers=[4, 8, 12, 16, 20, 24, 27])),
         layers=[latent(512, 64) if i in (4, 8, 12, 16, 20, 24, 27) else NONE for i in range(1, 28)]),
    dict(name="MiniCPM3 4B", kib=34.875, source="OpenBMB 2024",
         config=dict(model_type="minicpm3", num_hidden_layers=62, num_attention_heads=40, num_key_value_heads=40,
                     hidden_size=2560, kv_lora_rank=256, qk_nope_head_dim=64, qk_rope_head_dim=32),
         layers=[latent(256, 32)] * 62),
    dict(name="Qwen3-Next 80B", kib=24, source="Qwen team 2025: one of four layers attends",
         config=dict(model_type="qwen3_next", num_hidden_layers=48, num_attention_heads=16, num_key_value_heads=2,
                     head_dim=256, hidden_size=2048, full_attention_interval=4),
         layers=alternating(48, 4, NONE, heads(2, 256))),
    dict(name="Jamba v0.1", kib=16, source="Lieber et al. 2024: one of eight layers, from the fifth on",
         config=dict(model_type="jamba", num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8,
                     hidden_size=4096, attn_layer_period=8, attn_layer_offset=4, mamba_d_state=16),
         layers=[heads(8, 128) if i % 8 == 4 else NONE for i in range(32)]),
    dict(name="Nemotron 3 Nano", kib=6, source="NVIDIA 2025: 6 stars among 52 letters",
         config=dict(model_type="nemotron_h", num_hidden_layers=52, num_attention_heads=32, num_key_value_heads=2,
                     head_dim=128, hidden_size=2688,
                     hybrid_override_pattern="MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"),
         layers=[heads(2, 128) if letter == "*" else NONE
                 for letter in "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"]),
    dict(name="Falcon-H1 0.5B", kib=18, source="TII 2025: attention and a state side by side in every layer",
         config=dict(model_type="falcon_h1", num_hidden_layers=36, num_attention_heads=8, num_key_value_heads=2,
                     head_dim=64, hidden_size=1024, mamba_d_state=128),
         layers=[heads(2, 64)] * 36),
    dict(name="MiMo-V2-Flash", kib=217.5, source="Xiaomi 2025: other heads in the layers with a window, values of 128",
         config=dict(model_type="mimo_v2_flash", num_hidden_layers=48, num_attention_heads=64, num_key_value_heads=4,
                     swa_num_key_value_heads=8, head_dim=192, v_head_dim=128, swa_head_dim=192, swa_v_head_dim=128,
                     hidden_size=4096, sliding_window=128,
                     hybrid_layer_pattern=[0 if i == 0 or i % 6 == 5 else 1 for i in range(48)]),
         layers=[{"numbers": 4 * (192 + 128), "window": FULL} if i == 0 or i % 6 == 5
                 else {"numbers": 8 * (192 + 128), "window": 128} for i in range(48)]),
    dict(name="OpenELM 270M", kib=None, source="Mehta et al. 2024: heads that differ from layer to layer",
         config=dict(model_type="openelm", num_transformer_layers=4, num_query_heads=[12, 12, 16, 20],
                     num_kv_heads=[3, 3, 4, 5], head_dim=64, model_dim=1280),
         layers=[heads(count, 64) for count in (3, 3, 4, 5)]),
    dict(name="Hunyuan Large", kib=128, source="Sun et al. 2024: two layers share a cache",
         config=dict(model_type="hunyuan", num_hidden_layers=64, num_attention_heads=80, num_key_value_heads=8,
                     head_dim=128, hidden_size=6400, use_cla=True, cla_share_factor=2),
         layers=cycle([heads(8, 128), NONE], 64)),
    dict(name="T5 base", kib=36, source="Raffel et al. 2020: the decoder's 12 layers", cross=36,
         config=dict(model_type="t5", num_layers=12, num_decoder_layers=12, num_heads=12, d_model=768, d_kv=64,
                     is_encoder_decoder=True),
         layers=[heads(12, 64)] * 12),
    dict(name="Whisper large v3 turbo", kib=20, source="Radford et al. 2022: 4 layers of the decoder", cross=20,
         config=dict(model_type="whisper", num_hidden_layers=32, encoder_layers=32, decoder_layers=4,
                     decoder_attention_heads=20, encoder_attention_heads=20, d_model=1280, is_encoder_decoder=True),
         layers=[heads(20, 64)] * 4),
    dict(name="Mamba 2.8B", kib=0, source="Gu and Dao 2023: no cache that grows",
         config=dict(model_type="mamba", num_hidden_layers=64, hidden_size=2560, state_size=16),
         layers=[NONE] * 64),
]

LENGTHS = [1, 100, 3000, 8192, 100_000]


def bytes_after(layers, tokens):
    return sum(2 * layer["numbers"] * min(tokens, tokens if layer["window"] is None else layer["window"])
               for layer in layers)


def main():
    rows = []
    for row in ROWS:
        of_token = 2 * sum(layer["numbers"] for layer in row["layers"])
        assert row["kib"] is None or row["kib"] * 1024 == of_token, (row["name"], of_token / 1024)
        rows.append({"name": row["name"], "source": row["source"], "config": row["config"], "of_token": of_token,
                     "of_later_token": 2 * sum(layer["numbers"] for layer in row["layers"] if layer["window"] is None),
                     "of_source_token": 1024 * row.get("cross", 0),
                     "after": [bytes_after(row["layers"], tokens) for tokens in LENGTHS]})
    lines = ",\n".join(json.dumps(row) for row in rows)
    target = pathlib.Path(__file__).parents[2] / "tests" / "experiments" / "cache" / "reference.json"
    target.write_text(f'{{"lengths": {LENGTHS}, "models": [\n{lines}\n]}}\n')
    print(len(rows), "models")


def write_run(case, name, model, tokens, batch):
    """What `attnlab cache` gives of a preset: data/reference/cache/CASE.json."""
    layers = next(row["layers"] for row in ROWS if row["name"] == name)
    lengths = [tokens] + [64 * 2**i for i in range(15)]
    arrays = {"kept": [layer["numbers"] for layer in layers],
              "window": ["inf" if layer["window"] is FULL else layer["window"] for layer in layers],
              "length": lengths, "layer_bytes": [batch * 2 * layer["numbers"] for layer in layers],
              "tokens_kept": [min(length, length if layer["window"] is FULL else layer["window"])
                              for layer in layers for length in lengths],
              "bytes": [batch * bytes_after(layers, length) for length in lengths]}
    flags = {"model": model, "length": str(tokens), "batch": str(batch)}
    scalars = {"kib_per_token": 2 * sum(arrays["kept"]) / 1024, "cache_bytes": arrays["bytes"][0],
               "pages_per_sequence": -(-tokens // 16)}
    folder = pathlib.Path(__file__).with_name("cache")
    folder.mkdir(exist_ok=True)
    shapes = {"tokens_kept": [len(layers), len(lengths)]}
    stored = {array: {"shape": shapes.get(array, [len(data)]), "data": data} for array, data in arrays.items()}
    text = json.dumps({"flags": flags, "scalars": scalars, "arrays": stored})
    (folder / f"{case}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
    write_run("grouped", "Llama 3 8B", "llama-3-8b", 3000, 1)
    write_run("windows", "Gemma 3 27B", "gemma-3-27b", 5000, 3)
