#include "experiments/cache/cache_shape.hpp"

#include "core/counted.hpp"
#include "core/utf8.hpp"
#include "experiments/cache/cache_keys.hpp"

namespace attnlab {
namespace {

enum class LayerKind { full, windowed, none };
using LayerKinds = std::vector<LayerKind>;

LayerKind kind_named(const std::string& word) {
  return word == "full" ? LayerKind::full : word == "windowed" ? LayerKind::windowed : LayerKind::none;
}

bool is_of(const Sentences& row, const CacheKeys& keys) {
  const std::vector<std::string> types = words_of(row, "types");
  return types.empty() || std::find(types.begin(), types.end(), keys.type()) != types.end();
}

/// A word for each layer, such as layer_types.
std::optional<LayerKinds> listed_kinds(const CacheKeys& keys, std::size_t layers) {
  for (const Sentences& row : cache_rows("list")) {
    const std::string key = word_of(row, "key");
    const auto words = is_of(row, keys) ? keys.words(key) : std::nullopt;
    if (!words) continue;
    if (words->size() != layers && word_of(row, "cycles").empty()) {
      keys.refuse(text("\"{}\" は {} 層、ほかの設定は {} 層です",
                       "\"{}\" has {} layers, and the rest of the configuration {}", key, words->size(),
                       layers));
    }
    LayerKinds kinds;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const std::string& word = (*words)[layer % words->size()];
      std::optional<LayerKind> kind;
      for (const char* name : {"full", "windowed", "none"}) {
        const std::vector<std::string> known = words_of(row, name);
        if (std::find(known.begin(), known.end(), word) != known.end()) kind = kind_named(name);
      }
      if (!kind) {
        keys.refuse(text("\"{}\" の {} がどんな層か、わかりません",
                         "\"{}\" has {}, a kind of layer that is not known", key, quotation(word)));
      }
      kinds.push_back(*kind);
    }
    return kinds;
  }
  return std::nullopt;
}

/// The numbers of the layers of one kind.
std::optional<LayerKinds> numbered_kinds(const CacheKeys& keys, std::size_t layers) {
  for (const Sentences& row : cache_rows("numbers")) {
    const std::string key = word_of(row, "key");
    const auto numbers = keys.list(key);
    if (!numbers || numbers->empty()) continue;
    const std::size_t first = word_of(row, "first").empty() ? 0 : 1;
    LayerKinds kinds(layers, kind_named(word_of(row, "others")));
    for (const std::size_t number : *numbers) {
      if (number < first || number - first >= layers)
        keys.refuse(text("\"{}\" の {} は、{} 層のどれでもありません", "\"{}\" names layer {} of {}", key,
                         number, layers));
      kinds[number - first] = kind_named(word_of(row, "are"));
    }
    return kinds;
  }
  return std::nullopt;
}

/// Every so-manieth layer.
std::optional<LayerKinds> periodic_kinds(const CacheKeys& keys, std::size_t layers) {
  for (const Sentences& row : cache_rows("every")) {
    const std::string key = word_of(row, "key");
    const std::size_t period = is_of(row, keys) ? keys.whole({key.c_str()}).value_or(0) : 0;
    if (period == 0) continue;
    const std::string offset_key = word_of(row, "offset");
    const std::size_t offset =
        offset_key.empty() ? period - 1 : keys.whole({offset_key.c_str()}).value_or(period - 1);
    LayerKinds kinds;
    for (std::size_t layer = 0; layer < layers; ++layer)
      kinds.push_back(layer % period == offset ? LayerKind::full : kind_named(word_of(row, "others")));
    return kinds;
  }
  return std::nullopt;
}

constexpr CacheKeys::Names window_names{"sliding_window", "attention_window_size", "window_size",
                                        "sliding_window_size"};

/// "every layer has a window", or from max_window_layers on, unless use_sliding_window is off.
LayerKinds kinds_by_window(const CacheKeys& keys, std::size_t layers) {
  const bool is_off = keys.has("use_sliding_window") && !keys.is_on("use_sliding_window");
  if (is_off || keys.whole(window_names).value_or(0) == 0) return {layers, LayerKind::full};
  const std::size_t from = keys.has("use_sliding_window") ? keys.whole({"max_window_layers"}).value_or(0) : 0;
  LayerKinds kinds(layers, LayerKind::windowed);
  std::fill_n(kinds.begin(), std::min(from, layers), LayerKind::full);
  return kinds;
}

/// attention_types of GPT-Neo: [[["global", "local"], 12]].
std::optional<LayerKinds> repeated_kinds(const CacheKeys& keys, std::size_t layers) {
  const nlohmann::json* const groups = keys.find("attention_types");
  if (groups == nullptr) return std::nullopt;
  LayerKinds kinds;
  for (const nlohmann::json& group : *groups) {
    if (!group.is_array() || group.size() != 2 || !group[1].is_number_unsigned()) break;
    for (std::size_t i = 0; i < group[1].get<std::size_t>() && kinds.size() < layers; ++i)
      for (const nlohmann::json& word : group[0])
        kinds.push_back(word == "local" ? LayerKind::windowed : LayerKind::full);
  }
  if (kinds.size() == layers) return kinds;
  keys.refuse(text("\"attention_types\" は {} 層、ほかの設定は {} 層です",
                   "\"attention_types\" has {} layers, and the rest of the configuration {}", kinds.size(),
                   layers));
}

LayerKinds kinds_of(const CacheKeys& keys, std::size_t layers) {
  if (keys.is_listed("stateful")) return {layers, LayerKind::none};
  if (auto kinds = listed_kinds(keys, layers)) return *kinds;
  if (auto kinds = repeated_kinds(keys, layers)) return *kinds;
  if (auto kinds = numbered_kinds(keys, layers)) return *kinds;
  if (auto kinds = periodic_kinds(keys, layers)) {
    // Without a window there is nothing that could alternate.
    const bool slides = std::count(kinds->begin(), kinds->end(), LayerKind::windowed) > 0;
    if (!slides || keys.whole(window_names).value_or(0) > 0 || keys.has("attention_chunk_size"))
      return *kinds;
  }
  return kinds_by_window(keys, layers);
}

// --- Heads

constexpr CacheKeys::Names kv_names{"num_key_value_heads",  "n_head_kv",
                                    "num_kv_heads",         "n_kv_heads",
                                    "num_attention_groups", "attn_config.kv_n_heads"};

/// How many heads of keys there are, where one number says so.
std::size_t kv_heads_of(const CacheKeys& keys, CacheShape& shape) {
  const std::optional<std::size_t> stored = keys.agreed(kv_names);
  for (const char* key : {"attention_head_type", "attn_config.attn_type"}) {
    const nlohmann::json* const type = keys.find(key);
    if (type != nullptr && (*type == "multiquery" || *type == "multiquery_attention")) return 1;
  }
  if (keys.is_on("multi_query_attention"))  // ChatGLM; OLMo 1
    return keys.whole({"multi_query_group_num"}).value_or(stored.value_or(1));
  if (keys.is_on("multi_query") && !keys.is_on("new_decoder_architecture")) {
    // Falcon 7B says num_kv_heads, too: as many as queries.
    if (stored.value_or(1) != 1 && *stored != shape.heads)
      keys.refuse(text("\"multi_query\" = true なのに、キーのヘッドが {} 個です",
                       "\"multi_query\" = true contradicts its {} heads of keys", *stored));
    return 1;
  }
  if (stored) return *stored;
  shape.remarks.push_back(text("キーのヘッド数がないので、クエリと同じ {} 個としました",
                               "no number of key heads: taken as many as queries, {}", shape.heads));
  return shape.heads;
}

void require_groups(const CacheKeys& keys, std::size_t heads, std::size_t kv_heads) {
  if (kv_heads > 0 && heads % kv_heads == 0) return;
  keys.refuse(text("キーのヘッド数 {} がヘッド数 {} の約数ではありません",
                   "its {} heads of keys do not divide its {} heads", kv_heads, heads));
}

std::size_t head_width_of(const CacheKeys& keys, std::size_t heads) {
  const auto stored = keys.whole({"head_dim", "attention_head_dim", "kv_channels", "d_kv", "head_size"});
  if (stored.value_or(0) > 0) return *stored;
  const std::size_t width = keys.size({"hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim"});
  if (width % heads == 0) return width / heads;
  keys.refuse(text("幅 {} は {} 個のヘッドに分けられません", "its width {} cannot be split over {} heads",
                   width, heads));
}

/// Heads that differ from layer to layer: a list, or other numbers for the layers with a window or without.
void read_heads_by_layer(const CacheKeys& keys, const LayerKinds& kinds, CacheShape& shape) {
  const auto width = static_cast<double>(shape.key_width + shape.value_width);
  for (const char* name : kv_names) {
    const auto list = keys.list(name);
    if (!list) continue;
    if (list->size() != kinds.size())
      keys.refuse(text("\"{}\" は {} 層、ほかの設定は {} 層です",
                       "\"{}\" has {} layers, and the rest of the configuration {}", name, list->size(),
                       kinds.size()));
    for (std::size_t layer = 0; layer < kinds.size(); ++layer)
      shape.layers[layer].numbers =
          kinds[layer] == LayerKind::none ? 0.0 : static_cast<double>((*list)[layer]) * width;
    shape.kv_heads = *std::max_element(list->begin(), list->end());
    return;
  }
  const auto numbers = [](std::size_t kv_heads, std::size_t key, std::size_t value) {
    return static_cast<double>(kv_heads) * static_cast<double>(key + value);
  };
  const std::size_t wide = keys.whole({"global_head_dim"}).value_or(shape.key_width);
  const bool has_value_width = keys.has("global_head_dim");
  const std::size_t few = keys.is_on("attention_k_eq_v")
                              ? keys.whole({"num_global_key_value_heads"}).value_or(shape.kv_heads)
                              : shape.kv_heads;
  const std::size_t windowed_key = keys.whole({"swa_head_dim"}).value_or(shape.key_width);
  const std::size_t windowed_value = keys.whole({"swa_v_head_dim"}).value_or(shape.value_width);
  const std::size_t windowed_heads = keys.whole({"swa_num_key_value_heads"}).value_or(shape.kv_heads);
  for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
    if (kinds[layer] == LayerKind::full)
      shape.layers[layer].numbers = numbers(few, wide, has_value_width ? wide : shape.value_width);
    if (kinds[layer] == LayerKind::windowed)
      shape.layers[layer].numbers = numbers(windowed_heads, windowed_key, windowed_value);
  }
}

void read_heads(const CacheKeys& keys, const LayerKinds& kinds, CacheShape& shape) {
  const bool has_attention =
      std::any_of(kinds.begin(), kinds.end(), [](LayerKind kind) { return kind != LayerKind::none; });
  if (!has_attention) return;
  const auto heads_by_layer = keys.list("num_query_heads");  // OpenELM
  shape.heads = heads_by_layer && !heads_by_layer->empty()
                    ? *std::max_element(heads_by_layer->begin(), heads_by_layer->end())
                    : keys.size({"num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads",
                                 "decoder_attention_heads"});
  if (keys.whole({"kv_lora_rank"}).value_or(0) > 0) {
    shape.latent = keys.size({"kv_lora_rank"});
    shape.rotary = keys.size({"qk_rope_head_dim"});
    shape.kv_heads = 1;
    shape.key_width = shape.value_width =
        keys.whole({"qk_nope_head_dim", "v_head_dim"}).value_or(head_width_of(keys, shape.heads));
    for (std::size_t layer = 0; layer < kinds.size(); ++layer)
      if (kinds[layer] != LayerKind::none)
        shape.layers[layer].numbers = static_cast<double>(shape.latent + shape.rotary);
    return;
  }
  const bool is_listed = std::any_of(kv_names.begin(), kv_names.end(),
                                     [&](const char* name) { return keys.list(name).has_value(); });
  shape.kv_heads = is_listed ? shape.heads : kv_heads_of(keys, shape);
  require_groups(keys, shape.heads, shape.kv_heads);
  shape.key_width = head_width_of(keys, shape.heads);
  shape.value_width = keys.whole({"v_head_dim"}).value_or(shape.key_width);
  read_heads_by_layer(keys, kinds, shape);
}

// --- Layers

void read_windows(const CacheKeys& keys, const LayerKinds& kinds, CacheShape& shape) {
  if (std::count(kinds.begin(), kinds.end(), LayerKind::windowed) == 0) return;
  const std::optional<std::size_t> chunk = keys.whole({"attention_chunk_size"});
  const std::size_t window = chunk ? *chunk : keys.whole(window_names).value_or(0);
  if (window == 0) keys.refuse_missing(window_names);
  for (std::size_t layer = 0; layer < kinds.size(); ++layer)
    if (kinds[layer] == LayerKind::windowed) shape.layers[layer].window = static_cast<double>(window);
}

/// The last layers read those of the last layer before them that has a cache of its own; or a few neighbours
/// share that of the first among them (cross-layer attention).
void share(const CacheKeys& keys, CacheShape& shape) {
  const std::size_t layers = shape.layers.size();
  const std::size_t last = keys.whole({"num_kv_shared_layers"}).value_or(0);
  const std::size_t group = keys.is_on("use_cla") ? keys.size({"cla_share_factor"}) : 1;
  if (last >= layers && last > 0)
    keys.refuse(text("\"num_kv_shared_layers\" = {} が {} 層と食い違っています",
                     "\"num_kv_shared_layers\" = {} contradicts its {} layers", last, layers));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    if (layer + last < layers && layer % group == 0) continue;
    if (shape.layers[layer].numbers > 0.0) ++shape.shared;
    shape.layers[layer].numbers = 0.0;
  }
}

std::size_t layer_count(const CacheKeys& keys) {
  constexpr std::size_t most = 4096;
  std::size_t layers = 0;
  if (keys.has("decoder_layers") || keys.has("num_decoder_layers")) {
    layers = keys.size({"decoder_layers", "num_decoder_layers"});
  } else if (keys.type() == "longcat_flash") {
    layers = 2 * keys.size({"num_layers"});  // two attentions in each
  } else {
    layers = keys.size({"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"});
  }
  if (layers > most)
    keys.refuse(text("{} 層あります（{} 層まで）", "it has {} layers; at most {} are read", layers, most));
  return layers;
}

void refuse_unread(const CacheKeys& keys) {
  for (const Sentences& row : cache_rows("unread"))
    for (const std::string& key : words_of(row, "keys"))
      if (keys.has(key.c_str()))
        keys.refuse(text("\"{}\" が層ごとのキャッシュを変えますが、読み方がわかりません",
                         "its \"{}\" changes the cache of layers in a way that is not known", key));
  if (keys.is_listed("encoder") && !keys.is_on("is_decoder"))
    keys.refuse(text("{} はすべてのトークンを一度に参照するモデルで、キャッシュを使いません",
                     "{} attends to all tokens at once: it keeps no cache", keys.type()));
}

/// What speaks of layers without attention, where all were read as layers with one.
void add_remarks(const CacheKeys& keys, const LayerKinds& kinds, CacheShape& shape) {
  if (!keys.taken().empty())
    shape.remarks.push_back(
        text("ない設定は Transformers の既定値としました：{}",
             "not in the configuration, so Transformers' defaults were taken: {}",
             joined(std::vector<std::string>(keys.taken().begin(), keys.taken().end()), ", ")));
  for (const Sentences& row : cache_rows("beside"))
    for (const std::string& key : words_of(row, "keys"))
      if (keys.has(key.c_str()))
        shape.remarks.push_back(text("{} の分は数えていません", "what {} needs is not counted", key));
  const bool has_none = std::count(kinds.begin(), kinds.end(), LayerKind::none) > 0;
  if (has_none || keys.is_listed("parallel")) return;
  for (const std::string& key : keys.names()) {
    for (const char* beginning : {"mamba_", "ssm_", "linear_", "conv_kernel", "rwkv", "recurrent"})
      if (key.rfind(beginning, 0) == 0) {
        shape.remarks.push_back(text("{} がありますが、すべての層をアテンションとして数えました",
                                     "it has {}, and all layers were counted as attention all the same",
                                     quotation(key)));
        return;
      }
  }
}

double sum_over(const std::vector<CachedLayer>& layers, double (*of)(const CachedLayer&, double),
                double tokens = 0.0) {
  return std::accumulate(layers.begin(), layers.end(), 0.0,
                         [&](double sum, const CachedLayer& layer) { return sum + of(layer, tokens); });
}

}  // namespace

std::size_t CacheShape::windowed() const {
  return static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), [](const CachedLayer& layer) {
    return layer.numbers > 0.0 && std::isfinite(layer.window);
  }));
}

std::size_t CacheShape::cached() const {
  return static_cast<std::size_t>(std::count_if(
      layers.begin(), layers.end(), [](const CachedLayer& layer) { return layer.numbers > 0.0; }));
}

double CacheShape::of_token() const {
  return sum_over(layers, [](const CachedLayer& layer, double) { return layer.numbers; });
}

double CacheShape::of_later_token() const {
  return sum_over(layers, [](const CachedLayer& layer, double) {
    return std::isfinite(layer.window) ? 0.0 : layer.numbers;
  });
}

double CacheShape::after(double tokens) const {
  return sum_over(
      layers,
      [](const CachedLayer& layer, double count) { return layer.numbers * std::min(count, layer.window); },
      tokens);
}

double CacheShape::with_all_heads() const {
  return static_cast<double>(cached() * heads) * static_cast<double>(key_width + value_width);
}

double CacheShape::with_one_head() const {
  return static_cast<double>(cached()) * static_cast<double>(key_width + value_width);
}

CacheShape cache_shape_of(const std::string& json, const std::string& place) {
  const CacheKeys keys(json, place);
  refuse_unread(keys);
  CacheShape shape;
  shape.type = keys.type();
  const std::size_t layers = layer_count(keys);
  shape.layers.resize(layers);
  const LayerKinds kinds = kinds_of(keys, layers);
  read_heads(keys, kinds, shape);
  read_windows(keys, kinds, shape);
  if (keys.is_on("is_encoder_decoder") || keys.has("decoder_layers") || keys.has("num_decoder_layers"))
    shape.of_source_token = shape.of_token();
  share(keys, shape);
  shape.positions = keys.whole({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len",
                                "seq_length", "max_target_positions", "max_sequence_length"})
                        .value_or(0);
  add_remarks(keys, kinds, shape);
  return shape;
}

const std::vector<CachePreset>& cache_presets() {
  static const std::vector<CachePreset> presets = [] {
    std::vector<CachePreset> all;
    for (const Sentences& row : cache_rows("preset")) {
      const std::string reads = word_of(row, "reads");
      all.push_back({word_of(row, "name"), word_of(row, "title"), word_of(row, "source"),
                     !word_of(row, "drawn").empty(), reads.empty() ? 0.0 : std::stod(reads),
                     cache_shape_of(word_of(row, "config"), word_of(row, "name"))});
    }
    return all;
  }();
  return presets;
}

}  // namespace attnlab
