// Keys of a configuration that change the computation are read, refused or told of; none is passed over.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "io/torch_bytes.hpp"
#include "model/gguf_bytes.hpp"
#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

std::string files_of_reference() {
  return (source_dir() / "tests" / "model" / "reference" / "files").string() + "/";
}

ListedFile gguf_named(const std::string& name) {
  return list_gguf(bytes_of(files_of_reference() + name), name);
}

/// What is said of a GGUF file with these values beside its own.
std::string refusal_of_gguf(const Config& changes, const std::string& name = "llama.gguf") {
  ListedFile file = gguf_named(name);
  file.values.update(changes);
  const Folder folder;
  put(folder / "m.gguf", test::gguf_bytes(file.values, file.tensors));
  try {
    const LanguageModel model = model_of(open_checkpoint((folder / "m.gguf").string()));
    return joined(model.architecture.unknown_keys, ", ");
  } catch (const Error& error) {
    return error.what();
  }
}

/// What is said of the small model of a family with these changes of its configuration.
std::string refusal_of_family(const std::string& family, const Config& changes) {
  Config reference = reference_of(family);
  reference["config"].update(changes);
  const Folder folder;
  write_model(reference, folder);
  try {
    const LanguageModel model = model_of(open_checkpoint(folder.path().string()));
    return joined(model.architecture.unknown_keys, ", ");
  } catch (const Error& error) {
    return error.what();
  }
}

std::string refusal_of_llama(const Config& changes) { return refusal_of_family("llama", changes); }

std::vector<double> frequencies_with(const Config& changes) {
  ListedFile file = gguf_named("qwen3.gguf");
  file.values.update(changes);
  const Folder folder;
  put(folder / "m.gguf", test::gguf_bytes(file.values, file.tensors));
  return rotary_turns(*model_of(open_checkpoint((folder / "m.gguf").string())).architecture.rotary, 1)
      .frequencies;
}

void check_nothing_is_told_of(const std::map<std::string, const char*>& published) {
  for (const auto& entry : published) {
    const auto& [name, config] = entry;
    CAPTURE(entry.first);
    Checkpoint checkpoint;
    checkpoint.place = name;
    checkpoint.config = Config::parse(config);
    CHECK(joined(family_of(checkpoint).architecture.unknown_keys, ", ").empty());
  }
}

}  // namespace

TEST_CASE("a key that makes it another computation is refused by name, unless it is switched off") {
  const Config changing{{"attn_logit_softcapping", 30.0},
                        {"final_logit_softcapping", 30.0},
                        {"logit_scale", 0.5},
                        {"residual_multiplier", 0.22},
                        {"alibi", true},
                        {"qk_norm", true},
                        {"num_local_experts", 8},
                        {"scale_attn_by_inverse_layer_idx", true},
                        {"clip_qkv", 8.0},
                        {"use_sliding_window", true},
                        {"use_parallel_residual", true},
                        {"position_embedding_type", "relative_key"}};
  for (const auto& entry : changing.items()) {
    const auto& [key, value] = entry;
    CAPTURE(entry.key());
    CHECK(contains(refusal_of_llama({{key, value}}), "a model with " + key + " = "));
    CHECK(refusal_of_llama({{key, nullptr}}).empty());
  }
  CHECK(refusal_of_llama({{"logit_scale", 1.0}, {"num_local_experts", 1}, {"alibi", false}}).empty());
  CHECK(refusal_of_llama({{"layer_types", {"full_attention", "full_attention"}}}).empty());
  CHECK(
      contains(refusal_of_llama({{"layer_types", {"full_attention", "sliding_attention"}}}), "layer_types"));
  CHECK(contains(refusal_of_llama({{"rope_scaling", {{"type", "mrope"}, {"factor", 2.0}}}}), "'mrope'"));
  CHECK(contains(refusal_of_llama({{"rope_scaling", {{"type", "yarn"}}}}), "has no \"factor\" above 0"));
  CHECK(contains(refusal_of_llama({{"rope_scaling", {{"type", "longrope"}, {"long_factor", {1.0}}}}}),
                 "has no \"short_factor\" above 0"));
  CHECK(contains(
      refusal_of_llama(
          {{"rope_scaling", {{"type", "longrope"}, {"long_factor", {1.0}}, {"short_factor", {1.0}}}}}),
      "1 factors of rotary frequencies; 2 above 0 are needed"));
  CHECK(
      contains(refusal_of_llama({{"attention_bias", true}}), "'layers.0.self_attn.q_proj.bias' is missing"));
}

TEST_CASE("OPT's keys: what another size does, that of 350 million among them, is refused by name") {
  CHECK(refusal_of_family("opt", Config::object()).empty());
  const Config changing{{"word_embed_proj_dim", 8},
                        {"do_layer_norm_before", false},
                        {"enable_bias", false},
                        {"layer_norm_elementwise_affine", false},
                        {"_remove_final_layer_norm", true}};
  for (const auto& entry : changing.items()) {
    const auto& [key, value] = entry;
    CAPTURE(entry.key());
    CHECK(contains(refusal_of_family("opt", {{key, value}}), "a model with " + key + " = " + value.dump()));
    CHECK(refusal_of_family("opt", {{key, nullptr}}).empty());
  }
}

TEST_CASE("BLOOM's stream is what is added up, not what is normalised") {
  CHECK(refusal_of_family("bloom", Config::object()).empty());
  CHECK(contains(refusal_of_family("bloom", {{"apply_residual_connection_post_layernorm", true}}),
                 "a model with apply_residual_connection_post_layernorm = true"));
}

TEST_CASE("Falcon's keys: what others of its models do is refused by name, and what it alone says is read") {
  for (const char* family : {"falcon_7b", "falcon_40b"}) {
    CAPTURE(family);
    CHECK(refusal_of_family(family, {{"auto_map", {{"AutoConfig", "configuration_falcon.FalconConfig"}}}})
              .empty());
    CHECK(contains(refusal_of_family(family, {{"alibi", true}}), "a model with alibi = true"));
    CHECK(contains(refusal_of_family(family, {{"parallel_attn", false}}),
                   "a model with parallel_attn = false"));
  }
  CHECK(contains(refusal_of_family("falcon_40b", {{"num_ln_in_parallel_attn", 1}}),
                 "a model with num_ln_in_parallel_attn = 1"));
  CHECK(refusal_of_family("falcon_40b", {{"num_ln_in_parallel_attn", 2}}).empty());
  CHECK(contains(refusal_of_family("falcon_7b", {{"multi_query", false}}),
                 "(24, 16), but by the configuration"));
  CHECK(refusal_of_family("falcon_7b", {{"multi_query", nullptr}}).empty());
  for (const char* key : {"multi_query", "new_decoder_architecture"})
    CHECK(contains(refusal_of_llama({{key, true}}), std::string("a model with ") + key + " = true"));
  CHECK(contains(refusal_of_llama({{"auto_map", {{"AutoConfig", "x"}}}}), "a model with auto_map = "));
}

TEST_CASE("what a key holds must be of the kind that the computation needs, not taken for absent") {
  const Config wrong{{"rope_scaling", "linear"},  {"rope_parameters", {1, 2}}, {"hidden_act", 5},
                     {"attention_bias", "false"}, {"tie_word_embeddings", 1},  {"rms_norm_eps", "1e-5"}};
  for (const auto& entry : wrong.items()) {
    const auto& [key, value] = entry;
    CAPTURE(entry.key());
    CHECK(contains(refusal_of_llama({{key, value}}), "\"" + key + "\" is " + value.dump()));
  }
  CHECK(contains(refusal_of_llama({{"rope_scaling", {{"factor", 2.0}}}}), "rope_scaling '' is not known"));
  CHECK(refusal_of_llama({{"rope_scaling", Config::object()}}).empty());
}

TEST_CASE("a key of which nothing is known is told of with its value, and one that is off is not") {
  CHECK(refusal_of_llama({{"a_new_way", 3}, {"another", false}, {"_private", 1}}) == "a_new_way = 3");
  CHECK(refusal_of_gguf({{"llama.a_new_way", 3}, {"llama.another", 0}, {"general.note", "x"}}) ==
        "llama.a_new_way = 3");
}

TEST_CASE("GGUF's keys are read, or refused by name") {
  CHECK(refusal_of_gguf(Config::object()).empty());
  const Config changing{{"llama.logit_scale", 0.5},
                        {"llama.attention.clamp_kqv", 8.0},
                        {"llama.attention.max_alibi_bias", 8.0},
                        {"llama.attention.scale", 0.1},
                        {"llama.attention.head_count_kv", {4, 2}},
                        {"llama.attention.value_length", 8},
                        {"llama.final_logit_softcapping", 30.0},
                        {"llama.attention.sliding_window_pattern", {true, false}}};
  for (const auto& entry : changing.items()) {
    const auto& [key, value] = entry;
    CAPTURE(entry.key());
    CHECK(contains(refusal_of_gguf({{key, value}}), "a model with " + key + " = "));
  }
  CHECK(contains(refusal_of_gguf({{"llama.expert_count", 8}}), "num_experts = 8"));
  CHECK(contains(refusal_of_gguf({{"llama.rope.scaling.type", "new"}, {"llama.rope.scaling.factor", 4.0}}),
                 "rope_scaling 'new' is not known"));
  CHECK(refusal_of_gguf({{"llama.rope.scaling.type", "yarn"}, {"llama.rope.scaling.factor", 4.0}}).empty());
  // one number for each layer, and all the same; 1 / sqrt(4) is the usual scale
  CHECK(refusal_of_gguf({{"llama.attention.head_count_kv", {2, 2}}, {"llama.attention.scale", 0.5}}).empty());
}

TEST_CASE("a factor of rotary frequencies divides them, under its old name and without a type, too") {
  const std::vector<double> plain = frequencies_with(Config::object());
  for (const Config& changes :
       {Config{{"qwen3.rope.scale_linear", 4.0}}, Config{{"qwen3.rope.scaling.factor", 4.0}},
        Config{{"qwen3.rope.scaling.type", "linear"}, {"qwen3.rope.scaling.factor", 4.0}}}) {
    const std::vector<double> slowed = frequencies_with(changes);
    REQUIRE(slowed.size() == plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(slowed[i] == doctest::Approx(plain[i] / 4.0));
  }
  CHECK(frequencies_with({{"qwen3.rope.scaling.type", "none"}, {"qwen3.rope.scaling.factor", 4.0}}) == plain);
  CHECK(frequencies_with({{"qwen3.rope.scaling.factor", 0.0}}) == plain);
}

TEST_CASE("a GGUF model in parts is the model, and a part that is missing is named") {
  const Config reference = reference_of("llama");
  ListedFile file = gguf_named("llama.gguf");
  const Folder folder;
  const Config split{{"split.no", 0}, {"split.count", 2}, {"split.tensors.count", file.tensors.size()}};
  file.values.update(split);
  const auto middle = file.tensors.begin() + 7;
  put(folder / "m-00001-of-00002.gguf", test::gguf_bytes(file.values, {file.tensors.begin(), middle}));
  const std::string first = (folder / "m-00001-of-00002.gguf").string();
  CHECK_THROWS_WITH_AS(open_checkpoint(first), doctest::Contains("'m-00002-of-00002.gguf' is missing"),
                       Error);
  put(folder / "m-00002-of-00002.gguf", test::gguf_bytes(split, {middle, file.tensors.end()}));
  for (const char* part : {"m-00001-of-00002.gguf", "m-00002-of-00002.gguf"}) {
    const LanguageModel model = model_of(open_checkpoint((folder / part).string()));
    CHECK(relative_difference(pass_of(model, tokens_of(reference)).logits, reference["stages"]["logits"]) <
          1e-5);
  }
  std::filesystem::rename(folder / "m-00001-of-00002.gguf", folder / "other.gguf");
  CHECK_THROWS_WITH_AS(open_checkpoint((folder / "other.gguf").string()),
                       doctest::Contains("'NAME-00001-of-00002.gguf' is missing"), Error);
}

TEST_CASE("wrappers' prefixes are left out of a model's names in every format") {
  const Config reference = reference_of("llama");
  ListedFile file = gguf_named("llama.gguf");
  for (StoredTensor& tensor : file.tensors) tensor.name = "module." + tensor.name;
  const Folder folder;
  put(folder / "m.gguf", test::gguf_bytes(file.values, file.tensors));
  Config wrapped = reference;
  wrapped["tensors"] = Config::object();
  for (const auto& [name, tensor] : reference["tensors"].items())
    wrapped["tensors"]["_orig_mod.module." + name] = tensor;
  write_model(wrapped, folder);
  for (const std::string& path : {folder.path().string(), (folder / "m.gguf").string()}) {
    const LanguageModel model = model_of(open_checkpoint(path));
    CHECK(relative_difference(pass_of(model, tokens_of(reference)).logits, reference["stages"]["logits"]) <
          1e-5);
  }
}

TEST_CASE("a refusal names no family of this program's own, and shows the command that reads a layer") {
  Config reference = reference_of("llama");
  reference["config"]["model_type"] = "gptj";
  reference["config"]["architectures"] = {"GPTJForCausalLM"};
  const Folder folder;
  std::filesystem::create_directory(folder / "it's");
  put(folder / "it's/config.json", reference["config"].dump());
  put(folder / "it's/model.safetensors", safetensors_bytes(reference["tensors"]));
  std::string answered;
  try {
    model_of(open_checkpoint((folder / "it's").string()));
  } catch (const Error& error) {
    answered = error.message(Language::en);
  }
  for (const char* own : {"gguf", "llama-meta", "nanogpt", "attnlab,", "llama2.c"})
    CHECK_FALSE(contains(answered, own));
  CHECK(contains(answered, "known are gpt2, llama, mistral"));
  CHECK(contains(answered, "attnlab attend --x x.npy --projections '"));
  CHECK(
      contains(answered,
               "/it'\\''s/model.safetensors:model.layers.0.self_attn' --heads 4 --kv-heads 2 --mask causal"));
  CHECK_FALSE(contains(answered, "--bias"));
  reference["config"]["model_type"] = "mpt";
  reference["config"]["attn_config"] = {{"alibi", true}};
  put(folder / "it's/config.json", reference["config"].dump());
  CHECK_THROWS_WITH_AS(model_of(open_checkpoint((folder / "it's").string())),
                       doctest::Contains("--mask causal --bias alibi"), Error);
  CHECK(contains(
      refusal_of_gguf({{"general.architecture", "phi3"}}),
      "the general.architecture 'phi3' is not known; known are llama, qwen2, qwen3, gpt2, gptneox, bert"));
}

TEST_CASE("a training's file of another architecture is told what does not fit") {
  using test::pickled_dictionary;
  const Folder folder;
  const auto refusal = [&](const std::string& value) -> std::string {
    put(folder / "m.pt", test::torch_bytes(value));
    try {
      model_of(open_checkpoint((folder / "m.pt").string()));
    } catch (const Error& error) {
      return error.message(Language::en);
    }
    return "";
  };
  const std::string names = pickled_dictionary({{"transformer.wte.weight", test::pickled_tensor()},
                                                {"transformer.h.0.attn.w.weight", test::pickled_tensor()}});
  const std::string other = refusal(
      pickled_dictionary({{"model", names}, {"model_args", pickled_dictionary({{"d_model", "K\7"}})}}));
  CHECK(contains(other, "have neither n_embd, as nanoGPT's, nor dim, as llama2.c's; they are d_model"));
  CHECK(contains(other, "/m.pt:transformer.h.0.attn'"));
  CHECK(contains(refusal(names), "nanoGPT's names, but there is no \"model_args\" beside them"));
  CHECK(contains(refusal(pickled_dictionary({{"w", test::pickled_tensor()}})),
                 "there is no config.json beside it"));
}

TEST_CASE("the configurations of the families as they are published hold nothing that is told of") {
  const std::map<std::string, const char*> published{
      {"gpt2",
       R"({"activation_function":"gelu_new","architectures":["GPT2LMHeadModel"],"attn_pdrop":0.1,"bos_token_id":50256,"embd_pdrop":0.1,"eos_token_id":50256,"initializer_range":0.02,"layer_norm_epsilon":1e-05,"model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,"resid_pdrop":0.1,"summary_activation":null,"summary_first_dropout":0.1,"summary_proj_to_labels":true,"summary_type":"cls_index","summary_use_proj":true,"task_specific_params":{"text-generation":{"do_sample":true,"max_length":50}},"vocab_size":50257})"},
      {"Llama 3.2",
       R"({"architectures":["LlamaForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":128000,"eos_token_id":[128001,128008,128009],"head_dim":64,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,"intermediate_size":8192,"max_position_embeddings":131072,"mlp_bias":false,"model_type":"llama","num_attention_heads":32,"num_hidden_layers":16,"num_key_value_heads":8,"pretraining_tp":1,"rms_norm_eps":1e-05,"rope_scaling":{"factor":32.0,"high_freq_factor":4.0,"low_freq_factor":1.0,"original_max_position_embeddings":8192,"rope_type":"llama3"},"rope_theta":500000.0,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.45.0.dev0","use_cache":true,"vocab_size":128256})"},
      {"SmolLM2",
       R"({"architectures":["LlamaForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu","hidden_size":576,"initializer_range":0.041666666666666664,"intermediate_size":1536,"is_llama_config":true,"max_position_embeddings":8192,"mlp_bias":false,"model_type":"llama","num_attention_heads":9,"num_hidden_layers":30,"num_key_value_heads":3,"pad_token_id":2,"pretraining_tp":1,"rms_norm_eps":1e-05,"rope_interleaved":false,"rope_scaling":null,"rope_theta":100000,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers.js_config":{"kv_cache_dtype":{"q4f16":"float16"}},"transformers_version":"4.42.3","use_cache":true,"vocab_size":49152})"},
      {"Mistral",
       R"({"architectures":["MistralForCausalLM"],"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":14336,"max_position_embeddings":32768,"model_type":"mistral","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":10000.0,"sliding_window":4096,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.34.0.dev0","use_cache":true,"vocab_size":32000})"},
      {"Qwen2.5",
       R"({"architectures":["Qwen2ForCausalLM"],"attention_dropout":0.0,"bos_token_id":151643,"eos_token_id":151645,"hidden_act":"silu","hidden_size":896,"initializer_range":0.02,"intermediate_size":4864,"max_position_embeddings":32768,"max_window_layers":21,"model_type":"qwen2","num_attention_heads":14,"num_hidden_layers":24,"num_key_value_heads":2,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"sliding_window":32768,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.43.1","use_cache":true,"use_mrope":false,"use_sliding_window":false,"vocab_size":151936})"},
      {"Qwen3",
       R"({"architectures":["Qwen3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":151643,"eos_token_id":151645,"head_dim":128,"hidden_act":"silu","hidden_size":1024,"initializer_range":0.02,"intermediate_size":3072,"layer_types":["full_attention","full_attention"],"max_position_embeddings":40960,"max_window_layers":28,"model_type":"qwen3","num_attention_heads":16,"num_hidden_layers":28,"num_key_value_heads":8,"rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":1000000,"sliding_window":null,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.51.0","use_cache":true,"use_sliding_window":false,"vocab_size":151936})"},
      {"Pythia",
       R"({"architectures":["GPTNeoXForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"bos_token_id":0,"classifier_dropout":0.1,"eos_token_id":0,"hidden_act":"gelu","hidden_dropout":0.0,"hidden_size":512,"initializer_range":0.02,"intermediate_size":2048,"layer_norm_eps":1e-05,"max_position_embeddings":2048,"model_type":"gpt_neox","num_attention_heads":8,"num_hidden_layers":6,"rope_scaling":null,"rotary_emb_base":10000,"rotary_pct":0.25,"tie_word_embeddings":false,"torch_dtype":"float16","transformers_version":"4.24.0","use_cache":true,"use_parallel_residual":true,"vocab_size":50304})"},
      {"BERT",
       R"({"architectures":["BertForMaskedLM"],"attention_probs_dropout_prob":0.1,"classifier_dropout":null,"directionality":"bidi","gradient_checkpointing":false,"hidden_act":"gelu","hidden_dropout_prob":0.1,"hidden_size":768,"initializer_range":0.02,"intermediate_size":3072,"layer_norm_eps":1e-12,"max_position_embeddings":512,"model_type":"bert","num_attention_heads":12,"num_hidden_layers":12,"pad_token_id":0,"pooler_fc_size":768,"pooler_num_attention_heads":12,"pooler_num_fc_layers":3,"pooler_size_per_head":128,"pooler_type":"first_token_transform","position_embedding_type":"absolute","transformers_version":"4.6.0.dev0","type_vocab_size":2,"use_cache":true,"vocab_size":30522,"_name_or_path":"x"})"},
      {"XLM-R",
       R"({"architectures":["XLMRobertaForMaskedLM"],"attention_probs_dropout_prob":0.1,"bos_token_id":0,"eos_token_id":2,"hidden_act":"gelu","hidden_dropout_prob":0.1,"hidden_size":768,"initializer_range":0.02,"intermediate_size":3072,"layer_norm_eps":1e-05,"max_position_embeddings":514,"model_type":"xlm-roberta","num_attention_heads":12,"num_hidden_layers":12,"output_past":true,"pad_token_id":1,"position_embedding_type":"absolute","transformers_version":"4.17.0.dev0","type_vocab_size":1,"use_cache":true,"vocab_size":250002})"},
      {"DistilBERT",
       R"({"activation":"gelu","architectures":["DistilBertForMaskedLM"],"attention_dropout":0.1,"dim":768,"dropout":0.1,"hidden_dim":3072,"initializer_range":0.02,"max_position_embeddings":512,"model_type":"distilbert","n_heads":12,"n_layers":6,"pad_token_id":0,"qa_dropout":0.1,"seq_classif_dropout":0.2,"sinusoidal_pos_embds":false,"tie_weights_":true,"transformers_version":"4.10.0.dev0","vocab_size":30522})"},
      {"Phi-3",
       R"({"_name_or_path":"Phi-3-mini-4k-instruct","architectures":["Phi3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_phi3.Phi3Config","AutoModelForCausalLM":"modeling_phi3.Phi3ForCausalLM"},"bos_token_id":1,"embd_pdrop":0.0,"eos_token_id":32000,"hidden_act":"silu","hidden_size":3072,"initializer_range":0.02,"intermediate_size":8192,"max_position_embeddings":4096,"model_type":"phi3","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":32,"original_max_position_embeddings":4096,"pad_token_id":32000,"resid_pdrop":0.0,"rms_norm_eps":1e-05,"rope_scaling":null,"rope_theta":10000.0,"sliding_window":2047,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.40.2","use_cache":true,"vocab_size":32064})"},
      {"OLMo 2",
       R"({"architectures":["Olmo2ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"eos_token_id":100257,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":11008,"max_position_embeddings":4096,"model_type":"olmo2","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":32,"pad_token_id":100277,"rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":500000,"tie_word_embeddings":false,"torch_dtype":"float32","transformers_version":"4.47.0.dev0","use_cache":true,"vocab_size":100352})"},
      {"OLMo 3",
       R"({"architectures":["Olmo3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"dtype":"float32","eos_token_id":100257,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":11008,"layer_types":["sliding_attention","sliding_attention","sliding_attention","full_attention"],"max_position_embeddings":65536,"model_type":"olmo3","num_attention_heads":32,"num_hidden_layers":4,"num_key_value_heads":32,"pad_token_id":100277,"rms_norm_eps":1e-06,"rope_scaling":{"attention_factor":1.2079441541679836,"beta_fast":32,"beta_slow":1,"factor":8.0,"original_max_position_embeddings":8192,"rope_type":"yarn"},"rope_theta":500000,"sliding_window":4096,"tie_word_embeddings":false,"transformers_version":"4.57.0","use_cache":true,"vocab_size":100278})"},
      {"SmolLM3",
       R"({"architectures":["SmolLM3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":null,"eos_token_id":128012,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,"intermediate_size":11008,"layer_types":["full_attention","full_attention","full_attention","full_attention"],"max_position_embeddings":65536,"max_window_layers":28,"mlp_bias":false,"model_type":"smollm3","no_rope_layer_interval":4,"no_rope_layers":[1,1,1,0],"num_attention_heads":16,"num_hidden_layers":4,"num_key_value_heads":4,"pretraining_tp":2,"rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":5000000.0,"sliding_window":null,"torch_dtype":"bfloat16","transformers_version":"4.54.0.dev0","use_cache":false,"use_sliding_window":false,"vocab_size":128256})"},
      {"Gemma 2",
       R"({"architectures":["Gemma2ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attn_logit_softcapping":50.0,"bos_token_id":2,"cache_implementation":"hybrid","eos_token_id":[1,107],"final_logit_softcapping":30.0,"head_dim":256,"hidden_act":"gelu_pytorch_tanh","hidden_activation":"gelu_pytorch_tanh","hidden_size":2304,"initializer_range":0.02,"intermediate_size":9216,"max_position_embeddings":8192,"model_type":"gemma2","num_attention_heads":8,"num_hidden_layers":26,"num_key_value_heads":4,"pad_token_id":0,"query_pre_attn_scalar":256,"rms_norm_eps":1e-06,"rope_theta":10000.0,"sliding_window":4096,"torch_dtype":"bfloat16","transformers_version":"4.42.4","use_cache":true,"vocab_size":256000})"},
      {"Gemma 3",
       R"({"architectures":["Gemma3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attn_logit_softcapping":null,"bos_token_id":2,"cache_implementation":"hybrid","eos_token_id":[1,106],"final_logit_softcapping":null,"head_dim":256,"hidden_activation":"gelu_pytorch_tanh","hidden_size":1152,"initializer_range":0.02,"intermediate_size":6912,"max_position_embeddings":32768,"model_type":"gemma3_text","num_attention_heads":4,"num_hidden_layers":26,"num_key_value_heads":1,"pad_token_id":0,"query_pre_attn_scalar":256,"rms_norm_eps":1e-06,"rope_local_base_freq":10000,"rope_scaling":null,"rope_theta":1000000,"sliding_window":512,"sliding_window_pattern":6,"torch_dtype":"bfloat16","transformers_version":"4.50.0.dev0","use_cache":true,"vocab_size":262144})"},
      {"Mixtral",
       R"({"architectures":["MixtralForCausalLM"],"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":14336,"max_position_embeddings":32768,"model_type":"mixtral","num_attention_heads":32,"num_experts_per_tok":2,"num_hidden_layers":32,"num_key_value_heads":8,"num_local_experts":8,"output_router_logits":false,"rms_norm_eps":1e-05,"rope_theta":1000000.0,"router_aux_loss_coef":0.02,"sliding_window":null,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.36.0.dev0","use_cache":true,"vocab_size":32000})"}};
  check_nothing_is_told_of(published);
}

TEST_CASE("so do those of OPT, BLOOM and Falcon") {
  check_nothing_is_told_of(
      {{"OPT",
        R"({"_name_or_path":"facebook/opt-125m","activation_dropout":0.0,"activation_function":"relu","architectures":["OPTForCausalLM"],"attention_dropout":0.0,"bos_token_id":2,"do_layer_norm_before":true,"dropout":0.1,"eos_token_id":2,"ffn_dim":3072,"hidden_size":768,"init_std":0.02,"layerdrop":0.0,"max_position_embeddings":2048,"model_type":"opt","num_attention_heads":12,"num_hidden_layers":12,"pad_token_id":1,"prefix":"</s>","torch_dtype":"float16","transformers_version":"4.21.0.dev0","use_cache":true,"vocab_size":50272,"word_embed_proj_dim":768,"_remove_final_layer_norm":false})"},
       {"BLOOM",
        R"({"apply_residual_connection_post_layernorm":false,"attention_dropout":0.0,"attention_softmax_in_fp32":true,"architectures":["BloomForCausalLM"],"bias_dropout_fusion":true,"bos_token_id":1,"eos_token_id":2,"pad_token_id":3,"unk_token_id":0,"hidden_dropout":0.0,"initializer_range":0.02,"layer_norm_epsilon":1e-05,"masked_softmax_fusion":true,"model_type":"bloom","n_embed":1024,"n_inner":null,"n_layer":24,"num_attention_heads":16,"offset_alibi":100,"pretraining_tp":1,"seq_length":2048,"skip_bias_add":true,"skip_bias_add_qkv":false,"transformers_version":"4.20.0","use_cache":true,"vocab_size":250880})"},
       {"Falcon",
        R"({"alibi":false,"apply_residual_connection_post_layernorm":false,"architectures":["FalconForCausalLM"],"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_falcon.FalconConfig","AutoModel":"modeling_falcon.FalconModel"},"bias":false,"bos_token_id":11,"eos_token_id":11,"hidden_dropout":0.0,"hidden_size":4544,"initializer_range":0.02,"layer_norm_epsilon":1e-05,"model_type":"falcon","multi_query":true,"new_decoder_architecture":false,"num_attention_heads":71,"num_hidden_layers":32,"num_kv_heads":71,"parallel_attn":true,"torch_dtype":"bfloat16","transformers_version":"4.27.4","use_cache":true,"vocab_size":65024})"}});
}
