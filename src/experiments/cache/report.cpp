// The words of `cache`: the equation with its numbers, models beside each other, pages and reservation.
#include "experiments/cache/cache.hpp"

namespace attnlab {
namespace {

/// Whether every layer with a cache keeps as many numbers, and those the heads' keys and values.
bool is_uniform(const CacheShape& shape) {
  const double each =
      static_cast<double>(shape.kv_heads) * static_cast<double>(shape.key_width + shape.value_width);
  return std::all_of(shape.layers.begin(), shape.layers.end(),
                     [&](const CachedLayer& layer) { return layer.numbers == 0.0 || layer.numbers == each; });
}

/// "10 full, 52 with a window, 20 shared, 36 without a cache".
Text layers_text(const CacheShape& shape) {
  const std::size_t windowed = shape.windowed();
  const std::size_t without = shape.layers.size() - shape.cached() - shape.shared;
  Text all = text("{}", "{}", shape.layers.size());
  if (windowed > 0) all = text("{}（うち {} 層はウィンドウ）", "{}, {} of them with a window", all, windowed);
  if (shape.shared > 0)
    all =
        text("{}、{} 層はほかの層のキャッシュを使う", "{}; {} use another layer's cache", all, shape.shared);
  if (without > 0) all = text("{}、{} 層はキャッシュなし", "{}; {} keep none", all, without);
  return all;
}

Table facts(const CacheRun& run) {
  Table table{{Text::same(run.name), Text::none()}};
  const auto add = [&](Text name, ShortText value) {
    table.rows.push_back({std::move(name), std::move(value)});
  };
  add({"アテンション", "attention"}, cache_kind(run.shape));
  if (run.shape.heads > 0 && !run.shape.is_latent())
    add({"ヘッド：クエリ、キー", "heads: queries, keys"},
        fmt::format("{}, {}", run.shape.heads, run.shape.kv_heads));
  add({"層", "layers"}, layers_text(run.shape));
  add({"1 トークン", "a token"}, binary_text(run.bytes_of_token()));
  if (run.bytes_of_later_token() != run.bytes_of_token())
    add({"ウィンドウを超えた 1 トークン", "a token beyond the windows"},
        binary_text(run.bytes_of_later_token()));
  if (run.shape.of_source_token > 0.0)
    add({"入力側の 1 トークン（交差アテンション）", "a source token (cross-attention)"},
        binary_text(run.shape.of_source_token * run.bytes_per_number));
  add(text("{} トークン × {:.0f} 系列", "{} × {:.0f}", run.tokens(), run.batch),
      binary_text(run.bytes_now()));
  return table;
}

Table presets_table(const CacheRun& run) {
  Table table{{{"モデル", "model"},
               {"種類", "kind"},
               {"1 トークン", "a token"},
               text("{} トークン", "{}", run.tokens()),
               {"出典", "source"}}};
  for (const CachePreset& preset : cache_presets()) {
    const double bytes = run.bytes_per_number;
    table.rows.push_back({preset.name, cache_kind(preset.shape), binary_text(preset.shape.of_token() * bytes),
                          binary_text(preset.shape.after(run.length) * run.batch * bytes), preset.source});
  }
  return table;
}

Paragraph step_sentence(const CacheRun& run) {
  const std::string cache = binary_text(run.bytes_now());
  const std::string added = binary_text(run.batch * run.bytes_of_token());
  if (run.bytes_of_weights() == 0.0)
    return Paragraph::say("生成の 1 ステップは、キャッシュ {} をすべて読み、{} を書き足します。",
                          "Each step of generation reads all {} of the cache and adds {}.", cache, added);
  return Paragraph::say("生成の 1 ステップは、重み {} とキャッシュ {} をすべて読み、{} を書き足します。",
                        "Each step of generation reads {} of weights and all {} of the cache, and adds {}.",
                        binary_text(run.bytes_of_weights()), cache, added);
}

}  // namespace

Text cache_kind(const CacheShape& shape) {
  if (shape.cached() == 0) return {"なし", "none"};
  if (shape.is_latent()) return Text::same("MLA");
  if (shape.kv_heads == shape.heads) return Text::same("MHA");
  return Text::same(shape.kv_heads == 1 ? "MQA" : "GQA");
}

std::string binary_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024.0 && unit + 1 < units.size(); bytes /= 1024.0) ++unit;
  return bytes >= 999.5 ? fmt::format("{:.0f} {}", bytes, units.at(unit))
                        : fmt::format("{:.3g} {}", bytes, units.at(unit));
}

Text percent_text(double share) { return text("{:.3g} %", "{:.3g}%", 100.0 * share); }

Text cache_equation(const CacheShape& shape, double bytes_per_number) {
  const std::size_t layers = shape.cached();
  const std::string size = fmt::format("{:g}", bytes_per_number);
  const double bytes = shape.of_token() * bytes_per_number;
  if (shape.is_latent())
    return text("{} 層 · ({} + {}) · {} バイト = {:.0f} バイト",
                "{} layers · ({} + {}) · {} bytes = {:.0f} bytes", layers, shape.latent, shape.rotary, size,
                bytes);
  if (is_uniform(shape) && shape.key_width == shape.value_width)
    return text("{} 層 · 2 · {} ヘッド · {} · {} バイト = {:.0f} バイト",
                "{} layers · 2 · {} heads · {} · {} bytes = {:.0f} bytes", layers, shape.kv_heads,
                shape.key_width, size, bytes);
  if (is_uniform(shape))
    return text("{} 層 · {} ヘッド · ({} + {}) · {} バイト = {:.0f} バイト",
                "{} layers · {} heads · ({} + {}) · {} bytes = {:.0f} bytes", layers, shape.kv_heads,
                shape.key_width, shape.value_width, size, bytes);
  return text("{} 層の合計 {:.0f} 個 · {} バイト = {:.0f} バイト",
              "{} layers, {:.0f} numbers in all · {} bytes = {:.0f} bytes", layers, shape.of_token(), size,
              bytes);
}

std::vector<Block> body(const CacheRun& run, const std::vector<Stage>& /*stages*/) {
  std::vector<Block> blocks{Paragraph::heading("KV キャッシュ：{}", "KV cache of {}", run.name), facts(run)};
  if (run.grows()) {
    blocks.emplace_back(
        Paragraph::plain("1 トークン：{}", "A token: {}", cache_equation(run.shape, run.bytes_per_number)));
    blocks.emplace_back(step_sentence(run));
    blocks.emplace_back(Paragraph::plain(
        "1 系列は {} ページ（{} トークンずつ）で、無駄は {}。{} トークン分を先に確保すると {} が無駄になります。",
        "A sequence takes {} of {} and wastes {} of them; reserving {} wastes {}.",
        counted(static_cast<std::size_t>(run.pages()), "page"), counted(run.page, "token"),
        percent_text(run.paged_waste()), counted(run.reserved, "token"), percent_text(run.reserved_waste())));
  } else {
    blocks.emplace_back(
        Paragraph::say("長さとともに増えるキャッシュはありません。状態の大きさは一定です。",
                       "There is no cache that grows with the length: its state has a fixed size."));
  }
  for (const Text& remark : run.shape.remarks) blocks.emplace_back(Paragraph{Role::note, remark});
  blocks.emplace_back(presets_table(run));
  blocks.emplace_back(Paragraph::misunderstanding(
      "GQA で減るのはキーとバリューで、クエリのヘッドではありません。ヘッドごとの注意度は、計算も個数もそのままです。",
      "GQA has fewer keys and values, not fewer queries: every head still computes weights of its own."));
  blocks.emplace_back(Paragraph::note(
      "KiB = 1024 バイト。1 トークンは、ウィンドウで捨てる前のすべての層の和です。重みは 16 ビット、1 トークンの計算に使う分（MoE では選ばれた専門家）。量子化の尺度は数えません。",
      "KiB = 1024 bytes. A token: all layers, before windows drop any. Weights: in 16 bit, those that a token is multiplied with (of a mixture, the chosen experts). Scales of quantised numbers are not counted."));
  return blocks;
}

}  // namespace attnlab
