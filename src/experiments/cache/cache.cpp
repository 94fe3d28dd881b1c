// How many bytes the KV cache takes: by the heads that keep keys and values, a latent, windows and shared
// layers; against length, batch and number format; in pages or in a reservation.
#include "experiments/cache/cache.hpp"

#include <deque>

#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr double shortest_drawn = 64.0;      // 1, if --length is shorter
constexpr double longest_drawn = 1048576.0;  // 2^20, unless --length is longer

struct NumberFormat {
  const char* name;
  double bytes;
};
constexpr std::array number_formats{NumberFormat{"bfloat16", 2.0}, NumberFormat{"float16", 2.0},
                                    NumberFormat{"float32", 4.0},  NumberFormat{"float8", 1.0},
                                    NumberFormat{"int8", 1.0},     NumberFormat{"int4", 0.5}};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  names.reserve(number_formats.size());
  for (const NumberFormat& format : number_formats) names.emplace_back(format.name);
  return names;
}

/// Of a preset, or of the config.json that was read.
void take_model(const Arguments& arguments, CacheRun& run) {
  const std::string& typed = arguments.text("model");
  const auto contents = arguments.sources.contents.find("model");
  if (contents != arguments.sources.contents.end()) {
    const std::string file = without_folders(typed);
    run.shape = cache_shape_of(contents->second, file);
    run.name = run.shape.type.empty() ? file : run.shape.type;
    return;
  }
  run.preset = find_named(cache_presets(), typed);
  if (run.preset == nullptr) {
    const std::vector<std::string> names = names_of(cache_presets());
    refuse_usage(text("{} というモデルも config.json もありません",
                      "there is neither a model nor a config.json {}", quotation(typed)),
                 suggestion_before(typed, names, choose_from(names)));
  }
  run.shape = run.preset->shape;
  run.name = run.preset->title;
}

std::size_t reserved_of(const Arguments& arguments, const CacheRun& run) {
  const std::size_t length = arguments.count("length");
  if (!arguments.is_set("reserve")) return std::max(run.shape.positions, length);
  const std::size_t reserved = arguments.count("reserve");
  if (reserved >= length) return reserved;
  refuse_usage(text("--reserve {} は --length {} より短いです", "--reserve {} is less than --length {}",
                    reserved, length),
               text("{} 以上にしてください", "choose at least {}", length));
}

/// That of the run, then 64, 128, ... as far as the picture goes.
Tensor<double> lengths_around(double length) {
  std::vector<double> lengths{length};
  for (double drawn = length < shortest_drawn ? 1.0 : shortest_drawn;
       drawn <= longest_drawn || drawn / 2.0 < length; drawn *= 2.0)
    lengths.push_back(drawn);
  return to_tensor(lengths);
}

/// Every length of the first pages, then up to the reserved one, evenly spaced on a logarithmic axis.
Tensor<double> requests_up_to(std::size_t reserved, std::size_t page) {
  constexpr std::size_t points = 64;
  constexpr std::size_t most_each = 256;
  std::set<double> requests;
  for (std::size_t request = 1; request <= std::min({reserved, 4 * page, most_each}); ++request)
    requests.insert(static_cast<double>(request));
  for (std::size_t i = 0; i < points; ++i) {
    const double part = static_cast<double>(i) / (points - 1.0);
    requests.insert(std::round(std::pow(static_cast<double>(reserved), part)));
  }
  return to_tensor(requests);
}

Chain kept_line(const Tensor<double>& window, double length, std::size_t layer) {
  const double kept = std::min(length, window(layer));
  return worked::equation(worked::entry("tokens_kept", {layer, 0}),
                          {worked::together({"min(", length, ", ", window(layer), ")"}), kept});
}

void record_cache(CacheRun& run) {
  std::vector<double> kept;
  std::vector<double> windows;
  for (const CachedLayer& layer : run.shape.layers) {
    kept.push_back(layer.numbers);
    windows.push_back(layer.window);
  }
  Tape& tape = run.tape;
  tape.input("kept", to_tensor(kept), {"layers"});
  const Tensor<double> window = tape.input("window", to_tensor(windows), {"layers"});
  run.lengths = tape.input("length", lengths_around(run.length), {"lengths"});
  const Tensor<double> tokens = xt::minimum(xt::view(run.lengths, xt::newaxis(), xt::all()),
                                            xt::view(window, xt::all(), xt::newaxis()));
  tape.step(
      "tokens_kept", "min(n, w)", tokens, {"layers", "lengths"},
      derived::worked({"length", "window"},
                      worked::lines(windows.size(),
                                    [&](std::size_t layer) { return kept_line(window, run.length, layer); }),
                      "np.minimum(length[np.newaxis, :], window[:, np.newaxis])"));
  const double of_number = run.batch * run.bytes_per_number;
  tape.scaled("layer_bytes",
              formula::row({formula::sym(fmt::format("{:g} ", of_number)), formula::read("k")}), "kept",
              times(of_number));
  run.bytes = tape.product("bytes", "b min(n, w)", "layer_bytes", "tokens_kept", {"lengths"});
}

void record_memory(CacheRun& run) {
  Tape& tape = run.tape;
  const auto page = static_cast<double>(run.page);
  run.requests = tape.input("request", requests_up_to(run.reserved, run.page), {"requests"});
  const Tensor<double> paged = run.requests / (page * xt::ceil(run.requests / page));
  const auto line = [&](std::size_t i) {
    const double request = run.requests(i);
    return worked::equation(
        worked::entry("paged_share", {i}),
        {worked::quotient(request, worked::together({page, "·", std::ceil(request / page)})), paged(i)});
  };
  run.paged = tape.step("paged_share", "\\frac{n}{p ⌈n / p⌉}", paged, {"requests"},
                        derived::worked({"request"}, worked::lines(run.requests.size(), line),
                                        fmt::format("request / ({0} * np.ceil(request / {0}))", run.page)));
  run.reservation = tape.scaled("reserved_share", "\\frac{n}{r}", "request", over(run.reserved));
}

/// Keeps tokens one after another, as a model does: a layer with a window drops the oldest.
double counted_numbers(const CacheShape& shape, std::size_t tokens) {
  double numbers = 0.0;
  for (const CachedLayer& layer : shape.layers) {
    std::deque<std::size_t> kept;
    for (std::size_t token = 0; token < tokens; ++token) {
      kept.push_back(token);
      if (static_cast<double>(kept.size()) > layer.window) kept.pop_front();
    }
    numbers += static_cast<double>(kept.size()) * layer.numbers;
  }
  return numbers;
}

}  // namespace

CacheRun CacheRun::compute(const Arguments& arguments, const Context& /*context*/) {
  CacheRun run;
  take_model(arguments, run);
  run.length = static_cast<double>(arguments.count("length"));
  run.batch = static_cast<double>(arguments.count("batch"));
  run.page = arguments.count("page");
  run.reserved = reserved_of(arguments, run);
  const auto* const format =
      std::find_if(number_formats.begin(), number_formats.end(),
                   [&](const NumberFormat& one) { return one.name == arguments.text("dtype"); });
  run.bytes_per_number = format->bytes;
  record_cache(run);
  record_memory(run);
  return run;
}

std::vector<Scalar> scalars(const CacheRun& run) {
  return {{"kib_per_token", run.bytes_of_token() / 1024.0},
          {"kib_per_later_token", run.bytes_of_later_token() / 1024.0},
          {"cache_bytes", run.bytes_now()},
          {"bytes_read_per_step", run.bytes_now()},
          {"bytes_written_per_step", run.batch * run.bytes_of_token()},
          {"pages_per_sequence", run.pages()},
          {"paged_waste", run.paged_waste()},
          {"reserved_waste", run.reserved_waste()}};
}

std::vector<Invariant> invariants(const CacheRun& run) {
  constexpr std::size_t counted = 300;  // beyond the smallest windows in use
  const double formula = run.shape.after(counted);
  const auto page = static_cast<double>(run.page);
  double beyond = 0.0;
  for (std::size_t i = 0; i < run.requests.size(); ++i)
    beyond = std::max(beyond, run.requests(i) / run.paged(i) - run.requests(i) - (page - 1.0));
  const double expected = run.shape.after(run.length) * run.batch * run.bytes_per_number;
  constexpr double rounding = 1e-12;
  return {
      invariant("bytes_as_counted", std::abs(counted_numbers(run.shape, counted) - formula),
                rounding * formula, "{} トークンを 1 つずつ保存して数えた個数と一致する",
                "the formula agrees with {} tokens that are kept one after another", counted),
      invariant("bytes_sum_over_layers", std::abs(run.bytes_now() - expected), rounding * expected,
                "全体は各層の和", "the whole is the sum over the layers"),
      invariant("less_than_a_page_is_wasted", beyond, 1e-6 * page,
                "ページで無駄になるのは、系列ごとに 1 ページ未満",
                "pages waste less than one page a sequence"),
  };
}

Experiment cache_experiment() {
  return Experiment{
      "cache",
      {"KV キャッシュのバイト数：GQA、MLA、ウィンドウ、ページ",
       "bytes of the KV cache: GQA, MLA, windows, pages"},
      {"Shazeer 2019、Ainslie ほか 2023、Kwon ほか 2023",
       "Shazeer 2019, Ainslie et al. 2023, Kwon et al. 2023"},
      {parameter("model", FileKind{"PRESET|config.json", FileKind::Holds::config}, "llama-3-8b",
                 "モデル：付属の設定の名前か、Hugging Face の config.json（そのフォルダーでもよい）",
                 "the model: a preset, or the config.json of a Hugging Face model, or its folder"),
       parameter("length", IntegerKind{{1, 1'000'000'000'000}}, "3000", "系列の長さ（トークン）",
                 "tokens of each sequence"),
       parameter("batch", IntegerKind{{1, 1'000'000}}, "1", "同時に生成する系列の個数",
                 "sequences that are generated at the same time"),
       parameter("dtype", ChoiceKind{format_names()}, "bfloat16", "キャッシュの数の形式",
                 "format of the cached numbers"),
       parameter("page", IntegerKind{{1, 65'536}}, "16", "1 ページのトークン数（PagedAttention）",
                 "tokens of a page (PagedAttention)"),
       parameter("reserve", IntegerKind{{1, 1'000'000'000'000}}, "",
                 "あらかじめ確保する系列の長さ（既定値はモデルの最大の長さ）",
                 "tokens that are reserved for each sequence (default: the model's longest)")},
      report_of<CacheRun>}
      .with_positionals({"model"})
      .with_sliders({{"length=64:1048576:log:29"}, {"batch=1:64:log:7"}});
}

}  // namespace attnlab
