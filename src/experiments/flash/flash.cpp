// A row of attention of which no more than a tile of scores exists at a time.
#include "experiments/flash/flash.hpp"

#include "attention/streaming/score_tiles.hpp"

namespace attnlab {
namespace {

using namespace worked;

void require_at_most(std::size_t most, const char* flag, std::size_t got, const Text& reason) {
  if (got <= most) return;
  refuse_usage(text("--{} {} は大きすぎます（{}）", "--{} {} is too large: {}", flag, got, reason),
               text("{} 以下にしてください", "choose at most {}", most));
}

KeyRange keys_of(const FlashRun& run, std::size_t tile) {
  return {tile * run.tile, std::min((tile + 1) * run.tile, run.masked.size())};
}

/// What is subtracted before exp: 0 while every key was masked, as -inf - -inf is no number.
double shift_of(double maximum) { return std::isinf(maximum) ? 0.0 : maximum; }

double maximum_before(const FlashRun& run, std::size_t tile) {
  return tile == 0 ? -infinity : run.maximum(tile - 1);
}

/// s or O (tiles, ...) after each tile: sum = factor · sum + exp(S - m) · value, of values (keys, width) or
/// ones. Source: Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, algorithm 1.
Tensor<double> summed_by_tiles(const FlashRun& run, const Tensor<double>& value,
                               const Tensor<double>& factor) {
  const std::size_t width = value.shape()[1];
  Tensor<double> sums({run.tiles(), width}, 0.0);
  for (std::size_t t = 0; t < run.tiles(); ++t) {
    const KeyRange keys = keys_of(run, t);
    for (std::size_t i = 0; i < width; ++i) {
      double sum = t == 0 ? 0.0 : sums(t - 1, i) * factor(t);
      for (std::size_t key = keys.begin; key < keys.end; ++key)
        sum += std::exp(run.masked(key) - shift_of(run.maximum(t))) * value(key, i);
      sums(t, i) = sum;
    }
  }
  return sums;
}

Tensor<double> last_row(const Tensor<double>& rows) {
  return to_tensor(values_of(rows, rows.shape()[0] - 1));
}

// --- Written out

/// m₁ = max(m₀, S₁) = max(0.52, (0.1, 1.3, ⋯)) = 1.3
std::vector<Chain> maximum_lines(const FlashRun& run) {
  return lines(run.tiles(), [&](std::size_t t) {
    const KeyRange keys = keys_of(run, t);
    const Written scores = numbers(&run.masked(keys.begin), keys.end - keys.begin);
    return equation(indexed("m", t),
                    {worked::call("max", together({maximum_before(run, t), ",", scores})), run.maximum(t)});
  });
}

std::vector<Chain> factor_lines(const FlashRun& run) {
  return lines(run.tiles(), [&](std::size_t t) {
    const Written gap = together({maximum_before(run, t), "−", worked::factor(shift_of(run.maximum(t)))});
    return equation(indexed("f", t), {worked::call("exp", gap), run.factor(t)});
  });
}

/// O₁ ≈ 0.4 · (2.1, ⋯) + exp(S₁ − m₁) V₁ ≈ (2.9, ⋯), and likewise s.
std::vector<Chain> sum_lines(const FlashRun& run, const char* letter, const char* terms,
                             const Tensor<double>& sums) {
  const std::size_t width = sums.shape()[1];
  return lines(run.tiles(), [&](std::size_t t) {
    const Formula tile = formula::read(fmt::format(fmt::runtime(terms), t));
    const Written sum = numbers(&sums(t, 0), width);
    if (t == 0) return equation(indexed(letter, t), {tile, sum});
    return equation(indexed(letter, t),
                    {together({run.factor(t), "·", numbers(&sums(t - 1, 0), width), "+", tile}), sum});
  });
}

std::vector<Chain> output_lines(const FlashRun& run, const Tensor<double>& accumulator) {
  const std::size_t width = accumulator.shape()[1];
  return lines(run.tiles(), [&](std::size_t t) {
    return equation(indexed("y", t), {quotient(numbers(&accumulator(t, 0), width), run.sum(t)),
                                      numbers(&run.outputs(t, 0), width)});
  });
}

// --- The parts of a run

void read_row(FlashRun& run, const Arguments& arguments) {
  const std::size_t keys = arguments.count("keys");
  const std::size_t width = arguments.count("width");
  const std::size_t hidden = arguments.count("hidden");
  require_at_most(keys - 1, "hidden", hidden, text("行のキーは {} 個です", "the row has {} keys", keys));
  Tape& tape = run.tape;
  tape.normal("query", {width}, {"width"});
  tape.normal("key", {keys, width}, {"keys", "width"});
  tape.normal("value", {keys, width}, {"keys", "width"});
  Tensor<double> mask({keys}, 0.0);
  std::fill_n(mask.begin(), hidden, -infinity);
  mask = tape.input_or("mask", mask, {"keys"},
                       fmt::format("np.where(np.arange({}) < {}, -np.inf, 0.0)", keys, hidden));
  if (largest(mask) == -infinity)
    refuse_usage({"--input mask がすべてのキーを隠します", "--input mask masks every key"},
                 {"0 を 1 つ以上入れてください", "leave a 0 in it"});
  const double magnitude = arguments.number("magnitude");
  tape.product("raw_scores", "K q", "key", "query", {"keys"});
  tape.scaled("scores", "\\frac{K q}{\\sqrt{d}}", "raw_scores",
              magnitude == 1.0 ? over_root(width) : times(magnitude / std::sqrt(static_cast<double>(width))));
  run.masked = tape.sum("masked", "S + M", "scores", "mask");
  tape.softmax("weights", "softmax(S + M)", "masked");
  run.plain = tape.product("plain", "a V", "weights", "value", {"width"});
}

void find_maxima(FlashRun& run) {
  const std::size_t keys = run.masked.size();
  const std::size_t tiles = (keys + run.tile - 1) / run.tile;
  run.maximum = run.factor = Tensor<double>::from_shape({tiles});
  for (std::size_t t = 0; t < tiles; ++t) {
    const double* scores = run.masked.data();
    const double before = maximum_before(run, t);
    const KeyRange range = keys_of(run, t);
    run.maximum(t) = std::max(before, *std::max_element(scores + range.begin, scores + range.end));
    run.factor(t) = std::exp(before - shift_of(run.maximum(t)));
  }
  run.tape.step(
      "running_maximum", "m_t = max(m_{t−1}, S_t)", run.maximum, {"tiles"},
      derived::worked({"masked"}, maximum_lines(run),
                      fmt::format("np.stack([np.amax(masked[:n], axis=-1) for n in range({0}, {1}, {0})])",
                                  run.tile, keys + run.tile)));
  run.tape.step(
      "factor", "f_t = exp(m_{t−1} − m_t)", run.factor, {"tiles"},
      derived::worked({"running_maximum"}, factor_lines(run), "rescaling_factors(running_maximum)"));
}

void read_tiles(FlashRun& run) {
  Tape& tape = run.tape;
  const Tensor<double> value = tape.numbers_of("value");
  const Tensor<double> ones({run.masked.size(), std::size_t{1}}, 1.0);
  const auto code = [&](const char* of) {
    return fmt::format("summed_by_tiles(masked, {}, running_maximum, factor, {})", of, run.tile);
  };
  const Tensor<double> sums = summed_by_tiles(run, ones, run.factor);
  run.sum = to_tensor(sums);
  tape.step("running_sum", "s_t = f_t s_{t−1} + Σ exp(S_t − m_t)", run.sum, {"tiles"},
            derived::worked({"masked", "running_maximum", "factor"},
                            sum_lines(run, "s", "Σ exp(S_{{{0}}} − m_{{{0}}})", sums),
                            code("np.ones_like(masked)")));
  const Tensor<double> accumulator = summed_by_tiles(run, value, run.factor);
  tape.step("accumulator", "O_t = f_t O_{t−1} + exp(S_t − m_t) V_t", accumulator, {"tiles", "width"},
            derived::worked({"masked", "value", "running_maximum", "factor"},
                            sum_lines(run, "O", "exp(S_{{{0}}} − m_{{{0}}}) V_{{{0}}}", accumulator),
                            code("value")));
  run.outputs = accumulator / xt::view(run.sum, xt::all(), xt::newaxis());
  tape.step("tile_output", "y_t = \\frac{O_t}{s_t}", run.outputs, {"tiles", "width"},
            derived::worked({"accumulator", "running_sum"}, output_lines(run, accumulator),
                            "accumulator / running_sum[:, np.newaxis]"));
  const Tensor<double> output = last_row(run.outputs);
  tape.step("output", "y_T", output, {"width"},
            derived::worked({"tile_output"}, rows("y", output), "tile_output[-1]"));
  const Tensor<double> no_factor({run.tiles()}, 1.0);
  run.without =
      last_row(summed_by_tiles(run, value, no_factor)) / last_row(summed_by_tiles(run, ones, no_factor));
  tape.step("without_factors", "f_t = 1", run.without, {"width"},
            derived::worked({"masked", "value", "running_maximum"}, rows("y", run.without),
                            fmt::format("without_rescaling(masked, value, running_maximum, {})", run.tile)));
  const double most = largest_magnitude(value);
  run.ulps = largest_difference(output, run.plain) / (std::nextafter(most, infinity) - most);
}

/// What is read from slow memory and written to it. Stored matrices (Dao et al. 2022, algorithm 0): S and P,
/// N² each, written and read; Q, K, V read, O written. Tiles: every block of B queries reads K and V.
void count_moved(FlashRun& run, const Arguments& arguments) {
  run.head_width = arguments.count("head-width");
  run.block = arguments.count("block");
  std::vector<double> lengths;
  for (std::size_t n = 64; n <= arguments.count("length"); n *= 2) lengths.push_back(static_cast<double>(n));
  run.length = run.tape.input("length", to_tensor(lengths), {"lengths"});
  const auto d = static_cast<double>(run.head_width);
  run.moved_plain = 4.0 * run.length * run.length + 4.0 * run.length * d;
  run.moved_tiles = run.length * d * (2.0 + 2.0 * xt::ceil(run.length / static_cast<double>(run.block)));
  const auto record = [&](const char* name, const char* formula, const Tensor<double>& moved,
                          const std::string& written, const std::string& code) {
    const auto line = [&](std::size_t i) {
      const Formula numbers = formula::read(fmt::format(fmt::runtime(written), run.length(i)));
      return equation(indexed("n", i), {numbers, moved(i)});
    };
    run.tape.step(name, formula, moved, {"lengths"},
                  derived::worked({"length"}, lines(lengths.size(), line), code));
  };
  record("moved_plain", "4 N^2 + 4 N d", run.moved_plain, fmt::format("4 · {{0:g}}^2 + 4 · {{0:g}} · {}", d),
         fmt::format("4.0 * length**2 + 4.0 * length * {}", d));
  record("moved_tiles", "N d (2 + 2 ⌈N / B⌉)", run.moved_tiles,
         fmt::format("{{0:g}} · {} (2 + 2 ⌈{{0:g}} / {}⌉)", d, run.block),
         fmt::format("length * {} * (2.0 + 2.0 * np.ceil(length / {}))", d, run.block));
}

}  // namespace

bool FlashRun::rises_at(std::size_t tile) const {
  return tile > 0 && std::isfinite(maximum(tile - 1)) && maximum(tile) > maximum(tile - 1);
}

std::size_t FlashRun::rescalings() const {
  std::size_t rises = 0;
  for (std::size_t tile = 0; tile < tiles(); ++tile) {
    if (rises_at(tile)) ++rises;
  }
  return rises;
}

FlashRun FlashRun::compute(const Arguments& arguments, const Context& /*context*/) {
  FlashRun run;
  const std::size_t keys = arguments.count("keys");
  const std::size_t after = arguments.count("after");
  run.tile = arguments.count("tile");
  require_at_most(keys, "tile", run.tile, text("行のキーは {} 個です", "the row has {} keys", keys));
  run.tape = Tape(arguments);
  read_row(run, arguments);
  find_maxima(run);
  require_at_most(run.tiles(), "after", after,
                  text("タイルは {} 個です", "the row has {} tiles", run.tiles()));
  run.shown = after == 0 ? run.tiles() : after;
  read_tiles(run);
  count_moved(run, arguments);
  return run;
}

std::vector<Scalar> scalars(const FlashRun& run) {
  return {{"ulps", run.ulps},
          {"rescalings", static_cast<double>(run.rescalings())},
          {"error_without_factors", largest_difference(run.without, run.plain)},
          {"moved_ratio", run.ratio()}};
}

std::vector<Invariant> invariants(const FlashRun& run) {
  // the sums of a long row are rounded in two orders
  const double allowed = 2.0 + static_cast<double>(run.masked.size()) / 64.0;
  return {invariant(
      "equal_to_the_plain_row", run.ulps, allowed,
      "最後のタイルの後の出力は、行全体の softmax の出力と同じ（差は最大のバリューの ulp で）",
      "after the last tile the output is that of softmax over the whole row, in ulps of the largest value")};
}

Experiment flash_experiment() {
  return Experiment{
      "flash",
      {"softmax の 1 行をタイルごとに：最大、和、出力を更新する",
       "one row of softmax tile by tile: maximum, sum and output so far"},
      {"Milakov・Gimelshein 2018、Dao ほか 2022（FlashAttention）",
       "Milakov and Gimelshein 2018; Dao et al. 2022, FlashAttention"},
      {parameter("keys", IntegerKind{{1, 1024}}, "12", "行のキーの個数", "keys of the row"),
       parameter("width", IntegerKind{{1, 256}}, "4", "クエリ、キー、バリューの次元",
                 "width of query, keys and values"),
       parameter("tile", IntegerKind{{1, 1024}}, "4", "1 タイルのキーの個数", "keys in a tile"),
       parameter("after", IntegerKind{{0, 1024}}, "0", "図 tiles が読み終えたタイルの個数（0 はすべて）",
                 "tiles that the figure tiles has read; 0: all"),
       parameter("hidden", IntegerKind{{0, 1023}}, "0", "マスクする先頭のキーの個数",
                 "how many of the first keys are masked"),
       parameter("magnitude", NumberKind{{1e-6, 1e6}}, "1", "すべてのスコアに掛ける数",
                 "multiplies every score"),
       parameter("length", IntegerKind{{128, 1'048'576}}, "8192",
                 "移動する数を数える系列長 N：64, 128, 256, ...（この長さまで）",
                 "lengths N for which the numbers moved are counted: 64, 128, ... up to this one"),
       parameter("head-width", IntegerKind{{1, 1024}}, "64", "そのヘッドの次元 d", "width d of that head"),
       parameter("block", IntegerKind{{1, 65'536}}, std::to_string(queries_at_once),
                 "速いメモリに一度に置くクエリの個数 B", "queries B that fast memory holds at once"),
       seed_parameter("0"), rng_parameter()},
      report_of<FlashRun>}
      .with_inputs({{"query", {"width"}},
                    {"key", {"keys", "width"}},
                    {"value", {"keys", "width"}},
                    {"mask", {"keys"}, true}})
      .with_sliders({{"tile=1:12"}});
}

}  // namespace attnlab
