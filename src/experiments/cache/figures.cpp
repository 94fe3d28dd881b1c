// The figures of `cache`: bytes against length, a token as squares, what a step reads, pages and reservation.
#include "experiments/cache/cache.hpp"

namespace attnlab {
namespace {

std::vector<double> drawn_part(const Tensor<double>& values) {  // the first is the run's own
  return {values.begin() + 1, values.end()};
}

Axis length_axis() { return {{"系列長（トークン）", "Tokens"}, Axis::Scale::log10}; }

Figure length_figure(const CacheRun& run) {
  const std::vector<double> lengths = drawn_part(run.lengths);
  Chart chart{length_axis(), Axis{{"バイト", "Bytes"}, Axis::Scale::log10}};
  std::size_t ink = 1;
  for (const CachePreset& preset : cache_presets()) {
    if (!preset.is_drawn || &preset == run.preset) continue;
    Curve curve{"presets." + preset.name, lengths, {}, series_ink(ink++), Text::same(preset.title)};
    for (const double length : lengths)
      curve.y.push_back(preset.shape.after(length) * run.batch * run.bytes_per_number);
    chart.layers.emplace_back(std::move(curve));
    if (ink == 7) break;
  }
  if (run.grows()) {
    chart.layers.emplace_back(
        Curve{"bytes", lengths, drawn_part(run.bytes), series_ink(0), Text::same(run.name)});
    chart.layers.emplace_back(
        Points{"bytes.now", {run.length}, {run.bytes_now()}, series_ink(0), Text::none(), {"bytes", 0}});
    chart.layers.emplace_back(
        Callout{"bytes.value", run.length, run.bytes_now(), Text::same(binary_text(run.bytes_now()))});
  }
  const Text title =
      run.grows() ? text("{} トークンの KV キャッシュは {}（{}）", "{2}: {1} of cache after {0}",
                         run.tokens(), binary_text(run.bytes_now()), run.name)
                  : text("{} には、増えていくキャッシュがない", "{} keeps no cache that grows", run.name);
  return Figure{"length", title}
      .described(text(
          "系列長に対する KV キャッシュのバイト数の両対数の折れ線。{} とほかのモデル。",
          "Log-log chart of the bytes of the KV cache against the length, of {} and other models.", run.name))
      .captioned(
          text("{:.0f} 系列、1 個 {:g} バイト。曲がる線は、ウィンドウの層が古いトークンを捨てるため。",
               "Batch {:.0f}, {:g} bytes a number. Lines bend where layers with a window drop old tokens.",
               run.batch, run.bytes_per_number))
      .panel(std::move(chart));
}

// --- A token's share as squares

/// So many units as the cells of a matrix, in two shades that let them be counted; the last may be a part of
/// one.
MatrixTerm squares(const std::string& id, double bytes, double unit, const Text& name) {
  constexpr std::size_t columns = 16;
  const double units = bytes / unit;
  const auto rows = static_cast<std::size_t>(std::ceil(units / columns));
  Matrix matrix{rows, columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const double shade = (i / columns + i % columns) % 2 == 0 ? 1.0 : 0.8;
    matrix.values.push_back(shade * std::clamp(units - static_cast<double>(i), 0.0, 1.0));
  }
  MatrixTerm term{HeatMap{id, std::move(matrix)}.coloured({Palette::blues, 0.0, 1.6})};
  term.name = formula::sym(name.en());
  term.shape = binary_text(bytes);
  return term;
}

Figure token_figure(const CacheRun& run) {
  const CacheShape& shape = run.shape;
  const double all = shape.with_all_heads() * run.bytes_per_number;
  const double one = shape.with_one_head() * run.bytes_per_number;
  const double own = run.bytes_of_token();
  constexpr double most_squares = 512.0;
  double unit = 1.0;
  while (std::max(all, own) / unit > most_squares) unit *= 2.0;
  MatrixEquation equation;
  const auto add = [&](const char* id, double bytes, const Text& name) {
    if (!equation.terms.empty()) equation.terms.emplace_back(OperatorTerm{formula::sym("→")});
    equation.terms.emplace_back(squares(id, bytes, unit, name));
  };
  add("all_heads", all, Text::same(fmt::format("MHA: {}", shape.heads)));
  const std::string kind = cache_kind(shape).en();
  if (own != all)
    add("own", own, Text::same(shape.is_latent() ? kind : fmt::format("{}: {}", kind, shape.kv_heads)));
  if (one != own && one != all) add("one_head", one, Text::same("MQA: 1"));
  const Text title =
      own != all ? text("1 トークンは {}：全ヘッドが残せば {}",
                        "A token takes {}; {} if every head kept its own", binary_text(own), binary_text(all))
                 : text("1 トークンは {}：どのヘッドもキーとバリューを残す",
                        "A token takes {}: every head keeps a key and a value", binary_text(own));
  return Figure{"token", title}
      .described(text("1 トークンのバイト数を正方形の個数で示す図。{} は {}。",
                      "The bytes of a token as squares: {} takes {}.", run.name, binary_text(own)))
      .captioned(text("{}。正方形 1 個は {}。{}", "{}; a square is {}. {}", run.name, binary_text(unit),
                      cache_equation(shape, run.bytes_per_number)))
      .panel(std::move(equation))
      .on_page(11.0, 6.5);
}

// --- What a step reads

Curve read_curve(const CacheRun& run, const std::string& id, bool (*counts)(const CachedLayer&),
                 std::size_t ink, Text name) {
  Curve curve{id, drawn_part(run.lengths), {}, series_ink(ink), std::move(name)};
  for (const double length : curve.x) {
    double numbers = 0.0;
    for (const CachedLayer& layer : run.shape.layers)
      if (counts(layer)) numbers += layer.numbers * std::min(length, layer.window);
    curve.y.push_back(numbers * run.batch * run.bytes_per_number);
  }
  return curve;
}

/// From how many tokens on a step reads more cache than weights; nothing where it never does.
std::optional<double> crossing(const CacheRun& run) {
  constexpr double furthest = 1e15;
  const auto cache = [&run](double length) {
    return run.shape.after(length) * run.batch * run.bytes_per_number;
  };
  if (run.bytes_of_weights() == 0.0 || cache(furthest) <= run.bytes_of_weights()) return std::nullopt;
  double low = 0.0;
  double high = furthest;
  while (high - low > 1.0) {
    const double middle = std::floor((low + high) / 2.0);
    (cache(middle) > run.bytes_of_weights() ? high : low) = middle;
  }
  return high;
}

Figure step_figure(const CacheRun& run) {
  Chart chart{length_axis(), Axis{{"1 ステップで読むバイト", "Bytes that a step reads"}, Axis::Scale::log10}};
  chart.layers.emplace_back(
      Curve{"bytes", drawn_part(run.lengths), drawn_part(run.bytes), series_ink(0), {"キャッシュ", "cache"}});
  if (run.shape.windowed() > 0 && run.shape.windowed() < run.shape.cached()) {
    chart.layers.emplace_back(read_curve(run, "windowed",
                                         [](const CachedLayer& layer) { return std::isfinite(layer.window); },
                                         1, {"そのうちウィンドウの層", "of it, layers with a window"}));
    chart.layers.emplace_back(
        read_curve(run, "full", [](const CachedLayer& layer) { return !std::isfinite(layer.window); }, 2,
                   {"そのうちほかの層", "of it, the other layers"}));
  }
  if (const double weights = run.bytes_of_weights(); weights > 0.0) {
    const std::vector<double> ends{run.lengths(1), run.lengths(run.lengths.size() - 1)};
    chart.layers.emplace_back(Curve{"weights",
                                    ends,
                                    {weights, weights},
                                    muted_ink,
                                    text("重み：{}", "weights: {}", binary_text(weights)),
                                    true});
  }
  const std::optional<double> from = crossing(run);
  const bool is_drawn = from && *from >= run.lengths(1) && *from <= run.lengths(run.lengths.size() - 1);
  const Text title =
      is_drawn
          ? text("{} トークンからは、重みよりキャッシュを多く読む", "From {} on, cache outweighs the weights",
                 counted(static_cast<std::size_t>(*from), "token"))
          : text("{} トークンでは、1 ステップでキャッシュ {} を読む", "After {} a step reads {} of cache",
                 run.tokens(), binary_text(run.bytes_now()));
  return Figure{"step", title}
      .described(text(
          "系列長に対する、生成の 1 ステップが読むバイト数の両対数の折れ線。{} トークンでキャッシュは {}。",
          "Log-log chart of the bytes that a step of generation reads against the length: {1} of cache after {0}.",
          run.tokens(), binary_text(run.bytes_now())))
      .captioned(text("{}、{:.0f} 系列、1 個 {:g} バイト。{}", "{}, batch {:.0f}, {:g} bytes a number.{}",
                      run.name, run.batch, run.bytes_per_number,
                      run.bytes_of_weights() > 0.0 ? Text{"重みは 16 ビットで、全系列に 1 度だけ読む。",
                                                          " Weights in 16 bit, read once for all sequences."}
                                                   : Text::none()))
      .panel(std::move(chart));
}

// --- Pages and reservation

Figure pages_figure(const CacheRun& run) {
  const std::vector<double> requests(run.requests.begin(), run.requests.end());
  Chart chart{length_axis(), Axis{{"使っている割合", "Share of the memory in use"}}.within(0.0, 1.05)};
  chart.layers.emplace_back(Curve{"paged_share",
                                  requests,
                                  {run.paged.begin(), run.paged.end()},
                                  series_ink(0),
                                  text("ページ（{} トークン）", "pages of {}", counted(run.page, "token"))});
  chart.layers.emplace_back(Curve{"reserved_share",
                                  requests,
                                  {run.reservation.begin(), run.reservation.end()},
                                  series_ink(1),
                                  text("{} トークンを確保", "{} reserved", counted(run.reserved, "token"))});
  return Figure{
      "pages",
      text("{} トークンで使う割合：ページ {}、確保 {}", "In use after {}: pages {}, reserved {}",
           run.tokens(), percent_text(1.0 - run.paged_waste()), percent_text(1.0 - run.reserved_waste()))}
      .described(text(
          "系列長に対する、メモリのうち使っている割合の折れ線 2 本：ページごとに取る場合と、最大の長さを先に確保する場合。",
          "Two lines over the length: the share of memory in use, taken page by page and reserved beforehand."))
      .captioned(text(
          "1 系列。ページの無駄は最後のページだけで、{} トークン未満（PagedAttention、Kwon ほか 2023）。",
          "One sequence. Pages waste less than {}, in the last one (PagedAttention, Kwon et al. 2023).",
          counted(run.page, "token")))
      .panel(std::move(chart));
}

}  // namespace

std::vector<Figure> figures(const CacheRun& run) {
  if (!run.grows()) return {length_figure(run)};
  return {length_figure(run), token_figure(run), step_figure(run), pages_figure(run)};
}

}  // namespace attnlab
